// Files on a file system that is not the disk, and what happens when writing to it fails. Runs in both hosts.
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { closeEditors } from "./editors.ts";
import { VsCodeFileImages } from "../../src/vscode/file-images.ts";
import { VsCodeFiles } from "../../src/vscode/files.ts";

const scheme = "reins-test-memory";

/** Files in memory; writing fails while `failing` says so. */
class MemoryFileSystem implements vscode.FileSystemProvider {
  readonly contents = new Map<string, Uint8Array>();
  failing: string | undefined;
  /** The path of what nobody may read. */
  forbidden: string | undefined;
  private modified = 0;
  private readonly changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.changed.event;

  stat(uri: vscode.Uri): vscode.FileStat {
    const isFolder = [...this.contents.keys()].some((path) => path.startsWith(`${uri.path}/`));
    const type = isFolder ? vscode.FileType.Directory : vscode.FileType.File;
    const size = isFolder ? 0 : this.readFile(uri).length;
    return { type, ctime: 0, mtime: this.modified, size };
  }

  readFile(uri: vscode.Uri): Uint8Array {
    if (uri.path === this.forbidden) throw vscode.FileSystemError.NoPermissions(uri);
    const content = this.contents.get(uri.path);
    if (!content) throw vscode.FileSystemError.FileNotFound(uri);
    return content;
  }

  writeFile(uri: vscode.Uri, content: Uint8Array): void {
    if (this.failing) throw vscode.FileSystemError.Unavailable(this.failing);
    this.contents.set(uri.path, content);
    this.modified++;
    this.changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  readDirectory(): [string, vscode.FileType][] {
    return [...this.contents.keys()].map((path) => [path.slice(1), vscode.FileType.File]);
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  createDirectory(): void {
    // Folders are there when a file is.
  }

  delete(uri: vscode.Uri): void {
    this.contents.delete(uri.path);
  }

  rename(): void {
    throw vscode.FileSystemError.Unavailable("rename");
  }
}

describe("files on a virtual file system (W08)", function () {
  const memory = new MemoryFileSystem();
  const files = new VsCodeFiles();
  let registration: vscode.Disposable;
  const put = (name: string, text: string) => {
    const uri = vscode.Uri.from({ scheme, path: `/${name}` });
    memory.contents.set(uri.path, new TextEncoder().encode(text));
    return uri.toString();
  };
  const text = (name: string) => new TextDecoder().decode(memory.contents.get(`/${name}`));

  before(() => {
    registration = vscode.workspace.registerFileSystemProvider(scheme, memory);
  });
  afterEach(async () => {
    memory.failing = undefined;
    memory.forbidden = undefined;
    await closeEditors();
  });
  after(() => {
    registration.dispose();
  });

  it("are read, listed, edited, created, and have no links", async () => {
    const uri = put("a.txt", "a\n");
    const base = await files.readText(uri);
    assert.deepEqual(await files.applyText({ uri, base, text: "b\n" }), { text: "b\n", saved: true });
    const created = vscode.Uri.from({ scheme, path: "/b.txt" }).toString();
    await files.applyText({ uri: created, base: undefined, text: "new\n" });
    assert.deepEqual([text("a.txt"), text("b.txt")], ["b\n", "new\n"]);
    assert.equal((await files.stat(uri))?.type, "file");
    assert.equal(await files.realUri(uri), uri);
    const root = vscode.Uri.from({ scheme, path: "/" }).toString();
    assert.ok((await files.list(root)).some((entry) => entry.name === "b.txt"));
  });

  it("say what may not be read, and whom to ask", async () => {
    const uri = put("private.txt", "a\n");
    memory.forbidden = "/private.txt";
    const told = /no permission to read .*private\.txt\. Ask the user/;
    await assert.rejects(files.readText(uri), told);
    await assert.rejects(files.readBytes(uri), told);
  });

  it("are taken whole and put back, deleted and created again (checkpoints)", async () => {
    const images = new VsCodeFileImages();
    const uri = put("kept.txt", "a\r\nb\n");
    const image = await images.read(uri);
    assert.deepEqual([image?.dirty, image?.mode], [false, undefined]);
    await images.write(uri, { bytes: new TextEncoder().encode("other") });
    assert.equal(text("kept.txt"), "other");
    await images.write(uri, undefined);
    assert.equal(await images.read(uri), undefined);
    await images.write(uri, image);
    assert.equal(text("kept.txt"), "a\r\nb\n");
    memory.failing = "the network is gone";
    await assert.rejects(images.write(uri, { bytes: new Uint8Array() }), /kept\.txt could not be written/);
    assert.equal(text("kept.txt"), "a\r\nb\n");
  });

  it("are deleted, and a move that the file system cannot do leaves them as they were", async () => {
    const uri = put("gone.txt", "a\n");
    await files.deleteFile(uri);
    assert.equal(await files.stat(uri), undefined);
    const stays = put("stays.txt", "b\n");
    await assert.rejects(
      files.renameFile(stays, stays.replace("stays", "moved")),
      /VS Code could not move .*stays\.txt to .*moved\.txt: .*Choose another place/,
    );
    assert.equal(text("stays.txt"), "b\n");
  });

  it("a save that fails is reported, and the editor keeps the text (E32)", async () => {
    const uri = put("c.txt", "c\n");
    await vscode.window.showTextDocument(vscode.Uri.parse(uri), { preview: false });
    const base = await files.readText(uri);
    memory.failing = "the network is gone";
    const applied = await files.applyText({ uri, base, text: "C\n" });
    assert.equal(applied.saved, false);
    assert.match(
      applied.saveError ?? "",
      /c\.txt could not be saved .* The change is in its editor, unsaved/,
    );
    assert.deepEqual([applied.text, text("c.txt")], ["C\n", "c\n"]);
    assert.equal(vscode.window.activeTextEditor?.document.getText(), "C\n");
  });

  it("writing past the editor that fails changes nothing", async () => {
    const uri = put("mixed.txt", "a\r\nb\n");
    const base = await files.readText(uri);
    memory.failing = "the network is gone";
    await assert.rejects(
      files.applyText({ uri, base, text: "a\r\nB\n" }),
      /mixed\.txt could not be written .*the network is gone/,
    );
    assert.equal(text("mixed.txt"), "a\r\nb\n");
  });
});
