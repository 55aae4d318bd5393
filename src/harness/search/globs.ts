// Globs as models and settings write them, made into checks of paths that are relative and have `/` between names.
import picomatch from "picomatch/posix.js";
import { UserError } from "../../shared/errors.ts";

type PathCheck = (path: string) => boolean;

const options = { dot: true, noextglob: true, nonegate: true } as const;

/**
 * Which files a `glob` argument means: with a `/` in it paths from the place searched, else names at any depth; `!`
 * in front means all others; commas between several.
 */
export function fileGlob(glob: string): PathCheck {
  const parts = splitGlobs(glob);
  const wanted = parts.filter((part) => !part.startsWith("!")).map((part) => pathGlob(part, false));
  const unwanted = parts.filter((part) => part.startsWith("!")).map((part) => pathGlob(part.slice(1), false));
  return (path) =>
    (wanted.length === 0 || wanted.some((matches) => matches(path))) &&
    !unwanted.some((matches) => matches(path));
}

/** A pattern of names alone that every file a glob means has; undefined where there is none simple enough. */
export function namesOf(glob: string): string | undefined {
  const [only, ...more] = splitGlobs(glob);
  const name = only?.slice(only.lastIndexOf("/") + 1);
  if (name === undefined || more.length > 0 || only?.startsWith("!") || name.includes("**")) return undefined;
  return /^[\w.*?-]+$/.test(name) ? name : undefined;
}

/** What the pattern of a file search means: as `fileGlob`, and without a capital letter in it case does not count. */
export function nameGlob(pattern: string): PathCheck {
  return pathGlob(pattern.trim(), !/\p{Lu}/u.test(pattern));
}

/** Whether a path, or a folder on the way to it, is excluded by settings. */
export function excludedBy(globs: readonly string[]): PathCheck {
  const checks = globs.map((glob) => picomatch(glob.replace(/^\//, "").replace(/\/$/, ""), options));
  return (path) => checks.some((matches) => matches(path));
}

function pathGlob(text: string, nocase: boolean): PathCheck {
  const glob = text.replace(/^(\.?\/)+/, "").replace(/\/$/, "/**");
  if (glob === "") throw new UserError(`The glob "${text}" is empty. Write one as in *.ts or src/**/*.ts.`);
  const matches = compile(glob, nocase);
  return text.includes("/") ? matches : (path) => matches(path.slice(path.lastIndexOf("/") + 1));
}

function compile(glob: string, nocase: boolean): PathCheck {
  if (glob.length > 1000)
    throw new UserError("The glob is longer than 1,000 characters. Write a shorter one.");
  return picomatch(glob, { ...options, nocase });
}

/** At commas outside of braces. */
function splitGlobs(glob: string): string[] {
  const parts = [""];
  let depth = 0;
  for (const character of glob) {
    if (character === "{") depth += 1;
    if (character === "}") depth -= 1;
    if (character === "," && depth <= 0) parts.push("");
    else parts.push((parts.pop() ?? "") + character);
  }
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}
