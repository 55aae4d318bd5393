// Images that a provider would refuse, request after request: what they really are, and how large and how many may be.
import assert from "node:assert/strict";
import fc from "fast-check";
import { readImageFormat } from "../../../src/ai/image-format.ts";
import { toAnthropicRequest } from "../../../src/ai/providers/anthropic-messages-convert.ts";
import { toOpenAiChatRequest } from "../../../src/ai/providers/openai-chat-convert.ts";
import type { ImageLimits } from "../../../src/ai/image-limits.ts";
import { replay } from "../../../src/ai/replay.ts";
import type { ImageBlock, Message } from "../../../src/ai/types.ts";
import type { JsonObject } from "../../../src/shared/json.ts";
import { checkAnthropicRequest } from "../../support/anthropic-rules.ts";
import { png } from "../../support/image-rules.ts";
import { anthropicModel, user } from "../../support/provider-models.ts";
import { answerOf, chat, inOrder } from "../../support/random-history.ts";

const model = anthropicModel({ url: "http://127.0.0.1:9" });

function sent(messages: readonly Message[]): string {
  const body = toAnthropicRequest({ model, request: { messages }, options: {} });
  checkAnthropicRequest(JSON.parse(JSON.stringify(body)) as JsonObject);
  return JSON.stringify(body.messages);
}

const withImages = (...images: ImageBlock[]): Message => ({ role: "user", content: images, timestamp: 0 });

const size = (bytes: Buffer) => {
  const format = readImageFormat(bytes.toString("base64"));
  return format && [format.type, format.width, format.height];
};

function gif(): Buffer {
  const bytes = Buffer.alloc(32);
  bytes.write("GIF89a", "latin1");
  bytes.writeUInt16LE(300, 6);
  bytes.writeUInt16LE(200, 8);
  return bytes;
}

function webp(kind: string, write: (bytes: Buffer) => void): Buffer {
  const bytes = Buffer.alloc(32);
  bytes.write("RIFF", 0, "latin1");
  bytes.write(`WEBP${kind}`, 8, "latin1");
  write(bytes);
  return bytes;
}

function jpeg(): Buffer {
  const bytes = Buffer.alloc(64);
  bytes.writeUInt16BE(0xffd8, 0);
  bytes.writeUInt16BE(0xffe0, 2);
  bytes.writeUInt16BE(16, 4);
  bytes.writeUInt16BE(0xffc2, 20);
  bytes.writeUInt16BE(17, 22);
  bytes.writeUInt16BE(480, 25);
  bytes.writeUInt16BE(640, 27);
  return bytes;
}

describe("image formats", () => {
  it("are read from the header of each kind", () => {
    assert.deepEqual(size(Buffer.from(png(9_000, 10).data, "base64")), ["image/png", 9_000, 10]);
    assert.deepEqual(size(gif()), ["image/gif", 300, 200]);
    assert.deepEqual(size(jpeg()), ["image/jpeg", 640, 480]);
    const extended = webp("VP8X", (bytes) => {
      bytes.writeUIntLE(4_999, 24, 3);
      bytes.writeUIntLE(99, 27, 3);
    });
    assert.deepEqual(size(extended), ["image/webp", 5_000, 100]);
    const lossy = webp("VP8 ", (bytes) => {
      bytes.writeUInt16LE(640, 26);
      bytes.writeUInt16LE(480, 28);
    });
    assert.deepEqual(size(lossy), ["image/webp", 640, 480]);
    const lossless = webp("VP8L", (bytes) => bytes.writeUInt32LE((479 << 14) | 639, 21));
    assert.deepEqual(size(lossless), ["image/webp", 640, 480]);
  });

  it("are unknown for anything else, headers that were cut off included", () => {
    for (const data of ["", "AAAA", "not base64!", "A".repeat(100)])
      assert.equal(readImageFormat(data), undefined);
    for (const whole of [Buffer.from(png(5, 5).data, "base64").subarray(0, 23), gif().subarray(0, 9)]) {
      assert.equal(size(whole), undefined);
    }
    assert.equal(size(webp("VP8X", () => undefined).subarray(0, 28)), undefined);
    assert.equal(size(jpeg().subarray(0, 24)), undefined);
    assert.equal(size(Buffer.from("GIF of a cat, as text")), undefined);
  });

  it("never fail and never hang, whatever the data is", () => {
    const head = fc.constantFrom("\x89PNG\r\n\x1a\n", "\xff\xd8\xff", "GIF89a", "RIFF0000WEBPVP8X", "");
    fc.assert(
      fc.property(head, fc.uint8Array({ maxLength: 200 }), fc.nat(6), (start, rest, cut) => {
        const data = Buffer.concat([Buffer.from(start, "latin1"), rest]).toString("base64");
        readImageFormat(data.slice(0, data.length - cut));
      }),
    );
  });
});

