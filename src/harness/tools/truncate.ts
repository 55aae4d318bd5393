// The limits on text that goes to a model, and the exact notices about what was left out. Cuts fall between lines, or
// between code points where one line alone is too long.

/** Lines of one result. */
export const maxResultLines = 2000;
/** UTF-8 bytes of one result, 50 KiB. */
export const maxResultBytes = 51_200;

export interface Cut {
  readonly lines: readonly string[];
  /** Why lines are missing; undefined when none is. */
  readonly by?: "lines" | "bytes";
  /** The one line kept was itself cut: its whole size in bytes. */
  readonly lineBytes?: number;
}

/** The first lines that fit. A first line that does not fit alone is cut at its end. */
export function cutHead(lines: readonly string[]): Cut {
  return cut(lines, (text) => takeStart(text, maxResultBytes));
}

/** The last lines that fit. A last line that does not fit alone is cut at its start. */
export function cutTail(lines: readonly string[]): Cut {
  const { lines: kept, ...rest } = cut(lines.toReversed(), (text) => takeEnd(text, maxResultBytes));
  return { lines: kept.toReversed(), ...rest };
}

/** UTF-8 length. */
export function byteLength(text: string): number {
  let bytes = 0;
  for (let i = 0; i < text.length; i += 1) bytes += unitBytes(text.charCodeAt(i));
  return bytes;
}

/** The longest start of at most `bytes` UTF-8 bytes, never half a code point. */
export function takeStart(text: string, bytes: number): string {
  let end = 0;
  for (let used = 0; end < text.length; end += 1) {
    used += unitBytes(text.charCodeAt(end));
    if (used > bytes) break;
  }
  return text.slice(0, splitsPair(text, end) ? end - 1 : end);
}

/** The longest end of at most `bytes` UTF-8 bytes, never half a code point. */
export function takeEnd(text: string, bytes: number): string {
  let start = text.length;
  for (let used = 0; start > 0; start -= 1) {
    used += unitBytes(text.charCodeAt(start - 1));
    if (used > bytes) break;
  }
  return text.slice(splitsPair(text, start) ? start + 1 : start);
}

/** For people and models, for example "50.0 KiB". */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  const kib = bytes / 1024;
  return kib < 1024 ? `${kib.toFixed(1)} KiB` : `${(kib / 1024).toFixed(1)} MiB`;
}

function cut(lines: readonly string[], shorten: (line: string) => string): Cut {
  const kept: string[] = [];
  let bytes = 0;
  for (const line of lines) {
    if (kept.length === maxResultLines) return { lines: kept, by: "lines" };
    const size = byteLength(line);
    bytes += size + (kept.length > 0 ? 1 : 0);
    if (bytes <= maxResultBytes) kept.push(line);
    else if (kept.length > 0) return { lines: kept, by: "bytes" };
    else return { lines: [shorten(line)], by: "bytes", lineBytes: size };
  }
  return { lines: kept };
}

/** Half of a surrogate pair counts two: together the four bytes of their code point. */
function unitBytes(unit: number): number {
  if (unit < 0x80) return 1;
  if (unit < 0x800 || (unit >= 0xd800 && unit < 0xe000)) return 2;
  return 3;
}

function splitsPair(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  return before >= 0xd800 && before < 0xdc00 && after >= 0xdc00 && after < 0xe000;
}
