// The extension as VS Code sees it, in whichever host it runs: it activates, offers what the manifest declares, and
// its panel can be opened. Runs in the host and in the web suite.
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { commandIds, extensionId, panelViewId } from "../../src/ui/contributions.ts";

/** Set when the suite is bundled. */
declare const REINS_TEST_HOST: "node" | "web";

describe("Reins in VS Code", () => {
  it("activates without an error", async () => {
    const extension = vscode.extensions.getExtension(extensionId);
    assert.ok(extension, `${extensionId} is not there`);
    await extension.activate();
    assert.equal(extension.isActive, true);
  });

  it("runs in the host that the suite is for", () => {
    const extension = vscode.extensions.getExtension(extensionId);
    const expected = REINS_TEST_HOST === "web" ? vscode.ExtensionKind.UI : vscode.ExtensionKind.Workspace;
    // On the desktop there is one host, and everything in it is of the UI kind.
    if (vscode.env.uiKind === vscode.UIKind.Web) assert.equal(extension?.extensionKind, expected);
    assert.equal(typeof process === "object" && "versions" in process, REINS_TEST_HOST === "node");
  });

  it("registers every command that it declares", async () => {
    const registered = await vscode.commands.getCommands(true);
    assert.deepEqual(
      Object.values(commandIds).filter((id) => !registered.includes(id)),
      [],
    );
  });

  it("opens its panel by its own command and by VS Code's", async () => {
    await vscode.commands.executeCommand(commandIds.focusPanel);
    await vscode.commands.executeCommand(`${panelViewId}.focus`);
  });

  it("reads the workspace through VS Code's file system", async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const bytes = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder.uri, "hello.txt"));
    assert.equal(new TextDecoder().decode(bytes), "hello\n");
  });
});
