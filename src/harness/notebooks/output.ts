// What of a cell's output a model is shown: one of its forms, text without escape sequences and no more than a screen of
// it, or an image that providers take.
import { readImageFormat } from "../../ai/image-format.ts";
import { maxImageBytes } from "../tools/content-kind.ts";
import { plainLine } from "../tools/terminal-text.ts";
import { formatBytes, takeStart } from "../tools/truncate.ts";
import type { CellOutput } from "./types.ts";
import { errorType, stderrType, stdoutType } from "./types.ts";

export interface CellImage {
  readonly mimeType: string;
  /** Base64. */
  readonly data: string;
  /** Decoded. */
  readonly bytes: number;
}

export interface ShownOutput {
  /** The first one says what it is; an image belongs to that. */
  readonly lines: readonly string[];
  readonly image?: CellImage;
}

/** Lines of one output, and UTF-8 bytes of one of them. */
export const maxOutputLines = 30;
export const maxOutputLineBytes = 400;
/** Characters of a line that are looked at. */
const rawLine = 4_000;

export function shownOutput(output: CellOutput): ShownOutput {
  const streams = [stdoutType, stderrType, errorType].find((type) => output.has(type));
  if (streams !== undefined) return textOutput(streamTitle[streams] ?? "", output.get(streams), streams);
  const image = [...output].find(([mime]) => /^image\/(png|jpe?g|gif|webp)$/.test(mime));
  if (image !== undefined) return imageOutput(image[0], image[1]);
  const mime = textForms.find((form) => (output.get(form) ?? "") !== "");
  if (mime !== undefined) return textOutput(mime === "text/plain" ? "" : `: ${mime}`, output.get(mime), mime);
  const others = [...output.keys()].slice(0, 3).map((name) => plainLine(takeStart(name, 100)));
  return { lines: [`[Output: ${others.join(", ") || "of no known type"}, not shown]`] };
}

const textForms = ["text/plain", "text/markdown", "text/latex", "application/json"];
const streamTitle: { readonly [type: string]: string } = {
  [stderrType]: ": stderr",
  [errorType]: ": error",
};

/** An error's end says most, and of everything else its beginning. */
function textOutput(title: string, text = "", mime: string): ShownOutput {
  const [head, body] = [`[Output${title}]`, text.replace(/\r?\n$/, "")];
  if (body === "") return { lines: [head] };
  const total = countLines(body);
  if (mime === errorType) {
    const lines = lastLines(body, maxOutputLines).map(shortLine);
    return { lines: [head, ...leftOut(total - lines.length, "before these"), ...lines] };
  }
  const lines = body.split("\n", maxOutputLines).map(shortLine);
  return { lines: [head, ...lines, ...leftOut(total - lines.length, "after these")] };
}

/** Without a look at the others. */
function lastLines(text: string, count: number): string[] {
  let start = text.length;
  for (let left = count; left > 0 && start >= 0; left -= 1)
    start = start === 0 ? -1 : text.lastIndexOf("\n", start - 1);
  return text.slice(start + 1).split("\n");
}

function leftOut(count: number, where: string): string[] {
  return count > 0 ? [`[… ${count} more ${count === 1 ? "line" : "lines"} ${where}]`] : [];
}

/** Of a line that a progress bar overwrote again and again, its last state. */
function shortLine(line: string): string {
  const isBar = line.includes("\r");
  const plain = plainLine(isBar ? line.slice(-rawLine) : line.slice(0, rawLine));
  const start = takeStart(plain, maxOutputLineBytes);
  const whole = start.length === plain.length && (isBar || line.length <= rawLine);
  return whole ? plain : `${start}…`;
}

function imageOutput(mime: string, text: string): ShownOutput {
  const data = text.replace(/\s+/g, "");
  const bytes = Math.floor((data.length * 3) / 4) - (/=*$/.exec(data.slice(-2))?.[0].length ?? 0);
  const title = `Output: ${mime}, ${formatBytes(bytes)}`;
  if (bytes > maxImageBytes)
    return { lines: [`[${title}, not shown: at most ${formatBytes(maxImageBytes)} can be]`] };
  const mimeType = isBase64(data) ? readImageFormat(data)?.type : undefined;
  // Providers refuse a whole conversation for one image that is none.
  if (mimeType === undefined) return { lines: [`[${title}, not shown: it is not a valid image]`] };
  return { lines: [`[${title}]`], image: { mimeType, data, bytes } };
}

function isBase64(data: string): boolean {
  return data.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(data);
}

function countLines(text: string): number {
  let count = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}
