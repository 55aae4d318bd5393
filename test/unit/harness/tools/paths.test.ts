import assert from "node:assert/strict";
import { locate, pathKey, resolvePath } from "../../../../src/harness/tools/paths.ts";
import { MemoryFiles } from "../../../support/memory-files.ts";
import { MemoryWorkspace } from "../../../support/memory-ports.ts";

const one = new MemoryWorkspace([{ name: "ws", uri: "file:///ws", path: "/ws" }]);
const two = new MemoryWorkspace([
  { name: "app", uri: "file:///a/app", path: "/a/app" },
  { name: "lib", uri: "file:///b/lib", path: "/b/lib" },
]);
const windows = new MemoryWorkspace([{ name: "ws", uri: "file:///c%3A/ws", path: "c:\\ws" }]);

function place(text: string, workspace = one, files = new MemoryFiles()) {
  return locate(text, { files, workspace, home: "/home/me" });
}

describe("A path that a model wrote", () => {
  const cases: readonly [string, string, string, boolean][] = [
    ["a relative path", "src/a.ts", "src/a.ts", true],
    ["the folder itself", ".", ".", true],
    ["dots that stay inside", "./src/../b c/ü#?.md", "b c/ü#?.md", true],
    ["an absolute path inside", "/ws/src/a.ts", "src/a.ts", true],
    ["a file URI inside", "file:///ws/a%20b", "a b", true],
    ["A16: up and out", "../x", "/x", false],
    ["A16: deep up and out", "src/../../x", "/x", false],
    ["A16: a folder with the same beginning", "/ws-evil/x", "/ws-evil/x", false],
    ["A16: dots in an absolute path", "/ws/../ws-evil/x", "/ws-evil/x", false],
    ["A16: a file URI outside", "file:///etc/passwd", "/etc/passwd", false],
    ["A16: an encoded file URI outside", "file:///ws/%2e%2e/etc", "/etc", false],
    ["A16: the home folder", "~/x", "/home/me/x", false],
    ["A16: percent signs are text", "%2e%2e/x", "%2e%2e/x", true],
  ];
  for (const [name, text, path, inside] of cases) {
    it(name, async () => {
      const found = await place(text);
      assert.deepEqual([found.path, found.inside], [path, inside]);
    });
  }

  it("A16: is refused when it names no place here", () => {
    for (const text of ["", " ", "a\0b", "C:\\x", "c:/x", "https://example.org/x"]) {
      assert.throws(() => resolvePath(text, one), { name: "UserError" }, text);
    }
    assert.throws(() => resolvePath("~/x", one), /no home folder/);
    assert.throws(() => resolvePath("a", new MemoryWorkspace([])), /No folder is open/);
  });

  it("A17: is outside when a link leads there, and is then called by its real name", async () => {
    const files = new MemoryFiles({ "file:///outside/s.txt": "s" });
    files.link("file:///ws/outbox", "file:///outside");
    files.link("file:///ws/doc.txt", "file:///outside/s.txt");
    assert.deepEqual(await place("outbox/new.txt", one, files), {
      uri: "file:///ws/outbox/new.txt",
      realUri: "file:///outside/new.txt",
      path: "/outside/new.txt",
      inside: false,
    });
    assert.equal((await place("doc.txt", one, files)).path, "/outside/s.txt");
  });

  it("is inside when the folder itself is a link", async () => {
    const files = new MemoryFiles();
    files.link("file:///ws", "file:///real");
    assert.deepEqual(await place("a.ts", one, files), {
      uri: "file:///ws/a.ts",
      realUri: "file:///real/a.ts",
      path: "a.ts",
      inside: true,
    });
  });

  it("E46: loses a leading @ only when there is no such file", async () => {
    const files = new MemoryFiles({ "file:///ws/@types/a.ts": "" });
    assert.equal((await place("@types/a.ts", one, files)).path, "@types/a.ts");
    assert.equal((await place("@src/a.ts", one, files)).path, "src/a.ts");
    assert.equal((await place("my docs/a b.md", one, files)).path, "my docs/a b.md");
  });

  it("names its folder when there are several", async () => {
    assert.equal((await place("lib/x.ts", two)).uri, "file:///b/lib/x.ts");
    assert.equal((await place("lib/x.ts", two)).path, "lib/x.ts");
    assert.equal((await place("src/x.ts", two)).path, "app/src/x.ts");
    assert.equal((await place("library/x.ts", two)).path, "app/library/x.ts");
  });

  it("may be written the Windows way on Windows", async () => {
    const found = await place("src\\a.ts", windows);
    assert.deepEqual([found.path, found.inside], ["src/a.ts", true]);
    assert.equal((await place("C:\\ws\\a.ts", windows)).inside, true);
    assert.equal((await place("C:\\other\\a.ts", windows)).inside, false);
  });

  it("E36: has one lock for all its spellings", () => {
    const keys = ["src/App.ts", "./SRC/app.TS", "@src/App.ts", "/ws/src/App.ts"].map((text) =>
      pathKey(text, one),
    );
    assert.equal(new Set(keys).size, 1);
    assert.equal(pathKey("a\0", one), undefined);
  });
});
