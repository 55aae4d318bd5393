// Starts the panel: styles, controls, the link to the host, and the one element that is the panel.
import { DraftKeeper } from "./composer/draft.ts";
import { registerControls } from "./controls.ts";
import { connectHost } from "./host-link.ts";
import { Panel } from "./panel.ts";
import { PanelStore } from "./store.ts";
import type { PanelView } from "./store.ts";
import { adoptStyles } from "./styles/adopt.ts";
import type { ToWebview } from "../src/protocol/to-webview.ts";

adoptStyles();
registerControls();

const link = connectHost();
const drafts = new DraftKeeper(link);
const store = new PanelStore({
  requestSnapshot: () => link.send({ type: "ready" }),
  schedule: (paint) => requestAnimationFrame(paint),
});
const panel = document.querySelector("reins-panel");
if (panel instanceof Panel) start(panel);

function start(element: Panel): void {
  element.context = { send: link.send, memory: new Map(), lastTyped: -Infinity };
  element.drafts = drafts;
  let restored = "";
  /** What the host asked to be put into the composer before there was one. */
  const waiting: (() => void)[] = [];
  let hostDraft = "";
  const withComposer = (act: () => void): void => {
    if (restored !== "" && restored === store.view?.panel.sessionId) act();
    else waiting.push(act);
  };

  store.onPaint((view) => {
    element.view = view;
    void element.updateComplete.then(() => element.composer?.updateComplete).then(() => restore(view));
  });

  /** Once per session: what was being written in it. */
  function restore(view: PanelView): void {
    const { sessionId } = view.panel;
    if (restored !== sessionId) {
      drafts.flush();
      element.composer?.setText(drafts.restore(sessionId, hostDraft));
      restored = sessionId;
    }
    for (const act of waiting.splice(0)) act();
  }

  link.listen((message: ToWebview) => {
    switch (message.type) {
      case "snapshot":
        hostDraft = message.draft;
        store.receive(message);
        return;
      case "events":
      case "panel":
        store.receive(message);
        return;
      case "insertText":
        withComposer(() => element.composer?.insertText(message.text));
        return;
      case "focusComposer":
        withComposer(() => element.composer?.focus());
        return;
    }
  });
  const reportFocus = (): void => link.send({ type: "panelFocus", focused: document.hasFocus() });
  window.addEventListener("focus", reportFocus);
  window.addEventListener("blur", reportFocus);
  reportFocus();
  link.send({ type: "ready" });
}
