// The find tool: files and folders whose path matches a glob.
import { Type } from "@sinclair/typebox";
import type { AgentTool, ToolContext, ToolOutcome } from "../../agent/types.ts";
import { knownPlaces } from "../approvals/hidden.ts";
import { UserError } from "../../shared/errors.ts";
import type { JsonObject } from "../../shared/json.ts";
import { searchFiles } from "../search/search.ts";
import type { SearchDetails, SearchHit } from "./details.ts";
import type { SearchToolContext } from "./grep.ts";
import { shownPath } from "./paths.ts";
import { searchStart, withoutEmptyPath } from "./search-places.ts";
import { countNotices, highestLimit, ignoredNotice, searchOutcome, shownHits } from "./search-result.ts";
import { plainNumbers, typedArguments } from "./tool-arguments.ts";

const parameters = Type.Object({
  pattern: Type.String({ description: "Glob: *.ts anywhere, src/**/*.ts from path" }),
  path: Type.Optional(Type.String()),
  limit: Type.Optional(Type.Integer({ minimum: 1, description: "Default 1000" })),
});

const defaultLimit = 1000;

export function createFindTool(context: SearchToolContext): AgentTool {
  return {
    name: "find",
    label: "Find",
    description: "Find files and folders by glob. Ignored ones are left out.",
    parameters,
    prepareArguments: (args) => withoutEmptyPath(plainNumbers(args, ["limit"])),
    execute: (args, call) => find(context, args, call),
  };
}

async function find(
  context: SearchToolContext,
  args: JsonObject,
  { signal }: ToolContext,
): Promise<ToolOutcome> {
  const { pattern, path, ...given } = typedArguments(parameters, args);
  if (pattern.trim() === "") throw new UserError("pattern is empty. Give a glob, for example *.ts.");
  const limit = Math.min(given.limit ?? defaultLimit, highestLimit);
  const { places, shown } = await searchStart(path, context);
  if (places.some(({ isFolder }) => !isFolder)) {
    throw new UserError(`${shown} is a file. Give a folder as path, or use read or grep for this file.`);
  }
  const search = { places, pattern, limit, shows: knownPlaces(context) };
  const found = await searchFiles(context, search, signal);
  const hits = found.entries.map(({ uri, isFolder }): SearchHit => {
    const name = shownPath(uri, context.workspace);
    return isFolder ? { path: `${name}/` } : { path: name, uri };
  });
  const counts = { count: hits.length, more: found.more };
  const details: SearchDetails = {
    ...{ tool: "find", pattern, path: shown, ...counts },
    hits: hits.slice(0, shownHits),
  };
  const notices = countNotices(found, limit, "a narrower pattern or path");
  if (hits.length > 0) return searchOutcome({ lines: hits.map((hit) => hit.path), notices, details });
  const none = `No files found matching ${pattern} in ${shown} (${found.searched} files looked at).`;
  return searchOutcome({ lines: [none], notices: [...notices, ignoredNotice(context)], details });
}
