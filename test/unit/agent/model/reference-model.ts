// What an agent must do, said as simply as possible: a person's commands, a model's answers and tools' ends go in, and the
// transcript, the queue and whether it is idle come out. No promise, no event, no signal.

export type Kind = "steering" | "followUp";
export type ToolName = "plain" | "alone" | "locked" | "deaf" | "unknown";

export interface Call {
  readonly id: string;
  readonly name: ToolName;
}

/** How a call ended, as its result tells. */
export type Ending =
  | "ok"
  | "terminates"
  | "threw"
  | "blocked"
  | "unknown"
  | "cut off"
  | "not started"
  | "left behind"
  | "length";

interface Slot {
  readonly call: Call;
  ending: Ending | undefined;
}

type Phase =
  | { readonly at: "idle" }
  | { readonly at: "request"; attempt: number; partial: boolean }
  /** `slots[next]` waits for its decision. */
  | { readonly at: "hook"; readonly slots: readonly Slot[]; next: number }
  /** Calls that were allowed run, those with one lock one after the other. */
  | { readonly at: "tools"; readonly slots: readonly Slot[]; next: number }
  /** Stopped: what does not listen is waited for. */
  | { readonly at: "grace"; readonly slots: readonly Slot[] };

export interface Queued {
  text: string;
  kind: Kind;
}

export class ReferenceModel {
  readonly transcript: string[] = [];
  queue: Queued[] = [];
  requests = 0;
  phase: Phase = { at: "idle" };
  private readonly takesAll: boolean;

  constructor(takesAll: boolean) {
    this.takesAll = takesAll;
  }

  get idle(): boolean {
    return this.phase.at === "idle";
  }

  /** Calls whose decision is awaited: none or one. */
  get asked(): Call | undefined {
    return this.phase.at === "hook" ? this.phase.slots[this.phase.next]?.call : undefined;
  }

  /** Calls whose own code runs. */
  get running(): readonly Call[] {
    const { phase } = this;
    if (phase.at === "grace") return phase.slots.filter((slot) => !slot.ending).map(({ call }) => call);
    if (phase.at !== "tools") return [];
    if (isSequential(phase.slots)) {
      const slot = phase.slots[phase.next];
      return slot && !slot.ending ? [slot.call] : [];
    }
    const open = phase.slots.filter((slot) => !slot.ending);
    const firstLocked = open.find(({ call }) => call.name === "locked");
    return open.filter((slot) => slot.call.name !== "locked" || slot === firstLocked).map(({ call }) => call);
  }

  prompt(text: string): void {
    this.startWith([text], true);
  }

  /** False: it is refused, because there is nothing to answer. */
  continue(): boolean {
    const tail = this.transcript.findLast((line) => !/^assistant (error|aborted)/.test(line));
    if (tail === undefined) return false;
    if (!tail.startsWith("assistant")) {
      this.startWith([], true);
      return true;
    }
    const steering = this.take("steering");
    const taken = steering.length > 0 ? steering : this.take("followUp");
    if (taken.length > 0) this.startWith(taken, false);
    return taken.length > 0;
  }

  /** A part of an answer arrives. */
  stream(): void {
    if (this.phase.at === "request") this.phase.partial = true;
  }

  answerText(): void {
    this.transcript.push("assistant stop");
    this.endTurn(false);
  }

  answerFailure(): void {
    this.transcript.push("assistant error");
    this.phase = { at: "idle" };
  }

  /** Nothing at all: asked once more, then an error. */
  answerNothing(): void {
    if (this.phase.at !== "request") return;
    if (this.phase.partial || this.phase.attempt > 1) return this.answerFailure();
    this.request(2);
  }

  /** They run whatever the stop reason says. */
  answerCalls(calls: readonly Call[], stopReason: "toolUse" | "stop"): void {
    this.transcript.push(`assistant ${stopReason}`);
    this.phase = { at: "hook", slots: calls.map((call) => ({ call, ending: undefined })), next: 0 };
    this.skipUnknown();
  }

  answerCut(calls: readonly Call[]): void {
    this.transcript.push("assistant length");
    this.record(calls.map((call) => ({ call, ending: "length" })));
    this.endTurn(true);
  }

  decide(decision: "allow" | "block" | "throw"): void {
    const { phase } = this;
    if (phase.at !== "hook") return;
    const slot = phase.slots[phase.next];
    if (slot && decision !== "allow") slot.ending = decision === "block" ? "blocked" : "threw";
    if (!isSequential(phase.slots)) {
      phase.next += 1;
      return this.skipUnknown();
    }
    if (decision === "allow") this.phase = { at: "tools", slots: phase.slots, next: phase.next };
    else this.nextInSequence(phase.slots, phase.next);
  }

