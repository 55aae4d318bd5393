// Small random trees of files with ignore files in them, and searches through them.
import fc from "fast-check";

/** Contents by path. */
export type Tree = { readonly [path: string]: string | Uint8Array };

const folders = ["", "a", "b", "a/b", "a/c", "dist", "a/dist", ".cache", "a/b/a", "b/[x]"];
const names = ["x.txt", "y.log", "Z.ts", ".env", "dist", "-r", "a b.ts", "é.txt"];
const ignoreNames = [".gitignore", ".ignore", ".rgignore", ".git/info/exclude"];
const rules = [
  ..."*.log !*.log dist dist/ !dist /dist a/b b/ /b/ **/c a/**/x.txt *.txt !x.txt .env **/dist/** !a/dist/".split(
    " ",
  ),
  ...["# note", "", "Z.*", "\\[x\\]", "a/*", "!a/b/", "**/a/", "x.txt ", "/*", "!/a"],
];
const words = ["foo", "Foo", "bar", "a.b", "é", "foo bar", "", "(foo", "\ufffd"];

const line = fc.constantFrom(...words);
const text = fc
  .tuple(fc.array(line, { maxLength: 6 }), fc.constantFrom("\n", "\r\n"), fc.boolean())
  .map(([lines, end, last]) => lines.join(end) + (last ? end : ""));
const content = fc.oneof(
  { weight: 8, arbitrary: text },
  { weight: 1, arbitrary: text.map((each) => `${each}\0`) },
  { weight: 1, arbitrary: text.map((each) => `\ufeff${each}`) },
);
const path = (choice: readonly string[]) =>
  fc
    .tuple(fc.constantFrom(...folders), fc.constantFrom(...choice))
    .map(([folder, name]) => (folder === "" ? name : `${folder}/${name}`));
const file = fc.tuple(path(names), content);
const ignoreFile = fc.tuple(
  path(ignoreNames),
  fc.array(fc.constantFrom(...rules), { minLength: 1, maxLength: 4 }).map((lines) => lines.join("\n")),
);

/** No file where another one needs a folder. */
function consistent(entries: readonly (readonly [string, string])[]): Tree {
  const tree: Record<string, string> = {};
  for (const [each, what] of entries) {
    const paths = Object.keys(tree);
    const clashes = paths.some((other) => other.startsWith(`${each}/`) || each.startsWith(`${other}/`));
    if (!clashes) tree[each] = what;
  }
  return tree;
}

/** A tree, a place in it that may not exist, and what to look for. */
export const randomTree = fc.record({
  tree: fc
    .tuple(fc.array(file, { minLength: 1, maxLength: 14 }), fc.array(ignoreFile, { maxLength: 4 }))
    .map(([files, ignores]) => consistent([...files, ...ignores])),
  excludes: fc.subarray(["**/dist", "a/c", "**/*.log", "b/**", "**/.cache"]),
  start: fc.oneof(fc.constantFrom(...folders), path(names)),
  pattern: fc.constantFrom("foo", "Foo", "a.b", "é", "(foo", "o b"),
  ignoreCase: fc.boolean(),
  context: fc.nat(2),
  glob: fc.constantFrom(undefined, "*.txt", "*.{ts,log}", "a/**", "!*.log", "**/x.txt", "dist/"),
  name: fc.constantFrom("*", "*.txt", "dist", "a/**", "**/b", "z.ts", "Z.ts", "a/*", ".*"),
});
