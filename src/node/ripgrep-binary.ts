// Finds a ripgrep: the one that VS Code brings, else one of the machine's.
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";

export interface BinaryPlaces {
  /** `vscode.env.appRoot`. */
  readonly appRoot: string;
  readonly env: NodeJS.ProcessEnv;
  readonly platform?: NodeJS.Platform;
  readonly arch?: string;
}

/** The path of the first that can be run; undefined where there is none. */
export async function findRipgrep(places: BinaryPlaces): Promise<string | undefined> {
  for (const path of candidates(places)) {
    const isRunnable = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isRunnable) return path;
  }
  return undefined;
}

/** In the order in which they are tried. Versions of VS Code differ in where theirs is. */
export function candidates({
  appRoot,
  env,
  platform = process.platform,
  arch = process.arch,
}: BinaryPlaces): string[] {
  const name = platform === "win32" ? "rg.exe" : "rg";
  const system = { win32: "win32", darwin: "darwin" }[String(platform)] ?? "linux";
  const modules = ["node_modules", "node_modules.asar.unpacked"].map((folder) => join(appRoot, folder));
  // A relative folder in PATH would be one of the workspace.
  const onPath = (env["PATH"] ?? env["Path"] ?? "").split(delimiter).filter(isAbsolute);
  return [
    ...modules.map((folder) => join(folder, "@vscode/ripgrep-universal/bin", `${system}-${arch}`, name)),
    ...modules.map((folder) => join(folder, "@vscode/ripgrep/bin", name)),
    ...modules.map((folder) => join(folder, `@vscode/ripgrep-${system}-${arch}/bin`, name)),
    ...onPath.map((folder) => join(folder, name)),
  ];
}