  finish(id: string, ending: "ok" | "terminates" | "threw"): void {
    const { phase } = this;
    if (phase.at !== "tools" && phase.at !== "grace") return;
    const slot = phase.slots.find(({ call }) => call.id === id);
    if (slot) slot.ending = phase.at === "grace" && ending === "threw" ? "cut off" : ending;
    if (phase.at === "grace") return this.settleAfterStop(phase.slots);
    if (isSequential(phase.slots)) return this.nextInSequence(phase.slots, phase.next);
    if (phase.slots.every((each) => each.ending)) this.endBatch(phase.slots);
  }

  abort(): void {
    const { phase } = this;
    if (phase.at === "request") {
      if (phase.partial) this.transcript.push("assistant aborted");
      this.phase = { at: "idle" };
    } else if (phase.at === "hook" || phase.at === "tools") {
      const running = this.running;
      for (const slot of phase.slots) {
        if (slot.ending) continue;
        const runs = running.includes(slot.call);
        if (!runs) slot.ending = "not started";
        else if (slot.call.name !== "deaf") slot.ending = "cut off";
      }
      this.settleAfterStop(isSequential(phase.slots) ? phase.slots.slice(phase.next) : phase.slots);
    }
  }

  graceOver(): void {
    if (this.phase.at !== "grace") return;
    for (const slot of this.phase.slots) slot.ending ??= "left behind";
    this.settleAfterStop(this.phase.slots);
  }

  /** Takes over what it cannot foretell: a run that ended because something failed. */
  adopt(transcript: readonly string[], requests: number): void {
    this.transcript.splice(0, Infinity, ...transcript);
    this.requests = requests;
    this.phase = { at: "idle" };
  }

  private startWith(texts: readonly string[], steers: boolean): void {
    this.say([...texts, ...(steers ? this.take("steering") : [])]);
    this.request(1);
  }

  private request(attempt: number): void {
    this.requests += 1;
    this.phase = { at: "request", attempt, partial: false };
  }

  /** Calls that nobody is asked about fail on the way. */
  private skipUnknown(): void {
    const { phase } = this;
    if (phase.at !== "hook") return;
    for (let slot = phase.slots[phase.next]; slot?.call.name === "unknown";) {
      slot.ending = "unknown";
      if (isSequential(phase.slots)) this.record([slot]);
      phase.next += 1;
      slot = phase.slots[phase.next];
    }
    if (phase.next < phase.slots.length) return;
    if (phase.slots.every((slot) => slot.ending)) return this.endBatch(phase.slots);
    this.phase = { at: "tools", slots: phase.slots, next: 0 };
  }

  private nextInSequence(slots: readonly Slot[], done: number): void {
    this.record(slots.slice(done, done + 1));
    this.phase = { at: "hook", slots, next: done + 1 };
    this.skipUnknown();
  }

  private endBatch(slots: readonly Slot[]): void {
    if (!isSequential(slots)) this.record(slots);
    this.endTurn(!slots.every((slot) => slot.ending === "terminates"));
  }

  private settleAfterStop(slots: readonly Slot[]): void {
    if (slots.some((slot) => !slot.ending)) {
      this.phase = { at: "grace", slots };
      return;
    }
    this.record(slots);
    this.phase = { at: "idle" };
  }

  private endTurn(unanswered: boolean): void {
    const steering = this.take("steering");
    const entering = steering.length > 0 || unanswered ? steering : this.take("followUp");
    this.say(entering);
    if (entering.length > 0 || unanswered) this.request(1);
    else this.phase = { at: "idle" };
  }

  private take(kind: Kind): string[] {
    const due = this.queue.filter((item) => item.kind === kind);
    const taken = this.takesAll ? due : due.slice(0, 1);
    this.queue = this.queue.filter((item) => !taken.includes(item));
    return taken.map(({ text }) => text);
  }

  private say(texts: readonly string[]): void {
    for (const text of texts) this.transcript.push(`user ${text}`);
  }

  private record(slots: readonly Slot[]): void {
    for (const { call, ending } of slots) this.transcript.push(`result ${call.id} ${ending}`);
  }
}

/** One such tool makes the whole batch sequential. */
function isSequential(slots: readonly Slot[]): boolean {
  return slots.some(({ call }) => call.name === "alone");
}