describe("image limits", () => {
  it("give an image the type that it has (P38)", () => {
    const request = sent([withImages({ ...png(10, 10), mimeType: "image/jpeg" })]);
    assert.match(request, /"media_type":"image\/png"/);
  });

  it("leave a note instead of what is no image at all", () => {
    const svg = Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>").toString("base64");
    for (const data of ["", svg, "not base64!"]) {
      const request = sent([withImages({ type: "image", data, mimeType: "image/png" })]);
      assert.match(request, /not a whole PNG, JPEG, GIF or WebP file/);
    }
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

  it("are looser for OpenAI", () => {
    const messages = [withImages(png(10, 10, 16 * 1024 * 1024)), user("Next")];
    const body = JSON.stringify(toOpenAiChatRequest({ model: chat, request: { messages }, options: {} }));
    assert.match(body, /left out: it has 21\.3 MB, and at most 20 MB can be sent/);
  });
});

describe("what a model takes less of", () => {
  it("is left out with the reason", () => {
    const gifImage: ImageBlock = { type: "image", data: gif().toString("base64"), mimeType: "image/gif" };
    const limited = { ...chat, imageLimits: { types: ["image/png", "image/jpeg"], maxCount: 2 } } as const;
    const images = [gifImage, png(1, 1), png(2, 2), png(3, 3)];
    const messages = images.map((image) => withImages(image));
    const request = { messages: inOrder(messages) };
    const body = JSON.stringify(toOpenAiChatRequest({ model: limited, request, options: {} }));
    assert.match(body, /it is of the type image\/gif, and only image\/png, image\/jpeg can be sent/);
    assert.equal(body.match(/image_url":\{/g)?.length, 1);
    assert.match(body, /at most 2 images and 200 MB of them can be sent, and newer ones came/);
  });
});

describe("images that come later", () => {
  const parts = (messages: readonly Message[]) => {
    const body = toAnthropicRequest({ model, request: { messages: inOrder(messages) }, options: {} });
    checkAnthropicRequest(JSON.parse(JSON.stringify(body)) as JsonObject);
    return body.messages.map((message) =>
      JSON.stringify(message, (key, value: unknown) => (key === "cache_control" ? undefined : value)),
    );
  };
  const answered = answerOf(model, [{ type: "text", text: "I see." }]);
  const turn = (...images: ImageBlock[]) => [withImages(...images), answered];
  /** For each turn that is added, whether all that was sent before stayed. */
  const kept = (turns: readonly Message[][]) => {
    const all = turns.flat();
    const sizes = turns.map((_turn, index) => turns.slice(0, index + 1).flat().length - 1);
    return sizes.slice(1).map((length, index) => {
      const before = parts(all.slice(0, sizes[index]));
      return JSON.stringify(parts(all.slice(0, length)).slice(0, before.length)) === JSON.stringify(before);
    });
  };

  it("change what was sent once when a large one is among more than 20, and never again", () => {
    const turns = [turn(png(2_162, 322)), ...Array.from({ length: 30 }, () => turn(png(10, 10)))];
    const stays = kept(turns);
    assert.deepEqual(
      stays.flatMap((stay, index) => (stay ? [] : [index])),
      [19],
    );
    const request = sent([...turns.flat().slice(0, -1)]);
    assert.match(
      request,
      /left out: it is 2162 × 322 pixels, and at most 2000 a side can be sent with more than 20/,
    );
    assert.equal(request.match(/base64/g)?.length, 30);
  });

  it("push half of the old ones out at once when the count is full", () => {
    const turns = Array.from({ length: 170 }, () => turn(png(10, 10)));
    const changes = kept(turns).flatMap((stay, index) => (stay ? [] : [index + 2]));
    assert.deepEqual(changes, [101, 152]);
  });

  it("push old ones out when all together are too large for a request", () => {
    const imageLimits: ImageLimits = { maxLength: 1_000, maxSide: 100, maxCount: 100, maxTotalLength: 500 };
    const shown = (count: number) => {
      const messages = Array.from({ length: count }, () => turn(png(10, 10))).flat();
      return JSON.stringify(replay(inOrder(messages), model, { ids: { maxLength: 64 }, imageLimits }));
    };
    const images = (count: number) => shown(count).match(/"image"/g)?.length;
    // 88 characters each.
    assert.deepEqual([1, 5, 6, 7, 8, 9].map(images), [1, 5, 2, 3, 4, 5]);
    assert.match(
      shown(6),
      /left out: it has 0 MB; at most 100 images and 0 MB of them can be sent, and newer ones came/,
    );
  });
});
