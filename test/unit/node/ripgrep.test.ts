import assert from "node:assert/strict";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import fc from "fast-check";
import { before, after, describe, it } from "mocha";
import type { SearchEngine } from "../../../src/harness/search-ports.ts";
import { searchFiles, searchText } from "../../../src/harness/search/search.ts";
import type { TextSearch } from "../../../src/harness/search/search.ts";
import { Ripgrep } from "../../../src/node/ripgrep.ts";
import { candidates } from "../../../src/node/ripgrep-binary.ts";
import { MemoryFiles } from "../../support/memory-files.ts";
import { MemoryWorkspace, memoryPorts } from "../../support/memory-ports.ts";
import { runs } from "../../support/properties.ts";
import { installedRipgrep } from "../../support/ripgrep.ts";
import { randomTree } from "../../support/random-tree.ts";
import type { Tree } from "../../support/random-tree.ts";

const never = new AbortController().signal;

describe("ripgrep", function () {
  const binary = installedRipgrep();
  let root = "";

  before(function () {
    // The host suite always has one; see test/host/search.test.ts.
    if (binary === undefined) this.skip();
    root = realpathSync(mkdtempSync(join(tmpdir(), "reins-search-")));
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  const engine = (): SearchEngine => new Ripgrep(binary ?? "");
  let folders = 0;

  /** The same tree on disk and in memory, searched by ripgrep and by the walker. */
  function plant(tree: Tree, excludes: readonly string[] = []) {
    const folder = join(root, String(++folders));
    mkdirSync(folder);
    const uri = pathToFileURL(folder).toString();
    const files = new MemoryFiles();
    files.makeFolder(uri);
    for (const [path, content] of Object.entries(tree)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
      files.write(`${uri}/${path}`, content);
    }
    const workspace = new MemoryWorkspace([{ name: "work", uri, path: folder }]);
    const contexts = [engine(), undefined].map((each) => {
      const ports = memoryPorts({ files, workspace });
      ports.search.engine = each;
      ports.search.globs = excludes;
      return ports;
    });
    const place = (path: string) => ({
      uri: path === "" ? uri : `${uri}/${path}`,
      isFolder: !(path in tree),
    });
    return { folder, uri, files, contexts, place };
  }

  const search = (change: Partial<TextSearch>): TextSearch => ({
    places: [],
    pattern: "foo",
    literal: false,
    ignoreCase: false,
    context: 0,
    glob: undefined,
    limit: 100,
    ...change,
  });

  it("and the walker find the same lines in any tree, by any rules", async () => {
    await fc.assert(
      fc.asyncProperty(randomTree, async ({ tree, excludes, start, glob, ...query }) => {
        const planted = plant(tree, excludes);
        const place = planted.place(start in tree || isFolder(tree, start) ? start : "");
        const asked = search({ ...query, literal: true, places: [place], glob, limit: 1000 });
        const [theirs, ours] = await Promise.all(
          planted.contexts.map(async (context) => (await searchText(context, asked, never)).files),
        );
        assert.deepEqual(theirs, ours);
      }),
      { numRuns: runs(25) },
    );
  });

  it("and the walker find the same files and folders", async () => {
    await fc.assert(
      fc.asyncProperty(randomTree, async ({ tree, excludes, start, name }) => {
        const planted = plant(tree, excludes);
        const place = planted.place(isFolder(tree, start) ? start : "");
        const asked = { places: [place], pattern: name, limit: 1000 };
        const [theirs, ours] = await Promise.all(
          planted.contexts.map(async (context) => (await searchFiles(context, asked, never)).entries),
        );
        assert.deepEqual(theirs, ours);
      }),
      { numRuns: runs(25) },
    );
  });

  it("takes a pattern and a path for what they are, whatever they look like", async () => {
    const planted = plant({ "-e": "--files --pre=x\n", "--help": "-v\n", "a b/$(x)": "--files\n" });
    for (const context of planted.contexts) {
      const places = [planted.place("")];
      const found = async (pattern: string) =>
        (await searchText(context, search({ pattern, places }), never)).files.map(({ uri }) =>
          decodeURIComponent(uri.slice(planted.uri.length + 1)),
        );
      assert.deepEqual(await found("--files"), ["-e", "a b/$(x)"]);
      assert.deepEqual(await found("-v"), ["--help"]);
      const one = await searchText(
        context,
        search({ pattern: "--pre=x", places: [planted.place("-e")] }),
        never,
      );
      assert.equal(one.matches, 1);
    }
  });

  it("looks around and refers back, which its first engine cannot", async () => {
    const planted = plant({ "a.txt": "foobar\nfoobaz\nabab\n" });
    const places = [planted.place("")];
    for (const context of planted.contexts) {
      const lines = async (pattern: string) =>
        (await searchText(context, search({ pattern, places }), never)).files[0]?.lines.map(
          ({ line }) => line,
        );
      assert.deepEqual(await lines("foo(?!bar)"), [2]);
      assert.deepEqual(await lines("(ab)\\1"), [3]);
    }
  });

  it("says where a pattern is wrong", async () => {
    const planted = plant({ "a.txt": "x\n" });
    const places = [planted.place("")];
    for (const context of planted.contexts) {
      await assert.rejects(
        searchText(context, search({ pattern: "fo(o", places }), never),
        /the \( at character 3 is not closed.*literal/s,
      );
      await assert.rejects(searchText(context, search({ pattern: "a**{2,1}", places }), never), /literal/);
    }
  });

  it("follows no link, and does not enter .git", async () => {
    const planted = plant({ "a/x.txt": "foo\n", ".git/y.txt": "foo\n", "b/.git/z.txt": "foo\n" });
    symlinkSync(root, join(planted.folder, "out"));
    symlinkSync(join(planted.folder, "a/x.txt"), join(planted.folder, "link.txt"));
    planted.files.link(`${planted.uri}/out`, pathToFileURL(root).toString());
    planted.files.link(`${planted.uri}/link.txt`, `${planted.uri}/a/x.txt`);
    for (const context of planted.contexts) {
      const found = await searchText(context, search({ places: [planted.place("")] }), never);
      assert.deepEqual(
        found.files.map(({ uri }) => uri),
        [`${planted.uri}/a/x.txt`],
      );
    }
  });

  it("proves that there is more before it says so, and stops then", async () => {
    const planted = plant({ "a.txt": "foo\n".repeat(5), "b.txt": "foo\n".repeat(5), "c.txt": "foo\n" });
    const places = [planted.place("")];
    for (const context of planted.contexts) {
      const exact = await searchText(context, search({ places, limit: 11 }), never);
      assert.deepEqual([exact.matches, exact.more], [11, false]);
      const cut = await searchText(context, search({ places, limit: 10 }), never);
      assert.deepEqual([cut.matches, cut.more], [10, true]);
      const files = await searchFiles(context, { places, pattern: "*", limit: 2 }, never);
      assert.deepEqual([files.entries.length, files.more], [2, true]);
    }
  });

  it("stops when aborted, and leaves no process and no file behind", async () => {
    const planted = plant({
      "a/.gitignore": "*.log\n",
      "a/b/x.txt": "foo\n".repeat(100_000),
      "a/b/y.log": "foo\n",
    });
    const rules = () => readdirSync(tmpdir()).filter((name) => name.startsWith("reins-rules-"));
    const before = rules();
    const [context] = planted.contexts;
    assert.ok(context);
    const abort = new AbortController();
    const running = searchText(
      context,
      search({ places: [planted.place("a/b")], limit: 1_000_000 }),
      abort.signal,
    );
    abort.abort();
    await assert.rejects(running, { name: "AbortError" });
    assert.deepEqual(rules(), before);
    const again = await searchText(context, search({ places: [planted.place("a/b")], limit: 10 }), never);
    assert.deepEqual([again.matches, again.files.length], [10, 1]);
    assert.deepEqual(rules(), before);
  });

  it("finds text of a buffer by its own dialect", async () => {
    const lines = await engine().lines(
      "a\r\nfoo1\r\nb\r\n",
      { ...search({ pattern: "^foo\\d$", context: 1 }) },
      never,
    );
    assert.deepEqual(lines, [
      { line: 1, text: "a", match: false },
      { line: 2, text: "foo1", match: true },
      { line: 3, text: "b", match: false },
    ]);
  });
});

describe("The places where ripgrep is looked for", () => {
  it("are VS Code's own of all its versions, then absolute folders of PATH", () => {
    const found = candidates({
      appRoot: "/app",
      env: { PATH: "/usr/bin:.:bin" },
      platform: "linux",
      arch: "arm64",
    });
    assert.deepEqual(found, [
      "/app/node_modules/@vscode/ripgrep-universal/bin/linux-arm64/rg",
      "/app/node_modules.asar.unpacked/@vscode/ripgrep-universal/bin/linux-arm64/rg",
      "/app/node_modules/@vscode/ripgrep/bin/rg",
      "/app/node_modules.asar.unpacked/@vscode/ripgrep/bin/rg",
      "/app/node_modules/@vscode/ripgrep-linux-arm64/bin/rg",
      "/app/node_modules.asar.unpacked/@vscode/ripgrep-linux-arm64/bin/rg",
      "/usr/bin/rg",
    ]);
    assert.match(
      candidates({ appRoot: "/app", env: {}, platform: "win32", arch: "x64" })[0] ?? "",
      /win32-x64.rg\.exe$/,
    );
  });
});

function isFolder(tree: Tree, path: string): boolean {
  return Object.keys(tree).some((each) => each.startsWith(`${path}/`));
}
