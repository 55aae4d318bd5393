// The changes of a file as VS Code's quick diff numbers them, as the harness counts them. Pure.
import { editorLines } from "../../harness/checkpoints/baseline-lines.ts";
import type { ChangePart } from "../../harness/checkpoints/types.ts";
import { lineChanges, lineText } from "../../harness/proposals/lines.ts";
import type { LineChange } from "../../harness/proposals/lines.ts";
import { isJsonObject } from "../../shared/json.ts";

/** The arguments of a command in `scm/change/title`, after the file; undefined when they are something else. */
export function partOf(changes: unknown, index: unknown): ChangePart | undefined {
  if (!Array.isArray(changes) || typeof index !== "number") return undefined;
  const read = changes.flatMap((change: unknown) => readChange(change) ?? []);
  return read.length === changes.length ? { changes: read, index } : undefined;
}

/** The change at a 0-based line of `live`; one that only removes lines is at those around it. */
export function partAt(base: string, live: string, line: number): ChangePart | undefined {
  const changes = lineChanges(editorLines(base).map(lineText), editorLines(live).map(lineText));
  const index = changes.findIndex(({ newStart, newEnd }) =>
    newStart === newEnd ? line === newStart || line === newStart - 1 : newStart <= line && line < newEnd,
  );
  return index < 0 ? undefined : { changes, index };
}

/** 1-based and with their ends; a side without lines has the end 0 and the line that it comes after. */
function readChange(change: unknown): LineChange | undefined {
  if (!isJsonObject(change)) return undefined;
  const old = span(change.originalStartLineNumber, change.originalEndLineNumber);
  const now = span(change.modifiedStartLineNumber, change.modifiedEndLineNumber);
  return old && now && { oldStart: old[0], oldEnd: old[1], newStart: now[0], newEnd: now[1] };
}

function span(start: unknown, end: unknown): readonly [number, number] | undefined {
  if (typeof start !== "number" || typeof end !== "number") return undefined;
  return end === 0 ? [start, start] : [start - 1, end];
}
