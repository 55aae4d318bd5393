// The one way to a model: routes by wire protocol, loads a provider's SDK on first use, and sees to it that every
// response ends exactly once, whatever the provider does. Leaves the wire formats to `providers/`.
import { describeFailure } from "./errors.ts";
import type { Target } from "./errors.ts";
import { EventQueue } from "./event-stream.ts";
import { PartialMessage } from "./partial-message.ts";
import type { Provider } from "./providers/provider.ts";
import type { ScriptedOptions } from "./providers/scripted.ts";
import { watchFetch } from "./providers/watched-fetch.ts";
import { providerHost } from "./provider-host.ts";
import type { Api, Model, ModelRequest, StreamFn, StreamOptions } from "./types.ts";

export interface StreamDeps {
  /** Unix milliseconds. */
  now(): number;
  /** In a browser: the SDKs are told that calling a provider from there is meant. */
  readonly web: boolean;
  /** What the `scripted` model plays; without it that model fails. */
  readonly scripted?: ScriptedOptions;
  /** Default: the host's, so that the user's proxy settings apply. */
  readonly fetch?: typeof fetch;
}

const defaultIdleTimeoutMs = 300_000;

export function createStream(deps: StreamDeps): StreamFn {
  return (model, request, options) => {
    const queue = new EventQueue();
    const target = requestTarget(model, options);
    const partial = new PartialMessage({
      model,
      options,
      now: () => deps.now(),
      emit: (event) => queue.push(event),
      usedIds: () => toolCallIds(request),
      host: target.host,
    });
    const guard = guardResponse(partial, options, target);
    const wire = watchFetch(deps.fetch ?? ((input, init) => fetch(input, init)), guard.alive);
    const run = { model, request, options, partial, signal: guard.signal, wire, web: deps.web };
    void loadProvider(model.api, deps)
      .then((provider) => (partial.ended ? undefined : provider(run)))
      .then(
        () => partial.fail(endedEarly(target)),
        (error: unknown) => partial.fail(describeFailure(error, target, deps.now())),
      )
      .finally(guard.release);
    return queue;
  };
}

/** SDKs are large: importing one here, on first use, keeps them out of activation. */
async function loadProvider(api: Api, deps: StreamDeps): Promise<Provider> {
  switch (api) {
    case "anthropic-messages":
      return (await import("./providers/anthropic-messages.ts")).streamAnthropic;
    case "openai-chat":
      return (await import("./providers/openai-chat.ts")).streamOpenAiChat;
    case "openai-responses":
      return (await import("./providers/openai-responses.ts")).streamOpenAiResponses;
    case "scripted":
      return (await import("./providers/scripted.ts")).scriptedProvider(deps.scripted);
  }
}

interface Guard {
  readonly signal: AbortSignal;
  readonly alive: () => void;
  readonly release: () => void;
}

/**
 * Ends the message at once when the user aborts or the server is silent for too long, without waiting for the provider
 * to notice; the provider's request is cancelled too, and whatever it still says is ignored.
 */
function guardResponse(partial: PartialMessage, options: StreamOptions, target: Target): Guard {
  const controller = new AbortController();
  const limit = options.idleTimeoutMs ?? defaultIdleTimeoutMs;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const onAbort = () => {
    clearTimeout(timer);
    partial.abort();
    controller.abort();
  };
  const onIdle = () => {
    const seconds = Math.round(limit / 1_000);
    const message = `${target.host} sent nothing for ${seconds} s. Try again, or choose another model.`;
    partial.fail({ kind: "timeout", message });
    controller.abort();
  };
  const alive = () => {
    clearTimeout(timer);
    if (!partial.ended) timer = setTimeout(onIdle, limit);
  };
  const release = () => {
    clearTimeout(timer);
    options.signal?.removeEventListener("abort", onAbort);
    controller.abort();
  };
  alive();
  if (options.signal?.aborted) onAbort();
  else options.signal?.addEventListener("abort", onAbort, { once: true });
  return { signal: controller.signal, alive, release };
}

function requestTarget(model: Model, options: StreamOptions): Target {
  const secrets = [options.apiKey ?? "", ...Object.values(model.headers ?? {})];
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

function endedEarly({ host }: Target) {
  const message = `The answer of ${host} broke off before it was complete. Try again.`;
  return { kind: "malformed_stream", message } as const;
}
