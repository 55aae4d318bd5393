// The log the user can open (Reins: Show Log). Keys are taken out before it is written: those that were used, and what
// looks like one.
import type * as vscode from "vscode";
import { redact } from "../ai/redact.ts";
import type { Log } from "../harness/ports.ts";

export class ChannelLog implements Log {
  private readonly channel: Pick<vscode.LogOutputChannel, "info" | "error">;
  private readonly secrets = new Set<string>();

  constructor(channel: Pick<vscode.LogOutputChannel, "info" | "error">) {
    this.channel = channel;
  }

  /** From now on `secret` is in no line, in whatever form. */
  hide(secret: string): void {
    this.secrets.add(secret);
  }

  info(text: string): void {
    this.channel.info(redact(text, [...this.secrets]));
  }

  error(text: string): void {
    this.channel.error(redact(text, [...this.secrets]));
  }
}
