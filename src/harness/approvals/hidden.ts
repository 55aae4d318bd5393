// What searching leaves out for the user's sake: places that are kept from the agent, and lines of files with secrets.
import type { PathContext } from "../tools/paths.ts";
import { AgentIgnore } from "./agent-ignore.ts";
import { isSecretPath } from "./secret-files.ts";

/** Those that the agent may know of. Links in them count as what they are, not as what they lead to. */
export async function withoutIgnored<T extends { readonly uri: string }>(
  found: readonly T[],
  context: PathContext,
): Promise<T[]> {
  const isKnown = knownPlaces(context);
  const kept = await Promise.all(found.map(({ uri }) => isKnown(uri)));
  return found.filter((_, index) => kept[index]);
}

/** Whether the agent may know of a place, found in one search. */
export function knownPlaces(context: PathContext): (uri: string) => Promise<boolean> {
  const ignore = new AgentIgnore(context);
  return async (uri) => (await ignore.rule({ uri, realUri: uri })) === undefined;
}

/** Whose lines the agent may see, found in one search. */
export class ShownFiles {
  /** Files left out because they may hold secrets. */
  secrets = 0;
  private readonly isKnown: (uri: string) => Promise<boolean>;
  private readonly asked: ReadonlySet<string>;

  /** `named`: places that the user was asked about. */
  constructor(context: PathContext, named: readonly { readonly uri: string }[]) {
    this.isKnown = knownPlaces(context);
    this.asked = new Set(named.map(({ uri }) => uri));
  }

  readonly shows = async (uri: string): Promise<boolean> => {
    if (!(await this.isKnown(uri))) return false;
    if (this.asked.has(uri) || !isSecretPath(uri)) return true;
    this.secrets += 1;
    return false;
  };
}
