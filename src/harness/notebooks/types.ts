// A notebook as its cells: what an editor shows of it, or what is in its file. Knows nothing of either.

export interface Notebook {
  readonly cells: readonly NotebookCell[];
}

export interface NotebookCell {
  readonly type: "code" | "markdown" | "raw";
  /** Of a code cell, for example `python`; undefined where the notebook does not say. */
  readonly language?: string | undefined;
  readonly executionCount?: number | undefined;
  readonly source: string;
  readonly outputs: readonly CellOutput[];
}

/**
 * One output in each of its forms, by MIME type: text as it is, images in base64, and "" for what is neither. Streams
 * and errors have the MIME types that VS Code gives them.
 */
export type CellOutput = ReadonlyMap<string, string>;

export const stdoutType = "application/vnd.code.notebook.stdout";
export const stderrType = "application/vnd.code.notebook.stderr";
export const errorType = "application/vnd.code.notebook.error";

/** An error as text: its traceback, or at least what it says. */
export function errorOutputText(name: string, message: string, traceback: string): string {
  const line = [name, message].filter((part) => part !== "").join(": ");
  if (traceback.trim() === "") return line;
  return traceback.includes(message) ? traceback : `${traceback}\n${line}`;
}
