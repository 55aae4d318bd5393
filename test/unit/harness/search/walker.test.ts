import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { LineQuery, SearchScope } from "../../../../src/harness/search-ports.ts";
import { ruleFromAbove } from "../../../../src/harness/search/ignore-rules.ts";
import { Walker } from "../../../../src/harness/search/walker.ts";
import { MemoryFiles } from "../../../support/memory-files.ts";

const root = "memory:/w";
const scope: SearchScope = { root, path: "", rules: [], excludes: [], accepts: () => true };
const query: LineQuery = { pattern: "foo", literal: false, ignoreCase: false, context: 0, limit: 10 };
const signal = new AbortController().signal;

function many(count: number): MemoryFiles {
  return new MemoryFiles(
    Object.fromEntries(
      Array.from({ length: count }, (_, n) => [`${root}/${n % 7}/f${n}.txt`, n % 2 ? "foo\n" : "bar\n"]),
    ),
  );
}

describe("The walker", () => {
  it("looks at no more files than its limit, and says so", async () => {
    const found: string[] = [];
    const onFile = (path: string) => found.push(path) > 0;
    const end = await new Walker(many(50), () => 0, { files: 20 }).text(scope, query, { onFile, signal });
    assert.equal(end.searched, 20);
    assert.deepEqual(end.skipped, ["everything after the first 20 files (give a path)"]);
  });

  it("gives up a file that takes too long, and goes on with the next", async () => {
    const files = new MemoryFiles({ [`${root}/slow.txt`]: "x\n".repeat(1000), [`${root}/z.txt`]: "foo\n" });
    let time = 0;
    const found: string[] = [];
    const onFile = (path: string) => found.push(path) > 0;
    const walker = new Walker(files, () => (time += 200));
    const end = await walker.text(scope, query, { onFile, signal });
    assert.deepEqual([found, end.skipped], [["z.txt"], ["1 file for which the pattern took too long"]]);
  });

  it("reads nothing more once it was stopped or has enough", async () => {
    const files = many(500);
    const reads = () => files.calls.filter((call) => call.startsWith("readBytes")).length;
    await new Walker(files, () => 0).text(scope, query, { onFile: () => false, signal });
    assert.ok(reads() < 60, `${reads()} reads`);
    const abort = new AbortController();
    const onFile = () => {
      abort.abort();
      return true;
    };
    const before = reads();
    const running = new Walker(files, () => 0).text(scope, query, { onFile, signal: abort.signal });
    await assert.rejects(running, { name: "AbortError" });
    assert.ok(reads() - before < 60, `${reads() - before} reads`);
  });

  it("counts what cannot be read, and finds the rest", async () => {
    const files = many(4);
    const readBytes = files.readBytes.bind(files);
    files.readBytes = (uri) => readBytes(uri.includes("f1") ? "memory:/gone" : uri);
    const found: string[] = [];
    const onFile = (path: string) => found.push(path) > 0;
    const end = await new Walker(files, () => 0).text(scope, query, { onFile, signal });
    assert.deepEqual([found, end.skipped], [["3/f3.txt"], ["1 file or folder that could not be read"]]);
  });

  it("reads UTF-16 by its mark, and other encodings as the editor does", async () => {
    const files = new MemoryFiles({
      [`${root}/a.txt`]: Uint8Array.from(Buffer.from("\ufefffoo 1\r\n", "utf16le")),
      [`${root}/b.txt`]: Uint8Array.from(Buffer.from("foo \u00e9\n", "latin1")),
    });
    files.setEncoding(`${root}/b.txt`, "iso88591");
    const lines: string[] = [];
    const walker = new Walker(files, () => 0);
    await walker.text(scope, query, {
      onFile: (_, found) => lines.push(...found.map(({ text }) => text)) > 0,
      signal,
    });
    assert.deepEqual(lines.sort(), ["foo 1", "foo \u00e9"]);
  });

  it("gives each line once where the context of matches overlaps", async () => {
    const walker = new Walker(new MemoryFiles(), () => 0);
    const lines = await walker.lines("a\nfoo\nb\nfoo\nc\nd\nfoo\n", { ...query, context: 1 });
    assert.deepEqual(
      lines.map(({ line, match }) => (match ? line : -line)),
      [-1, 2, -3, 4, -5, -6, 7],
    );
  });
});

describe("A rule of an ignore file further down", () => {
  for (const [rule, folder, above] of [
    ["*.log", "a/b", "/a/b/**/*.log"],
    ["/x", "a", "/a/x"],
    ["x/y", "a", "/a/x/y"],
    ["!dist/", "a", "!/a/**/dist/"],
    ["**/x", "a", "/a/**/x"],
    ["x", "[a]", "/\\[a\\]/**/x"],
    ["x", "", "x"],
  ] as const) {
    it(`${rule} in ${folder || "the root"} is ${above}`, () =>
      assert.equal(ruleFromAbove(rule, folder), above));
  }
});
