// The rules of style that a single source file can break, found with the TypeScript parser.
import { basename } from "node:path";
import ts from "typescript";
import type { SourceFile } from "./import-rules.ts";

export const limits = { fileLines: 400, functionLines: 80, classMembers: 25, parameters: 4 } as const;

const forbiddenWords = ["util", "utils", "helper", "helpers", "common", "manager", "misc"];
const forbiddenComments = /\b(TODO|FIXME|XXX|HACK)\b|eslint-disable|@ts-ignore|@ts-nocheck|<reference /;

/** One line for each rule broken, with the line number where there is one. */
export function sourceViolations(file: SourceFile): string[] {
  const tree = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest, true);
  const found = [...nameViolations(file.path), ...textViolations(file)];
  const report = (node: ts.Node, what: string) => found.push(`${file.path}:${lineOf(tree, node)} ${what}`);
  if (isBarrel(tree)) found.push(`${file.path} only re-exports other modules (a barrel)`);
  const visit = (node: ts.Node): void => {
    for (const what of nodeViolations(tree, node)) report(node, what);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

function nameViolations(path: string): string[] {
  const parts = path.split("/").slice(1);
  const words = parts.flatMap((part) => part.split(/[.-]/));
  const name = basename(path);
  return [
    ...forbiddenWords
      .filter((word) => words.includes(word))
      .map((word) => `${path} is named after "${word}"`),
    ...(name === "index.ts" ? [`${path} is a barrel by its name`] : []),
    ...(/^[a-z0-9]+([.-][a-z0-9]+)*\.ts$/.test(name) ? [] : [`${path} is not in kebab-case`]),
  ];
}

function textViolations({ path, text }: SourceFile): string[] {
  const lines = text.replace(/\n$/, "").split("\n");
  const found = lines.flatMap((line, index) => {
    const match = forbiddenComments.exec(line);
    return match ? [`${path}:${index + 1} has ${match[0]}`] : [];
  });
  if (lines.length > limits.fileLines)
    found.push(`${path} has ${lines.length} lines (at most ${limits.fileLines})`);
  if (!/^(\/\/|\/\*)/.test(text)) found.push(`${path} does not begin with a sentence that says what it is`);
  return found;
}

function isBarrel(tree: ts.SourceFile): boolean {
  return (
    tree.statements.length > 0 &&
    tree.statements.every((each) => ts.isExportDeclaration(each) && each.moduleSpecifier !== undefined)
  );
}

function nodeViolations(tree: ts.SourceFile, node: ts.Node): string[] {
  const found: string[] = [];
  if (node.kind === ts.SyntaxKind.AnyKeyword) found.push("uses any");
  if (ts.isNonNullExpression(node)) found.push("uses ! to silence the compiler");
  if (isDefaultExport(node)) found.push("has a default export");
  if (isCast(node) && !isExplained(tree, node)) found.push("casts without a comment that says why");
  if (isConsole(node)) found.push("uses console");
  if (ts.isFunctionLike(node)) found.push(...functionViolations(tree, node));
  if (ts.isClassLike(node) && node.members.length > limits.classMembers)
    found.push(`a class of ${node.members.length} members (at most ${limits.classMembers})`);
  return found;
}

function isDefaultExport(node: ts.Node): boolean {
  if (node.getSourceFile().isDeclarationFile) return false; // It describes a module that is not ours.
  if (ts.isExportAssignment(node)) return true;
  if (ts.isExportSpecifier(node) && node.name.text === "default") return true;
  return (
    ts.canHaveModifiers(node) &&
    (ts.getModifiers(node) ?? []).some((each) => each.kind === ts.SyntaxKind.DefaultKeyword)
  );
}

function isCast(node: ts.Node): node is ts.AssertionExpression {
  return ts.isAssertionExpression(node) && node.type.getText() !== "const";
}

/** A comment on the cast's statement, on a line between the statement's start and the cast, or on the line before. */
function isExplained(tree: ts.SourceFile, node: ts.Node): boolean {
  let owner: ts.Node = node;
  while (!ts.isStatement(owner) && !ts.isClassElement(owner) && owner.parent) owner = owner.parent;
  const lines = tree.text.split("\n");
  const from = lineOf(tree, owner) - 1;
  const to = tree.getLineAndCharacterOfPosition(node.getEnd()).line + 1;
  const nearby = lines.slice(Math.max(0, from - 1), to).some((line) => /\/\/|\/\*|\*\//.test(line));
  return nearby || (ts.getLeadingCommentRanges(tree.text, owner.getFullStart()) ?? []).length > 0;
}

function isConsole(node: ts.Node): boolean {
  return ts.isPropertyAccessExpression(node) && node.expression.getText() === "console";
}

function functionViolations(tree: ts.SourceFile, node: ts.SignatureDeclaration): string[] {
  const lines = lineOf(tree, node, node.getEnd()) - lineOf(tree, node) + 1;
  return [
    ...(lines > limits.functionLines
      ? [`a function of ${lines} lines (at most ${limits.functionLines})`]
      : []),
    ...(node.parameters.length > limits.parameters
      ? [`a function with ${node.parameters.length} parameters (at most ${limits.parameters})`]
      : []),
  ];
}

function lineOf(tree: ts.SourceFile, node: ts.Node, position = node.getStart(tree)): number {
  return tree.getLineAndCharacterOfPosition(position).line + 1;
}
