// What `read` answers for a notebook: a page of its cells and outputs as numbered lines, with the images that belong to
// the page. Leaves how cells become lines to notebooks/view.ts.
import type { ImageBlock } from "../../ai/types.ts";
import type { ToolOutcome } from "../../agent/types.ts";
import type { CellImage } from "../notebooks/output.ts";
import type { Notebook } from "../notebooks/types.ts";
import { viewNotebook } from "../notebooks/view.ts";
import type { TextSnapshot } from "../ports.ts";
import { maxImageBytes } from "./content-kind.ts";
import type { ReadDetails } from "./details.ts";
import type { PageRange } from "./line-page.ts";
import { listedLines, pageOf } from "./line-page.ts";
import type { Place } from "./paths.ts";
import { snapshotNotes, withNotes } from "./read-notes.ts";

/** Of one page; together they are no larger than one image may be. */
const maxImages = 5;

/** Throws a UserError for an offset beyond the end. */
export function notebookOutcome(
  { path, uri }: Place,
  notebook: Notebook,
  range: PageRange,
  snapshot: Pick<TextSnapshot, "dirty"> & Partial<TextSnapshot>,
): ToolOutcome {
  const total = notebook.cells.length;
  const base: ReadDetails = { tool: "read", path, uri, ...(snapshot.dirty && { unsaved: true }) };
  if (total === 0 && range.offset === 1) {
    const lines = ["(The notebook has no cells.)", ...snapshotNotes(snapshot)];
    const details: ReadDetails = { ...base, cells: { total, first: 0, last: 0 } };
    return { content: [{ type: "text", text: lines.join("\n") }], details };
  }
  const view = viewNotebook(notebook);
  const rest = () => "For the rest use bash on the notebook's JSON.";
  const page = pageOf(listedLines(view.lines), range, { path, what: "notebook", rest });
  const { shown, later } = imagesOf(view.images, range.offset, page.lastLine);
  const notes = [
    ...(page.notice === undefined ? [] : [page.notice]),
    `[Notebook with ${total} ${total === 1 ? "cell" : "cells"}. Line numbers are those of this view, not of its JSON. Edits of it are refused.]`,
    ...imageNotes(shown, later),
    ...snapshotNotes(snapshot),
  ];
  const text = withNotes(page.lines, notes).join("\n").toWellFormed();
  const cellAt = (line: number) => view.cellLines.filter((start) => start <= line).length;
  const cells = { total, first: cellAt(range.offset), last: cellAt(page.lastLine) };
  return {
    content: [{ type: "text", text }, ...shown.map(([, image]) => imageContent(image))],
    details: { ...base, cells },
  };
}

type PlacedImage = readonly [line: number, image: CellImage];

/** Those of the page's lines, in order; from the first that is one too many on, none. */
function imagesOf(images: ReadonlyMap<number, CellImage>, first: number, last: number) {
  const inPage = [...images].filter(([line]) => line >= first && line <= last);
  let bytes = 0;
  const most = inPage.findIndex(([, image], i) => i === maxImages || (bytes += image.bytes) > maxImageBytes);
  const count = most < 0 ? inPage.length : most;
  return { shown: inPage.slice(0, count), later: inPage.slice(count) };
}

function imageNotes(shown: readonly PlacedImage[], later: readonly PlacedImage[]): string[] {
  const lines = (images: readonly PlacedImage[]) => images.map(([line]) => line).join(", ");
  const [next] = later;
  return [
    ...(shown.length === 0 ? [] : [`[Images follow, in order those of lines ${lines(shown)}.]`]),
    ...(next === undefined
      ? []
      : [`[Left out, to be read with offset=${next[0]}: the images from that line on.]`]),
  ];
}

function imageContent({ data, mimeType }: CellImage): ImageBlock {
  return { type: "image", data, mimeType };
}
