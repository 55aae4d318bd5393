// What can be seen of an open session. What can be asked of it is coding-agent.ts' business.
import type { SequencedEvent } from "../agent/events.ts";
import type { TranscriptState } from "../agent/transcript.ts";
import { clampThinkingLevel, thinkingLevelsOf } from "../ai/thinking-level.ts";
import type { Model, ThinkingLevel } from "../ai/types.ts";
import type { Event } from "../shared/event.ts";
import type { PendingDecision } from "./approvals/types.ts";
import type { CheckpointBook } from "./checkpoints/types.ts";
import type { SessionParts } from "./session-parts.ts";
import { untitled } from "./session/store.ts";
import type { CodingSession, Meter, ProposalBook, RetryInfo } from "./types.ts";

export abstract class SessionView {
  protected readonly parts: SessionParts;
  protected givenTitle: string | undefined;
  protected wasInterrupted: boolean;

  constructor(parts: SessionParts) {
    this.parts = parts;
    this.givenTitle = parts.restored.title;
    this.wasInterrupted = parts.restored.interrupted;
  }

  get id(): string {
    return this.parts.log.id;
  }

  get title(): string {
    return this.givenTitle ?? untitled;
  }

  get transcript(): TranscriptState {
    return this.parts.agent.transcript;
  }

  get model(): Model | undefined {
    return this.parts.choice.model;
  }

  get thinkingLevel(): ThinkingLevel {
    return this.parts.choice.thinkingLevel;
  }

  get thinking(): CodingSession["thinking"] {
    const { model, thinkingLevel } = this;
    if (!model) return { levels: ["off"], used: "off" };
    return { levels: thinkingLevelsOf(model), used: clampThinkingLevel(model, thinkingLevel) };
  }

  get decisions(): readonly PendingDecision[] {
    return this.parts.tools.decisions;
  }

  get proposals(): ProposalBook {
    return this.parts.tools.proposals;
  }

  get checkpoints(): CheckpointBook {
    return this.parts.checkpoints;
  }

  get retry(): RetryInfo | undefined {
    return this.parts.driver.retry;
  }

  get meter(): Meter {
    return this.parts.meter.measure(this.transcript.messages, this.model);
  }

  get interrupted(): boolean {
    return this.wasInterrupted;
  }

  get onEvent(): Event<SequencedEvent> {
    return this.parts.events.event;
  }

  get onDidChange(): Event<void> {
    return this.parts.changed.event;
  }
}
