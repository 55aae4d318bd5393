// Keeps the structure that src/README.md describes: who may import whom, sizes, names, and what the language offers
// but this repository does not use. The second half plants each violation to prove that it would be found.
import assert from "node:assert/strict";
import { findCycle, importViolations, importsOf, resolveImport } from "./support/import-rules.ts";
import type { LayerRule } from "./support/import-rules.ts";
import { readText, sourceFiles, topLevelNames } from "./support/repository-files.ts";
import { limits, sourceViolations } from "./support/source-rules.ts";

/** "Harness ports" of the table: contracts only, in two files. */
const ports = ["harness/ports.ts", "harness/search-ports.ts"];

const table: Record<string, LayerRule> = {
  shared: { imports: [], vscode: "no", node: false },
  ai: { imports: ["shared"], vscode: "types", node: false },
  agent: { imports: ["shared", "ai"], vscode: "no", node: false },
  harness: { imports: ["shared", "ai", "agent"], vscode: "no", node: false },
  protocol: { imports: ["types:ai", "types:agent", "types:harness"], vscode: "no", node: false },
  vscode: { imports: ["shared", "ai", "agent", "harness"], vscode: "yes", node: false },
  node: { imports: ["shared", ...ports], vscode: "yes", node: true },
  web: { imports: ["shared", ...ports], vscode: "yes", node: false },
  ui: { imports: ["shared", "agent", "harness", "protocol"], vscode: "yes", node: false },
  extension: { imports: ["*", "media"], vscode: "yes", node: false },
  webview: { imports: ["shared", "protocol", "agent/transcript.ts"], vscode: "no", node: false },
};

