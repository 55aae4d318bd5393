// A notebook as lines that can be paged through like a text's: each cell's source in full, its outputs shortened.
import { plainLine } from "../tools/terminal-text.ts";
import { takeStart } from "../tools/truncate.ts";
import type { CellImage } from "./output.ts";
import { shownOutput } from "./output.ts";
import type { Notebook, NotebookCell } from "./types.ts";

export interface NotebookView {
  readonly lines: readonly string[];
  /** The 1-based line with which each cell begins. */
  readonly cellLines: readonly number[];
  /** By their 1-based line. */
  readonly images: ReadonlyMap<number, CellImage>;
}

/** Outputs of one cell. */
export const maxOutputs = 20;

export function viewNotebook({ cells }: Notebook): NotebookView {
  const lines: string[] = [];
  const cellLines: number[] = [];
  const images = new Map<number, CellImage>();
  for (const [index, cell] of cells.entries()) {
    lines.push(cellTitle(cell, index + 1));
    cellLines.push(lines.length);
    // Pushed one by one: a call takes only so many arguments.
    if (cell.source !== "") for (const line of cell.source.split(/\r\n|\n|\r/)) lines.push(line);
    for (const output of cell.outputs.slice(0, maxOutputs)) {
      const shown = shownOutput(output);
      if (shown.image !== undefined) images.set(lines.length + 1, shown.image);
      lines.push(...shown.lines);
    }
    const more = cell.outputs.length - maxOutputs;
    if (more > 0) lines.push(`[… ${more} more outputs of this cell]`);
  }
  return { lines, cellLines, images };
}

function cellTitle({ type, language, executionCount }: NotebookCell, number: number): string {
  const facts = [
    type,
    ...(language === undefined ? [] : [plainLine(takeStart(language, 100))]),
    ...(executionCount === undefined ? [] : [`execution count ${executionCount}`]),
  ];
  return `[Cell ${number}: ${facts.join(", ")}]`;
}
