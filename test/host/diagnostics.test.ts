// The problems that the real editor shows.
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { VsCodeDiagnostics } from "../../src/vscode/diagnostics.ts";

describe("diagnostics", () => {
  it("are the errors and warnings that are shown, and every change is told", async () => {
    const reporter = vscode.languages.createDiagnosticCollection("reins-test");
    const diagnostics = new VsCodeDiagnostics();
    try {
      const uri = vscode.Uri.file("/reins-test/a.ts");
      const told = new Promise<readonly string[]>((resolve) => diagnostics.onDidChange(resolve));
      const at = new vscode.Range(4, 2, 4, 9);
      const { Error: error, Warning: warning, Hint: hint } = vscode.DiagnosticSeverity;
      const wrong = new vscode.Diagnostic(at, "Wrong.", error);
      wrong.source = "ts";
      wrong.code = { value: 2304, target: vscode.Uri.parse("https://example.com/2304") };
      const careful = new vscode.Diagnostic(at, "Careful.", warning);
      reporter.set(uri, [wrong, careful, new vscode.Diagnostic(at, "By the way.", hint)]);
      assert.ok((await told).includes(uri.toString()));
      const place = { uri: uri.toString(), line: 5, column: 3 };
      assert.deepEqual(
        diagnostics.current().filter((problem) => problem.uri === uri.toString()),
        [
          { ...place, severity: "error", message: "Wrong.", source: "ts", code: "2304" },
          { ...place, severity: "warning", message: "Careful." },
        ],
      );
    } finally {
      reporter.dispose();
      diagnostics.dispose();
    }
  });
});
