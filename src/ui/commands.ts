// Every command but those of the review: one small function each. Failures are reported in one place.
import * as vscode from "vscode";
import type { Clock } from "../harness/ports.ts";
import type { PendingDecision } from "../harness/approvals/types.ts";
import type { CodingSession, Sessions } from "../harness/types.ts";
import { UserError } from "../shared/errors.ts";
import { DisposableStore } from "../shared/disposable.ts";
import type { Disposable } from "../shared/disposable.ts";
import { selectionText } from "./add-selection.ts";
import { setApiKey } from "./api-key.ts";
import { pickRestorePoint, restoreFiles } from "./checkpoints/restore.ts";
import { commandIds } from "./contributions.ts";
import { isByKey } from "./key-guard.ts";
import type { LastRequest } from "./last-request.ts";
import { pickModel, useModel } from "./model-picker.ts";
import type { ModelDeps } from "./model-picker.ts";
import type { Panel } from "./panel.ts";
import type { ErrorReporter } from "./report-error.ts";
import { openSession } from "./session-picker.ts";

export interface CommandDeps {
  /** Opens the sessions if nobody has yet. */
  readonly openSessions: () => Promise<Sessions>;
  readonly settings: ModelDeps["settings"];
  readonly secrets: ModelDeps["secrets"];
  readonly clock: Clock;
  readonly panel: Panel;
  readonly errors: ErrorReporter;
  readonly showLog: () => void;
  readonly lastRequest: LastRequest;
}

type Command = (deps: CommandDeps, sessions: Sessions, argument: unknown) => unknown;

export function registerCommands(deps: CommandDeps): Disposable {
  const owned = new DisposableStore();
  const register = (id: string, action: string, command: Command) => {
    const run = async (argument: unknown) => command(deps, await deps.openSessions(), argument);
    owned.add(
      vscode.commands.registerCommand(id, (argument: unknown) =>
        deps.errors.run(action, () => run(argument)),
      ),
    );
  };
  register(commandIds.focusPanel, "Opening the panel", ({ panel }) => panel.focus());
  register(commandIds.newSession, "Opening a new session", newSession);
  register(commandIds.openSession, "Opening a session", pickSession);
  register(commandIds.stop, "Stopping", stop);
  register(commandIds.continueRun, "Continuing", (_, { current }, raiseBy) =>
    current.continue(typeof raiseBy === "number" ? raiseBy : undefined),
  );
  register(commandIds.retryNow, "Trying again", (_, { current }) => current.retryNow());
  register(commandIds.allow, "Allowing", ({ panel }, { current }, by) =>
    answer(current, panel, { allow: true, by }),
  );
  register(commandIds.reject, "Rejecting", ({ panel }, { current }, by) =>
    answer(current, panel, { allow: false, by }),
  );
  register(commandIds.setApiKey, "Setting the API key", (_, sessions, provider) =>
    setApiKey({ ...deps, sessions }, typeof provider === "string" ? provider : undefined),
  );
  register(commandIds.selectModel, "Selecting the model", (_, sessions) =>
    selectModel({ ...deps, sessions }),
  );
  register(commandIds.restoreCheckpoint, "Restoring files", (_, { current }, id) => restore(current, id));
  register(commandIds.undoRestore, "Undoing the restore", (_, { current }, id) => undoRestore(current, id));
  register(commandIds.addSelection, "Adding the selection", addSelection);
  register(commandIds.startTour, "Starting the tour", startTour);
  register(commandIds.showLastRequest, "Showing the last request", ({ lastRequest }, { current }) =>
    lastRequest.open(current),
  );
  // The log must open even when the sessions do not.
  owned.add(vscode.commands.registerCommand(commandIds.showLog, deps.showLog));
  return owned;
}

async function newSession({ panel }: CommandDeps, sessions: Sessions): Promise<void> {
  await sessions.create();
  await panel.focus();
}

async function pickSession({ panel, clock }: CommandDeps, sessions: Sessions): Promise<void> {
  if (await openSession(sessions, clock.now())) await panel.focus();
}

/** What was queued comes back to the composer: the user typed it, and it was not sent. */
async function stop({ panel }: CommandDeps, { current }: Sessions): Promise<void> {
  panel.insertText(await current.stop());
}

/** Answers the decision that has waited longest: the one the panel shows above the composer. */
async function answer(
  session: CodingSession,
  panel: Panel,
  { allow, by }: { readonly allow: boolean; readonly by: unknown },
): Promise<void> {
  const decision: PendingDecision | undefined = session.decisions[0];
  if (!decision) return;
  const { id } = decision.type === "approval" ? decision.request : decision.proposal;
  if (isByKey(by) && !panel.takesKeysFor(id)) return;
  if (decision.type === "approval") session.answerApproval(id, { type: allow ? "allowOnce" : "reject" });
  else await session.proposals.decide(id, { type: allow ? "acceptAll" : "rejectAll" });
}

async function restore(session: CodingSession, messageId: unknown): Promise<void> {
  const point =
    typeof messageId === "string"
      ? ({ type: "message", id: messageId } as const)
      : await pickRestorePoint(session);
  if (point) await restoreFiles(session, point);
}

async function undoRestore(session: CodingSession, restoreId: unknown): Promise<void> {
  const id = typeof restoreId === "string" ? restoreId : session.checkpoints.lastRestore;
  if (id === undefined)
    throw new UserError("No files were restored in this session, so there is nothing to undo.");
  await restoreFiles(session, { type: "restore", id });
}

async function selectModel(deps: ModelDeps): Promise<void> {
  const chosen = await pickModel(deps);
  if (!chosen) return;
  if (chosen.needsKey && !(await setApiKey(deps, chosen.model.provider))) return;
  await useModel(deps, chosen.model);
}

async function addSelection({ panel }: CommandDeps): Promise<void> {
  panel.insertText(selectionText());
  await panel.focus();
}

async function startTour({ panel }: CommandDeps, sessions: Sessions): Promise<void> {
  await panel.focus();
  await sessions.startTour();
}
