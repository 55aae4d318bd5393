// The log the user can open (Reins: Show Log). What looks like a key is taken out before it is written.
import type * as vscode from "vscode";
import type { Log } from "../harness/ports.ts";

export class ChannelLog implements Log {
  private readonly channel: vscode.LogOutputChannel;

  constructor(channel: vscode.LogOutputChannel) {
    this.channel = channel;
  }

  info(text: string): void {
    this.channel.info(redact(text));
  }

  error(text: string): void {
    this.channel.error(redact(text));
  }
}

const secretShapes: readonly (readonly [RegExp, string])[] = [
  [/\b(sk|pk|rk|gsk|xai|key|ghp|gho|ghs|hf|glpat|xox[abp])([-_])[\w-]{8,}/gi, "$1$2…"],
  [/\bAIza[\w-]{20,}/g, "AIza…"],
  [/\bBearer\s+\S+/gi, "Bearer …"],
  [/(api[-_]?key|authorization|token|secret|password)(["']?\s*[:=]\s*["']?)[^\s"',}]+/gi, "$1$2…"],
  [/(\/\/[^\s/:@]*):[^\s/@]+@/g, "$1:…@"],
];

/** The text without what has the shape of a key, a password or an authorization header. */
export function redact(text: string): string {
  return secretShapes.reduce((result, [shape, instead]) => result.replace(shape, instead), text);
}
