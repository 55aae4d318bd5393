// Images that a provider would refuse, request after request.
import assert from "node:assert/strict";
import { imageSize } from "../../../src/ai/image-limits.ts";
import { toAnthropicRequest } from "../../../src/ai/providers/anthropic-messages-convert.ts";
import type { ImageBlock, Message } from "../../../src/ai/types.ts";
import type { JsonObject } from "../../../src/shared/json.ts";
import { checkAnthropicRequest } from "../../support/anthropic-rules.ts";
import { anthropicModel, user } from "../../support/provider-models.ts";

const model = anthropicModel({ url: "http://127.0.0.1:9" });

function png(width: number, height: number, length = 64): ImageBlock {
  const bytes = Buffer.alloc(length);
  bytes.write("\x89PNG\r\n\x1a\n", "latin1");
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return { type: "image", data: bytes.toString("base64"), mimeType: "image/png" };
}

function sent(messages: readonly Message[]): string {
  const body = toAnthropicRequest({ model, request: { messages }, options: {} });
  checkAnthropicRequest(JSON.parse(JSON.stringify(body)) as JsonObject);
  return JSON.stringify(body.messages);
}

const withImages = (...images: ImageBlock[]): Message => ({ role: "user", content: images, timestamp: 0 });

describe("image limits", () => {
  it("are read from the header of each format", () => {
    assert.deepEqual(imageSize(png(9_000, 10).data), { width: 9_000, height: 10 });
    const gif = Buffer.alloc(32);
    gif.write("GIF89a", "latin1");
    gif.writeUInt16LE(300, 6);
    gif.writeUInt16LE(200, 8);
    assert.deepEqual(imageSize(gif.toString("base64")), { width: 300, height: 200 });
    const webp = Buffer.alloc(32);
    webp.write("RIFF", 0, "latin1");
    webp.write("WEBPVP8X", 8, "latin1");
    webp.writeUIntLE(4_999, 24, 3);
    webp.writeUIntLE(99, 27, 3);
    assert.deepEqual(imageSize(webp.toString("base64")), { width: 5_000, height: 100 });
    const jpeg = Buffer.alloc(64);
    jpeg.writeUInt16BE(0xffd8, 0);
    jpeg.writeUInt16BE(0xffe0, 2);
    jpeg.writeUInt16BE(16, 4);
    jpeg.writeUInt16BE(0xffc2, 20);
    jpeg.writeUInt16BE(17, 22);
    jpeg.writeUInt16BE(480, 25);
    jpeg.writeUInt16BE(640, 27);
    assert.deepEqual(imageSize(jpeg.toString("base64")), { width: 640, height: 480 });
    for (const data of ["", "AAAA", "not base64!", "A".repeat(100)]) assert.equal(imageSize(data), undefined);
  });

  it("leave a note instead of an image that would block the conversation (P38)", () => {
    assert.match(sent([withImages(png(9_000, 10)), user("Next")]), /left out: it is 9000 × 10 pixels/);
    assert.match(sent([withImages(png(10, 10, 6_000_000)), user("Next")]), /left out: it has 7\.6 MB/);
    assert.doesNotMatch(sent([withImages(png(2_162, 322))]), /left out/);
  });

  it("are tighter for many images (P38)", () => {
    const many = Array.from({ length: 24 }, () => png(100, 100));
    const request = sent([withImages(...many, png(2_162, 322)), user("Next")]);
    assert.equal(request.match(/left out: it is 2162 × 322/g)?.length, 1);
    assert.equal(request.match(/base64/g)?.length, 24);
  });
});
