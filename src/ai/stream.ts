// The one way to a model: routes by wire protocol, loads a provider's SDK on first use, and sees to it that every
// response ends exactly once, whatever the provider does. Leaves the wire formats to `providers/`, stops and time limits
// to `response-guard.ts`.
import { errorText } from "../shared/errors.ts";
import { describeFailure } from "./errors.ts";
import type { Failure, Target } from "./errors.ts";
import { EventQueue } from "./event-stream.ts";
import { failureLine } from "./failure-line.ts";
import type { LanguageModels } from "./language-models.ts";
import { PartialMessage } from "./partial-message.ts";
import type { Provider } from "./providers/provider.ts";
import type { ScriptedOptions } from "./providers/scripted.ts";
import { watchFetch } from "./providers/watched-fetch.ts";
import { providerHost } from "./provider-host.ts";
import type { JournalEntry, RequestJournal } from "./request-journal.ts";
import { requestSecrets } from "./request-secrets.ts";
import { ResponseGuard } from "./response-guard.ts";
import type { Api, Model, ModelRequest, StreamEvent, StreamFn, StreamOptions } from "./types.ts";

export interface StreamDeps {
  /** Unix milliseconds. */
  now(): number;
  /** In a browser: the SDKs are told that calling a provider from there is meant. */
  readonly web: boolean;
  /** What the `scripted` model plays; without it that model fails. */
  readonly scripted?: ScriptedOptions;
  /** VS Code's; without them a `vscode-lm` model fails. */
  readonly languageModels?: LanguageModels;
  /** Default: the host's, so that the user's proxy settings apply. */
  readonly fetch?: typeof fetch;
  /** Gets one line for every response that failed, without secrets. */
  readonly log?: (text: string) => void;
  /** Remembers what is sent. */
  readonly journal?: RequestJournal;
  /** Default: the parts that Reins brings, each with its SDK. */
  readonly loadProvider?: (api: Api) => Promise<Provider>;
}

export function createStream(deps: StreamDeps): StreamFn {
  const now = steadyClock(deps);
  return (model, request, options) => {
    const target = requestTarget(model, options);
    const queue = new EventQueue(() => partial.snapshot());
    const { sessionId } = options;
    const entry = deps.journal?.begin({ model, request, sessionId, secrets: target.secrets, now });
    const guard = new ResponseGuard(model, options, {
      onAbort: () => partial.abort(),
      onTimeout: (message) => partial.fail({ kind: "timeout", message }),
    });
    const emit = (event: StreamEvent) => {
      queue.push(event);
      guard.progress();
      if (event.type === "done" || event.type === "error") {
        guard.release();
        entry?.ended(event.message);
      }
      if (event.type === "error") logFailure(deps, event, target);
    };
    const usedIds = () => toolCallIds(request);
    const partial = new PartialMessage({ model, options, now, emit, usedIds, ...target });
    guard.start();
    void respond({ deps, model, request, options, partial, guard, entry })
      .then(
        () => endedEarly(target),
        (error: unknown) => describeFailure(error, target, now()),
      )
      // Nothing that is thrown, however odd, keeps a response from ending.
      .catch(() => endedEarly(target))
      .then((failure) => partial.fail(failure));
    return queue;
  };
}

interface Response {
  readonly deps: StreamDeps;
  readonly model: Model;
  readonly request: ModelRequest;
  readonly options: StreamOptions;
  readonly partial: PartialMessage;
  readonly guard: ResponseGuard;
  readonly entry: JournalEntry | undefined;
}

async function respond({ deps, guard, entry, ...response }: Response): Promise<void> {
  const { model, partial } = response;
  const load = deps.loadProvider ?? ((api) => importProvider(api, deps));
  let provider: Provider;
  try {
    provider = await load(model.api);
  } catch (error) {
    return partial.fail(notLoaded(error));
  }
  if (partial.ended) return;
  const alive = () => guard.alive();
  const send: typeof fetch = (input, init) => {
    guard.connecting();
    return deps.fetch ? deps.fetch(input, init) : fetch(input, init);
  };
  const wire = watchFetch(entry ? entry.watch(send) : send, alive);
  await provider({ ...response, signal: guard.signal, alive, wire, web: deps.web });
}

/** SDKs are large: importing one here, on first use, keeps them out of activation. */
async function importProvider(api: Api, deps: StreamDeps): Promise<Provider> {
  switch (api) {
    case "anthropic-messages":
      return (await import("./providers/anthropic-messages.ts")).streamAnthropic;
    case "openai-chat":
      return (await import("./providers/openai-chat.ts")).streamOpenAiChat;
    case "openai-responses":
      return (await import("./providers/openai-responses.ts")).streamOpenAiResponses;
    case "scripted":
      return (await import("./providers/scripted.ts")).scriptedProvider(deps.scripted);
    case "vscode-lm":
      return (await import("./providers/vscode-lm.ts")).languageModelProvider(deps.languageModels);
  }
}

/** The files of a running extension go away when it is updated. */
function notLoaded(error: unknown): Failure {
  const message =
    "A part of Reins could not be loaded, most likely because Reins was updated. Reload the window and try again.";
  return { kind: "unknown", message, cause: errorText(error) };
}

function endedEarly({ host }: Target): Failure {
  const message = `The answer of ${host} broke off before it was complete. Try again.`;
  return { kind: "malformed_stream", message };
}

/** Stops are no failures. A log that fails is not the response's concern. */
function logFailure(deps: StreamDeps, event: Extract<StreamEvent, { type: "error" }>, target: Target): void {
  if (event.message.stopReason !== "error") return;
  try {
    deps.log?.(failureLine(event, target));
  } catch {
    // There is nowhere left to say it.
  }
}

function requestTarget(model: Model, options: StreamOptions): Target {
  const secrets = requestSecrets(model, options.apiKey);
  return { provider: model.provider, host: providerHost(model), secrets };
}

function toolCallIds(request: ModelRequest): Set<string> {
  const ids = new Set<string>();
  for (const message of request.messages) {
    if (message.role !== "assistant") continue;
    for (const block of message.content) if (block.type === "toolCall") ids.add(block.id);
  }
  return ids;
}

/** A clock that throws is taken to stand still. */
function steadyClock(deps: Pick<StreamDeps, "now">): () => number {
  let last = 0;
  return () => {
    try {
      last = deps.now();
    } catch {
      // A duration is not worth a response.
    }
    return last;
  };
}
