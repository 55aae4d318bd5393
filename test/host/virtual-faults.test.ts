// Every tool over a file system on which things go wrong: the error names the place and the next step, the file is what it
// was, and the editor keeps its text. Runs in both hosts.
import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { JsonObject } from "../../src/shared/json.ts";
import { VsCodeFileImages } from "../../src/vscode/file-images.ts";
import { closeEditors } from "./editors.ts";
import { FaultyFileSystem, VirtualTools } from "./virtual-files.ts";
import type { Operation } from "./virtual-files.ts";

const scheme = "reins-test-faults";

/** What a model or a user can do next. */
const nextStep = /\b(Ask|ask|Try|Choose|Check|Read|Make|Save|save|List|Compare)\b/;

const faults: { readonly [name: string]: () => Error } = {
  "no permission": () => vscode.FileSystemError.NoPermissions("denied"),
  "the network gone": () => vscode.FileSystemError.Unavailable("the network is gone"),
  "the disk full": () => new vscode.FileSystemError("ENOSPC: no space left on device"),
  "an error of its own": () => new Error("EIO: i/o error"),
};

const calls: readonly {
  readonly name: string;
  readonly args: JsonObject;
  readonly fails: readonly Operation[];
}[] = [
  { name: "read", args: { path: "a.txt" }, fails: ["stat", "readFile"] },
  {
    name: "write",
    args: { path: "new/b.txt", content: "new\n" },
    fails: ["stat", "writeFile", "createDirectory"],
  },
  { name: "edit", args: edit("one", "two"), fails: ["stat", "readFile", "writeFile"] },
  { name: "delete", args: { path: "a.txt" }, fails: ["stat", "delete"] },
  { name: "move", args: { from: "a.txt", to: "moved.txt" }, fails: ["stat", "rename"] },
  { name: "ls", args: {}, fails: ["readDirectory"] },
  { name: "grep", args: { pattern: "one", path: "a.txt" }, fails: ["stat", "readFile"] },
];

/** What was asked for is done as far as it can be; what not is said. */
function tellsInResult(name: string, operation: Operation): boolean {
  return (name === "edit" && operation === "writeFile") || (name === "grep" && operation === "readFile");
}

function edit(oldText: string, newText: string): JsonObject {
  return { path: "a.txt", edits: [{ oldText, newText }] };
}

