// The read tool: text with line numbers, as the user sees it, or an image.
import { Type } from "@sinclair/typebox";
import type { AgentTool, ToolOutcome } from "../../agent/types.ts";
import { UserError } from "../../shared/errors.ts";
import type { TextSnapshot } from "../ports.ts";
import { lineText, splitLines } from "../proposals/lines.ts";
import { toBase64 } from "./content-kind.ts";
import type { ReadDetails, SeenDetails } from "./details.ts";
import { numberLines } from "./line-numbers.ts";
import type { PathContext, Place } from "./paths.ts";
import { locate } from "./paths.ts";
import type { ReadRecords } from "./read-records.ts";
import { loadContent, withoutBom } from "./text-file.ts";
import { plainNumbers, typedArguments } from "./tool-arguments.ts";
import type { Cut } from "./truncate.ts";
import { cutHead, formatBytes, maxResultBytes } from "./truncate.ts";

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
    description: "Read a text file (line number and tab are not part of the text) or an image.",
    parameters,
    prepareArguments: (args) => plainNumbers(args, ["offset", "limit"]),
    execute: async (args) => {
      const { path, offset = 1, limit } = typedArguments(parameters, args);
      const place = await locate(path, context);
      const content = await loadContent(place, context.files);
      if (content.type === "image") return imageOutcome(place, content.bytes, content.mimeType);
      const outcome = textOutcome(place, content.snapshot, offset, limit);
      const { version, text } = content.snapshot;
      context.reads.remember(place.realUri, { version, text });
      const seen: SeenDetails = { realUri: place.realUri, version };
      return { ...outcome, details: { ...outcome.details, seen } };
    },
  };
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
  place: Place,
  snapshot: TextSnapshot,
  offset: number,
  limit: number | undefined,
): ToolOutcome {
  const { path, uri } = place;
  const lines = splitLines(withoutBom(snapshot.text)).map(lineText);
  const total = lines.length;
  const notes = snapshotNotes(snapshot);
  const base: ReadDetails = { tool: "read", path, uri, ...(snapshot.dirty && { unsaved: true }) };
  if (total === 0 && offset === 1)
    return textResult(["(The file is empty.)", ...notes], { ...base, totalLines: 0 });
  if (offset > total) {
    throw new UserError(`offset ${offset} is beyond the end of ${path}, which has ${total} lines.`);
  }
  const wanted = lines.slice(offset - 1, limit === undefined ? undefined : offset - 1 + limit);
  const cut = cutHead(numberLines(wanted, offset));
  const lastLine = offset + cut.lines.length - 1;
  const notice = continuation(cut, path, { offset, lastLine, total });
  const details: ReadDetails = { ...base, firstLine: offset, lastLine, totalLines: total };
  return textResult(
    [...cut.lines, ...(notice === undefined && notes.length === 0 ? [] : [""]), ...(notice ?? []), ...notes],
    details,
  );
}

function continuation(
  cut: Cut,
  path: string,
  { offset, lastLine, total }: { readonly offset: number; readonly lastLine: number; readonly total: number },
): string[] | undefined {
  const next = lastLine + 1;
  const go = next <= total ? ` Use offset=${next} to continue.` : "";
  if (cut.lineBytes !== undefined) {
    const shown = formatBytes(maxResultBytes);
    return [
      `[Line ${offset} is ${formatBytes(cut.lineBytes)}; its first ${shown} are shown. For the rest use bash: sed -n '${offset}p' '${path}' | tail -c +${maxResultBytes}.${go}]`,
    ];
  }
  if (cut.by !== undefined) {
    const why = cut.by === "bytes" ? ` (${formatBytes(maxResultBytes)} limit)` : "";
    return [`[Showing lines ${offset}-${lastLine} of ${total}${why}.${go}]`];
  }
  if (next > total) return undefined;
  return [`[${total - lastLine} more lines in the file.${go}]`];
}

function snapshotNotes({ dirty, lossy, encoding }: TextSnapshot): string[] {
  return [
    ...(dirty ? ["[Unsaved changes in the editor are included.]"] : []),
    ...(lossy
      ? [`[Bytes that are not valid ${encoding} are shown as \ufffd. Edits of this file are refused.]`]
      : []),
  ];
}

function textResult(lines: readonly string[], details: ReadDetails): ToolOutcome {
  return { content: [{ type: "text", text: lines.join("\n").toWellFormed() }], details };
}
