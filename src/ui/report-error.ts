// The one place where a failure becomes a message on the screen. Cancellation is no failure.
import * as vscode from "vscode";
import type { Log } from "../harness/ports.ts";
import { UserError, errorText, isAbortError } from "../shared/errors.ts";
import { commandIds } from "./contributions.ts";

export class ErrorReporter {
  private readonly log: Log;

  constructor(log: Log) {
    this.log = log;
  }

  /** Runs what the user asked for. Never rejects; `action` completes "… failed" for errors nobody foresaw. */
  async run(action: string, task: () => unknown): Promise<void> {
    try {
      await task();
    } catch (error) {
      this.report(action, error);
    }
  }

  report(action: string, error: unknown): void {
    if (isAbortError(error)) return;
    if (error instanceof UserError) {
      void vscode.window.showErrorMessage(error.message);
      return;
    }
    this.log.error(
      `${action} failed: ${error instanceof Error ? (error.stack ?? error.message) : errorText(error)}`,
    );
    void this.offerLog(`${action} failed: ${errorText(error)}`);
  }

  private async offerLog(text: string): Promise<void> {
    const showLog = "Show Log";
    const chosen = await vscode.window.showErrorMessage(text, showLog);
    if (chosen === showLog) await vscode.commands.executeCommand(commandIds.showLog);
  }
}
