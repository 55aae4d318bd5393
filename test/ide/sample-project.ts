// The small project that `npm start` opens and the end-to-end tests work on: a git repository with two failing tests.
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const source = fileURLToPath(new URL("sample", import.meta.url));

/** Copies the sample into `folder`, by default a new temporary one, and commits it there. Returns the folder. */
export function makeSampleProject(folder?: string): string {
  const target = folder ?? mkdtempSync(join(realpathSync(tmpdir()), "reins-sample-"));
  cpSync(source, target, { recursive: true });
  commitAll(target);
  return target;
}

/** Without git, the sample is a plain folder: nothing in Reins depends on it. */
function commitAll(folder: string): void {
  const identity = ["-c", "user.name=Corner Shop", "-c", "user.email=shop@example.invalid"];
  const own = ["-c", "commit.gpgsign=false", "-c", "core.hooksPath=/dev/null", "-c", "core.autocrlf=false"];
  // A hook or an outer git command that called us must not redirect these.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_")));
  const git = (...args: string[]) =>
    execFileSync("git", [...identity, ...own, ...args], { cwd: folder, env, stdio: "ignore" });
  try {
    git("init", "--initial-branch=main");
    git("add", ".");
    git("commit", "--message=A cart, with two tests that fail");
  } catch {
    console.log("git did not work here, so the sample project is not a repository.");
  }
}
