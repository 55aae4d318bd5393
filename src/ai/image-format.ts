// What an image really is, read from its first bytes: the type by its signature, whatever its label says, and its size.
// Reads single bytes out of the base64 text and decodes nothing.

export type ImageType = "image/png" | "image/jpeg" | "image/gif" | "image/webp";

export interface ImageFormat {
  readonly type: ImageType;
  /** Pixels, at least 1. */
  readonly width: number;
  readonly height: number;
}

/** Undefined for anything but a PNG, GIF, WebP or JPEG in base64 whose header is whole. */
export function readImageFormat(data: string): ImageFormat | undefined {
  const bytes = new Base64Bytes(data);
  const format = readPng(bytes) ?? readGif(bytes) ?? readWebp(bytes) ?? readJpeg(bytes);
  return format && format.width > 0 && format.height > 0 ? format : undefined;
}

function readPng(bytes: Base64Bytes): ImageFormat | undefined {
  if (!bytes.startsWith("\x89PNG\r\n\x1a\n")) return undefined;
  return { type: "image/png", width: bytes.big(16, 4), height: bytes.big(20, 4) };
}

function readGif(bytes: Base64Bytes): ImageFormat | undefined {
  if (!bytes.startsWith("GIF87a") && !bytes.startsWith("GIF89a")) return undefined;
  return { type: "image/gif", width: bytes.little(6, 2), height: bytes.little(8, 2) };
}

function readWebp(bytes: Base64Bytes): ImageFormat | undefined {
  if (!bytes.startsWith("RIFF") || !bytes.startsWith("WEBP", 8)) return undefined;
  // Every WebP file is longer; what follows may then be read without checks.
  if (Number.isNaN(bytes.at(29))) return undefined;
  const type = "image/webp";
  if (bytes.startsWith("VP8X", 12))
    return { type, width: bytes.little(24, 3) + 1, height: bytes.little(27, 3) + 1 };
  if (bytes.startsWith("VP8 ", 12))
    return { type, width: bytes.little(26, 2) & 0x3fff, height: bytes.little(28, 2) & 0x3fff };
  if (!bytes.startsWith("VP8L", 12)) return undefined;
  const bits = bytes.little(21, 4);
  return { type, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

/** More segments than any camera writes before the picture. */
const maxSegments = 2_000;

/** Walks the segments to the frame header. */
function readJpeg(bytes: Base64Bytes): ImageFormat | undefined {
  if (!bytes.startsWith("\xff\xd8\xff")) return undefined;
  for (let at = 2, segment = 0; segment < maxSegments && bytes.at(at) === 0xff; segment += 1) {
    const marker = bytes.at(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { type: "image/jpeg", width: bytes.big(at + 7, 2), height: bytes.big(at + 5, 2) };
    at += marker === 0xff ? 1 : 2 + bytes.big(at + 2, 2);
  }
  return undefined;
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** What lies outside, or is no base64, is NaN, and so is every number that is made of it. */
class Base64Bytes {
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  at(index: number): number {
    const place = Math.floor(index / 3) * 4 + (index % 3);
    const first = this.digit(place);
    const second = this.digit(place + 1);
    if (first < 0 || second < 0) return NaN;
    const shift = (index % 3) * 2;
    return ((first << (2 + shift)) & 0xff) | (second >> (4 - shift));
  }

  big(index: number, length: number): number {
    let value = 0;
    for (let at = 0; at < length; at += 1) value = value * 256 + this.at(index + at);
    return value;
  }

  little(index: number, length: number): number {
    let value = 0;
    for (let at = length - 1; at >= 0; at -= 1) value = value * 256 + this.at(index + at);
    return value;
  }

  startsWith(text: string, index = 0): boolean {
    for (let at = 0; at < text.length; at += 1) if (this.at(index + at) !== text.charCodeAt(at)) return false;
    return true;
  }

  private digit(place: number): number {
    return place < this.text.length ? alphabet.indexOf(this.text.charAt(place)) : -1;
  }
}
