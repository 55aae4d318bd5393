// Keeps package.json and the code in step: every id is declared in both (src/ui/contributions.ts has them once), and
// only what stable VS Code offers is contributed. The IDE of the other suites turns every proposed API on, so they
// cannot notice one.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  commandIds,
  contextKeys,
  extensionId,
  panelViewId,
  proposalScheme,
  settingIds,
  viewContainerId,
} from "../src/ui/contributions.ts";
import { readText, repositoryRoot } from "./support/repository-files.ts";

interface MenuItem {
  readonly command?: string;
  readonly submenu?: string;
  readonly when?: string;
}

interface Keybinding {
  readonly command: string;
  readonly key: string;
  readonly when?: string;
}

interface Setting {
  readonly description?: string;
  readonly markdownDescription?: string;
  readonly scope?: string;
  readonly default?: unknown;
}

interface View {
  readonly id: string;
  readonly when?: string;
}

interface Manifest {
  readonly name: string;
  readonly publisher: string;
  readonly engines: { readonly vscode: string };
  readonly main: string;
  readonly browser: string;
  readonly icon?: string;
  readonly enabledApiProposals?: unknown;
  readonly activationEvents?: readonly string[];
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly capabilities: {
    readonly untrustedWorkspaces: { readonly restrictedConfigurations?: readonly string[] };
  };
  readonly contributes: {
    readonly commands: readonly { command: string; title: string; category: string; enablement?: string }[];
    readonly viewsContainers: Readonly<Record<string, readonly { id: string; icon: string }[]>>;
    readonly views: Readonly<Record<string, readonly View[]>>;
    readonly viewsWelcome?: readonly { view: string; when?: string }[];
    readonly menus: Readonly<Record<string, readonly MenuItem[]>>;
    readonly submenus?: readonly { id: string }[];
    readonly keybindings: readonly Keybinding[];
    readonly configuration: { readonly properties: Readonly<Record<string, Setting>> };
  };
}

// The tests below are what checks that it has this shape.
const manifest = JSON.parse(readText("package.json")) as Manifest;
const { contributes } = manifest;

const stableContributionPoints = [
  "viewsContainers views viewsWelcome commands menus submenus keybindings configuration configurationDefaults",
  "walkthroughs icons colors languages grammars languageModelTools languageModelChatProviders",
  "mcpServerDefinitionProviders terminal jsonValidation codeActions",
].flatMap((line) => line.split(" "));

/** The menus that need no proposed API (vscode.d.ts of the version in `engines`). */
const stableMenus = [
  "commandPalette editor/title editor/title/context editor/title/run editor/context editor/lineNumber/context",
  "explorer/context terminal/context terminal/title/context view/title view/item/context touchBar",
  "scm/title scm/change/title scm/resourceGroup/context scm/resourceState/context scm/resourceFolder/context",
  "comments/commentThread/title comments/commentThread/context comments/comment/title comments/comment/context",
  "file/newFile webview/context extension/context problems/context",
].flatMap((line) => line.split(" "));

/** Context keys of VS Code itself that our clauses use. */
const workbenchKeys = [
  "view focusedView editorTextFocus editorIsOpen editorHasSelection resourceScheme terminalFocus isInDiffEditor",
  "inputFocus activeEditor isWorkspaceTrusted workspaceFolderCount isWeb explorerResourceIsFolder listFocus",
  "terminalTextSelected scmProvider originalResourceScheme config.chat.disableAIFeatures sideBarFocus auxiliaryBarFocus textInputFocus",
].flatMap((line) => line.split(" "));

const declaredCommands = contributes.commands.map((each) => each.command);
const menuItems = Object.values(contributes.menus).flat();

