// One request and its answer: from the transcript to a recorded assistant message. Leaves the calls in it to tool-calls.ts.
import type { AssistantMessage, Message, ModelRequest, StreamEvent, StreamOptions } from "../ai/types.ts";
import { abortError, errorText } from "../shared/errors.ts";
import { withGrace } from "./abort.ts";
import type { MessageDelta } from "./events.ts";
import type { Run } from "./run.ts";
import { abortedAnswer, emptyAnswer, failedAnswer, isBlank } from "./synthetic.ts";
import { applyDelta } from "./transcript.ts";
import type { StreamingMessage } from "./transcript.ts";
import { DEFAULT_ABORT_GRACE_MS } from "./types.ts";
import type { AgentMessage, TurnSettings } from "./types.ts";

/**
 * Resolves with the recorded answer, `error` and `aborted` ones included. Rejects with an AbortError when the run
 * was stopped before anything arrived (nothing is recorded then), and with what a hook throws.
 */
export async function requestAnswer(run: Run, settings: TurnSettings): Promise<AssistantMessage> {
  const request = await buildRequest(run);
  const options = await streamOptions(run, settings);
  let attempt = await receive(run, settings, request, options);
  if (isEmptyAnswer(attempt) && !run.stopped) attempt = await receive(run, settings, request, options);
  const message = finalMessage(run, attempt);
  if (attempt.started) await run.recordEnd({ id: attempt.id, message });
  else await run.record({ id: attempt.id, message });
  return message;
}

async function buildRequest(run: Run): Promise<ModelRequest> {
  const { transformContext, convertToLlm = withoutAppMessages } = run.config;
  // A copy: the run goes on adding to its own.
  const all = [...run.messages];
  const shown = transformContext === undefined ? all : await run.hook(transformContext(all, run.signal));
  return { messages: convertToLlm(shown) };
}

function withoutAppMessages(messages: readonly AgentMessage[]): readonly Message[] {
  // Mostly there are none, and this runs over all messages for every request.
  for (const { role } of messages) {
    if (role === "app") return messages.filter((message) => message.role !== "app");
  }
  return messages as readonly Message[]; // None of them is an AppMessage.
}

async function streamOptions(run: Run, settings: TurnSettings): Promise<StreamOptions> {
  const { getApiKey, sessionId } = run.config;
  const apiKey = getApiKey === undefined ? undefined : await run.hook(getApiKey(settings.model));
  if (run.stopped) throw abortError();
  return {
    signal: run.signal,
    thinkingLevel: settings.thinkingLevel,
    ...(apiKey !== undefined && { apiKey }),
    ...(sessionId !== undefined && { sessionId }),
  };
}

/** One attempt. `started`: its `message_start` was emitted, so it must be recorded. */
interface Attempt {
  readonly id: string;
  readonly started: boolean;
  readonly message: AssistantMessage;
}

function isEmptyAnswer({ started, message }: Attempt): boolean {
  return !started && isBlank(message) && message.stopReason !== "error" && message.stopReason !== "aborted";
}

function finalMessage(run: Run, attempt: Attempt): AssistantMessage {
  const { message } = attempt;
  const failedByAbort = run.stopped && message.stopReason === "error";
  const final = failedByAbort ? abortedAnswer(message) : message;
  if (!isBlank(final) || final.stopReason === "error") return final;
  if (final.stopReason !== "aborted" && !run.stopped) {
    return failedAnswer(final, "The model sent an empty answer. Try again, or choose another model.");
  }
  // Nothing arrived, so there is nothing to keep; a pair that was opened must be closed all the same.
  if (!attempt.started) throw abortError();
  return abortedAnswer(final);
}

async function receive(
  run: Run,
  settings: TurnSettings,
  request: ModelRequest,
  options: StreamOptions,
): Promise<Attempt> {
  const receiver = new Receiver(run, settings);
  const consume = async () => {
    try {
      for await (const event of run.config.stream(settings.model, request, options)) {
        const taken = receiver.take(event);
        if (taken === "last") return;
        if (taken !== undefined) await taken;
      }
      receiver.fail("The response ended without saying how. Try again.");
    } catch (error) {
      receiver.fail(errorText(error));
    }
  };
  await withGrace(consume(), run.signal, run.config.abortGraceMs ?? DEFAULT_ABORT_GRACE_MS);
  return receiver.close();
}

/** Turns stream events into agent events, and keeps what came so far for a stream that does not end by itself. */
class Receiver {
  private readonly run: Run;
  private readonly id: string;
  private readonly empty: AssistantMessage;
  /** All of them: folded only when the stream does not give a whole message itself. */
  private readonly deltas: MessageDelta[] = [];
  private started = false;
  private final: AssistantMessage | undefined;

  constructor(run: Run, settings: TurnSettings) {
    this.run = run;
    this.id = run.config.createId();
    this.empty = {
      ...emptyAnswer(settings.model, run.config.now()),
      thinkingLevel: settings.thinkingLevel,
    };
  }

  /** A promise where there is something to wait for. */
  take(event: StreamEvent): Promise<void> | "last" | undefined {
    if (this.final !== undefined) return "last";
    if (event.type === "start") return undefined;
    if (event.type === "done" || event.type === "error") {
      this.final = this.withPartial(event.message);
      return "last";
    }
    // What comes after a stop is left to the final message.
    return this.run.stopped ? undefined : this.takeDelta(event);
  }

  fail(text: string): void {
    this.final ??= { ...failedAnswer(this.partial(), text), errorKind: "malformed_stream" };
  }

  /** Everything that comes later is ignored. */
  close(): Attempt {
    this.final ??= abortedAnswer(this.partial());
    return { id: this.id, started: this.started, message: this.final };
  }

  private takeDelta(delta: MessageDelta): Promise<void> | undefined {
    this.deltas.push(delta);
    if (this.started) return this.run.emit({ type: "message_update", id: this.id, delta });
    // A response that says nothing is never announced.
    return isSilent(delta) ? undefined : this.announce();
  }

  private async announce(): Promise<void> {
    this.started = true;
    const { id, empty, run } = this;
    await run.emit({ type: "message_start", id, message: empty });
    for (const delta of [...this.deltas]) await run.emit({ type: "message_update", id, delta });
  }

  private withPartial(message: AssistantMessage): AssistantMessage {
    if (!isBlank(message)) return message;
    const partial = this.partial();
    return isBlank(partial) ? message : { ...message, content: partial.content };
  }

  private partial(): AssistantMessage {
    const start: StreamingMessage = { id: this.id, message: this.empty, partialArguments: {} };
    return this.deltas.reduce(applyDelta, start).message;
  }
}

function isSilent(delta: MessageDelta): boolean {
  return "delta" in delta ? delta.delta === "" : !delta.type.startsWith("toolcall");
}
