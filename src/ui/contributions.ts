// Every id that `package.json` and code share: commands, settings, context keys, views. Written once, here;
// `test/manifest.test.ts` compares them with the manifest. Leaves to the callers what they do.

export const extensionId = "reins.reins";
export const viewContainerId = "reins";
export const panelViewId = "reins.panel";

/** The scheme of the editable side of a proposal's diff. */
export const proposalScheme = "reins-proposal";

/** The scheme of documents that show what a file was. */
export const checkpointScheme = "reins-checkpoint";

/** The scheme of what files are compared with while their unseen changes are looked at. */
export const baselineScheme = "reins-baseline";

/** The source control that lists those files. */
export const sourceControlId = "reins";

/** The scheme of the view of a session's last request. */
export const requestScheme = "reins-request";

export const commandIds = {
  focusPanel: "reins.focusPanel",
  newSession: "reins.newSession",
  openSession: "reins.openSession",
  stop: "reins.stop",
  continueRun: "reins.continue",
  retryNow: "reins.retryNow",
  allow: "reins.allow",
  reject: "reins.reject",
  acceptHunk: "reins.acceptHunk",
  rejectHunk: "reins.rejectHunk",
  acceptAllHunks: "reins.acceptAllHunks",
  rejectAllHunks: "reins.rejectAllHunks",
  reviewAll: "reins.reviewAll",
  acceptAllFiles: "reins.acceptAllFiles",
  rejectAllFiles: "reins.rejectAllFiles",
  nextHunk: "reins.nextHunk",
  previousHunk: "reins.previousHunk",
  restoreCheckpoint: "reins.restoreCheckpoint",
  undoRestore: "reins.undoRestore",
  reviewChanges: "reins.reviewChanges",
  keepAllChanges: "reins.keepAllChanges",
  undoAllChanges: "reins.undoAllChanges",
  keepFile: "reins.keepFile",
  undoFile: "reins.undoFile",
  keepChange: "reins.keepChange",
  undoChange: "reins.undoChange",
  setApiKey: "reins.setApiKey",
  selectModel: "reins.selectModel",
  addSelection: "reins.addSelection",
  startTour: "reins.startTour",
  showLog: "reins.showLog",
  showLastRequest: "reins.showLastRequest",
} as const;

export type CommandId = (typeof commandIds)[keyof typeof commandIds];

export const settingIds = {
  model: "reins.model",
  thinkingLevel: "reins.thinkingLevel",
  providers: "reins.providers",
  approvalEdits: "reins.approval.edits",
  approvalCommands: "reins.approval.commands",
  approvalRules: "reins.approval.rules",
  bashTimeoutSeconds: "reins.bash.timeoutSeconds",
  editUnread: "reins.edit.allowUnread",
  editDiagnostics: "reins.edit.diagnostics",
  checkpointMegabytes: "reins.checkpoints.maxMegabytes",
  limitTurns: "reins.limits.turns",
  limitToolCalls: "reins.limits.toolCalls",
  limitTokens: "reins.limits.tokens",
  limitCost: "reins.limits.cost",
  limitMinutes: "reins.limits.minutes",
  limitRepeats: "reins.limits.repeats",
  connectTimeoutSeconds: "reins.request.connectTimeoutSeconds",
  idleTimeoutSeconds: "reins.request.idleTimeoutSeconds",
} as const;

/** Context keys for when-clauses. Who sets them: `context-keys.ts`. */
export const contextKeys = {
  /** A run is on. */
  running: "reins.running",
  /** A decision (approval or proposal) waits. */
  decisionWaiting: "reins.decisionWaiting",
  /** A proposal waits. */
  proposalPending: "reins.proposalPending",
  /** Several proposals wait. */
  severalProposals: "reins.severalProposals",
  /** The active editor shows a proposal, or several together. */
  reviewActive: "reins.reviewActive",
  /** The active editor shows several proposals together. */
  reviewTogether: "reins.reviewTogether",
  /** There are changes that were accepted unseen, and neither kept nor undone since. */
  changesUnseen: "reins.changesUnseen",
  /** The last run was cut off, failed or reached a limit. */
  canContinue: "reins.canContinue",
  /** The next try of a failed request is waited for. */
  waitingToRetry: "reins.waitingToRetry",
  /** The keyboard focus is in the panel; VS Code's own `focusedView` is not set for webviews. */
  panelFocused: "reins.panelFocused",
  /** An IME composes in the panel. */
  composing: "reins.composing",
  composerEmpty: "reins.composerEmpty",
} as const;

export type ContextKey = (typeof contextKeys)[keyof typeof contextKeys];