describe("the manifest", () => {
  it("declares exactly the commands that contributions.ts names", () => {
    assert.deepEqual([...declaredCommands].sort(), Object.values(commandIds).sort());
  });

  it("declares exactly the settings that contributions.ts names", () => {
    assert.deepEqual(
      Object.keys(contributes.configuration.properties).sort(),
      Object.values(settingIds).sort(),
    );
  });

  it("declares the view and its container", () => {
    assert.equal(`${manifest.publisher}.${manifest.name}`, extensionId);
    assert.deepEqual(Object.keys(contributes.views), [viewContainerId]);
    assert.deepEqual(
      Object.values(contributes.views).flatMap((views) => views.map((view) => view.id)),
      [panelViewId],
    );
    assert.deepEqual(
      Object.values(contributes.viewsContainers).flatMap((containers) => containers.map((each) => each.id)),
      [viewContainerId],
    );
  });

  it("names each id once", () => {
    const ids = [...Object.values(commandIds), ...Object.values(settingIds), ...Object.values(contextKeys)];
    assert.deepEqual(
      ids.filter((id, index) => ids.indexOf(id) !== index),
      [],
    );
    assert.ok(ids.every((id) => id.startsWith("reins.")));
  });

  it("uses only stable contribution points, menus and no proposed API", () => {
    assert.deepEqual(
      Object.keys(contributes).filter((point) => !stableContributionPoints.includes(point)),
      [],
    );
    const submenus = (contributes.submenus ?? []).map((each) => each.id);
    assert.deepEqual(
      Object.keys(contributes.menus).filter((menu) => ![...stableMenus, ...submenus].includes(menu)),
      [],
    );
    assert.equal(manifest.enabledApiProposals, undefined);
  });

  it("offers in menus only what it declares", () => {
    const submenus = (contributes.submenus ?? []).map((each) => each.id);
    for (const item of menuItems) {
      if (item.command !== undefined) assert.ok(declaredCommands.includes(item.command), item.command);
      else assert.ok(submenus.includes(item.submenu ?? ""), item.submenu);
    }
  });

  it("puts every command into a category, and hides from the palette what its clause rules out", () => {
    for (const command of contributes.commands) {
      assert.equal(command.category, "Reins", command.command);
      assert.ok(command.title.length > 0);
    }
  });

  it("binds keys only to its own or built-in commands, and never everywhere", () => {
    for (const { command, key, when } of contributes.keybindings) {
      assert.ok(when, `${key} of ${command} has no when-clause`);
      assert.ok(declaredCommands.includes(command) || command.startsWith("workbench.action."), command);
    }
  });

  it("describes every setting and gives it a scope and a default", () => {
    for (const [id, setting] of Object.entries(contributes.configuration.properties)) {
      assert.ok((setting.description ?? setting.markdownDescription ?? "").length > 10, `${id}: description`);
      assert.ok(setting.scope, `${id}: scope`);
      assert.ok("default" in setting, `${id}: default`);
    }
  });

  it("restricts only settings that exist in an untrusted workspace", () => {
    for (const id of manifest.capabilities.untrustedWorkspaces.restrictedConfigurations ?? [])
      assert.ok(id in contributes.configuration.properties, id);
  });

  it("uses in its clauses only context keys that somebody sets", () => {
    const known: readonly string[] = [...Object.values(contextKeys), ...workbenchKeys];
    const unknown = clauses().flatMap((clause) => keysOf(clause).filter((key) => !known.includes(key)));
    assert.deepEqual(unknown, []);
  });

  it("uses every context key that contributions.ts names", () => {
    const used = clauses().flatMap(keysOf);
    assert.deepEqual(
      Object.values(contextKeys).filter((key) => !used.includes(key)),
      [],
    );
  });

  it("is activated by what it contributes and by its own file system only", () => {
    for (const event of manifest.activationEvents ?? [])
      assert.match(event, new RegExp(`^(onFileSystem:${proposalScheme}|onStartupFinished|onUri)$`));
  });

  it("names files that exist", () => {
    const icons = Object.values(contributes.viewsContainers).flatMap((each) => each.map(({ icon }) => icon));
    const files = [...icons, ...(manifest.icon ? [manifest.icon] : [])];
    for (const file of files.filter((each) => !each.startsWith("$(")))
      assert.ok(existsSync(join(repositoryRoot, file)), file);
    const bundles = readText("esbuild.mjs");
    for (const file of [manifest.main, manifest.browser])
      assert.ok(bundles.includes(file.replace("./", "")), file);
  });

  it("is compiled against the API of the oldest VS Code that it admits", () => {
    const minor = (version: string | undefined) => /(\d+\.\d+)/.exec(version ?? "")?.[1];
    assert.equal(minor(manifest.devDependencies["@types/vscode"]), minor(manifest.engines.vscode));
  });
});

function clauses(): string[] {
  const views = Object.values(contributes.views).flat();
  const items = [...menuItems, ...contributes.keybindings, ...views, ...(contributes.viewsWelcome ?? [])];
  return [
    ...items.map((each) => each.when ?? ""),
    ...contributes.commands.map((each) => each.enablement ?? ""),
  ].filter(Boolean);
}

/** The context keys of a when-clause: its words, without what they are compared with. */
function keysOf(clause: string): string[] {
  const keysOnly = clause
    .replaceAll(/(==|!=|=~|>=?|<=?|\bin\b|\bnot in\b)\s*('[^']*'|\/[^/]*\/\w*|[\w.:-]+)/g, "")
    .replaceAll(/\b(true|false)\b/g, "");
  return keysOnly.match(/[\w.][\w.:-]*/g) ?? [];
}
