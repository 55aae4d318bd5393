// What ignore files say about a path, as ripgrep reads them: a file of a stronger kind goes before one of a weaker kind,
// and of one kind the nearest folder's goes first. Reads nothing itself.
import ignore from "ignore";
import type { Ignore } from "ignore";

/** The names of ignore files, strongest first. The last one counts only where it is: git keeps it per repository. */
export const ignoreFiles = [".rgignore", ".ignore", ".gitignore", ".git/info/exclude"] as const;

/** The text of a folder's ignore files, by name. */
export type IgnoreTexts = ReadonlyMap<string, string>;

interface Level {
  /** Relative to the root of the search; "" is the root. */
  readonly folder: string;
  /** An index in `ignoreFiles`, or one more for the rules given from above. */
  readonly kind: number;
  readonly lines: readonly string[];
  readonly matcher: Ignore;
}

/** The rules that hold in one folder. Immutable: each folder on the way down has its own. */
export class IgnoreRules {
  /** In the order in which they are asked. */
  private readonly levels: readonly Level[];

  private constructor(levels: readonly Level[]) {
    this.levels = levels;
  }

  /** `lines`: the weakest rules, as in a .gitignore in the root. */
  static from(lines: readonly string[]): IgnoreRules {
    return new IgnoreRules(lines.length === 0 ? [] : [level("", ignoreFiles.length, lines)]);
  }

  /** The rules in `folder` (relative to the root), which has these ignore files. */
  enter(folder: string, texts: IgnoreTexts): IgnoreRules {
    const own = ignoreFiles.flatMap((name, kind) => {
      const text = texts.get(name);
      return text === undefined ? [] : [level(folder, kind, splitRules(text))];
    });
    const above = this.levels.map((each) => lifted(each, folder));
    // Sorting is stable, so of one kind the nearest stays first.
    return new IgnoreRules([...own, ...above].sort((a, b) => a.kind - b.kind));
  }

  /** `path` is relative to the root and in the folder that these rules are for. */
  ignores(path: string, isFolder: boolean): boolean {
    for (const { folder, matcher } of this.levels) {
      const { ignored, unignored } = matcher.test(below(folder, path) + (isFolder ? "/" : ""));
      if (ignored || unignored) return ignored;
    }
    return false;
  }
}

/** The lines of an ignore file, without comments. */
export function splitRules(text: string): string[] {
  return text
    .replace(/^\ufeff/, "")
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "" && !line.startsWith("#"));
}

/** The same rule, written in a folder further up: `folder` is the way from there, "" changes nothing. */
export function ruleFromAbove(line: string, folder: string): string {
  if (folder === "") return line;
  const negated = line.startsWith("!");
  const body = negated ? line.slice(1) : line;
  const way = folder.replace(/[\\*?[\]{}]/g, "\\$&");
  return `${negated ? "!" : ""}/${way}/${isAnchored(body) ? body.replace(/^\//, "") : `**/${body.replace(/^\*\*\//, "")}`}`;
}

function level(folder: string, kind: number, lines: readonly string[]): Level {
  return { folder, kind, lines, matcher: ignore({ ignorecase: false }).add(lines) };
}

/**
 * A folder that one file ignores is entered when a stronger one says so. What that file says of names then still holds
 * in there, but no longer that everything is ignored because its folder is.
 */
function lifted(rules: Level, folder: string): Level {
  if (folder === rules.folder || folder === "") return rules;
  if (!rules.matcher.test(`${below(rules.folder, folder)}/`).ignored) return rules;
  return level(
    folder,
    rules.kind,
    rules.lines.filter((line) => !isAnchored(line)),
  );
}

/** It means a path, not a name at any depth. */
function isAnchored(rule: string): boolean {
  return /\/./.test(rule.replace(/^!?\*\*\//, ""));
}

function below(folder: string, path: string): string {
  return folder === "" ? path : path.slice(folder.length + 1);
}
