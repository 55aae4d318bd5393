// The composition root of both hosts: builds every part once and owns it. Sessions are opened when the panel or a
// command first needs them, so that activation costs next to nothing.
import * as vscode from "vscode";
import scenario from "../media/tour.json";
import { parseScenario } from "./ai/providers/scripted.ts";
import { RequestJournal } from "./ai/request-journal.ts";
import { createStream } from "./ai/stream.ts";
import type { StreamDeps } from "./ai/stream.ts";
import { readApprovalRules } from "./harness/approvals/rules.ts";
import { createSessionTools } from "./harness/tools/create-tools.ts";
import type { HarnessPorts, HostParts, Log } from "./harness/ports.ts";
import { SessionBook } from "./harness/sessions.ts";
import type { CodingSession, ProposalBook, Sessions } from "./harness/types.ts";
import { DisposableStore } from "./shared/disposable.ts";
import { Emitter } from "./shared/event.ts";
import { UnseenChanges } from "./ui/changes/changes.ts";
import { registerChangeCommands } from "./ui/changes/commands.ts";
import { registerImageDocuments } from "./ui/checkpoints/image-documents.ts";
import { createChatHandler } from "./ui/chat-handlers.ts";
import { ChatView } from "./ui/chat-view.ts";
import { registerCommands } from "./ui/commands.ts";
import { ContextKeys } from "./ui/context-keys.ts";
import { Drafts } from "./ui/drafts.ts";
import { LastRequest } from "./ui/last-request.ts";
import { panelState } from "./ui/panel-state.ts";
import { Panel } from "./ui/panel.ts";
import { ErrorReporter } from "./ui/report-error.ts";
import { registerReviewCommands } from "./ui/review/commands.ts";
import { ProposalReview } from "./ui/review/review.ts";
import { watchCurrentSession } from "./ui/session-watch.ts";
import { StatusBar } from "./ui/status-bar.ts";
import { systemClock } from "./vscode/clock.ts";
import { VsCodeDiagnostics } from "./vscode/diagnostics.ts";
import { VsCodeFileImages } from "./vscode/file-images.ts";
import { VsCodeFileWatch } from "./vscode/file-watch.ts";
import { VsCodeFiles } from "./vscode/files.ts";
import { VsCodeLanguageModels } from "./vscode/language-models.ts";
import { ChannelLog } from "./vscode/log.ts";
import { WorkspaceMemento } from "./vscode/memento.ts";
import { VsCodeSearch } from "./vscode/search.ts";
import { VsCodeSecrets } from "./vscode/secrets.ts";
import { VsCodeSettings } from "./vscode/settings.ts";
import { VsCodeWorkspace } from "./vscode/workspace.ts";

export interface HostEntry {
  /** In a browser's worker. */
  readonly web: boolean;
  readonly createParts: (log: Log) => HostParts;
}

export interface Reins {
  /** Puts everything on disk, cuts off what runs and ends its processes. */
  deactivate(): Promise<void>;
}

export function activateReins(context: vscode.ExtensionContext, host: HostEntry): Reins {
  const owned = new DisposableStore();
  context.subscriptions.push(owned);
  const channel = owned.add(vscode.window.createOutputChannel("Reins", { log: true }));
  const log = new ChannelLog(channel);
  const parts = owned.add(host.createParts(log));
  const languageModels = owned.add(
    new VsCodeLanguageModels({
      clock: systemClock,
      log,
      access: () => context.languageModelAccessInformation,
    }),
  );
  const ports = createPorts(context, { parts, log, languageModels }, owned);
  const journal = new RequestJournal();
  const sessions = new LazySessions(() =>
    openSessions(ports, { web: host.web, languageModels, journal }, parts.home),
  );
  createUi({ context, ports, parts, sessions, journal, owned, showLog: () => channel.show(true) });
  return {
    deactivate: async () => {
      await sessions.close();
      await parts.shutdown();
    },
  };
}

interface PortParts {
  readonly parts: HostParts;
  readonly log: ChannelLog;
  readonly languageModels: VsCodeLanguageModels;
}

function createPorts(
  context: vscode.ExtensionContext,
  { parts, log, languageModels }: PortParts,
  owned: DisposableStore,
): HarnessPorts {
  return {
    files: new VsCodeFiles(parts.fileFacts),
    images: new VsCodeFileImages(parts.fileFacts),
    blobs: parts.blobs,
    fileWatch: owned.add(new VsCodeFileWatch()),
    workspace: owned.add(new VsCodeWorkspace()),
    search: new VsCodeSearch(() => parts.findSearchEngine()),
    diagnostics: owned.add(new VsCodeDiagnostics()),
    commands: parts.commands,
    storage: parts.storage,
    memento: new WorkspaceMemento(context.workspaceState),
    secrets: owned.add(
      new VsCodeSecrets(
        context.secrets,
        (name) => parts.env(name),
        (key) => log.hide(key),
      ),
    ),
    settings: owned.add(new VsCodeSettings()),
    modelSources: [...parts.modelSources, languageModels],
    clock: systemClock,
    log,
  };
}

function openSessions(
  ports: HarnessPorts,
  models: Pick<StreamDeps, "web" | "languageModels" | "journal">,
  home: string | undefined,
): Promise<Sessions> {
  const stream = createStream({
    ...models,
    now: () => ports.clock.now(),
    log: (text) => ports.log.error(text),
    scripted: { scenario: parseScenario(scenario) },
  });
  return SessionBook.open({
    ports,
    stream,
    createTools: (own, writer) => createSessionTools(own, writer, home),
  });
}

