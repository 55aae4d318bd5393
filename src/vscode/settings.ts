// The user's settings below `reins.`. Scopes in package.json keep a workspace from widening what Reins may do;
// this only reads what VS Code says and writes where the user can see it.
import * as vscode from "vscode";
import type { ApprovalMode, Settings, SettingsSnapshot } from "../harness/ports.ts";
import type { Disposable } from "../shared/disposable.ts";
import { Emitter } from "../shared/event.ts";

const section = "reins";

const names = {
  model: "model",
  thinkingLevel: "thinkingLevel",
  approvalEdits: "approval.edits",
  approvalCommands: "approval.commands",
} as const;

export class VsCodeSettings implements Settings, Disposable {
  private readonly changed = new Emitter<void>();
  private readonly listener: vscode.Disposable;
  readonly onDidChange = this.changed.event;

  constructor() {
    this.listener = vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(section)) this.changed.fire();
    });
  }

  current(): SettingsSnapshot {
    const settings = vscode.workspace.getConfiguration(section);
    const timeout = settings.get<unknown>("bash.timeoutSeconds");
    return {
      model: text(settings.get<unknown>(names.model)),
      thinkingLevel: text(settings.get<unknown>(names.thinkingLevel)),
      providers: settings.get<unknown>("providers"),
      approvalEdits: oneOf(settings.get<unknown>(names.approvalEdits), ["later", "auto"], "ask"),
      approvalRules: settings.get<unknown>("approval.rules"),
      approvalCommands: mode(settings.get<unknown>(names.approvalCommands)),
      bashTimeoutSeconds: typeof timeout === "number" && timeout > 0 ? timeout : 120,
      editUnread: settings.get<unknown>("edit.allowUnread") === true,
      editDiagnostics: oneOf(settings.get<unknown>("edit.diagnostics"), ["errors", "off"], "warnings"),
      checkpointMegabytes: megabytes(settings.get<unknown>("checkpoints.maxMegabytes")),
      limits: limits(settings),
      connectTimeoutSeconds: seconds(settings.get<unknown>("request.connectTimeoutSeconds")),
      idleTimeoutSeconds: seconds(settings.get<unknown>("request.idleTimeoutSeconds")),
    };
  }

  async update(change: Parameters<Settings["update"]>[0]): Promise<void> {
    for (const name of ["model", "thinkingLevel", "approvalEdits", "approvalCommands"] as const) {
      const value = change[name];
      if (value !== undefined) await write(names[name], value);
    }
  }

  dispose(): void {
    this.listener.dispose();
    this.changed.dispose();
  }
}

/** Where the value that counts is set: the workspace if it has its own, else the user's settings. */
async function write(name: string, value: string): Promise<void> {
  const settings = vscode.workspace.getConfiguration(section);
  if (settings.get<unknown>(name) === value) return;
  const ofWorkspace = settings.inspect<unknown>(name)?.workspaceValue !== undefined;
  const target = ofWorkspace ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
  await settings.update(name, value, target);
}

function text(value: unknown): string {
  return typeof value === "string" ? value.trim() : "";
}

const limitNames = ["turns", "toolCalls", "tokens", "cost", "minutes", "repeats"] as const;

/** 0: no limit. What is no number: the default. */
function limits(settings: vscode.WorkspaceConfiguration): SettingsSnapshot["limits"] {
  const read: { [Name in (typeof limitNames)[number]]?: number } = {};
  for (const name of limitNames) {
    const value = settings.get<unknown>(`limits.${name}`);
    if (typeof value === "number" && value >= 0) read[name] = value === 0 ? Infinity : value;
  }
  return read;
}

/** 0: no checkpoints. What is no number: the default. */
function megabytes(value: unknown): number {
  return typeof value === "number" && value >= 0 ? value : 200;
}

/** 0 and what is no number: the default. */
function seconds(value: unknown): number | undefined {
  return typeof value === "number" && value > 0 ? value : undefined;
}

function oneOf<T>(value: unknown, values: readonly T[], otherwise: T): T {
  return values.find((each) => each === value) ?? otherwise;
}

function mode(value: unknown): ApprovalMode {
  return value === "auto" ? "auto" : "ask";
}
