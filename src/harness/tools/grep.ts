// The grep tool: lines that match a pattern, as `path:LINE: text`, as the user sees the files.
import { Type } from "@sinclair/typebox";
import type { AgentTool, ToolContext, ToolOutcome } from "../../agent/types.ts";
import { UserError } from "../../shared/errors.ts";
import type { JsonObject } from "../../shared/json.ts";
import { ShownFiles } from "../approvals/hidden.ts";
import type { FileMatches, SearchContext, TextFound } from "../search/search.ts";
import { searchText } from "../search/search.ts";
import type { SearchDetails, SearchHit } from "./details.ts";
import type { PathContext } from "./paths.ts";
import { shownPath } from "./paths.ts";
import type { SearchStart } from "./search-places.ts";
import { searchStart, withoutEmptyPath } from "./search-places.ts";
import { countNotices, highestLimit, ignoredNotice, searchOutcome, shownHits } from "./search-result.ts";
import { plainNumbers, typedArguments } from "./tool-arguments.ts";

const parameters = Type.Object({
  pattern: Type.String({ description: "Regex, for one line" }),
  path: Type.Optional(Type.String({ description: "File or folder" })),
  glob: Type.Optional(Type.String({ description: "As *.ts or src/**" })),
  ignoreCase: Type.Optional(Type.Boolean()),
  literal: Type.Optional(Type.Boolean()),
  context: Type.Optional(Type.Integer({ minimum: 0, description: "Lines around each match" })),
  limit: Type.Optional(Type.Integer({ minimum: 1, description: "Matches, default 100" })),
});

const defaultLimit = 100;
/** Lines before and after a match. */
const mostContext = 50;
/** Of a line, in characters. */
const lineLength = 500;
const hitLength = 200;

export type SearchToolContext = SearchContext & PathContext;

export function createGrepTool(context: SearchToolContext): AgentTool {
  return {
    name: "grep",
    label: "Search",
    description: "Search file contents. Ignored and binary files are left out.",
    parameters,
    prepareArguments: (args) => withoutEmptyPath(plainNumbers(args, ["context", "limit"])),
    execute: (args, call) => grep(context, args, call),
  };
}

async function grep(
  context: SearchToolContext,
  args: JsonObject,
  { signal }: ToolContext,
): Promise<ToolOutcome> {
  const { pattern, path, glob, ...given } = typedArguments(parameters, args);
  refuseLines(pattern);
  const limit = Math.min(given.limit ?? defaultLimit, highestLimit);
  const around = Math.min(given.context ?? 0, mostContext);
  const start = await searchStart(path, context);
  const { literal = false, ignoreCase = false } = given;
  const query = { pattern, literal, ignoreCase, glob: glob?.trim() === "" ? undefined : glob };
  const { places } = start;
  const shown = new ShownFiles(context, places);
  const search = { ...query, places, context: around, limit, shows: shown.shows };
  const all = await searchText(context, search, signal);
  const found = { ...all, skipped: [...all.skipped, ...describeSecrets(shown.secrets)] };
  const details = describe(found, pattern, start, context);
  if (found.matches === 0) return nothing(found, { details, glob: query.glob }, context);
  const lines = found.files.flatMap((file) => fileLines(file, context));
  const narrower = `a narrower pattern${path === undefined ? ", a path" : ""}${query.glob ? "" : " or a glob"}`;
  const notices = [
    ...countNotices(found, limit, narrower),
    ...(lines.some((line) => line.endsWith(cutMark))
      ? [`Lines are cut to ${lineLength} characters. Use read to see one whole.`]
      : []),
    ...unsavedNotice(found.files, context),
  ];
  return searchOutcome({ lines, notices, details });
}

function describeSecrets(count: number): string[] {
  if (count === 0) return [];
  const files = count === 1 ? "1 file that may hold secrets is" : `${count} files that may hold secrets are`;
  return [`${files} left out; read asks for them`];
}

/** Every line is looked at by itself, so what would span two never matches. */
function refuseLines(pattern: string): void {
  if (pattern === "") throw new UserError("pattern is empty. Give the text to search for.");
  if (/[\n\r\0]/.test(pattern)) {
    throw new UserError(
      "The pattern has a line break or NUL in it, but each line is searched by itself. Search for a part that stands in one line, with context for the lines around it.",
    );
  }
}

const cutMark = "... [truncated]";

function fileLines({ uri, lines }: FileMatches, { workspace }: SearchToolContext): string[] {
  const path = shownPath(uri, workspace);
  return lines.map(({ line, text, match }) => {
    const shown = text.length > lineLength ? text.slice(0, lineLength) + cutMark : text;
    return match ? `${path}:${line}: ${shown}` : `${path}-${line}- ${shown}`;
  });
}

function unsavedNotice(files: readonly FileMatches[], { workspace }: SearchToolContext): string[] {
  const paths = files.filter(({ unsaved }) => unsaved).map(({ uri }) => shownPath(uri, workspace));
  return paths.length > 0 ? [`With unsaved changes in the editor: ${paths.join(", ")}.`] : [];
}

function describe(
  { files, matches, more }: TextFound,
  pattern: string,
  { shown }: SearchStart,
  { workspace }: SearchToolContext,
): SearchDetails {
  const hits = files.flatMap(({ uri, lines }) =>
    lines
      .filter(({ match }) => match)
      .slice(0, shownHits)
      .map(({ line, text }): SearchHit => {
        const start = text.trim().slice(0, hitLength).toWellFormed();
        return { path: shownPath(uri, workspace), uri, line, text: start };
      }),
  );
  const counts = { count: matches, files: files.length, more };
  return { tool: "grep", pattern, path: shown, ...counts, hits: hits.slice(0, shownHits) };
}

function nothing(
  found: TextFound,
  { details, glob }: { readonly details: SearchDetails; readonly glob: string | undefined },
  context: SearchToolContext,
): ToolOutcome {
  const which = glob === undefined ? `${found.searched} files` : `files that match ${glob}`;
  const lines = [`No matches found for ${details.pattern ?? ""} in ${details.path} (${which} searched).`];
  const notices = [...countNotices(found, 1, ""), ignoredNotice(context)];
  return searchOutcome({ lines, notices, details });
}
