// What `npm start` does once Node 24 and the dependencies are there: builds, starts the browser VS Code with Reins in
// it on this machine only, prints the address last, and ends everything with Ctrl+C.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { secondsSinceStart } from "./bootstrap.mjs";
import { SetupError } from "./npm.mjs";
import { startGroup, stopAll, stopOnSignals } from "./processes.ts";
import { Profile, namedFolder } from "./profile.ts";
import { cleanEnvironment, freePort, linkExtension, startServer } from "./server.ts";
import type { Server } from "./server.ts";
import { ensureVsCode } from "./vscode.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Resolves with an exit code when VS Code has ended, which it does only by a signal or a failure of its own. */
export async function start(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  stopOnSignals();
  const profile = new Profile(options.fresh);
  const folder = options.folder === undefined ? profile.sampleProject() : namedFolder(options.folder);
  await Promise.all([build(), ensureVsCode()]);
  for (const extension of [root, join(root, "test/ide/opener")]) linkExtension(profile.folder, extension);
  const server = await serve(profile, options);
  const query = new URLSearchParams({ tkn: profile.connectionToken(), folder });
  const url = `${server.origin}/?${query.toString()}`;
  console.log(
    `\nVS Code with Reins is ready after ${secondsSinceStart().toFixed(1)} s, with ${folder} open.`,
  );
  console.log(
    "It listens on this machine only. Ctrl+C ends it. Settings and sessions are kept; --fresh forgets them.\n",
  );
  console.log(url);
  if (options.open) openInBrowser(url);
  const code = await server.ended;
  await stopAll();
  console.error(`VS Code ended with code ${code}. Its log: ${join(profile.folder, "server.log")}`);
  return 1;
}

interface StartOptions {
  readonly folder: string | undefined;
  readonly open: boolean;
  readonly fresh: boolean;
  readonly port: number | undefined;
}

function readOptions(args: readonly string[]): StartOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { "no-open": { type: "boolean" }, fresh: { type: "boolean" }, port: { type: "string" } },
  });
  const port = values.port === undefined ? undefined : Number(values.port);
  if (port !== undefined && !(Number.isInteger(port) && port > 0 && port < 65536))
    throw new SetupError(`"${values.port}" is no port. Usage: npm start -- --port 8080`);
  if (positionals.length > 1) throw new SetupError("Only one folder can be opened: npm start -- [folder]");
  return { folder: positionals[0], open: !values["no-open"], fresh: values.fresh ?? false, port };
}

async function build(): Promise<void> {
  const group = startGroup(process.execPath, ["esbuild.mjs"], {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
  });
  if ((await group.ended) !== 0) throw new SetupError("Reins did not build; the errors are above.");
}

async function serve(profile: Profile, options: StartOptions): Promise<Server> {
  const port = await freePort(options.port ?? profile.port);
  if (options.port !== undefined && port !== options.port)
    throw new SetupError(`Port ${options.port} is in use. Choose another with --port, or leave it out.`);
  const server = await startServer({
    profile: profile.folder,
    port,
    env: { ...cleanEnvironment(), REINS_START: String(Date.now()) },
    connectionTokenFile: profile.connectionTokenFile(),
    // The sample is ours, so it is trusted; for any other folder VS Code asks, as it always does.
    flags: options.folder === undefined ? ["--disable-workspace-trust"] : [],
  });
  profile.rememberPort(port);
  return server;
}

/** Without a browser, for example over SSH, the printed address is all there is to say. */
function openInBrowser(url: string): void {
  const [command, ...args] =
    process.platform === "darwin"
      ? ["open", url]
      : process.platform === "win32"
        ? ["rundll32", "url.dll,FileProtocolHandler", url]
        : ["xdg-open", url];
  const child = spawn(command ?? "", args, { stdio: "ignore", detached: true });
  child.on("error", () => undefined);
  child.unref();
}
