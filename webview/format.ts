// Numbers and keys as people read them.
import type { PanelState } from "../src/protocol/to-webview.ts";

/** 950, 1.2k, 31k, 1.5M. */
export function formatTokens(count: number): string {
  if (count < 1000) return String(Math.round(count));
  if (count < 9_950) return `${trimZero((count / 1000).toFixed(1))}k`;
  if (count < 999_500) return `${Math.round(count / 1000)}k`;
  return `${trimZero((count / 1_000_000).toFixed(1))}M`;
}

/** Milliseconds as 340 ms, 1.2 s, 38 s, 2 min 5 s, 3 h 10 min. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 9_950) return `${trimZero((ms / 1000).toFixed(1))} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes >= 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
}

/** US dollars with as many digits as are worth reading. */
export function formatCost(dollars: number): string {
  if (dollars === 0) return "$0.00";
  return dollars < 0.01 ? "<$0.01" : `$${dollars.toFixed(2)}`;
}

export type PanelKey = "allow" | "reject" | "followUp" | "stop" | "send";

const keys: { readonly [platform in PanelState["platform"]]: { readonly [key in PanelKey]: string } } = {
  mac: { allow: "⌘⏎", reject: "⌘⌫", followUp: "⌥⏎", stop: "⎋", send: "⏎" },
  other: { allow: "Ctrl+⏎", reject: "Ctrl+⌫", followUp: "Alt+⏎", stop: "Esc", send: "⏎" },
};

export function keyLabel(key: PanelKey, platform: PanelState["platform"]): string {
  return keys[platform][key];
}

export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function trimZero(text: string): string {
  return text.endsWith(".0") ? text.slice(0, -2) : text;
}
