// The panel as the rest of the UI uses it: the view, its synchronisation, the drafts, and where text for the composer
// goes when there is no composer at the moment.
import type { Clock } from "../harness/ports.ts";
import type { CodingSession } from "../harness/types.ts";
import type { PanelState } from "../protocol/to-webview.ts";
import type { Disposable } from "../shared/disposable.ts";
import type { ChatView, ChatViewDeps } from "./chat-view.ts";
import type { ComposerState, ContextKeys } from "./context-keys.ts";
import type { Drafts } from "./drafts.ts";
import { KeyGuard } from "./key-guard.ts";
import { PanelSync } from "./panel-sync.ts";

/** How long a message of the page is on its way at most, in milliseconds; a longer one holds keys up that much longer. */
const messageMs = 100;

export interface PanelDeps {
  readonly clock: Clock;
  readonly drafts: Drafts;
  /** Text for the composer that had no page to go to. */
  readonly returned: Drafts;
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
  private focused = false;
  /** For keys that answer the decision above the composer. */
  private readonly keyGuard = new KeyGuard();

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

  /** The keyboard focus is in it. */
  get isFocused(): boolean {
    return this.focused;
  }

  /** Another session is open. */
  attach(session: CodingSession): void {
    this.session = session;
    this.sync.attach(session);
    if (this.sync.isLive) this.deliverReturned();
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
    this.deliverReturned();
    this.focusComposer();
  };

  /** Puts text into the composer after what is there; without a page it waits for one, across reloads too. */
  readonly insertText = (text: string): void => {
    if (!text || !this.session) return;
    this.deps.returned.append(this.session.id, text);
    if (this.sync.isLive) this.deliverReturned();
  };

  readonly composerChanged = (state: ComposerState): void => {
    this.deps.keys.composerChanged(state);
  };

  readonly decisionShown = (id: string | undefined, guardMs: number): void => {
    // The page began a moment ago; what it shows as ready must be so here.
    this.keyGuard.appeared(id, Math.max(0, guardMs - messageMs));
  };

  /** Whether a key may answer this decision: the panel shows it, and not only since a moment ago. */
  takesKeysFor(id: string): boolean {
    return this.keyGuard.passes(id);
  }

  readonly focusChanged = (isFocused: boolean): void => {
    this.focused = isFocused;
    this.deps.keys.panelFocusChanged(isFocused);
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

  /** Not through the draft: the page may have a newer one of its own. */
  private deliverReturned(): void {
    const id = this.session?.id ?? "";
    const text = this.deps.returned.get(id);
    if (!text) return;
    this.view.post({ type: "insertText", text });
    this.deps.returned.set(id, "");
  }

  private focusComposer(): void {
    if (this.focusDue) this.view.post({ type: "focusComposer" });
    this.focusDue = false;
  }

  private gone(): void {
    this.focused = false;
    this.keyGuard.appeared(undefined, 0);
    this.sync.pause();
    this.deps.keys.panelGone();
  }
}
