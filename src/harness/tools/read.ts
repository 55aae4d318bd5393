// The read tool: text with line numbers, as the user sees it, or an image. Leaves notebooks to read-notebook.ts.
import { Type } from "@sinclair/typebox";
import type { AgentTool, ToolOutcome } from "../../agent/types.ts";
import type { ParsedNotebook } from "../notebooks/parse.ts";
import { parseNotebook } from "../notebooks/parse.ts";
import type { TextSnapshot } from "../ports.ts";
import { toBase64 } from "./content-kind.ts";
import type { ReadDetails, SeenDetails } from "./details.ts";
import type { PageRange } from "./line-page.ts";
import { pageOf, textLines } from "./line-page.ts";
import type { PathContext, Place } from "./paths.ts";
import { locate } from "./paths.ts";
import { notebookOutcome } from "./read-notebook.ts";
import { snapshotNotes, withNotes } from "./read-notes.ts";
import type { ReadRecords } from "./read-records.ts";
import { isNotebook, loadContent, withoutBom } from "./text-file.ts";
import { plainNumbers, typedArguments } from "./tool-arguments.ts";
import { formatBytes, maxResultBytes } from "./truncate.ts";

const parameters = Type.Object({
  path: Type.String(),
  offset: Type.Optional(Type.Integer({ minimum: 1, description: "First line, from 1" })),
  limit: Type.Optional(Type.Integer({ minimum: 1 })),
});

export interface ReadToolContext extends PathContext {
  readonly reads: ReadRecords;
}

export function createReadTool(context: ReadToolContext): AgentTool {
  return {
    name: "read",
    label: "Read",
    description:
      "Read a text file, image or notebook (cells, outputs). Line number and tab are not part of the text.",
    parameters,
    prepareArguments: (args) => plainNumbers(args, ["offset", "limit"]),
    execute: async (args) => {
      const { path, offset = 1, limit } = typedArguments(parameters, args);
      const range = { offset, limit };
      const place = await locate(path, context);
      const open = context.files.unsavedNotebook(place.uri);
      if (open !== undefined) return notebookOutcome(place, open, range, { dirty: true });
      const content = await loadContent(place, context.files);
      if (content.type === "image") return imageOutcome(place, content.bytes, content.mimeType);
      const { snapshot } = content;
      const { version, text } = snapshot;
      const { notebook, problem } = notebookIn(place, text);
      if (notebook !== undefined) return notebookOutcome(place, notebook, range, snapshot);
      const notes =
        problem === undefined ? [] : [`[Shown as text, not as cells. ${problem.what} ${problem.next}]`];
      const outcome = textOutcome(place, snapshot, range, notes);
      context.reads.remember(place.realUri, { version, text });
      const seen: SeenDetails = { realUri: place.realUri, version };
      return { ...outcome, details: { ...outcome.details, seen } };
    },
  };
}

function notebookIn(place: Place, text: string): Partial<ParsedNotebook> {
  return isNotebook(place) && text.trim() !== "" ? parseNotebook(withoutBom(text)) : {};
}

function imageOutcome({ path, uri }: Place, bytes: Uint8Array, mimeType: string): ToolOutcome {
  const details: ReadDetails = { tool: "read", path, uri };
  return {
    content: [
      { type: "text", text: `Image ${path} (${mimeType}, ${formatBytes(bytes.length)})` },
      { type: "image", data: toBase64(bytes), mimeType },
    ],
    details,
  };
}

function textOutcome(
  { path, uri }: Place,
  snapshot: TextSnapshot,
  range: PageRange,
  extra: readonly string[],
): ToolOutcome {
  const source = textLines(withoutBom(snapshot.text));
  const notes = [...extra, ...snapshotNotes(snapshot)];
  const base: ReadDetails = { tool: "read", path, uri, ...(snapshot.dirty && { unsaved: true }) };
  if (source.total === 0 && range.offset === 1)
    return textResult(["(The file is empty.)", ...notes], { ...base, totalLines: 0 });
  const rest = (line: number) =>
    `For the rest use bash: sed -n '${line}p' ${quoted(path)} | tail -c +${maxResultBytes}.`;
  const { lines, lastLine, notice } = pageOf(source, range, { path, what: "file", rest });
  const details: ReadDetails = { ...base, firstLine: range.offset, lastLine, totalLines: source.total };
  return textResult(withNotes(lines, [...(notice === undefined ? [] : [notice]), ...notes]), details);
}

/** For a shell. */
function quoted(path: string): string {
  return `'${path.replaceAll("'", () => "'\\''")}'`;
}

function textResult(lines: readonly string[], details: ReadDetails): ToolOutcome {
  return { content: [{ type: "text", text: lines.join("\n").toWellFormed() }], details };
}
