// Drives the agent through one prompt to its very end: tries again after failures that pass, and picks up what was
// queued at the last moment. It waits by the clock it is given and knows nothing of sessions.
import type { Agent } from "../agent/agent.ts";
import type { RunEnd } from "../agent/events.ts";
import { maxRetries, retryDelay } from "../ai/retry.ts";
import type { AssistantMessage } from "../ai/types.ts";
import type { Clock } from "./ports.ts";
import type { RetryInfo } from "./types.ts";

export type DrivenAgent = Pick<Agent, "continue" | "abort" | "waitForIdle" | "transcript" | "emitApp">;

interface Drive {
  stopped: boolean;
  /** Ends the wait before the next try. */
  wake: (() => void) | undefined;
  done: Promise<void>;
}

export class RunDriver {
  /** Set while the next try is waited for. */
  retry: RetryInfo | undefined;
  private readonly agent: DrivenAgent;
  private readonly clock: Clock;
  private readonly random: () => number;
  private readonly onChange: () => void;
  private drive: Drive | undefined;

  /** `onChange`: a drive began or ended, or `retry` changed. `random`: 0 to 1. */
  constructor(
    agent: DrivenAgent,
    time: { readonly clock: Clock; readonly random: () => number },
    onChange: () => void,
  ) {
    this.agent = agent;
    this.clock = time.clock;
    this.random = time.random;
    this.onChange = onChange;
  }

  get active(): boolean {
    return this.drive !== undefined;
  }

  get stopping(): boolean {
    return this.drive?.stopped ?? false;
  }

  /** Resolves when nothing is on. */
  async settled(): Promise<void> {
    while (this.drive) await this.drive.done;
  }

  /**
   * Runs `start` and what follows from it; active from the call on. Resolves when all has settled. Rejects with what
   * `start` rejects with. Only one at a time.
   */
  run(start: () => Promise<RunEnd>): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const drive: Drive = { stopped: false, wake: undefined, done: promise };
    this.drive = drive;
    this.onChange();
    return this.driveToEnd(drive, start, () => {
      this.drive = undefined;
      resolve();
      this.onChange();
    });
  }

  /** Cuts the wait before the next try short; without one it does nothing. */
  retryNow(): void {
    if (this.drive?.stopped === false) this.drive.wake?.();
  }

  /** Stops the run or the wait before the next one. Resolves when it has settled. */
  async stop(): Promise<void> {
    if (this.drive) {
      this.drive.stopped = true;
      this.drive.wake?.();
    }
    this.agent.abort();
    await this.agent.waitForIdle();
    await this.settled();
  }

  /** `release` is called in the moment in which nothing more is done, so that nothing can be queued in between. */
  private async driveToEnd(drive: Drive, start: () => Promise<RunEnd>, release: () => void): Promise<void> {
    try {
      let end = await start();
      let failures = 0;
      let answered = this.answers();
      while (!drive.stopped) {
        if (end === "error") {
          failures = this.answers() > answered ? 1 : failures + 1;
          answered = this.answers();
          if (!(await this.waitToRetry(drive, failures))) return;
        } else if (end !== "done" || this.agent.transcript.queue.length === 0) return;
        end = await this.agent.continue();
      }
    } finally {
      release();
    }
  }

  /** False when it should not be tried again, or not any more. */
  private async waitToRetry(drive: Drive, attempt: number): Promise<boolean> {
    const failed = this.agent.transcript.messages.findLast(
      ({ message }) => message.role === "assistant",
    )?.message;
    if (failed?.role !== "assistant" || failed.errorFinal) return false;
    const delay = retryDelay(failed.errorKind, attempt, {
      retryAfterMs: failed.retryAfterMs,
      random: this.random,
    });
    if (delay === undefined) return false;
    const error = errorOf(failed);
    this.setRetry({ attempt, maxAttempts: maxRetries, at: this.clock.now() + delay, error });
    this.agent.emitApp("retry_wait", { attempt, delayMs: delay, kind: failed.errorKind ?? "unknown", error });
    await new Promise<void>((resolve) => {
      const timer = this.clock.schedule(delay, resolve);
      drive.wake = () => {
        timer.dispose();
        resolve();
      };
    });
    drive.wake = undefined;
    this.setRetry(undefined);
    this.agent.emitApp("retry_wait_end", { attempt, goesOn: !drive.stopped });
    return !drive.stopped;
  }

  private setRetry(retry: RetryInfo | undefined): void {
    this.retry = retry;
    this.onChange();
  }

  /** Answers that did not fail: one more since the last failure means that a new series of failures begins. */
  private answers(): number {
    return this.agent.transcript.messages.filter(
      ({ message }) => message.role === "assistant" && message.stopReason !== "error",
    ).length;
  }
}

function errorOf(message: AssistantMessage): string {
  return message.errorMessage ?? "The request failed.";
}
