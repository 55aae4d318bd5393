// The setting `reins.approval.rules`: for paths in the workspace, what is done without asking and what not at all. Of
// several rules about a path the last one counts. What is wrong in the setting is reported and left out.
import { isJsonObject } from "../../shared/json.ts";
import { excludedBy } from "../search/globs.ts";

export type EditRule = "auto" | "ask" | "later" | "refuse";
export type ReadRule = "allow" | "ask" | "refuse";

export interface PathRule {
  readonly glob: string;
  readonly edits?: EditRule;
  readonly reads?: ReadRule;
}

export interface ReadRules {
  readonly rules: readonly PathRule[];
  /** For people; each names its place in the settings. */
  readonly problems: readonly string[];
}

const editRules: readonly EditRule[] = ["auto", "ask", "later", "refuse"];
const readRules: readonly ReadRule[] = ["allow", "ask", "refuse"];

/** `setting` is unchecked. Never throws. */
export function readApprovalRules(setting: unknown): ReadRules {
  if (setting === undefined || setting === null) return { rules: [], problems: [] };
  if (!Array.isArray(setting)) return { rules: [], problems: ["reins.approval.rules must be a list."] };
  const problems: string[] = [];
  const rules = setting.flatMap((value: unknown, index): PathRule[] => {
    const report = (text: string) => void problems.push(`reins.approval.rules[${index}]${text}`);
    const rule = readRule(value, report);
    return rule ? [rule] : [];
  });
  return { rules, problems };
}

/** What the rules say about a path relative to its workspace folder. */
export function ruleFor(rules: readonly PathRule[], path: string): Omit<PathRule, "glob"> {
  let edits: EditRule | undefined;
  let reads: ReadRule | undefined;
  for (const rule of rules) {
    if (!excludedBy([rule.glob])(path)) continue;
    edits = rule.edits ?? edits;
    reads = rule.reads ?? reads;
  }
  return { ...(edits && { edits }), ...(reads && { reads }) };
}

function readRule(value: unknown, report: (text: string) => void): PathRule | undefined {
  if (!isJsonObject(value)) return void report(" must be an object with a glob.");
  const { glob, edits, reads, ...others } = value;
  for (const name of Object.keys(others)) report(`.${name} is not known; known are glob, edits and reads.`);
  if (typeof glob !== "string" || glob.trim() === "" || glob.length > 1_000)
    return void report(".glob must be a glob such as src/**.");
  const edit = editRules.find((each) => each === edits);
  const read = readRules.find((each) => each === reads);
  if (edits !== undefined && !edit) report(`.edits must be one of ${editRules.join(", ")}.`);
  if (reads !== undefined && !read) report(`.reads must be one of ${readRules.join(", ")}.`);
  return { glob: glob.trim(), ...(edit && { edits: edit }), ...(read && { reads: read }) };
}
