// What happens when the panel asks for something: a table with one small function per message. A message type
// without a function does not compile; a message without a known type is refused.
import * as vscode from "vscode";
import type { CommandRunner, Settings } from "../harness/ports.ts";
import type { CodingSession, Sessions } from "../harness/types.ts";
import type { FromWebview } from "../protocol/from-webview.ts";
import { isJsonObject } from "../shared/json.ts";
import { UserError } from "../shared/errors.ts";
import { commandIds, extensionId, settingIds } from "./contributions.ts";
import type { ComposerState } from "./context-keys.ts";
import type { Drafts } from "./drafts.ts";
import { editSetting } from "./open-setting.ts";

export interface ChatDeps {
  readonly sessions: Sessions;
  readonly settings: Settings;
  readonly commands: CommandRunner;
  readonly drafts: Drafts;
  readonly panel: {
    /** It wants a snapshot. */
    readonly ready: () => void;
    /** Text for the composer, never lost. */
    readonly insertText: (text: string) => void;
    readonly composerChanged: (state: ComposerState) => void;
    readonly focusChanged: (isFocused: boolean) => void;
    readonly decisionShown: (id: string | undefined, guardMs: number) => void;
  };
  readonly review: { open(proposalId: string, hunkId?: string): Promise<void> };
}

type Handlers = {
  readonly [Type in FromWebview["type"]]: (message: Extract<FromWebview, { readonly type: Type }>) => unknown;
};

/** Handles one message of the panel. Rejects with what went wrong; throws nothing at the caller itself. */
export function createChatHandler(deps: ChatDeps): (message: unknown) => Promise<void> {
  const handlers = createHandlers(deps);
  return async (message) => {
    if (!isFromWebview(message, handlers))
      throw new Error(`Unknown message of the panel: ${typeOf(message)}`);
    // The table pairs each type with its function; TypeScript cannot see that through the lookup.
    await (handlers[message.type] as (message: FromWebview) => unknown)(message);
  };
}

function createHandlers(deps: ChatDeps): Handlers {
  const { sessions, settings, panel } = deps;
  const session = () => sessions.current;
  return {
    ready: () => panel.ready(),
    panelFocus: ({ focused }) => panel.focusChanged(focused),
    composerState: (message) => panel.composerChanged(message),
    draft: ({ sessionId, text }) => deps.drafts.set(sessionId, text),
    prompt: ({ text }) => prompt(session(), text, panel.insertText),
    followUp: ({ text }) => session().queue("followUp", text),
    stop: () => run(commandIds.stop),
    continueRun: ({ raiseBy }) => run(commandIds.continueRun, raiseBy),
    retryNow: () => run(commandIds.retryNow),
    editQueued: ({ id, text, kind }) =>
      session().editQueued(id, { ...(text !== undefined && { text }), ...(kind !== undefined && { kind }) }),
    moveQueued: ({ id, before }) => session().moveQueued(id, before),
    removeQueued: ({ id }) => session().removeQueued(id),
    answerApproval: ({ id, answer }) => session().answerApproval(id, answer),
    decisionShown: ({ id, guardMs }) => panel.decisionShown(id, guardMs),
    decideProposal: ({ id, decision }) => session().proposals.decide(id, decision),
    openProposal: ({ id, hunkId }) => deps.review.open(id, hunkId),
    reviewAll: () => run(commandIds.reviewAll),
    unseenChanges: ({ action }) => run(unseenCommands[action]),
    openFile: ({ uri, line }) => openFile(uri, line),
    openLink: ({ url }) => openLink(url),
    restoreFiles: ({ messageId }) => run(commandIds.restoreCheckpoint, messageId),
    undoRestore: ({ restoreId }) => run(commandIds.undoRestore, restoreId),
    showTerminal: ({ toolCallId }) => deps.commands.show(toolCallId),
    newSession: () => run(commandIds.newSession),
    openHistory: () => run(commandIds.openSession),
    renameSession: ({ title }) => session().rename(title),
    selectModel: () => run(commandIds.selectModel),
    setThinkingLevel: ({ level }) => {
      session().setThinkingLevel(level);
      return settings.update({ thinkingLevel: level });
    },
    setApprovalMode: (message) =>
      settings.update(
        message.what === "edits" ? { approvalEdits: message.mode } : { approvalCommands: message.mode },
      ),
    setApiKey: ({ provider }) => run(commandIds.setApiKey, provider),
    startTour: () => run(commandIds.startTour),
    editSetting: ({ setting }) => editOwnSetting(setting),
    openSettings: ({ query }) => run("workbench.action.openSettings", query ?? `@ext:${extensionId}`),
    showLog: () => run(commandIds.showLog),
    copy: ({ text }) => vscode.env.clipboard.writeText(text),
    insertAtCursor: ({ text }) => insertAtCursor(text),
  };
}

const unseenCommands = {
  review: commandIds.reviewChanges,
  keep: commandIds.keepAllChanges,
  undo: commandIds.undoAllChanges,
} as const;

function isFromWebview(message: unknown, handlers: Handlers): message is FromWebview {
  return (
    isJsonObject(message) && typeof message["type"] === "string" && Object.hasOwn(handlers, message["type"])
  );
}

function typeOf(message: unknown): string {
  return isJsonObject(message) ? JSON.stringify(message["type"]) : typeof message;
}

/** A prompt that was not taken goes back to where it was typed. */
async function prompt(session: CodingSession, text: string, giveBack: (text: string) => void): Promise<void> {
  try {
    await session.prompt(text);
  } catch (error) {
    if (error instanceof UserError) giveBack(text);
    throw error;
  }
}

async function run(command: string, ...args: unknown[]): Promise<void> {
  await vscode.commands.executeCommand(command, ...args);
}

async function editOwnSetting(setting: string): Promise<void> {
  const own = Object.values(settingIds).find((id) => id === setting);
  if (own === undefined) throw new Error(`There is no setting ${setting}.`);
  await editSetting(own);
}

async function openFile(uri: string, line: number | undefined): Promise<void> {
  const place = vscode.Uri.parse(uri, true);
  const at = line === undefined ? undefined : new vscode.Range(line - 1, 0, line - 1, 0);
  await vscode.commands.executeCommand("vscode.open", place, {
    preview: true,
    ...(at && { selection: at }),
  } satisfies vscode.TextDocumentShowOptions);
}

/** Only what a browser or a mail program opens: a link comes from a model and could be a command. */
async function openLink(url: string): Promise<void> {
  const target = vscode.Uri.parse(url, true);
  if (!["http", "https", "mailto"].includes(target.scheme)) {
    throw new UserError(`Reins does not open ${target.scheme} links. Copy it if you trust it: ${url}`);
  }
  await vscode.env.openExternal(target);
}

async function insertAtCursor(text: string): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (!editor) throw new UserError("Open a file and put the cursor where the text shall go, then try again.");
  await editor.edit((edit) => {
    for (const selection of editor.selections) edit.replace(selection, text);
  });
}
