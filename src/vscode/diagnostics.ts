// The errors and warnings that VS Code shows, whoever reports them.
import * as vscode from "vscode";
import type { Diagnostics, Problem } from "../harness/ports.ts";
import type { Disposable } from "../shared/disposable.ts";
import { Emitter } from "../shared/event.ts";

export class VsCodeDiagnostics implements Diagnostics, Disposable {
  private readonly changed = new Emitter<readonly string[]>();
  private readonly listener: vscode.Disposable;
  readonly onDidChange = this.changed.event;

  constructor() {
    this.listener = vscode.languages.onDidChangeDiagnostics(({ uris }) =>
      this.changed.fire(uris.map((uri) => uri.toString())),
    );
  }

  current(): readonly Problem[] {
    return vscode.languages
      .getDiagnostics()
      .flatMap(([uri, problems]) => problems.flatMap((problem) => toProblem(uri, problem) ?? []));
  }

  dispose(): void {
    this.listener.dispose();
    this.changed.dispose();
  }
}

function toProblem(uri: vscode.Uri, problem: vscode.Diagnostic): Problem | undefined {
  const severity = severities[problem.severity];
  if (severity === undefined) return undefined;
  const code = typeof problem.code === "object" ? problem.code.value : problem.code;
  return {
    uri: uri.toString(),
    line: problem.range.start.line + 1,
    column: problem.range.start.character + 1,
    severity,
    message: problem.message,
    ...(problem.source !== undefined && { source: problem.source }),
    ...(code !== undefined && { code: String(code) }),
  };
}

const severities: { readonly [severity in vscode.DiagnosticSeverity]?: Problem["severity"] } = {
  [vscode.DiagnosticSeverity.Error]: "error",
  [vscode.DiagnosticSeverity.Warning]: "warning",
};
