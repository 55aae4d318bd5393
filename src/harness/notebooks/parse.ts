// A notebook's file as its cells: Jupyter's format 4. Takes any text and never throws: what is no notebook is told with
// the next step.
import { isJsonObject } from "../../shared/json.ts";
import type { CellOutput, Notebook, NotebookCell } from "./types.ts";
import { errorOutputText, errorType, stderrType, stdoutType } from "./types.ts";

export interface NotebookProblem {
  /** A sentence. */
  readonly what: string;
  /** What can be done about a file that is so, as a sentence. */
  readonly next: string;
}

export type ParsedNotebook =
  | { readonly notebook: Notebook; readonly problem?: never }
  | { readonly problem: NotebookProblem; readonly notebook?: never };

const repair = "Ask the user to repair or restore it.";

export function parseNotebook(text: string): ParsedNotebook {
  let root: unknown;
  try {
    root = JSON.parse(text);
  } catch (error) {
    // The parser's message quotes some of the text.
    const why = error instanceof Error ? error.message.slice(0, 200) : "";
    return broken(`It is not valid JSON (${why}).`);
  }
  if (!isJsonObject(root)) return broken("Its JSON is no notebook.");
  const { nbformat, cells, metadata } = root;
  if (nbformat !== 4) return wrongFormat(nbformat);
  if (!Array.isArray(cells)) return broken("It has no list of cells.");
  const language = languageOf(metadata);
  const parsed = cells.map((cell: unknown) => parseCell(cell, language));
  const wrong = parsed.indexOf(undefined);
  if (wrong >= 0) return broken(`Its cell ${wrong + 1} has no type or no source.`);
  return { notebook: { cells: parsed.filter((cell) => cell !== undefined) } };
}

function broken(what: string): ParsedNotebook {
  return { problem: { what, next: repair } };
}

function wrongFormat(nbformat: unknown): ParsedNotebook {
  if (typeof nbformat !== "number") return broken("It does not say which format of Jupyter it has.");
  const what = `It has Jupyter's format ${nbformat}, and only format 4 is understood.`;
  const next = "Ask the user to convert it: jupyter nbconvert --to notebook --nbformat 4 --inplace.";
  return { problem: { what, next } };
}

function languageOf(metadata: unknown): string | undefined {
  const info = property(property(metadata, "language_info"), "name");
  const kernel = property(property(metadata, "kernelspec"), "language");
  return [info, kernel].find((name) => typeof name === "string");
}

function parseCell(cell: unknown, language: string | undefined): NotebookCell | undefined {
  const source = textOf(property(cell, "source"));
  const type = property(cell, "cell_type");
  if (source === undefined || typeof type !== "string") return undefined;
  if (type !== "code") return { type: type === "markdown" ? "markdown" : "raw", source, outputs: [] };
  const own = property(property(property(cell, "metadata"), "vscode"), "languageId");
  const count = property(cell, "execution_count");
  const outputs = property(cell, "outputs");
  return {
    ...{ type, source },
    language: typeof own === "string" ? own : language,
    executionCount: typeof count === "number" ? count : undefined,
    outputs: Array.isArray(outputs) ? outputs.map(parseOutput) : [],
  };
}

function parseOutput(output: unknown): CellOutput {
  const type = property(output, "output_type");
  if (type === "stream") {
    const mime = property(output, "name") === "stderr" ? stderrType : stdoutType;
    return new Map([[mime, textOf(property(output, "text")) ?? ""]]);
  }
  if (type === "error") {
    const [name = "", message = ""] = ["ename", "evalue"].map((key) => textOf(property(output, key)));
    const traceback = property(output, "traceback");
    const lines = Array.isArray(traceback) ? traceback.filter((line) => typeof line === "string") : [];
    return new Map([[errorType, errorOutputText(name, message, lines.join("\n"))]]);
  }
  const data = property(output, "data");
  return new Map(
    isJsonObject(data) ? Object.entries(data).map(([mime, value]) => [mime, textOf(value) ?? ""]) : [],
  );
}

/** Text, which the format allows to be a list of its lines with their ends. */
function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  return Array.isArray(value) && value.every((line) => typeof line === "string") ? value.join("") : undefined;
}

function property(value: unknown, key: string): unknown {
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
