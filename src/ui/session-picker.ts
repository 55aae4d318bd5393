// Lets the user choose one of the workspace's sessions.
import * as vscode from "vscode";
import type { SessionInfo, Sessions } from "../harness/types.ts";

interface SessionItem extends vscode.QuickPickItem {
  readonly id: string;
}

/** Opens the chosen session; undefined when the user chose none. Rejects when it cannot be opened. */
export async function openSession(sessions: Sessions, now: number): Promise<boolean> {
  const items = async (): Promise<SessionItem[]> => {
    const infos = [...(await sessions.list())].sort((a, b) => b.modified - a.modified);
    return infos.map((info) => sessionItem(info, info.id === sessions.current.id, now));
  };
  const chosen = await vscode.window.showQuickPick(items(), {
    title: "Reins: Open Session",
    placeHolder: "Sessions of this workspace, the newest first",
    matchOnDescription: true,
  });
  if (!chosen) return false;
  await sessions.open(chosen.id);
  return true;
}

function sessionItem(info: SessionInfo, isCurrent: boolean, now: number): SessionItem {
  return {
    id: info.id,
    label: `${isCurrent ? "$(check) " : ""}${plainLabel(info.title)}`,
    description: agoText(now - info.modified),
  };
}

/** A title may contain what a label would show as an icon. */
function plainLabel(title: string): string {
  return title.replace(/\$\(/g, "$\u200b(");
}

/** For people: how long ago something was, in milliseconds. */
export function agoText(ms: number): string {
  const units: readonly (readonly [string, number])[] = [
    ["day", 86_400_000],
    ["hour", 3_600_000],
    ["minute", 60_000],
  ];
  const [name, size] = units.find(([, unit]) => ms >= unit) ?? [];
  if (name === undefined || size === undefined) return "just now";
  const amount = Math.floor(ms / size);
  return `${amount} ${name}${amount === 1 ? "" : "s"} ago`;
}
