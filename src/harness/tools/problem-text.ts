// Problems that a change made or fixed, as the model is told.
import type { Problem } from "../ports.ts";
import type { ProblemChange } from "./problem-watch.ts";

const mostListed = 20;
const mostCharacters = 300;

/** Undefined when there is nothing to tell. `pathOf` names a place as the tools do. */
export function problemText(
  { added, fixed }: ProblemChange,
  severity: "errors" | "warnings",
  pathOf: (uri: string) => string,
): string | undefined {
  const counts = (problem: Problem) => severity === "warnings" || problem.severity === "error";
  const news = added.filter(counts);
  const gone = fixed.filter(counts);
  const parts = [
    ...(news.length > 0 ? [`New problems after this change:\n${list(news, pathOf)}`] : []),
    ...(gone.length > 0 ? [`Problems this change fixed: ${gone.length}.`] : []),
  ];
  return parts.length > 0 ? parts.join("\n") : undefined;
}

function list(problems: readonly Problem[], pathOf: (uri: string) => string): string {
  const sorted = [...problems].sort((a, b) => rank(a) - rank(b));
  const lines = sorted.slice(0, mostListed).map((problem) => {
    const { uri, line, column, severity, message, source, code } = problem;
    const from = [source, code].filter((part) => part !== undefined && part !== "").join(" ");
    const said = message.replace(/\s+/g, " ").trim();
    const short = said.length > mostCharacters ? `${said.slice(0, mostCharacters).toWellFormed()}…` : said;
    return `${pathOf(uri)}:${line}:${column} ${severity} ${short}${from === "" ? "" : ` (${from})`}`;
  });
  const more = sorted.length - lines.length;
  return [...lines, ...(more > 0 ? [`… and ${more} more`] : [])].join("\n");
}

/** Errors first. */
function rank({ severity }: Problem): number {
  return severity === "error" ? 0 : 1;
}
