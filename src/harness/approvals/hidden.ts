// What searching leaves out for the user's sake: places that are kept from the agent, and lines of files with secrets.
import type { PathContext } from "../tools/paths.ts";
import { AgentIgnore } from "./agent-ignore.ts";
import { isSecretPath } from "./secret-files.ts";

/** Those that the agent may know of. Links in them count as what they are, not as what they lead to. */
export async function withoutIgnored<T extends { readonly uri: string }>(
  found: readonly T[],
  context: PathContext,
): Promise<T[]> {
  const ignore = new AgentIgnore(context);
  const kept = await Promise.all(
    found.map(async ({ uri }) => (await ignore.rule({ uri, realUri: uri })) === undefined),
  );
  return found.filter((_, index) => kept[index]);
}

/** `named`: a place that the user was asked about. */
export function withoutSecrets<T extends { readonly uri: string }>(
  found: readonly T[],
  named: readonly { readonly uri: string }[],
): { readonly shown: readonly T[]; readonly left: number } {
  const asked = new Set(named.map(({ uri }) => uri));
  const shown = found.filter(({ uri }) => asked.has(uri) || !isSecretPath(uri));
  return { shown, left: found.length - shown.length };
}
