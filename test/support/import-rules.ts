// Who may import whom, checked on parsed files: the table itself is data in architecture.test.ts.
import { posix } from "node:path";
import ts from "typescript";

export interface SourceFile {
  /** From the repository's root, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

export interface LayerRule {
  /** Folders of src or single files; `types:` before one allows only `import type`. */
  readonly imports: readonly string[];
  readonly vscode: "yes" | "types" | "no";
  readonly node: boolean;
}

export interface Import {
  readonly specifier: string;
  readonly typeOnly: boolean;
}

/** Every module that a file names: imports, re-exports, `import()`, `require()` and types in `import("…")` form. */
export function importsOf(file: SourceFile): Import[] {
  const found: Import[] = [];
  const add = (node: ts.Node | undefined, typeOnly: boolean) => {
    if (node && ts.isStringLiteralLike(node)) found.push({ specifier: node.text, typeOnly });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, isTypeImport(node));
    else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly);
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
      add(node.argument.literal, true);
    else if (ts.isCallExpression(node) && isModuleCall(node)) add(node.arguments[0], false);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest));
  return found;
}

function isTypeImport(node: ts.ImportDeclaration): boolean {
  return node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
}

function isModuleCall(node: ts.CallExpression): boolean {
  const { expression } = node;
  return (
    expression.kind === ts.SyntaxKind.ImportKeyword ||
    (ts.isIdentifier(expression) && expression.text === "require")
  );
}

/** The layer a file belongs to: its folder under src, `extension` for the composition root, or `webview`. */
export function layerOf(path: string): string {
  if (path.startsWith("webview/")) return "webview";
  const [, folder = ""] = path.split("/");
  return folder.startsWith("extension") ? "extension" : folder;
}

/** One line for each import that the table does not allow. `libraries` are package.json's dependencies. */
export function importViolations(
  file: SourceFile,
  table: Readonly<Record<string, LayerRule>>,
  libraries: readonly string[],
): string[] {
  const layer = layerOf(file.path);
  const rule = table[layer];
  if (!rule) return [`${file.path}: no layer of architecture.md`];
  return importsOf(file).flatMap((each) =>
    isAllowed(file.path, layer, rule, each, libraries)
      ? []
      : [`${file.path} -> ${each.specifier}${each.typeOnly ? " (types)" : ""}`],
  );
}

function isAllowed(
  path: string,
  layer: string,
  rule: LayerRule,
  { specifier, typeOnly }: Import,
  libraries: readonly string[],
): boolean {
  if (specifier === "vscode") return rule.vscode === "yes" || (rule.vscode === "types" && typeOnly);
  if (specifier.startsWith("node:"))
    return rule.node || (path === "src/extension.node.ts" && layer === "extension");
  if (!specifier.startsWith("."))
    return libraries.some((name) => specifier === name || specifier.startsWith(`${name}/`));
  const target = resolveImport(path, specifier);
  const inside = target.replace(/^src\//, "");
  if (layerOf(target) === layer) return true;
  return rule.imports.some((entry) => {
    const allowed = entry.replace(/^types:/, "");
    if (entry !== allowed && !typeOnly) return false;
    return allowed === "*"
      ? target.startsWith("src/")
      : inside === allowed || inside.startsWith(`${allowed}/`);
  });
}

/** The path from the root that a relative import names. */
export function resolveImport(from: string, specifier: string): string {
  return posix.normalize(posix.join(posix.dirname(from), specifier));
}

/** The first import cycle, as the paths along it, or undefined. Type imports count. */
export function findCycle(files: readonly SourceFile[]): string[] | undefined {
  const graph = new Map(
    files.map((file) => [
      file.path,
      importsOf(file)
        .filter((each) => each.specifier.startsWith("."))
        .map((each) => resolveImport(file.path, each.specifier)),
    ]),
  );
  const done = new Set<string>();
  const search = (path: string, trail: readonly string[]): string[] | undefined => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path];
    if (done.has(path)) return undefined;
    for (const next of graph.get(path) ?? []) {
      const cycle = search(next, [...trail, path]);
      if (cycle) return cycle;
    }
    done.add(path);
    return undefined;
  };
  for (const path of graph.keys()) {
    const cycle = search(path, []);
    if (cycle) return cycle;
  }
  return undefined;
}
