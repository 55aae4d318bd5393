// Everything the panel shows beside the transcript, computed from the session and its surroundings. Pure.
import type { CommandRunner, SettingsSnapshot, Workspace } from "../harness/ports.ts";
import type { CodingSession } from "../harness/types.ts";
import type { ModelChoice, PanelState } from "../protocol/to-webview.ts";

export interface PanelSurroundings {
  readonly settings: SettingsSnapshot;
  readonly workspace: Pick<Workspace, "folders" | "trusted">;
  readonly commands: Pick<CommandRunner, "unavailable">;
  /** What is wrong in the settings. */
  readonly problems: readonly string[];
  readonly platform: PanelState["platform"];
}

export function panelState(session: CodingSession, around: PanelSurroundings): PanelState {
  const { settings, workspace } = around;
  return {
    sessionId: session.id,
    title: session.title,
    model: session.model && modelChoice(session.model),
    thinkingLevel: session.thinkingLevel,
    thinking: session.thinking,
    // In Restricted Mode nothing is let through; showing the setting would claim otherwise.
    approvalEdits: workspace.trusted || settings.approvalEdits === "later" ? settings.approvalEdits : "ask",
    approvalCommands: workspace.trusted ? settings.approvalCommands : "ask",
    decisions: session.decisions,
    unseenFiles: session.checkpoints.baselines.files.length,
    retry: session.retry,
    meter: session.meter,
    interrupted: session.interrupted,
    hasFolder: workspace.folders.length > 0,
    trusted: workspace.trusted,
    commandsUnavailable: around.commands.unavailable,
    problems: around.problems,
    platform: around.platform,
  };
}

export function modelChoice(model: NonNullable<CodingSession["model"]>): ModelChoice {
  return {
    ref: `${model.provider}/${model.id}`,
    name: model.name,
    provider: model.provider,
    isTour: model.api === "scripted",
    reasoning: model.reasoning,
  };
}
