// Reads the files of this repository for the tests that check its structure.
import { readFileSync, readdirSync } from "node:fs";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { SourceFile } from "./import-rules.ts";

export const repositoryRoot = fileURLToPath(new URL("../..", import.meta.url));

/** Every TypeScript file below a folder of the repository. */
export function sourceFiles(folder: string): SourceFile[] {
  return readdirSync(join(repositoryRoot, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !path.includes("node_modules"))
    .map((path) => `${folder}/${path.split(sep).join("/")}`)
    .sort()
    .map((path) => ({ path, text: readText(path) }));
}

export function readText(path: string): string {
  return readFileSync(join(repositoryRoot, path), "utf8");
}

/** The names at the top of the repository that git does not ignore. */
export function topLevelNames(): string[] {
  const ignored = readText(".gitignore")
    .split("\n")
    .map((line) => line.replace(/\/$/, ""));
  return readdirSync(repositoryRoot).filter(
    (name) => name !== ".git" && !ignored.includes(name) && !name.endsWith(".vsix"),
  );
}
