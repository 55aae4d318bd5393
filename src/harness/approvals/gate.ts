// Where calls wait for the user's answer. Leaves to policy.ts which calls do.
import { v4 as uuid } from "uuid";
import { abortError } from "../../shared/errors.ts";
import { Emitter } from "../../shared/event.ts";
import type { ApprovalAnswer, ApprovalRequest } from "./types.ts";

interface Waiting {
  readonly request: ApprovalRequest;
  readonly settle: (answer: ApprovalAnswer) => void;
}

export class ApprovalGate {
  private readonly waiting = new Map<string, Waiting>();
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;

  /** In the order in which they began to wait. */
  get pending(): readonly ApprovalRequest[] {
    return [...this.waiting.values()].map(({ request }) => request);
  }

  /** Waits for the user's answer. Rejects with an AbortError when `signal` aborts first. */
  async request(input: Omit<ApprovalRequest, "id">, signal: AbortSignal): Promise<ApprovalAnswer> {
    if (signal.aborted) throw abortError();
    const request = { id: uuid(), ...input };
    let onAbort = (): void => undefined;
    try {
      return await new Promise<ApprovalAnswer>((settle, reject) => {
        onAbort = () => reject(abortError());
        signal.addEventListener("abort", onAbort, { once: true });
        this.waiting.set(request.id, { request, settle });
        this.changed.fire();
      });
    } finally {
      signal.removeEventListener("abort", onAbort);
      if (this.waiting.delete(request.id)) this.changed.fire();
    }
  }

  /** Ids that no longer wait do nothing: an answer counts once. */
  answer(id: string, answer: ApprovalAnswer): void {
    const waiting = this.waiting.get(id);
    if (waiting === undefined) return;
    this.waiting.delete(id);
    this.changed.fire();
    waiting.settle(answer);
  }
}
