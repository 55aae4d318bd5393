import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { ToolBench, textOf, uri } from "./tool-bench.ts";

const twoRoots = [
  { name: "web", uri: "memory:///work/web", path: "/work/web" },
  { name: "api", uri: "memory:///work/api", path: "/work/api" },
];

describe("grep", () => {
  const call = async (bench: ToolBench, args: Parameters<ToolBench["call"]>[1]) =>
    textOf(await bench.call("grep", args));

  it("shows matching lines with path and number, in the order of paths, context with dashes", async () => {
    const bench = new ToolBench({
      "src/b.ts": "one\nfoo\nthree\nfour",
      "src/a.ts": "foo();\n",
      "x.md": "bar\n",
    });
    assert.equal(await call(bench, { pattern: "fo{2}" }), "src/a.ts:1: foo();\nsrc/b.ts:2: foo");
    assert.equal(
      await call(bench, { pattern: "foo", glob: "b.*", context: "1" }),
      "src/b.ts-1- one\nsrc/b.ts:2: foo\nsrc/b.ts-3- three",
    );
    assert.equal(
      await call(bench, { pattern: "FOO", ignoreCase: true, path: "src/a.ts" }),
      "src/a.ts:1: foo();",
    );
    assert.equal(await call(bench, { pattern: "foo()", literal: true, path: "." }), "src/a.ts:1: foo();");
  });

  it("skips what ignore files of any folder, settings and links leave out, .git and binary files", async () => {
    const bench = new ToolBench({
      ".gitignore": "*.log\nout/\n!keep.log\n",
      "a/.gitignore": "/local.txt\n!b.log",
      "a/local.txt": "foo",
      "a/c/local.txt": "foo",
      "a/b.log": "foo",
      "c.log": "foo",
      "keep.log": "foo",
      "out/x.txt": "foo",
      ".env.example": "foo",
      ".git/config": "foo",
      "bin.dat": "foo\0",
      "dist/x.js": "foo",
      "t/x.txt": "foo",
      "t/.ignore": "x.txt",
    });
    bench.ports.search.globs = ["**/dist"];
    bench.ports.files.link(uri("link"), "memory:///elsewhere");
    bench.ports.files.write("memory:///elsewhere/x.txt", "foo");
    assert.equal(
      await call(bench, { pattern: "foo" }),
      [".env.example", "a/b.log", "a/c/local.txt", "keep.log"].map((path) => `${path}:1: foo`).join("\n"),
    );
  });

  it("searches an ignored place when it is named", async () => {
    const bench = new ToolBench({ ".gitignore": "out/\n*.log", "out/x.txt": "foo", "out/y.log": "foo" });
    bench.ports.search.globs = ["**/out/**"];
    assert.equal(await call(bench, { pattern: "foo", path: "out" }), "out/x.txt:1: foo\nout/y.log:1: foo");
    assert.equal(await call(bench, { pattern: "foo", path: "out/y.log" }), "out/y.log:1: foo");
  });

  it("takes the rules of the repository that the folder is a part of", async () => {
    const bench = new ToolBench({ "x.log": "foo", "gen/x.txt": "foo", "y.txt": "foo" });
    bench.ports.files.write("memory:///.git/HEAD", "ref");
    bench.ports.files.write("memory:///.gitignore", "*.log\n/work/gen\n/y.txt\n");
    assert.equal(await call(bench, { pattern: "foo" }), "y.txt:1: foo");
    bench.ports.files.write("memory:///.git/info/exclude", "/work/*.txt\n");
    assert.match(await call(bench, { pattern: "foo" }), /^No matches/);
  });

  it("says what it searched and what counts as ignored when it finds nothing", async () => {
    const bench = new ToolBench({ "a.ts": "x\n", "b.ts": "y\n" });
    bench.ports.search.globs = ["**/node_modules"];
    assert.equal(
      await call(bench, { pattern: "foo" }),
      "No matches found for foo in . (2 files searched).\n\n[Ignore files such as .gitignore count, the settings leave out **/node_modules; binary files, links and .git are skipped. To search an ignored folder, name it as path.]",
    );
  });

  it("sees unsaved text instead of the file's, also of an ignored file only when named", async () => {
    const bench = new ToolBench({
      "a.ts": "old foo\n",
      "b.ts": "foo\n",
      "c.log": "x",
      ".gitignore": "*.log",
    });
    bench.ports.files.type(uri("a.ts"), "new\nfoo!\n");
    bench.ports.files.type(uri("c.log"), "foo");
    assert.equal(
      await call(bench, { pattern: "foo" }),
      "a.ts:2: foo!\nb.ts:1: foo\n\n[With unsaved changes in the editor: a.ts.]",
    );
    assert.match(await call(bench, { pattern: "old", path: "a.ts" }), /^No matches/);
    assert.match(await call(bench, { pattern: "foo", path: "c.log" }), /^c.log:1: foo/);
  });

  it("W01: searches all roots, and every path names its root", async () => {
    const bench = new ToolBench({ "web/a.ts": "foo", "api/src/a.ts": "foo" });
    bench.ports.workspace.change({ folders: twoRoots });
    assert.equal(await call(bench, { pattern: "foo" }), "web/a.ts:1: foo\napi/src/a.ts:1: foo");
    assert.equal(await call(bench, { pattern: "foo", path: "api/src" }), "api/src/a.ts:1: foo");
    assert.match(await call(bench, { pattern: "nope" }), /in web, api \(2 files searched\)/);
    const cut = await call(bench, { pattern: "foo", limit: 1 });
    assert.match(cut, /^web\/a\.ts:1: foo\n\n\[The first 1; there are more\. Use limit=2 for more/);
  });

  it("stops at 100 matches and says there are more only when there are", async () => {
    const bench = new ToolBench({ "a.txt": "foo\n".repeat(100), "b.txt": "x\n" });
    assert.equal((await call(bench, { pattern: "foo" })).split("\n").length, 100);
    bench.ports.files.write(uri("b.txt"), "foo\n");
    const text = await call(bench, { pattern: "foo" });
    assert.equal(text.split("\n").filter((line) => line.includes(": foo")).length, 100);
    assert.match(
      text,
      /\n\n\[The first 100; there are more\. Use limit=200 for more, or a narrower pattern, a path or a glob\.\]$/,
    );
  });

  it("E42: cuts lines to 500 characters and the whole to 50 KiB", async () => {
    const bench = new ToolBench({ "a.txt": `foo${"x".repeat(600)}\n`.repeat(120) });
    const text = await call(bench, { pattern: "foo", limit: 120 });
    const [first = ""] = text.split("\n");
    assert.equal(first, `a.txt:1: foo${"x".repeat(497)}... [truncated]`);
    assert.ok(Buffer.byteLength(text) < 51_600, `${text.length}`);
    assert.match(
      text,
      /\[50\.0 KiB limit: \d+ more lines were found\. Narrow the search\.\]\n\[Lines are cut to 500/,
    );
  });

  it("names the next step for a wrong place or pattern", async () => {
    const bench = new ToolBench({ "src/app.ts": "x" });
    assert.match(
      await call(bench, { pattern: "x", path: "scr" }),
      /^scr does not exist\. Did you mean src\?$/,
    );
    assert.match(await call(bench, { pattern: "x", path: "qqqqqq" }), /Check the path, or use find or ls/);
    assert.match(
      await call(bench, { pattern: "a(b" }),
      /the \( at character 2 is not closed.*literal to true/,
    );
    assert.match(await call(bench, { pattern: "ab)" }), /the \) at character 3 closes nothing/);
    assert.match(await call(bench, { pattern: "a\nb" }), /each line is searched by itself/);
    assert.match(await call(bench, { pattern: "" }), /pattern is empty/);
    bench.ports.workspace.change({ folders: [] });
    assert.match(await call(bench, { pattern: "x" }), /No folder is open/);
  });

  it("counts what is kept from the agent as not there", async () => {
    const bench = new ToolBench({
      ".reinsignore": "/a/\n",
      "a/x.txt": "foo\n".repeat(200),
      ".env": "foo\n",
      "b.txt": "foo\n",
      "c.txt": "foo\n",
    });
    const secrets = "[Not searched: 1 file that may hold secrets is left out; read asks for them.]";
    assert.equal(await call(bench, { pattern: "foo", limit: 2 }), `b.txt:1: foo\nc.txt:1: foo\n\n${secrets}`);
    assert.equal(textOf(await bench.call("find", { pattern: "?.txt", limit: 2 })), "b.txt\nc.txt");
    assert.match(textOf(await bench.call("find", { pattern: "a/**" })), /^No files found/);
  });

  it("says what could not be searched", async () => {
    const bench = new ToolBench({ "big.txt": "foo\n".repeat(1_400_000), "a.txt": "foo\n" });
    assert.equal(await call(bench, { pattern: "foo" }), "a.txt:1: foo\n\n[Not searched: 1 file over 5 MiB.]");
  });

  it("ends when the run is stopped", async () => {
    const bench = new ToolBench({ "a.txt": "foo\n" });
    bench.abort.abort();
    const outcome = await bench.call("grep", { pattern: "foo" });
    assert.equal(outcome.isError, true);
    assert.equal(textOf(outcome), "Operation aborted");
  });

  it("tells the panel its matches", async () => {
    const bench = new ToolBench({ "a.txt": "  foo\nfoo\n", "b.txt": "foo" });
    const { details } = await bench.call("grep", { pattern: "foo", context: 1 });
    assert.deepEqual(details, {
      tool: "grep",
      pattern: "foo",
      path: ".",
      count: 3,
      files: 2,
      more: false,
      hits: [
        { path: "a.txt", uri: "memory:/work/a.txt", line: 1, text: "foo" },
        { path: "a.txt", uri: "memory:/work/a.txt", line: 2, text: "foo" },
        { path: "b.txt", uri: "memory:/work/b.txt", line: 1, text: "foo" },
      ],
    });
  });
});

describe("find", () => {
  const call = async (bench: ToolBench, args: Parameters<ToolBench["call"]>[1]) =>
    textOf(await bench.call("find", args));

  it("finds files and folders by name anywhere, or by their path from the place", async () => {
    const bench = new ToolBench({
      "src/test/a.ts": "",
      "src/b.ts": "",
      "test/c.TS": "",
      "out/d.ts": "",
      ".gitignore": "out",
      ".hidden/e.ts": "",
    });
    assert.equal(await call(bench, { pattern: "*.ts" }), ".hidden/e.ts\nsrc/b.ts\nsrc/test/a.ts\ntest/c.TS");
    assert.equal(await call(bench, { pattern: "*.TS" }), "test/c.TS");
    assert.equal(await call(bench, { pattern: "test" }), "src/test/\ntest/");
    assert.equal(await call(bench, { pattern: "src/**/*.ts" }), "src/b.ts\nsrc/test/a.ts");
    assert.equal(await call(bench, { pattern: "./test/*.ts", path: "src" }), "src/test/a.ts");
    assert.equal(await call(bench, { pattern: "*.ts", path: "out" }), "out/d.ts");
  });

  it("says what it looked at when there is none, and that more there are only when there are", async () => {
    const bench = new ToolBench({ "a.ts": "", "b.ts": "" });
    assert.match(
      await call(bench, { pattern: "*.js" }),
      /^No files found matching \*\.js in \. \(2 files looked at\)/,
    );
    assert.equal(await call(bench, { pattern: "*.ts", limit: 2 }), "a.ts\nb.ts");
    assert.match(await call(bench, { pattern: "*.ts", limit: 1 }), /^a\.ts\n\n\[The first 1; there are more/);
    assert.match(await call(bench, { pattern: "*", path: "a.ts" }), /a\.ts is a file\. Give a folder/);
  });

  it("searches all roots, each by its name", async () => {
    const bench = new ToolBench({ "web/src/a.ts": "", "api/src/a.ts": "" });
    bench.ports.workspace.change({ folders: twoRoots });
    assert.equal(await call(bench, { pattern: "src/*" }), "web/src/a.ts\napi/src/a.ts");
  });
});

describe("ls", () => {
  const call = async (bench: ToolBench, args: Parameters<ToolBench["call"]>[1] = {}) =>
    textOf(await bench.call("ls", args));

  it("lists a folder without regard to case, hidden and ignored entries included", async () => {
    const bench = new ToolBench({ "b.ts": "", "A.ts": "", ".env": "", "out/x": "", ".gitignore": "out" });
    bench.ports.files.makeFolder(uri("empty"));
    assert.equal(await call(bench), ".env\n.gitignore\nA.ts\nb.ts\nempty/\nout/");
    assert.equal(await call(bench, { path: "empty" }), "(empty directory)");
    assert.match(await call(bench, { limit: 2 }), /^\.env\n\.gitignore\n\n\[The first 2; there are more/);
  });

  it("names the next step for what is no folder", async () => {
    const bench = new ToolBench({ "src/app.ts": "" });
    assert.match(await call(bench, { path: "src/app.ts" }), /is a file, not a folder\. Use read/);
    assert.match(await call(bench, { path: "source/x" }), /neither does its folder/);
  });

  it("with several roots lists them, and entries by their whole path", async () => {
    const bench = new ToolBench({ "web/src/a.ts": "", "api/b.ts": "" });
    bench.ports.workspace.change({ folders: twoRoots });
    assert.equal(await call(bench), "web/\napi/");
    assert.equal(await call(bench, { path: "web" }), "web/src/");
  });
});
