// A session whose files, session file and pre-images are real files in one folder, with a hook at every step on the
// disk: there the window can be killed.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type {
  EditMode,
  FileImage,
  FileImages,
  FileInfo,
  Files,
  FolderEntry,
  HarnessPorts,
  TextApplied,
  TextChange,
  TextSnapshot,
} from "../../../../src/harness/ports.ts";
import { SessionBook } from "../../../../src/harness/sessions.ts";
import { createSessionTools } from "../../../../src/harness/tools/create-tools.ts";
import { AppendFileStorage } from "../../../../src/node/append-file.ts";
import { BlobFolder } from "../../../../src/node/blob-folder.ts";
import {
  memoryPorts,
  MemoryMemento,
  MemorySettings,
  MemoryWorkspace,
} from "../../../support/memory-ports.ts";
import { localProviders } from "../../../support/open-session.ts";
import { scriptedStream } from "../../../support/scripted-stream.ts";
import type { Step } from "../../../support/scripted-stream.ts";

/** Called before and after each step on the disk. What it returns is waited for. */
export type OnStep = (step: string) => Promise<void>;

export function workUri(folder: string, name: string): string {
  return pathToFileURL(path.join(folder, "work", name)).toString();
}

export async function openDiskSession(
  folder: string,
  steps: readonly Step[],
  onStep: OnStep = () => Promise.resolve(),
  approvalEdits: EditMode = "auto",
): Promise<SessionBook> {
  const work = path.join(folder, "work");
  fs.mkdirSync(work, { recursive: true });
  const memento = new MemoryMemento();
  const sessions = new AppendFileStorage(path.join(folder, "sessions"));
  const known = await sessions.list();
  const ports: HarnessPorts = {
    ...memoryPorts({
      memento,
      workspace: new MemoryWorkspace([{ name: "work", uri: pathToFileURL(work).toString(), path: work }]),
      settings: new MemorySettings({
        ...{ model: "local/small", providers: localProviders, editUnread: true, approvalEdits },
      }),
    }),
    files: new DiskFiles(onStep),
    images: new DiskImages(onStep),
    storage: stepped(sessions, onStep, ["append"]),
    blobs: stepped(new BlobFolder(path.join(folder, "blobs")), onStep, ["write"]),
  };
  const id = known[0]?.name.match(/_(.*)\.jsonl$/)?.[1];
  if (id !== undefined) await memento.set("reins.openSession", id);
  return SessionBook.open({
    ...{ ports, stream: scriptedStream(steps), random: () => 0.5 },
    createTools: (own, writer) => createSessionTools(own, writer),
  });
}

/** A port with the hook around these methods. */
function stepped<T extends object>(port: T, onStep: OnStep, methods: readonly string[]): T {
  return new Proxy(port, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      return async (...args: unknown[]): Promise<unknown> => {
        const counts = methods.includes(String(name));
        if (counts) await onStep(`before ${String(name)}`);
        const result: unknown = await Reflect.apply(value, target, args);
        if (counts) await onStep(`after ${String(name)}`);
        return result;
      };
    },
  });
}

class DiskFiles implements Files {
  private readonly onStep: OnStep;

  constructor(onStep: OnStep) {
    this.onStep = onStep;
  }

  stat(uri: string): Promise<FileInfo | undefined> {
    const info = fs.statSync(fileURLToPath(uri), { throwIfNoEntry: false });
    if (!info) return Promise.resolve(undefined);
    return Promise.resolve({
      ...{ type: info.isDirectory() ? "directory" : "file", size: info.size, readonly: false },
    });
  }

  readBytes(uri: string): Promise<Uint8Array> {
    return Promise.resolve(fs.readFileSync(fileURLToPath(uri)));
  }

  readText(uri: string): Promise<TextSnapshot> {
    const text = fs.readFileSync(fileURLToPath(uri), "utf8");
    return Promise.resolve({ uri, text, version: text, dirty: false, encoding: "utf8", lossy: false });
  }

  unsavedNotebook(): undefined {
    return undefined;
  }

  list(uri: string): Promise<readonly FolderEntry[]> {
    const entries = fs.readdirSync(fileURLToPath(uri), { withFileTypes: true });
    return Promise.resolve(
      entries.map((entry) => ({ name: entry.name, type: entry.isDirectory() ? "directory" : "file" })),
    );
  }

  realUri(uri: string): Promise<string> {
    return Promise.resolve(uri);
  }

  checkText(): Promise<void> {
    return Promise.resolve();
  }

  async applyText({ uri, text }: TextChange): Promise<TextApplied> {
    await this.onStep("before save");
    const file = fileURLToPath(uri);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
    await this.onStep("after save");
    return { text, saved: true };
  }

  async deleteFile(uri: string): Promise<void> {
    await this.onStep("before delete");
    fs.rmSync(fileURLToPath(uri));
    await this.onStep("after delete");
  }

  async renameFile(from: string, to: string): Promise<void> {
    await this.onStep("before move");
    fs.mkdirSync(path.dirname(fileURLToPath(to)), { recursive: true });
    fs.renameSync(fileURLToPath(from), fileURLToPath(to));
    await this.onStep("after move");
  }
}

class DiskImages implements FileImages {
  private readonly onStep: OnStep;

  constructor(onStep: OnStep) {
    this.onStep = onStep;
  }

  read(uri: string): Promise<(FileImage & { readonly dirty: boolean }) | undefined> {
    const file = fileURLToPath(uri);
    if (!fs.existsSync(file)) return Promise.resolve(undefined);
    return Promise.resolve({
      bytes: fs.readFileSync(file),
      mode: fs.statSync(file).mode & 0o7777,
      dirty: false,
    });
  }

  async write(uri: string, image: FileImage | undefined): Promise<void> {
    await this.onStep("before restore");
    const file = fileURLToPath(uri);
    if (image === undefined) fs.rmSync(file);
    else {
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, image.bytes);
      if (image.mode !== undefined) fs.chmodSync(file, image.mode);
    }
    await this.onStep("after restore");
  }

  removeEmptyFolder(uri: string): Promise<void> {
    const folder = fileURLToPath(uri);
    if (fs.existsSync(folder) && fs.readdirSync(folder).length === 0) fs.rmdirSync(folder);
    return Promise.resolve();
  }
}
