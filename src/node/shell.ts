// Which shell runs commands, and with which environment. Leaves running them to `shell-run.ts`.
import { existsSync, statSync } from "node:fs";
import { basename, delimiter, join } from "node:path";

export interface Shell {
  readonly path: string;
  /** For the model. */
  readonly name: string;
}

/** The user's shell if it is a bash, else the bash on the PATH, else `sh`; undefined where there is neither. */
export function findShell(env: NodeJS.ProcessEnv): Shell | undefined {
  const own = env["SHELL"];
  if (own && basename(own) === "bash" && isFile(own)) return { path: own, name: "bash" };
  const bash =
    process.platform === "win32" ? windowsBash(env) : findProgram("bash", env, ["/bin", "/usr/bin"]);
  if (bash) return { path: bash, name: "bash" };
  return isFile("/bin/sh") ? { path: "/bin/sh", name: "sh" } : undefined;
}

/**
 * The environment of commands: the editor's, without what belongs to the editor itself. The terminal is called
 * dumb, so that programs that would open an editor or a pager say so instead of waiting.
 */
export function commandEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !/^(ELECTRON_|VSCODE_|NODE_OPTIONS$|TERM$)/.test(name));
  const result: NodeJS.ProcessEnv = {
    ...Object.fromEntries(kept),
    TERM: "dumb",
    PAGER: "cat",
    GIT_PAGER: "cat",
  };
  // ripgrep takes an open standard input for what is to be searched and would wait for the user to type. Ours is
  // a socket (Node's pipes are), those of a shell pipeline are not.
  if (findProgram("rg", env, [])) {
    result["BASH_FUNC_rg%%"] =
      '() { if [ -S /dev/stdin ]; then command rg "$@" </dev/null; else command rg "$@"; fi; }';
  }
  return result;
}

function findProgram(name: string, env: NodeJS.ProcessEnv, more: readonly string[]): string | undefined {
  const folders = [...(env["PATH"] ?? "").split(delimiter), ...more].filter((folder) => folder !== "");
  return folders.map((folder) => join(folder, name)).find(isFile);
}

/** Git for Windows brings the only bash that sees Windows paths; the one in System32 is WSL's. */
function windowsBash(env: NodeJS.ProcessEnv): string | undefined {
  const roots = [env["ProgramFiles"], env["ProgramFiles(x86)"], env["LOCALAPPDATA"]].filter((root) => root);
  const places = roots.flatMap((root) => [
    join(root ?? "", "Git", "bin", "bash.exe"),
    join(root ?? "", "Programs", "Git", "bin", "bash.exe"),
  ]);
  return places.find(isFile);
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}
