// What APIs refuse of images: data that is not what its label says, and too large or too many of them.
import type { ImageBlock } from "../../src/ai/types.ts";
import { requireThat } from "./request-rules.ts";

export interface ImageRules {
  readonly maxLength: number;
  readonly maxSide: number;
  readonly many?: { readonly count: number; readonly maxSide: number };
  readonly maxCount: number;
  readonly maxTotalLength: number;
}

const signatures: Readonly<Record<string, readonly string[]>> = {
  "image/png": ["\x89PNG\r\n\x1a\n"],
  "image/jpeg": ["\xff\xd8\xff"],
  "image/gif": ["GIF87a", "GIF89a"],
  "image/webp": ["RIFF"],
};

export function checkImageData(data: string, mimeType: string, where: string): void {
  requireThat(data !== "", `${where}: image cannot be empty`);
  const head = Buffer.from(data.slice(0, 64), "base64").toString("latin1");
  const known = signatures[mimeType]?.some((signature) => head.startsWith(signature)) === true;
  requireThat(known, `${where}: Could not process image`);
}

/** All base64 images of a body; sizes of PNG only, which is what tests make. */
export function checkImages(body: unknown, rules: ImageRules): void {
  const images: string[] = [];
  JSON.stringify(body, (_key, value: unknown) => {
    const data = imageData(value);
    if (data !== undefined) images.push(data);
    return value;
  });
  requireThat(images.length <= rules.maxCount, `at most ${rules.maxCount} images can be sent in a request`);
  const total = images.reduce((sum, data) => sum + data.length, 0);
  requireThat(total <= rules.maxTotalLength, "Request exceeds the maximum size");
  for (const data of images) {
    requireThat(
      data.length <= rules.maxLength,
      `image exceeds the maximum: ${data.length} > ${rules.maxLength} bytes`,
    );
    const head = Buffer.from(data.slice(0, 64), "base64");
    if (head.toString("latin1", 1, 4) !== "PNG") continue;
    const side = Math.max(head.readUInt32BE(16), head.readUInt32BE(20));
    requireThat(side <= rules.maxSide, `image dimensions exceed max allowed size: ${rules.maxSide} pixels`);
    const { many } = rules;
    requireThat(
      !many || images.length <= many.count || side <= many.maxSide,
      "image dimensions exceed max allowed size for many-image requests",
    );
  }
}

/** A PNG of that size as far as its header goes. */
export function png(width: number, height: number, length = 64): ImageBlock {
  const bytes = Buffer.alloc(length);
  bytes.write("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1");
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return { type: "image", data: bytes.toString("base64"), mimeType: "image/png" };
}

function imageData(value: unknown): string | undefined {
  if (typeof value === "string") return /^data:image\/[a-z]+;base64,(.*)$/.exec(value)?.[1];
  if (typeof value !== "object" || value === null) return undefined;
  return "data" in value && "media_type" in value && typeof value.data === "string" ? value.data : undefined;
}
