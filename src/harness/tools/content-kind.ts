// What the bytes of a file are, by looking at them: names and extensions do not count.

const signatures: readonly (readonly [string, (bytes: Uint8Array) => boolean])[] = [
  ["image/png", (bytes) => startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
  ["image/jpeg", (bytes) => startsWith(bytes, [0xff, 0xd8, 0xff])],
  ["image/gif", (bytes) => /^GIF8[79]a/.test(ascii(bytes, 0, 6)) && bytes.length > 13],
  ["image/webp", (bytes) => ascii(bytes, 0, 4) === "RIFF" && ascii(bytes, 8, 12) === "WEBP"],
];

/** Providers refuse images of more than 5 MB in base64. */
export const maxImageBytes = 3_750_000;

/** Bytes that are looked at for a NUL. */
const sniffed = 8192;

/** The MIME type of an image that models can see. */
export function imageType(bytes: Uint8Array): string | undefined {
  return signatures.find(([, matches]) => matches(bytes))?.[0];
}

/** A NUL near the start of something that is not UTF-16 or UTF-32 by its byte order mark. */
export function looksBinary(bytes: Uint8Array): boolean {
  const marked = startsWith(bytes, [0xff, 0xfe]) || startsWith(bytes, [0xfe, 0xff]);
  return !marked && bytes.subarray(0, sniffed).includes(0);
}

/**
 * Control characters throughout, as in compressed data and never in text of an older encoding. Only for what does not
 * decode: then it is no text of another encoding either.
 */
export function looksCompressed(bytes: Uint8Array): boolean {
  const start = bytes.subarray(0, compared);
  return start.filter((byte) => byte < 0x20 && !textControls.has(byte)).length > start.length / 100;
}

const compared = 65_536;
/** Backspace, tab, the line and page ends, escape. */
const textControls = new Set([0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1b]);

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** With padding. Written out because the two hosts share no built-in for it. */
export function toBase64(bytes: Uint8Array): string {
  const digits = new Uint8Array(Math.ceil(bytes.length / 3) * 4).fill("=".charCodeAt(0));
  for (let at = 0, to = 0; at < bytes.length; at += 3, to += 4) {
    const left = bytes.length - at;
    const bits = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    digits[to] = alphabet.charCodeAt(bits >> 18);
    digits[to + 1] = alphabet.charCodeAt((bits >> 12) & 63);
    if (left > 1) digits[to + 2] = alphabet.charCodeAt((bits >> 6) & 63);
    if (left > 2) digits[to + 3] = alphabet.charCodeAt(bits & 63);
  }
  return new TextDecoder().decode(digits);
}

function startsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, i) => bytes[i] === byte);
}

function ascii(bytes: Uint8Array, start: number, end: number): string {
  return String.fromCharCode(...bytes.subarray(start, end));
}
