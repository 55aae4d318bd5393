import assert from "node:assert/strict";
import type { JsonObject } from "../../../../src/shared/json.ts";
import { imageType, looksBinary, toBase64 } from "../../../../src/harness/tools/content-kind.ts";
import { ToolBench, textOf, uri } from "./tool-bench.ts";

const lines = (count: number): string => Array.from({ length: count }, (_, i) => `line ${i + 1}\n`).join("");
const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 1, 2]);

describe("Reading a file", () => {
  const cases: readonly {
    name: string;
    content: string | Uint8Array;
    args?: JsonObject;
    expected: string | RegExp;
  }[] = [
    { name: "numbers lines as editors do", content: "a\n\nb\n", expected: "1\ta\n2\t\n3\tb" },
    { name: "counts a last line without a line end", content: "a\r\nb", expected: "1\ta\n2\tb" },
    { name: "E05: hides the byte order mark", content: "\ufeffa=1\n", expected: "1\ta=1" },
    { name: "E44: says that a file is empty", content: "", expected: "(The file is empty.)" },
    {
      name: "shows a part, and exactly how to go on",
      content: lines(10),
      args: { offset: 3, limit: 2 },
      expected: "3\tline 3\n4\tline 4\n\n[6 more lines in the file. Use offset=5 to continue.]",
    },
    {
      name: "W11: says nothing more at the end of the file",
      content: lines(3),
      args: { offset: 2, limit: 2 },
      expected: "2\tline 2\n3\tline 3",
    },
    {
      name: "cuts at 2,000 lines, exactly",
      content: lines(2001),
      expected: /\n2000\tline 2000\n\n\[Showing lines 1-2000 of 2001\. Use offset=2001 to continue\.\]$/,
    },
    { name: "does not cut 2,000 lines", content: lines(2000), expected: /\n2000\tline 2000$/ },
    {
      name: "cuts at 50 KiB between lines",
      content: `${"x".repeat(30_000)}\n${"y".repeat(30_000)}\nz\n`,
      expected: /x\n\n\[Showing lines 1-1 of 3 \(50\.0 KiB limit\)\. Use offset=2 to continue\.\]$/,
    },
    {
      name: "E42: shows the start of one enormous line",
      content: `${"x".repeat(5_000_000)}\nnext\n`,
      expected: /x\n\n\[Line 1 is 4\.8 MiB; its first 50\.0 KiB are shown\..*Use offset=2 to continue\.\]$/,
    },
    {
      name: "W11: quotes the path of a file with one enormous line for the shell",
      content: "x".repeat(60_000),
      args: { path: "it's.txt" },
      expected: /use bash: sed -n '1p' 'it'\\''s\.txt' \| tail -c \+51200\.\]$/,
    },
    {
      name: "E44: tells how long a file is when the offset is beyond it",
      content: lines(3),
      args: { offset: 10 },
      expected: "offset 10 is beyond the end of a.txt, which has 3 lines.",
    },
    {
      name: "E44: understands an offset written with a plus",
      content: lines(6),
      args: { offset: "+5 " },
      expected: /^5\tline 5\n6/,
    },
    { name: "E44: refuses offset 0", content: "a\n", args: { offset: 0 }, expected: /offset/ },
    { name: "E44: refuses offset -1", content: "a\n", args: { offset: -1 }, expected: /offset/ },
    {
      name: "shows an image as one, whatever its name",
      content: png,
      expected: "Image a.txt (image/png, 11 bytes)\n<image/png>",
    },
    {
      name: "E40: refuses compressed content behind pages of text",
      content: Buffer.concat([
        Buffer.from(`%PDF-1.7\n${"<< /Type /Page >>\n".repeat(600)}`),
        Uint8Array.from({ length: 30_000 }, (_, i) => ((i * 167) % 255) + 1),
      ]),
      expected: /^a\.txt is a binary file \(39\.9 KiB\)/,
    },
    {
      name: "E07: shows text of an unknown encoding",
      content: Buffer.from("23B2E2CAD40A613D310A".repeat(100), "hex"),
      args: { offset: 2, limit: 1 },
      expected: /^2\ta=1\n\n\[198 more .*\]\n\[Bytes that are not valid utf8/,
    },
    {
      name: "E40: refuses binary content",
      content: Uint8Array.from({ length: 1024 }, (_, i) => i),
      expected: /binary file \(1\.0 KiB\)/,
    },
  ];
  for (const { name, content, args, expected } of cases) {
    it(name, async () => {
      const bench = new ToolBench({ "a.txt": content, "it's.txt": content });
      const text = textOf(await bench.call("read", { path: "a.txt", ...args }));
      if (typeof expected === "string") assert.equal(text, expected);
      else assert.match(text, expected);
    });
  }

  it("E25: shows unsaved changes and says so", async () => {
    const bench = new ToolBench({ "a.txt": "one\n" });
    bench.ports.files.type(uri("a.txt"), "ONE\n");
    const outcome = await bench.call("read", { path: "a.txt" });
    assert.equal(textOf(outcome), "1\tONE\n\n[Unsaved changes in the editor are included.]");
    assert.deepEqual(outcome.details, {
      tool: "read",
      path: "a.txt",
      uri: "memory:/work/a.txt",
      firstLine: 1,
      lastLine: 1,
      totalLines: 1,
      unsaved: true,
      seen: { realUri: "memory:/work/a.txt", version: "2" },
    });
  });

  it("E09: shows bytes that do not decode, and says what that means", async () => {
    const bench = new ToolBench({ "a.txt": Uint8Array.from([0x61, 0x99, 0x0a]) });
    assert.match(
      textOf(await bench.call("read", { path: "a.txt" })),
      /^1\ta\ufffd\n\n\[Bytes that are not valid utf8/,
    );
  });

  it("names what may be meant when there is no such file", async () => {
    const bench = new ToolBench({ "src/app.ts": "", "src/other.ts": "" });
    const text = textOf(await bench.call("read", { path: "src/App.tsx" }));
    assert.equal(text, "src/App.tsx does not exist. Did you mean src/app.ts?");
    assert.match(textOf(await bench.call("read", { path: "nope/a.ts" })), /neither does its folder/);
  });

  it("names what may be meant when a folder on the way is misspelt, and only what exists", async () => {
    const bench = new ToolBench({ "src/lib/a.ts": "", "sr/b.ts": "", "test/lib/c.ts": "" });
    const error = async (path: string): Promise<string> => textOf(await bench.call("read", { path }));
    const start = "does not exist, and neither does its folder.";
    assert.equal(await error("scr/lib/a.ts"), `scr/lib/a.ts ${start} Did you mean src/lib/a.ts?`);
    assert.equal(await error("src/lob/a.ts"), `src/lob/a.ts ${start} Did you mean src/lib/a.ts?`);
    assert.equal(await error("src/lob/z.ts"), `src/lob/z.ts ${start} Check the path, or use find.`);
    assert.equal(await error("x/y/z/a.ts"), `x/y/z/a.ts ${start} Check the path, or use find.`);
  });

  it("lists a folder instead of reading it", async () => {
    const bench = new ToolBench({ "src/b.ts": "", "src/lib/a.ts": "" });
    assert.match(
      textOf(await bench.call("read", { path: "src" })),
      /is a folder\. Name a file\. It holds:\nb\.ts\nlib\//,
    );
  });
});

describe("Looking at bytes", () => {
  it("knows images by their whole signature", () => {
    const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
    assert.equal(imageType(bytes("GIF is a format")), undefined);
    assert.equal(imageType(bytes("GIF89a\0\0\0\0\0\0\0\0")), "image/gif");
    assert.equal(imageType(bytes("RIFF....WEBPVP8 ")), "image/webp");
    assert.equal(imageType(Uint8Array.from([0xff, 0xd8, 0xff, 0xe0])), "image/jpeg");
  });

  it("E10: does not take marked UTF-16 for binary", () => {
    assert.equal(looksBinary(Uint8Array.from([0xff, 0xfe, 0x61, 0, 0x0d, 0])), false);
    assert.equal(looksBinary(Uint8Array.from([0x61, 0])), true);
  });

  it("encodes base64 as everyone does", () => {
    for (let length = 0; length < 300; length += 1) {
      const bytes = Uint8Array.from({ length }, (_, i) => (i * 37) % 256);
      assert.equal(toBase64(bytes), Buffer.from(bytes).toString("base64"));
    }
  });
});
