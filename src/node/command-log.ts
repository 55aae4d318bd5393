// The file with all output of one command, and the limit on how many such files are kept.
import { createWriteStream } from "node:fs";
import type { WriteStream } from "node:fs";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

const maxFiles = 200;
const maxAgeMs = 7 * 24 * 60 * 60 * 1000;

export interface CommandLog {
  readonly path: string;
  /** A promise when the disk is behind: the caller waits before it writes more. */
  write(text: string): Promise<void> | undefined;
  close(): Promise<void>;
}

/** Creates the file (and the folder). A disk that fails later ends the log, not the command; `onError` is told. */
export async function openCommandLog(
  folder: string,
  name: string,
  onError: (error: Error) => void,
): Promise<CommandLog> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, `${Date.now()}-${name.replace(/[^\w-]/g, "_").slice(0, 60)}.log`);
  const stream = createWriteStream(path, { mode: 0o600 });
  let failed = false;
  stream.on("error", (error) => {
    failed = true;
    onError(error);
  });
  return {
    path,
    write: (text) => (failed || stream.write(text) ? undefined : drained(stream)),
    close: () => new Promise((resolve) => (failed ? resolve() : stream.end(() => resolve()))),
  };
}

function drained(stream: WriteStream): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      stream.off("drain", done).off("close", done);
      resolve();
    };
    stream.on("drain", done).on("close", done);
  });
}

/** Removes logs older than a week, and all but the newest two hundred. */
export async function cleanCommandLogs(folder: string, now: number): Promise<void> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".log"));
  const files = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      return { path, modified: (await stat(path).catch(() => undefined))?.mtimeMs ?? 0 };
    }),
  );
  files.sort((a, b) => b.modified - a.modified);
  const old = files.filter((file, index) => index >= maxFiles || now - file.modified > maxAgeMs);
  await Promise.all(old.map((file) => rm(file.path, { force: true })));
}
