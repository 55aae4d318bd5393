// The panel as the rest of the UI uses it: the view, its synchronisation, the drafts, and where text for the composer
// goes when there is no composer at the moment.
import type { Clock } from "../harness/ports.ts";
import type { CodingSession } from "../harness/types.ts";
import type { PanelState } from "../protocol/to-webview.ts";
import type { Disposable } from "../shared/disposable.ts";
import type { ChatView, ChatViewDeps } from "./chat-view.ts";
import type { ComposerState, ContextKeys } from "./context-keys.ts";
import type { Drafts } from "./drafts.ts";
import { PanelSync } from "./panel-sync.ts";

export interface PanelDeps {
  readonly clock: Clock;
  readonly drafts: Drafts;
  readonly keys: ContextKeys;
  readonly panelState: (session: CodingSession) => PanelState;
  readonly createView: (deps: Pick<ChatViewDeps, "onVisible" | "onGone">) => ChatView;
}

export class Panel implements Disposable {
  private readonly deps: PanelDeps;
  private readonly view: ChatView;
  private readonly sync: PanelSync;
  private session: CodingSession | undefined;
  private focusDue = false;
  private composerFocused = false;

  constructor(deps: PanelDeps) {
    this.deps = deps;
    this.view = deps.createView({
      onVisible: () => this.sync.resume(),
      onGone: () => this.gone(),
    });
    this.sync = new PanelSync({
      post: (message) => this.view.post(message),
      clock: deps.clock,
      panelState: deps.panelState,
      draft: (sessionId) => deps.drafts.get(sessionId),
    });
  }

  /** The caret is in the composer. */
  get isFocused(): boolean {
    return this.composerFocused;
  }

  /** Another session is open. */
  attach(session: CodingSession): void {
    this.session = session;
    this.sync.attach(session);
  }

  sessionChanged(session: CodingSession): void {
    this.view.sessionChanged(session);
  }

  /** Something that the panel state shows has changed outside the session. */
  surroundingsChanged(): void {
    this.sync.panelChanged();
  }

  /** The page asks for everything: it is new, or it has missed something. */
  readonly ready = (): void => {
    this.sync.resume();
    this.focusComposer();
  };

  /**
   * Puts text into the composer after what is there. The draft has it too: a page that is not there yet shows it
   * with its snapshot, and one that is reports its own draft in a moment.
   */
  readonly insertText = (text: string): void => {
    if (!text || !this.session) return;
    this.deps.drafts.append(this.session.id, text);
    if (this.sync.isLive) this.view.post({ type: "insertText", text });
  };

  readonly composerChanged = (state: ComposerState & { readonly focused: boolean }): void => {
    this.composerFocused = state.focused;
    this.deps.keys.composerChanged(state);
  };

  /** Shows the panel with the caret in the composer; only ever on the user's wish. */
  async focus(): Promise<void> {
    this.focusDue = true;
    await this.view.focus();
    if (this.sync.isLive) this.focusComposer();
  }

  dispose(): void {
    this.sync.dispose();
    this.view.dispose();
  }

  private focusComposer(): void {
    if (this.focusDue) this.view.post({ type: "focusComposer" });
    this.focusDue = false;
  }

  private gone(): void {
    this.composerFocused = false;
    this.sync.pause();
    this.deps.keys.panelGone();
  }
}
