// The page of the panel and what it may load: its own bundle and nothing else. The panel builds itself in there.
import * as vscode from "vscode";

/** Folders below the extension that a webview may read. */
export function resourceRoots(extensionUri: vscode.Uri): vscode.Uri[] {
  return [vscode.Uri.joinPath(extensionUri, "dist")];
}

export function panelHtml(webview: vscode.Webview, extensionUri: vscode.Uri): string {
  const script = webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, "dist", "webview.js"));
  const nonce = crypto.randomUUID();
  // The toolkit probes for a feature with an empty style element and takes the nonce for it from the page.
  const styleNonce = crypto.randomUUID();
  const policy = [
    "default-src 'none'",
    `style-src ${webview.cspSource} 'nonce-${styleNonce}'`,
    `script-src 'nonce-${nonce}'`,
    `img-src ${webview.cspSource} data:`,
  ].join("; ");
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${policy}" />
    <meta property="csp-nonce" content="${styleNonce}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Reins</title>
  </head>
  <body>
    <reins-panel></reins-panel>
    <script type="module" nonce="${nonce}" src="${script.toString()}"></script>
  </body>
</html>`;
}
