// Whether an image is too large to send: one that a provider refuses would block the conversation for good, since it is
// sent again with every request. Reads sizes from the first bytes; decodes nothing.
import type { ImageBlock, Message } from "./types.ts";

export interface ImageLimits {
  /** Characters of base64. */
  readonly maxLength: number;
  /** Pixels of the longer side. */
  readonly maxSide: number;
  /** Pixels of the longer side in a request with more than `many` images. */
  readonly maxSideOfMany: number;
  readonly many: number;
}

/** Of the Messages API. */
export const anthropicImageLimits: ImageLimits = {
  maxLength: 5 * 1024 * 1024,
  maxSide: 8_000,
  maxSideOfMany: 2_000,
  many: 20,
};

export function countImages(messages: readonly Message[]): number {
  let count = 0;
  for (const message of messages) {
    if (message.role !== "user" && message.role !== "toolResult") continue;
    if (typeof message.content === "string") continue;
    for (const block of message.content) if (block.type === "image") count += 1;
  }
  return count;
}

/** Why the image cannot be sent, for the model and the user; undefined when it can, or its size is not known. */
export function imageProblem(image: ImageBlock, limits: ImageLimits, imageCount: number): string | undefined {
  if (image.data.length > limits.maxLength) {
    const mebibytes = (image.data.length / 1024 / 1024).toFixed(1);
    return `it has ${mebibytes} MB, and at most ${limits.maxLength / 1024 / 1024} MB can be sent`;
  }
  const size = imageSize(image.data);
  if (!size) return undefined;
  const maxSide = imageCount > limits.many ? limits.maxSideOfMany : limits.maxSide;
  if (Math.max(size.width, size.height) <= maxSide) return undefined;
  return `it is ${size.width} × ${size.height} pixels, and at most ${maxSide} a side can be sent`;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Enough for the headers of all four formats; a JPEG may carry metadata before its size. */
const headerLength = 256 * 1024;

/** Of a PNG, GIF, WebP or JPEG in base64. */
export function imageSize(data: string): Size | undefined {
  const bytes = firstBytes(data);
  if (!bytes) return undefined;
  const view = new DataView(bytes.buffer);
  const text = (at: number, length: number) => String.fromCharCode(...bytes.subarray(at, at + length));
  if (bytes.length < 30) return undefined;
  if (text(1, 3) === "PNG") return { width: view.getUint32(16), height: view.getUint32(20) };
  if (text(0, 3) === "GIF") return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
  if (text(0, 4) === "RIFF" && text(8, 4) === "WEBP") return webpSize(text(12, 4), view);
  return view.getUint16(0) === 0xffd8 ? jpegSize(view) : undefined;
}

function webpSize(format: string, view: DataView): Size | undefined {
  const uint24 = (at: number) => view.getUint16(at, true) + view.getUint8(at + 2) * 65_536;
  if (format === "VP8X") return { width: uint24(24) + 1, height: uint24(27) + 1 };
  if (format === "VP8 ") {
    return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  }
  if (format !== "VP8L") return undefined;
  const bits = view.getUint32(21, true);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

/** Walks the segments to the frame header. */
function jpegSize(view: DataView): Size | undefined {
  for (let at = 2; at + 9 <= view.byteLength && view.getUint8(at) === 0xff;) {
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    at += marker === 0xff ? 1 : 2 + view.getUint16(at + 2);
  }
  return undefined;
}

function firstBytes(data: string): Uint8Array<ArrayBuffer> | undefined {
  const head = data.slice(0, headerLength);
  try {
    return Uint8Array.from(atob(head.slice(0, head.length - (head.length % 4))), (character) =>
      character.charCodeAt(0),
    );
  } catch {
    // Not base64: the provider will say so.
    return undefined;
  }
}
