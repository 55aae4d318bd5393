// One open session with its agent: prompt in, events out. A thin driver over the parts that session-parts.ts wires:
// it decides when a run starts, is steered, tried again, stopped and continued.
import type { RunEnd } from "../agent/events.ts";
import type { QueueKind } from "../agent/types.ts";
import { modelRef } from "../ai/models.ts";
import type { ThinkingLevel, UserMessage } from "../ai/types.ts";
import { UserError } from "../shared/errors.ts";
import type { ApprovalAnswer } from "./approvals/types.ts";
import { assembleSession } from "./session-parts.ts";
import type { SessionDeps } from "./session-parts.ts";
import { SessionView } from "./session-view.ts";
import { fact } from "./session/entries.ts";
import type { EntryData } from "./session/entries.ts";
import { titleFrom, titleOf } from "./session/store.ts";
import type { LoadedSession } from "./session/store.ts";
import type { CodingSession } from "./types.ts";

export class CodingAgent extends SessionView implements CodingSession {
  /** Opens a session that `store` loaded or created. Nothing is written before the first message. */
  static open(deps: SessionDeps, loaded: LoadedSession): CodingAgent {
    const session = new CodingAgent(assembleSession(deps, loaded));
    const { owned, log, notices } = session.parts;
    owned.add(log.onProblem(() => void session.deliverNotices()));
    owned.add(notices.onDidPush(() => void session.deliverNotices()));
    return session;
  }

  async prompt(text: string): Promise<void> {
    if (text.trim() === "") throw new UserError("There is nothing to send. Write a message first.");
    if (this.isUnready) await this.whileUnready();
    if (this.parts.driver.active) {
      this.parts.agent.steer(this.userMessage(text));
      return this.parts.driver.settled();
    }
    return this.run(() => {
      this.nameAfter(text);
      return this.parts.agent.prompt([this.userMessage(text)]);
    });
  }

  queue(kind: QueueKind, text: string): void {
    const message = this.userMessage(text);
    if (kind === "steering") this.parts.agent.steer(message);
    else this.parts.agent.followUp(message);
  }

  editQueued(id: string, change: { readonly text?: string; readonly kind?: QueueKind }): void {
    this.parts.agent.editQueued(id, change);
  }

  moveQueued(id: string, before: string | undefined): void {
    this.parts.agent.moveQueued(id, before);
  }

  removeQueued(id: string): void {
    this.parts.agent.removeQueued(id);
  }

  async stop(): Promise<string> {
    const { agent, driver } = this.parts;
    // Taken first, so that nothing of it enters while the run ends; what is typed meanwhile comes back too.
    const queued = [...agent.takeQueue()];
    await driver.stop();
    queued.push(...agent.takeQueue());
    await this.flush();
    return queued.map(({ message }) => textOf(message)).join("\n\n");
  }

  async continue(raiseBy?: number): Promise<void> {
    if (this.isUnready) await this.whileUnready();
    if (this.parts.driver.active) return this.parts.driver.settled();
    return this.run(() => this.parts.agent.continue(raiseBy === undefined ? {} : { raiseBy }));
  }

  retryNow(): void {
    this.parts.driver.retryNow();
  }

  answerApproval(id: string, answer: ApprovalAnswer): void {
    this.parts.tools.answer(id, answer);
  }

  setModel(ref: string): void {
    const { choice, agent, notices, changed } = this.parts;
    const before = choice.model;
    const model = choice.choose(ref);
    void this.record({ type: "model_change", provider: model.provider, modelId: model.id });
    agent.noteSettingsChange({ model: ref });
    if (before !== undefined && modelRef(before) !== modelRef(model) && this.transcript.messages.length > 0) {
      notices.add(`The model is now ${model.name}.`);
      void this.deliverNotices();
    }
    changed.fire();
  }

  setThinkingLevel(level: ThinkingLevel): void {
    this.parts.choice.level = level;
    void this.record({ type: "thinking_level_change", thinkingLevel: level });
    this.parts.agent.noteSettingsChange({ thinkingLevel: level });
    this.parts.changed.fire();
  }

  /** An empty title takes the given one back. */
  async rename(title: string): Promise<void> {
    const { log, store, changed } = this.parts;
    const name = title.trim();
    const recorded = this.record({ type: "session_info", name });
    this.givenTitle = titleOf(log.tree.path());
    changed.fire();
    await Promise.all([recorded, store.rememberTitle(this.id, this.givenTitle)]);
  }

  async flush(): Promise<void> {
    await this.parts.checkpoints.settled();
    return this.parts.recorder.flush();
  }

  /** Ends it for good, as before another session is opened: stopped, with everything on disk. Queued text is kept as a notice. */
  async leave(): Promise<void> {
    const unsent = await this.stop();
    if (unsent !== "") this.parts.notices.add(`Not sent when the session was closed:\n${unsent}`);
    await this.deliverNotices();
    await this.flush();
    this.dispose();
  }

  /** At once. A run that is on is cut off: its session shows it as interrupted when it is opened again. */
  dispose(): void {
    const { owned, driver, events, changed } = this.parts;
    // First: what the abort does is no longer recorded.
    owned.dispose();
    void driver.stop();
    events.dispose();
    changed.dispose();
  }

  private async run(start: () => Promise<RunEnd>): Promise<void> {
    this.parts.choice.require();
    this.wasInterrupted = false;
    try {
      await this.parts.driver.run(start);
    } finally {
      await this.deliverNotices();
    }
  }

  private get isUnready(): boolean {
    const { choice, driver } = this.parts;
    return driver.stopping || (!driver.active && choice.mayBeFound);
  }

  /** A run that is being stopped ends first, and a model that is not known is looked for once. */
  private async whileUnready(): Promise<void> {
    const { choice, driver } = this.parts;
    if (!driver.active && choice.mayBeFound) await choice.look();
    while (this.parts.driver.stopping) await this.parts.driver.settled();
  }

  /** While a run is on they wait for its next request or its end. */
  private async deliverNotices(): Promise<void> {
    const { agent, driver, notices } = this.parts;
    while (!driver.active && agent.status === "idle") {
      const notice = notices.next();
      if (!notice) return;
      await agent.append(notice);
    }
  }

  private nameAfter(prompt: string): void {
    const title = titleFrom(prompt);
    if (this.givenTitle !== undefined || title === "") return;
    this.givenTitle = title;
    this.parts.log.note(fact("reins.title", { title }));
  }

  /** A session that has no file yet gets none for this. */
  private record(entry: EntryData): Promise<void> {
    const { log } = this.parts;
    if (log.exists) return log.append(entry);
    log.note(entry);
    return Promise.resolve();
  }

  private userMessage(content: string): UserMessage {
    return { role: "user", content, timestamp: this.parts.ports.clock.now() };
  }
}

function textOf({ content }: UserMessage): string {
  if (typeof content === "string") return content;
  return content.map((block) => (block.type === "text" ? block.text : "")).join("");
}