/** The panel may name the types that the protocol's messages are made of, but no behaviour behind them. */
const protocolTypes = sourceFiles("src/protocol").flatMap((file) =>
  importsOf(file).map((each) => resolveImport(file.path, each.specifier).replace(/^src\//, "types:")),
);
table["webview"] = {
  vscode: "no",
  node: false,
  imports: [...(table["webview"]?.imports ?? []), ...protocolTypes],
};

const topLevel = [
  "src webview media test",
  "package.json package-lock.json tsconfig.json esbuild.mjs eslint.config.mjs",
  ".vscodeignore .gitignore .ci .vscode README.md CHANGELOG.md LICENSE",
].flatMap((line) => line.split(" "));

/** package.json's `dependencies` are what the bundles may contain. */
const libraries = Object.keys(
  (JSON.parse(readText("package.json")) as { dependencies: Record<string, string> }).dependencies,
);

describe("the structure", () => {
  const product = [...sourceFiles("src"), ...sourceFiles("webview")];

  it("lets each layer import only what the table allows", () => {
    assert.deepEqual(
      product.flatMap((file) => importViolations(file, table, libraries)),
      [],
    );
  });

  it("has no import cycles, type imports counted", () => {
    assert.equal(findCycle(product)?.join(" -> "), undefined);
  });

  it("keeps sizes, names, casts, comments and exports within the rules", () => {
    assert.deepEqual(product.flatMap(sourceViolations), []);
  });

  it("keeps test files below 500 lines", () => {
    const long = sourceFiles("test").filter((file) => file.text.split("\n").length > 501);
    assert.deepEqual(
      long.map((file) => file.path),
      [],
    );
  });

  it("has no file or folder at the top level beyond the fixed list", () => {
    assert.deepEqual(
      topLevelNames().filter((name) => !topLevel.includes(name)),
      [],
    );
  });

  it("makes src, webview and test ES modules by a package.json that says nothing else", () => {
    for (const folder of ["src", "webview", "test"])
      assert.deepEqual(JSON.parse(readText(`${folder}/package.json`)), { type: "module", private: true });
  });
});

describe("the structure's checker", () => {
  const imports = (path: string, text: string) => importViolations({ path, text }, table, ["lit"]);
  const rules = (text: string, path = "src/agent/planted.ts") =>
    sourceViolations({ path, text: `// A planted file.\n${text}` });

  const forbiddenImports: readonly (readonly [path: string, text: string])[] = [
    ["src/shared/a.ts", 'import { x } from "../ai/types.ts";'],
    ["src/ai/a.ts", 'import * as vscode from "vscode";'],
    ["src/ai/a.ts", 'import type { Agent } from "../agent/types.ts";'],
    ["src/agent/a.ts", 'import type { Uri } from "vscode";'],
    ["src/agent/a.ts", 'import { readFile } from "node:fs";'],
    ["src/harness/tools/a.ts", 'const fs = await import("node:fs");'],
    ["src/harness/a.ts", 'export { x } from "../../webview/store.ts";'],
    ["src/protocol/a.ts", 'import { x } from "../agent/types.ts";'],
    ["src/node/a.ts", 'import { x } from "../harness/coding-agent.ts";'],
    ["src/node/a.ts", 'import { x } from "../harness/search/search.ts";'],
    ["src/web/a.ts", 'import { spawn } from "node:child_process";'],
    ["src/web/a.ts", 'const x = require("../node/terminal.ts");'],
    ["src/ui/a.ts", 'import { stream } from "../ai/stream.ts";'],
    ["src/ui/a.ts", 'import { x } from "not-a-dependency";'],
    ["src/extension.web.ts", 'import { join } from "node:path";'],
    ["webview/a.ts", 'import { x } from "../src/harness/ports.ts";'],
    ["src/elsewhere/a.ts", ""],
  ];
  for (const [path, text] of forbiddenImports)
    it(`finds in ${path}: ${text || "a folder that is no layer"}`, () => {
      assert.equal(imports(path, text).length, 1);
    });

  it("allows what the table allows", () => {
    assert.deepEqual(
      [
        imports("src/ai/a.ts", 'import type * as vscode from "vscode";'),
        imports("src/protocol/a.ts", 'import type { X } from "../agent/types.ts";'),
        imports("src/node/a.ts", 'import { spawn } from "node:child_process";'),
        imports("src/web/a.ts", 'import type { Files } from "../harness/ports.ts";'),
        imports(
          "src/extension.node.ts",
          'import { x } from "./node/host.ts"; import { join } from "node:path";',
        ),
        imports(
          "webview/transcript/a.ts",
          'import { html } from "lit"; import { x } from "../../src/agent/transcript.ts";',
        ),
      ].flat(),
      [],
    );
  });

  it("finds a cycle that runs through a type import", () => {
    const cycle = findCycle([
      { path: "src/ai/a.ts", text: 'import { b } from "./b.ts";' },
      { path: "src/ai/b.ts", text: 'import type { C } from "./deep/c.ts";' },
      { path: "src/ai/deep/c.ts", text: 'export type { A } from "../a.ts";' },
    ]);
    assert.equal(cycle?.join(" "), "src/ai/a.ts src/ai/b.ts src/ai/deep/c.ts src/ai/a.ts");
  });

  const lines = (count: number) => "x();\n".repeat(count);
  const planted: readonly (readonly [what: RegExp, text: string, path?: string])[] = [
    [/uses any/, "const a = (x: any) => x;"],
    [/uses !/, "export const a = b!.c;"],
    [/default export/, "export default function a() {}"],
    [/default export/, "const a = 1; export default a;"],
    [/default export/, 'export { a as default } from "./a.ts"; const b = 1;'],
    [/casts without/, "const x = 1;\n\nconst a = b as string;"],
    [/uses console/, "console.log(1);"],
    [/TODO/, "// TODO: later"],
    [/eslint-disable/, "// eslint-disable-next-line"],
    [/@ts-ignore/, "// @ts-ignore"],
    [/lines \(at most 400\)/, lines(limits.fileLines)],
    [/a function of 82 lines/, `function a() {\n${lines(80)}}`],
    [/a class of 26 members/, `class A {\n${"a;\n".repeat(26)}}`],
    [/5 parameters/, "const a = (b: 1, c: 1, d: 1, e: 1, f: 1) => b;"],
    [/barrel/, 'export { a } from "./a.ts";'],
    [/barrel/, "const a = 1;", "src/ai/index.ts"],
    [/named after "utils"/, "const a = 1;", "src/ai/utils/text.ts"],
    [/named after "helpers"/, "const a = 1;", "src/ai/text-helpers.ts"],
    [/kebab-case/, "const a = 1;", "src/ai/eventStream.ts"],
  ];
  for (const [what, text, path] of planted)
    it(`finds ${what.source}: ${text.slice(0, 40).replaceAll("\n", " ")} ${path ?? ""}`, () => {
      assert.match(rules(text, path).join("\n"), what);
    });

  it("finds a file without its opening sentence", () => {
    assert.match(
      sourceViolations({ path: "src/ai/a.ts", text: "const a = 1;" }).join(),
      /begin with a sentence/,
    );
  });

  it("accepts a cast that is explained, and as const", () => {
    assert.deepEqual(
      [
        rules("// The API's typings lag behind.\nconst a = b as string;"),
        rules("const a = b as string; // The API's typings lag behind."),
        rules('const a = ["b"] as const;'),
      ].flat(),
      [],
    );
  });
});