/** Opened once, by whoever needs them first; a failure is tried again by the next. */
class LazySessions {
  private readonly openAll: () => Promise<Sessions>;
  private readonly opened = new Emitter<Sessions>();
  readonly onDidOpen = this.opened.event;
  private opening: Promise<Sessions> | undefined;
  /** Undefined until they are open. */
  current: Sessions | undefined;

  constructor(openAll: () => Promise<Sessions>) {
    this.openAll = openAll;
  }

  readonly open = (): Promise<Sessions> => {
    this.opening ??= this.openOnce().catch((error: unknown) => {
      this.opening = undefined;
      throw error;
    });
    return this.opening;
  };

  async close(): Promise<void> {
    const sessions = this.current;
    await sessions?.current.flush();
    sessions?.dispose();
  }

  private async openOnce(): Promise<Sessions> {
    const sessions = await this.openAll();
    this.current = sessions;
    this.opened.fire(sessions);
    return sessions;
  }
}

interface UiParts {
  readonly context: vscode.ExtensionContext;
  readonly ports: HarnessPorts;
  readonly parts: HostParts;
  readonly sessions: LazySessions;
  readonly journal: RequestJournal;
  readonly owned: DisposableStore;
  readonly showLog: () => void;
}

function createUi(ui: UiParts): void {
  const { ports, sessions, owned } = ui;
  const errors = new ErrorReporter(ports.log);
  const keys = new ContextKeys();
  const statusBar = owned.add(new StatusBar());
  const keepDrafts = (kind: string) =>
    new Drafts(ports.memento, kind, (error) => errors.report("Keeping the draft", error));
  const drafts = keepDrafts("draft");
  const returned = keepDrafts("returned");
  const panel: Panel = owned.add(createPanel(ui, { errors, keys, drafts, returned, open: () => openChat() }));
  const review = owned.add(createReview(ui, panel));
  owned.add(registerReviewCommands(review));
  const lastRequest = owned.add(new LastRequest((id) => ui.journal.show(id)));
  owned.add(
    registerCommands({
      ...ports,
      ...{ openSessions: sessions.open, panel, errors, showLog: ui.showLog, lastRequest },
    }),
  );

  const changes = owned.add(new UnseenChanges({ clock: ports.clock }));
  owned.add(registerChangeCommands(changes, errors));
  owned.add(registerImageDocuments(() => sessions.current?.current.checkpoints));

  const openChat = async () => {
    const opened = await sessions.open();
    return createChatHandler({ ...ports, sessions: opened, drafts, panel, review });
  };
  const surroundingsChanged = () => panel.surroundingsChanged();
  owned.add(ports.settings.onDidChange(surroundingsChanged));
  owned.add(ports.workspace.onDidChange(surroundingsChanged));
  owned.add(
    sessions.onDidOpen((opened) => {
      const attach = (session: CodingSession) => {
        panel.attach(session);
        changes.follow(session.checkpoints.baselines);
      };
      attach(opened.current);
      owned.add(opened.onDidChangeCurrent(attach));
      owned.add(
        watchCurrentSession(opened, (session) => {
          keys.sessionChanged(session);
          statusBar.sessionChanged(session);
          panel.sessionChanged(session);
        }),
      );
    }),
  );
}

interface PanelParts {
  readonly errors: ErrorReporter;
  readonly keys: ContextKeys;
  readonly drafts: Drafts;
  readonly returned: Drafts;
  readonly open: () => Promise<(message: unknown) => Promise<void>>;
}

function createPanel({ context, ports, parts, sessions }: UiParts, chat: PanelParts): Panel {
  let handler: Promise<(message: unknown) => Promise<void>> | undefined;
  const handle = async (message: unknown) => {
    handler ??= chat.open();
    await (
      await handler
    )(message);
  };
  return new Panel({
    clock: ports.clock,
    drafts: chat.drafts,
    returned: chat.returned,
    keys: chat.keys,
    panelState: (session) =>
      panelState(session, {
        settings: ports.settings.current(),
        workspace: ports.workspace,
        commands: ports.commands,
        problems: [
          ...(sessions.current?.models().problems ?? []),
          ...readApprovalRules(ports.settings.current().approvalRules).problems,
        ],
        platform: parts.platform,
      }),
    createView: (view) =>
      new ChatView({ extensionUri: context.extensionUri, errors: chat.errors, handle, ...view }),
  });
}

/** The review is there from the start, for diffs that VS Code restores; until sessions are open it has an empty book. */
function createReview({ ports, sessions, owned }: UiParts, panel: Panel): ProposalReview {
  const changed = owned.add(new Emitter<ProposalBook>());
  const bookOf = (session: CodingSession | undefined) => session?.proposals ?? emptyBook;
  owned.add(
    sessions.onDidOpen((opened) => {
      changed.fire(bookOf(opened.current));
      owned.add(opened.onDidChangeCurrent((session) => changed.fire(bookOf(session))));
    }),
  );
  return new ProposalReview({
    getBook: () => bookOf(sessions.current?.current),
    onDidChangeBook: changed.event,
    log: ports.log,
    isPanelFocused: () => panel.isFocused,
  });
}

const emptyBook: ProposalBook = {
  pending: [],
  get: () => undefined,
  onDidChange: () => ({ dispose: () => undefined }),
  decide: () => Promise.resolve(),
  proposedTextChanged: () => undefined,
  documentTextChanged: () => undefined,
};
