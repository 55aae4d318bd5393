// What `.reinsignore` files keep from the agent: with the syntax of .gitignore, in a workspace folder and below. Such
// places are neither read nor searched nor changed, whatever link leads to them.
import ignore from "ignore";
import type { Files } from "../ports.ts";
import { ruleFromAbove, splitRules } from "../search/ignore-rules.ts";
import { uriIn, wayDown } from "../search/scope.ts";
import type { PathContext, Place } from "../tools/paths.ts";
import { folderOf } from "../tools/paths.ts";

export const agentIgnoreFile = ".reinsignore";

interface Rule {
  readonly line: string;
  /** As it would stand in the workspace folder. */
  readonly fromTop: string;
}

/** Reads each file once: made anew for every call. */
export class AgentIgnore {
  private readonly context: PathContext;
  private readonly read = new Map<string, Promise<readonly Rule[]>>();

  constructor(context: PathContext) {
    this.context = context;
  }

  /** The rule that keeps the place from the agent, as its file spells it; undefined when there is none. */
  async rule({ uri, realUri }: Pick<Place, "uri" | "realUri">): Promise<string | undefined> {
    const rule = await this.ruleOf(uri);
    return rule ?? (realUri === uri ? undefined : this.ruleOf(realUri));
  }

  private async ruleOf(uri: string): Promise<string | undefined> {
    const folder = folderOf(uri, this.context.workspace);
    if (folder === undefined) return undefined;
    const path = wayDown(folder.uri, uri);
    if (path === "") return undefined;
    const names = path.split("/");
    const rules: Rule[] = [];
    for (let depth = 0; depth < names.length; depth += 1) {
      rules.push(...(await this.rulesIn(folder.uri, names.slice(0, depth).join("/"))));
      const here = names.slice(0, depth + 1).join("/");
      const found = matching(rules, depth < names.length - 1 ? `${here}/` : here);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  private rulesIn(root: string, way: string): Promise<readonly Rule[]> {
    const place = uriIn(uriIn(root, way), agentIgnoreFile);
    const known = this.read.get(place) ?? readRules(place, way, this.context.files);
    this.read.set(place, known);
    return known;
  }
}

async function readRules(place: string, way: string, files: Files): Promise<readonly Rule[]> {
  if ((await files.stat(place).catch(() => undefined))?.type !== "file") return [];
  // As the user sees it: what they just typed counts before it is saved.
  const { text } = await files.readText(place);
  return splitRules(text).map((line) => ({ line, fromTop: ruleFromAbove(line, way) }));
}

/** The last rule about a path decides. */
function matching(rules: readonly Rule[], path: string): string | undefined {
  if (rules.length === 0) return undefined;
  const all = ignore({ ignorecase: true }).add(rules.map(({ fromTop }) => fromTop));
  if (!all.ignores(path) && !all.ignores(`${path.replace(/\/$/, "")}/`)) return undefined;
  return rules.findLast(({ fromTop }) => ignore({ ignorecase: true }).add(fromTop).ignores(path))?.line ?? "";
}
