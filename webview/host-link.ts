// The one place that talks to the extension host. Leaves to the store what a message means; keeps nothing but UI state.
import type { FromWebview } from "../src/protocol/from-webview.ts";
import type { ToWebview } from "../src/protocol/to-webview.ts";
import { isJsonObject } from "../src/shared/json.ts";

/** What survives a reload of the page by itself: an unsent draft, until the host has it. */
export interface KeptState {
  readonly sessionId: string;
  readonly draft: string;
}

export interface HostLink {
  readonly send: (message: FromWebview) => void;
  /** Called for every message of the host, in order. */
  readonly listen: (listener: (message: ToWebview) => void) => void;
  readonly keep: (state: KeptState) => void;
  readonly kept: () => KeptState | undefined;
}

/** May be called once per page: VS Code hands out its API a single time. */
export function connectHost(): HostLink {
  const api = acquireVsCodeApi();
  return {
    send: (message) => api.postMessage(message),
    listen: (listener) => {
      window.addEventListener("message", (event: MessageEvent<unknown>) => {
        if (isToWebview(event.data)) listener(event.data);
      });
    },
    keep: (state) => api.setState(state),
    kept: () => readKept(api.getState()),
  };
}

/** Only the host posts into this frame; the check is against other tools' messages, not against an attacker. */
function isToWebview(data: unknown): data is ToWebview {
  return isJsonObject(data) && typeof data["type"] === "string";
}

function readKept(value: unknown): KeptState | undefined {
  if (!isJsonObject(value)) return undefined;
  const { sessionId, draft } = value;
  return typeof sessionId === "string" && typeof draft === "string" ? { sessionId, draft } : undefined;
}
