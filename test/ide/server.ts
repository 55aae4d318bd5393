// Starts the browser VS Code on this machine only, with folders that are all the caller's.
import {
  createWriteStream,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { SetupError } from "./npm.mjs";
import { startGroup } from "./processes.ts";
import { ensureVsCode } from "./vscode.ts";

export interface ServerOptions {
  /** Holds `user`, `server`, `extensions` and `server.log`. */
  readonly profile: string;
  readonly port: number;
  /** The whole environment of the server and of the extension host in it. */
  readonly env: NodeJS.ProcessEnv;
  /** Only requests that carry it are answered. Without one, every local process can use the server. */
  readonly connectionTokenFile?: string;
  /** More of the server's own flags. */
  readonly flags?: readonly string[];
  /** Leave out most of the built-in extensions: a window is then ready some seconds earlier. */
  readonly fewBuiltIns?: boolean;
}

export interface Server {
  readonly origin: string;
  /** Resolves when the server has ended by itself or by `stop`. */
  readonly ended: Promise<number>;
  /** Ends the server, its extension hosts and their terminals and commands, by force after `grace` milliseconds. */
  stop(grace?: number): Promise<void>;
  /** Takes the server and its extension hosts away at once, as a crash would. */
  kill(): Promise<void>;
}

/** Resolves when the server answers. Rejects with a SetupError that names the log. */
export async function startServer(options: ServerOptions): Promise<Server> {
  const vscode = await ensureVsCode();
  const { profile, port } = options;
  const args = [
    join(vscode, "out/server-main.js"),
    ...["--host", "127.0.0.1", "--port", String(port), "--accept-server-license-terms"],
    ...["--telemetry-level", "off", "--server-data-dir", join(profile, "server")],
    ...["--user-data-dir", join(profile, "user"), "--extensions-dir", join(profile, "extensions")],
    ...(options.connectionTokenFile
      ? ["--connection-token-file", options.connectionTokenFile]
      : ["--without-connection-token"]),
    ...(options.fewBuiltIns ? ["--builtin-extensions-dir", linkFewBuiltIns(vscode, profile)] : []),
    ...(options.flags ?? []),
  ];
  mkdirSync(join(profile, "extensions"), { recursive: true });
  const log = createWriteStream(join(profile, "server.log"));
  const group = startGroup(process.execPath, args, { env: options.env, stdio: ["ignore", "pipe", "pipe"] });
  group.child.stdout?.pipe(log);
  group.child.stderr?.pipe(log);
  const origin = `http://127.0.0.1:${port}`;
  const died = group.ended.then((code) => {
    throw new SetupError(
      `VS Code ended with code ${code} while starting. Its log: ${join(profile, "server.log")}`,
    );
  });
  died.catch(() => undefined); // After the start nobody waits for it any more.
  await Promise.race([untilAnswering(`${origin}/version`), died]);
  return { origin, ended: group.ended, stop: (grace) => group.stop(grace), kill: () => group.kill() };
}

async function untilAnswering(url: string): Promise<void> {
  for (;;) {
    try {
      if ((await fetch(url)).ok) return;
    } catch {
      // Nothing listens yet.
    }
    await sleep(50);
  }
}

const fewBuiltIns = [
  "theme-defaults theme-seti diff javascript typescript-basics json python shellscript markdown-basics",
  "git-base git",
].flatMap((line) => line.split(" "));

function linkFewBuiltIns(vscode: string, profile: string): string {
  const folder = join(profile, "builtin");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const name of fewBuiltIns) link(join(vscode, "extensions", name), join(folder, name));
  return folder;
}

/** Makes a folder with a package.json an installed extension of a profile, under the name that VS Code looks for. */
export function linkExtension(profile: string, folder: string): void {
  const extensions = join(profile, "extensions");
  mkdirSync(extensions, { recursive: true });
  // Any extension's manifest has these three; VS Code would refuse it otherwise.
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Record<string, string>;
  const id = `${manifest["publisher"]}.${manifest["name"]}-`;
  const path = join(extensions, id + manifest["version"]);
  if (pointsTo(path, folder)) return;
  for (const name of readdirSync(extensions).filter((each) => each.startsWith(id)))
    rmSync(join(extensions, name), { recursive: true, force: true });
  // VS Code writes it anew from the folders that are there.
  rmSync(join(extensions, "extensions.json"), { force: true });
  link(folder, path);
}

function pointsTo(path: string, folder: string): boolean {
  try {
    return realpathSync(path) === realpathSync(folder);
  } catch {
    return false; // There is no such link, or what it pointed to has gone.
  }
}

function link(target: string, path: string): void {
  symlinkSync(target.replace(/[\\/]$/, ""), path, process.platform === "win32" ? "junction" : "dir");
}

/** `wanted` if nothing listens there, else a free port. */
export async function freePort(wanted = 0): Promise<number> {
  const server = createServer();
  const listening = await new Promise<boolean>((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(wanted, "127.0.0.1", () => resolve(true));
  });
  if (!listening) return freePort();
  const { port } = server.address() as AddressInfo; // A TCP server's address is not a string.
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** This process's environment without what an outer VS Code or npm would tell an inner one. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  const misleading = /^(VSCODE_|ELECTRON_|npm_|NODE_OPTIONS$|INIT_CWD$|PORT$|PASSWORD$)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !misleading.test(name)));
}
