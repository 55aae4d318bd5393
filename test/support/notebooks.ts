// Jupyter notebooks as their files have them, for the tests.
import type { Json } from "../../src/shared/json.ts";

/** The smallest PNG there is, in base64. */
export const smallPng =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** Format 4.5, Python. */
export function notebookJson(cells: readonly Json[], more: { readonly [key: string]: Json } = {}): string {
  const metadata = { kernelspec: { language: "python" }, language_info: { name: "python" } };
  return JSON.stringify({ cells, metadata, nbformat: 4, nbformat_minor: 5, ...more }, null, 1);
}

export function codeCell(source: Json, outputs: Json = [], count: Json = null): Json {
  return { cell_type: "code", id: "c", metadata: {}, source, outputs, execution_count: count };
}

export function markdownCell(source: Json): Json {
  return { cell_type: "markdown", id: "m", metadata: {}, source };
}

export function stream(text: Json, name = "stdout"): Json {
  return { output_type: "stream", name, text };
}

export function displayed(data: Json): Json {
  return { output_type: "display_data", data, metadata: {} };
}

export function failed(traceback: readonly string[]): Json {
  return { output_type: "error", ename: "ValueError", evalue: "no", traceback };
}