describe("tools on a file system on which things go wrong", function () {
  this.timeout(60_000);
  const disk = new FaultyFileSystem();
  const tools = new VirtualTools(scheme);
  let registration: vscode.Disposable;
  let serial = 0;
  let file = "";

  before(() => {
    registration = vscode.workspace.registerFileSystemProvider(scheme, disk);
  });
  /** Another file for each: VS Code keeps documents for a while after their editors are closed. */
  const start = () => {
    disk.clear();
    file = `a${++serial}.txt`;
    disk.put(`/work/${file}`, "one\n");
  };
  beforeEach(start);
  afterEach(async () => {
    disk.clear();
    await closeEditors();
  });
  after(() => {
    registration.dispose();
  });

  /** The call, with this test's file in the place of a.txt. */
  const call = (name: string, args: JsonObject) => {
    const own: unknown = JSON.parse(JSON.stringify(args).replaceAll("a.txt", file));
    return tools.call(name, own as JsonObject);
  };
  const failWith = (error: () => Error, ...operations: Operation[]) => {
    disk.before = (operation) => {
      if (operations.includes(operation)) throw error();
    };
  };
  const onDisk = () => disk.text(`/work/${file}`);

  for (const { name, args, fails } of calls) {
    for (const operation of fails) {
      it(`${name} says what to do when ${operation} fails, and changes nothing`, async () => {
        // A save that fails is tried again after a while.
        const most = name === "edit" && operation === "writeFile" ? 2 : undefined;
        for (const [fault, error] of Object.entries(faults).slice(0, most)) {
          start();
          failWith(error, operation);
          const { text, isError } = await call(name, args);
          if (tellsInResult(name, operation)) assert.match(text, /Not searched: 1 file|could not be saved/);
          else assert.ok(isError, `${fault}: no error, but: ${text}`);
          if (name !== "grep" || isError) assert.match(text, nextStep, `${fault}:`);
          assert.equal(onDisk(), "one\n", `${fault}:`);
          assert.equal(disk.text("/work/new/b.txt"), undefined, `${fault}:`);
        }
      });
    }
  }

  it("without faults they all work", async () => {
    for (const { name, args } of calls) {
      start();
      const { text, isError } = await call(name, args);
      assert.ok(!isError, `${name}: ${text}`);
    }
  });

  it("find and grep of a folder say what they could not look at", async () => {
    disk.put("/work/deep/b.txt", "one\n");
    disk.before = (operation, path) => {
      if (operation === "readDirectory" && path === "/work/deep")
        throw vscode.FileSystemError.Unavailable("gone");
    };
    const found = await call("grep", { pattern: "one" });
    assert.match(found.text, new RegExp(file));
    const unseen = /Not searched: 1 file or folder that could not be read/;
    assert.match(found.text, unseen);
    assert.match((await call("find", { pattern: "*.txt" })).text, unseen);
  });

  it("a file that vanishes between two looks at it is missing, and nothing is made in its place", async () => {
    for (const [name, args] of [
      ["read", { path: "a.txt" }],
      ["edit", edit("one", "two")],
      ["delete", { path: "a.txt" }],
      ["move", { from: "a.txt", to: "moved.txt" }],
    ] as const) {
      start();
      let looks = 0;
      disk.after = (operation, path) => {
        if (operation === "stat" && path === `/work/${file}` && ++looks === 1) disk.remove(path);
      };
      const { text, isError } = await call(name, args);
      assert.ok(isError, `${name}: ${text}`);
      assert.match(text, nextStep, name);
      assert.equal(onDisk(), undefined, name);
      assert.equal(disk.text("/work/moved.txt"), undefined, name);
    }
  });

  it("a save that fails leaves the text in the editor, open or not, and the next one writes it", async () => {
    const shown = await vscode.window.showTextDocument(tools.uri(file), { preview: false });
    failWith(() => vscode.FileSystemError.NoPermissions("denied"), "writeFile");
    const { text } = await call("edit", edit("one", "two"));
    assert.match(text, /could not be saved/);
    assert.deepEqual([shown.document.getText(), shown.document.isDirty, onDisk()], ["two\n", true, "one\n"]);
    disk.before = () => undefined;
    assert.ok(await shown.document.save());
    assert.equal(onDisk(), "two\n");
  });

  it("what the user types while a slow save runs is kept", async () => {
    const shown = await vscode.window.showTextDocument(tools.uri(file), { preview: false });
    let release = () => {};
    let began = () => {};
    const writing = new Promise<void>((resolve) => (began = resolve));
    disk.before = (operation) => {
      if (operation !== "writeFile") return undefined;
      began();
      return new Promise<void>((resolve) => (release = resolve));
    };
    const outcome = call("edit", edit("one", "two"));
    await writing;
    await shown.edit((builder) => builder.insert(new vscode.Position(1, 0), "mine\n"));
    disk.before = () => undefined;
    release();
    await outcome;
    assert.equal(shown.document.getText(), "two\nmine\n");
    assert.match(onDisk() ?? "", /^two\n/);
  });

  it("a move that stops half-way leaves the file, and names both places", async () => {
    disk.after = (operation) => {
      if (operation === "rename") throw vscode.FileSystemError.Unavailable("gone half-way");
    };
    const { text, isError } = await call("move", { from: "a.txt", to: "half.txt" });
    assert.ok(isError);
    assert.match(text, nextStep);
    assert.equal(onDisk(), "one\n");
    assert.match(text, new RegExp(`${file}.*half\\.txt.*both`, "s"));
  });

  it("a file that cannot be put back stays what it is (checkpoints)", async () => {
    const images = new VsCodeFileImages();
    const uri = tools.uri(file).toString();
    const image = { bytes: new TextEncoder().encode("as it was\n") };
    for (const [fault, error] of Object.entries(faults)) {
      failWith(error, "writeFile", "delete");
      await assert.rejects(images.write(uri, image), nextStep);
      await assert.rejects(images.write(uri, undefined), nextStep);
      assert.equal(onDisk(), "one\n", fault);
    }
    failWith(() => vscode.FileSystemError.Unavailable("gone"), "readFile");
    await assert.rejects(images.read(uri), nextStep);
    disk.before = () => undefined;
    await images.write(uri, image);
    assert.equal(onDisk(), "as it was\n");
  });
});
