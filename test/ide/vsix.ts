// Installs a packaged Reins into a profile, as a user does from a file.
import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { SetupError } from "./npm.mjs";
import { cleanEnvironment } from "./server.ts";
import { ensureVsCode } from "./vscode.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The version in package.json. */
export function extensionVersion(): string {
  // Our own manifest, which the manifest test checks.
  return (JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string }).version;
}

/** Where `npm run package` puts what it makes. */
export function vsixPath(): string {
  return join(root, `reins-${extensionVersion()}.vsix`);
}

/** Rejects with a SetupError if there is no such file, or if VS Code refuses it. */
export async function installVsix(profile: string, vsix: string = vsixPath()): Promise<void> {
  if (!existsSync(vsix)) throw new SetupError(`There is no ${vsix}: run "npm run package" first.`);
  const args = [
    join(await ensureVsCode(), "out/server-main.js"),
    ...["--accept-server-license-terms", "--install-extension", vsix],
    ...["--server-data-dir", join(profile, "server"), "--user-data-dir", join(profile, "user")],
    ...["--extensions-dir", join(profile, "extensions")],
  ];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { env: cleanEnvironment() });
  if (!stdout.includes("successfully installed"))
    throw new SetupError(`VS Code did not install ${vsix}:\n${stdout}${stderr}`);
}
