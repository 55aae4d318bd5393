// The tools of one session and what the prompt says about them; and, wired to approvals and proposals, all that the
// session needs of them.
import type { AgentTool } from "../../agent/types.ts";
import { DisposableStore } from "../../shared/disposable.ts";
import { createBeforeToolCall } from "../approvals/before-tool-call.ts";
import { Decisions } from "../approvals/decisions.ts";
import { ApprovalGate } from "../approvals/gate.ts";
import type { ToolHint } from "../context/system-prompt.ts";
import type { HarnessPorts } from "../ports.ts";
import { Proposals } from "../proposals/proposals.ts";
import type { SessionTools, SessionWriter } from "../session-tools.ts";
import { createBashTool } from "./bash.ts";
import { createDeleteTool } from "./delete.ts";
import { createEditTool } from "./edit.ts";
import { createFindTool } from "./find.ts";
import { createGrepTool } from "./grep.ts";
import { createLsTool } from "./ls.ts";
import { createMoveTool } from "./move.ts";
import { ProblemSources } from "./problem-watch.ts";
import { ReadRecords } from "./read-records.ts";
import { createReadTool } from "./read.ts";
import { withWaitingNote } from "./waiting-note.ts";
import { reopenWaiting, waitingProposals } from "./waiting-proposals.ts";
import { createWriteTool } from "./write.ts";

export interface ToolDeps extends Pick<
  HarnessPorts,
  "files" | "workspace" | "search" | "diagnostics" | "commands" | "settings" | "clock"
> {
  readonly proposals: Proposals;
  readonly reads: ReadRecords;
  readonly problemSources: ProblemSources;
  readonly writer: SessionWriter;
  /** The home folder's path, for `~`; undefined where there is none. */
  readonly home?: string | undefined;
}

/** `bash` is missing where commands cannot run: `commands.unavailable` says why. */
export function createTools(deps: ToolDeps): AgentTool[] {
  const always = [
    withWaitingNote(createReadTool(deps), deps),
    createGrepTool(deps),
    createFindTool(deps),
    createLsTool(deps),
    createEditTool(deps),
    createWriteTool(deps),
    createDeleteTool(deps),
    createMoveTool(deps),
  ];
  return deps.commands.unavailable === undefined ? [...always, createBashTool(deps)] : always;
}

/** What the system prompt says about tools beyond their declarations. */
export const toolPrompts: { readonly [name: string]: Omit<ToolHint, "name"> } = {
  edit: {
    guidelines: ["Prefer edit to write; put all changes of one file into one call."],
  },
  bash: {
    snippet: "run tests, builds, git",
    guidelines: [
      "Never change, delete or move files through bash: the user reviews edits, not scripts.",
      "Search with grep and find, not bash: they need no approval and see unsaved text.",
    ],
  },
};

/** Tools, approvals and proposals of one session. Disposing stops listening; it settles nothing. */
export function createSessionTools(
  ports: Pick<
    HarnessPorts,
    "files" | "workspace" | "search" | "diagnostics" | "commands" | "settings" | "clock"
  >,
  writer: SessionWriter,
  home?: string,
): SessionTools {
  const { files, workspace, search, diagnostics, commands, settings, clock } = ports;
  const context = { files, workspace, search, diagnostics, commands, settings, clock, home };
  const gate = new ApprovalGate();
  const proposals = new Proposals(files);
  const reads = new ReadRecords();
  const owned = new DisposableStore();
  const decisions = owned.add(new Decisions(gate, proposals));
  const deps = { ...context, proposals, reads, writer, problemSources: new ProblemSources() };
  const tools = createTools(deps);
  const waits = (uri: string) => proposals.waitingFor(uri) !== undefined;
  return {
    tools,
    hints: tools.flatMap(({ name }) => (toolPrompts[name] ? [{ name, ...toolPrompts[name] }] : [])),
    proposals,
    get decisions() {
      return decisions.pending;
    },
    onDidChange: decisions.onDidChange,
    restore: (messages, path) => {
      reads.restore(messages);
      return reopenWaiting(deps, waitingProposals(path));
    },
    beforeToolCall: createBeforeToolCall(gate, { ...context, waits }),
    answer: (id, answer) => gate.answer(id, answer),
    dispose: () => owned.dispose(),
  };
}
