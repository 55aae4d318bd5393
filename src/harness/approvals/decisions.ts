// Everything that waits for the user in one list: approvals and proposals in the order in which they began to wait.
import type { Disposable } from "../../shared/disposable.ts";
import { DisposableStore } from "../../shared/disposable.ts";
import { Emitter } from "../../shared/event.ts";
import type { ProposalBook } from "../types.ts";
import type { ApprovalGate } from "./gate.ts";
import type { PendingDecision } from "./types.ts";

export class Decisions implements Disposable {
  /** Ids in order of arrival. */
  private order: readonly string[] = [];
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new Emitter<void>());
  readonly onDidChange = this.changed.event;
  private readonly gate: Pick<ApprovalGate, "pending" | "onDidChange">;
  private readonly proposals: Pick<ProposalBook, "pending" | "onDidChange">;

  constructor(
    gate: Pick<ApprovalGate, "pending" | "onDidChange">,
    proposals: Pick<ProposalBook, "pending" | "onDidChange">,
  ) {
    this.gate = gate;
    this.proposals = proposals;
    this.store.add(gate.onDidChange(() => this.update()));
    this.store.add(proposals.onDidChange(() => this.update()));
  }

  get pending(): readonly PendingDecision[] {
    const waiting = this.waiting();
    return this.order.flatMap((id) => waiting.get(id) ?? []);
  }

  dispose(): void {
    this.store.dispose();
  }

  private update(): void {
    const waiting = this.waiting();
    const known = new Set(this.order.filter((id) => waiting.has(id)));
    this.order = [...known, ...[...waiting.keys()].filter((id) => !known.has(id))];
    this.changed.fire();
  }

  private waiting(): Map<string, PendingDecision> {
    const approvals = this.gate.pending.map((request): [string, PendingDecision] => [
      request.id,
      { type: "approval", request },
    ]);
    const proposals = this.proposals.pending.map(({ view }): [string, PendingDecision] => [
      view.id,
      { type: "proposal", proposal: view },
    ]);
    return new Map([...approvals, ...proposals]);
  }
}
