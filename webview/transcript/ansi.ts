// Terminal output as plain text: escape sequences removed, and lines that a progress bar rewrote reduced to their last state.
import stripAnsi from "strip-ansi";
import { limitStackedMarks } from "./stacked-marks.ts";

export function terminalText(raw: string): string {
  const text = limitStackedMarks(stripAnsi(raw)).replace(/\r\n/g, "\n");
  if (!/[\r\b]/.test(text)) return text;
  return text
    .split("\n")
    .map((line) => line.replace(/\r+$/, "").split("\r").at(-1) ?? "")
    .join("\n")
    .replace(/.?[\b]/g, "");
}
