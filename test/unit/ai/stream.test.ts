// What holds for every response whatever the provider does: one end, time limits, the log.
import assert from "node:assert/strict";
import { isLocalServer } from "../../../src/ai/provider-host.ts";
import type { Provider } from "../../../src/ai/providers/provider.ts";
import { createStream } from "../../../src/ai/stream.ts";
import type { StreamDeps } from "../../../src/ai/stream.ts";
import type { StreamEvent, StreamOptions } from "../../../src/ai/types.ts";
import { settle } from "../../support/until.ts";
import { anthropicModel, fetchOf, openAiModel, textOf, user } from "../../support/provider-models.ts";

const model = anthropicModel(
  { url: "http://user:pass@127.0.0.1:9" },
  { headers: { "x-extra": "header-secret" } },
);
const never = new Promise<never>(() => undefined);

function open(provider: Provider, options: StreamOptions = {}, deps: Partial<StreamDeps> = {}) {
  const loadProvider = () => Promise.resolve(provider);
  const stream = createStream({ now: () => Date.now(), web: false, loadProvider, ...deps });
  return stream(model, { messages: [user("Hi")] }, { apiKey: "key-secret", ...options });
}

async function endOf(stream: AsyncIterable<StreamEvent>): Promise<StreamEvent[]> {
  const ends: StreamEvent[] = [];
  for await (const event of stream) if (event.type === "done" || event.type === "error") ends.push(event);
  return ends;
}

describe("a response", () => {
  it("ends once, with an error, whatever a provider throws", async () => {
    const circular: { self?: unknown } = {};
    circular.self = circular;
    const hostile = new Proxy(new Error("x"), {
      get: () => {
        throw new Error("y");
      },
    });
    const oddities = [undefined, null, 5n, Symbol("x"), circular, hostile, new Error(""), "text"] as Error[];
    for (const thrown of oddities) {
      const response = open(() => Promise.reject(thrown));
      const ends = await endOf(response);
      assert.equal(ends.length, 1);
      const message = await response.result();
      assert.equal(message.stopReason, "error");
      assert.ok(message.errorKind && message.errorMessage);
    }
  });

  it("is an error when the provider goes without a terminal event, and its calls are there to see, not to run", async () => {
    const response = open(({ partial }) => {
      partial.close(partial.openToolCall("a", "write"));
      partial.append(partial.openToolCall("b", "write"), '{"path":"x"}');
      return Promise.resolve();
    });
    const message = await response.result();
    assert.deepEqual([message.stopReason, message.errorKind], ["error", "malformed_stream"]);
    const [whole, cut] = message.content;
    assert.ok(whole?.type === "toolCall" && whole.argumentsError === undefined);
    assert.ok(cut?.type === "toolCall" && cut.argumentsError !== undefined);
    assert.deepEqual(cut.arguments, {});
  });

  it("says to reload the window when a part of Reins cannot be loaded", async () => {
    const lines: string[] = [];
    const deps: Partial<StreamDeps> = {
      loadProvider: () => Promise.reject(new Error("Cannot find module './anthropic.cjs'")),
      log: (line) => lines.push(line),
    };
    const message = await open(() => never, {}, deps).result();
    assert.match(message.errorMessage ?? "", /updated\. Reload the window/);
    assert.match(lines.join("\n"), /Cannot find module/);
  });

  it("ends, with what came, when its clock fails", async () => {
    const now = () => {
      throw new Error("no clock");
    };
    const play: Provider = ({ partial }) => {
      partial.append(partial.openText(), "Hello");
      partial.finish("stop");
      return Promise.resolve();
    };
    const message = await open(play, {}, { now }).result();
    assert.deepEqual([textOf(message), message.stopReason, message.timestamp], ["Hello", "stop", 0]);
  });

  it("goes on when its consumer has left, and when nobody iterates", async () => {
    const gate = Promise.withResolvers<void>();
    const response = open(async ({ partial }) => {
      partial.append(partial.openText(), "Hello");
      await gate.promise;
      partial.append(0, " you");
      partial.finish("stop");
    });
    for await (const event of response) if (event.type === "text_delta") break;
    gate.resolve();
    assert.equal(textOf(await response.result()), "Hello you");
    assert.deepEqual(
      (await endOf(response)).map(({ type }) => type),
      ["done"],
    );
  });

  it("is over at once when it was stopped before it began, and nothing is requested", async () => {
    let loaded = 0;
    const signal = AbortSignal.abort();
    const loadProvider = () => Promise.resolve<Provider>(() => Promise.resolve(void (loaded += 1)));
    const message = await open(() => never, { signal }, { loadProvider }).result();
    assert.deepEqual([message.stopReason, message.errorMessage, loaded], ["aborted", "Stopped.", 0]);
  });

  it("is cancelled on the wire once it has ended, and leaves no listener behind", async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const added = new Set<unknown>();
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (type: string, listener: never, options?: never) => {
      added.add(listener);
      add(type, listener, options);
    };
    signal.removeEventListener = (type: string, listener: never) => {
      added.delete(listener);
      remove(type, listener);
    };
    let cancelled = false;
    // It never comes back, as a provider that ignores its signal.
    const response = open(
      ({ partial, signal: inner }) => {
        inner.addEventListener("abort", () => (cancelled = true));
        partial.append(partial.openText(), "Hello");
        partial.finish("stop");
        return never;
      },
      { signal },
    );
    assert.equal((await response.result()).stopReason, "stop");
    assert.deepEqual([cancelled, added.size], [true, 0]);
  });

  it("can be asked for what came at any time: before the start, within, and after the end", async () => {
    const gate = Promise.withResolvers<void>();
    const response = open(async ({ partial }) => {
      partial.append(partial.openText(), "Hel");
      await gate.promise;
      partial.append(0, "lo");
      partial.finish("stop");
    });
    const before = response.snapshot();
    for await (const event of response) if (event.type === "text_delta") break;
    const within = response.snapshot();
    gate.resolve();
    const final = await response.result();
    assert.equal(response.snapshot(), final);
    assert.deepEqual([textOf(before), textOf(within), textOf(final)], ["", "Hel", "Hello"]);
    assert.equal(before.model, model.id);
  });
});

describe("time limits", () => {
  it("name their setting: until the answer begins, and within it", async () => {
    const silent: Provider = ({ wire }) => wire.fetch("http://127.0.0.1:9").then(() => undefined);
    const connect = await open(silent, { connectTimeoutMs: 20 }, { fetch: () => never }).result();
    assert.deepEqual([connect.errorKind, connect.stopReason], ["timeout", "error"]);
    assert.match(
      connect.errorMessage ?? "",
      /^127\.0\.0\.1:9 did not answer within .*reins\.request\.connectTimeoutSeconds/,
    );
    const stalled: Provider = async ({ wire, partial }) => {
      await wire.fetch("http://127.0.0.1:9");
      partial.append(partial.openText(), "Half");
      return never;
    };
    const idle = await open(stalled, { idleTimeoutMs: 20 }, { fetch: fetchOf([]) }).result();
    assert.deepEqual([idle.errorKind, textOf(idle)], ["timeout", "Half"]);
    assert.match(idle.errorMessage ?? "", /sent nothing for .*reins\.request\.idleTimeoutSeconds/);
  });

  it("give a second request its own time to begin, and count silence only from a sign of life on", async () => {
    const play: Provider = async ({ wire, partial, alive }) => {
      await wire.fetch("http://127.0.0.1:9");
      // The idle limit of 5 ms would end this wait for the second answer.
      await wire.fetch("http://127.0.0.1:9").catch(() => undefined);
      for (let n = 0; n < 3; n += 1) alive();
      partial.append(partial.openText(), "Late");
      partial.finish("stop");
    };
    const pause = () => new Promise((resolve) => setTimeout(resolve, 40));
    const answer = fetchOf([]);
    const slow: typeof fetch = async (input, init) => {
      await pause();
      return answer(input, init);
    };
    const message = await open(
      play,
      { connectTimeoutMs: 60_000, idleTimeoutMs: 5 },
      { fetch: slow },
    ).result();
    assert.equal(textOf(message), "Late");
  });

  it("are waited for by nothing once the response has ended", async () => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
    // The test runner's own is there after its first turn.
    await settle();
    const before = timers();
    const play: Provider = ({ partial, alive }) => {
      alive();
      partial.append(partial.openText(), "Hello");
      partial.finish("stop");
      alive();
      return never;
    };
    await open(play).result();
    await open(() => Promise.reject(new Error("x"))).result();
    await open(() => never, { signal: AbortSignal.abort() }).result();
    const late = new AbortController();
    const stopped = open(() => never, { signal: late.signal });
    assert.equal(timers(), before + 1);
    late.abort();
    await stopped.result();
    assert.equal(timers(), before);
  });

  it("longer than a timer can be are no limit that is over at once", async () => {
    const gate = Promise.withResolvers<void>();
    const response = open(
      async ({ partial }) => {
        await gate.promise;
        partial.append(partial.openText(), "Hello");
        partial.finish("stop");
      },
      { connectTimeoutMs: Number.MAX_SAFE_INTEGER },
    );
    setTimeout(() => gate.resolve(), 20);
    assert.equal((await response.result()).stopReason, "stop");
  });

  it("are longer for servers on one's own machine or network", () => {
    const local = (baseUrl: string) => isLocalServer({ ...model, baseUrl });
    for (const host of [
      ...[
        "localhost:11434",
        "127.0.0.1",
        "127.9.9.9:1",
        "[::1]:8080",
        "0.0.0.0:1",
        "api.localhost",
        "ollama:11434",
      ],
      ...["10.1.2.3", "172.16.0.1", "172.31.255.1", "192.168.1.5", "169.254.1.1", "[fd00::1]", "[fe80::1]"],
      ...["nas.local", "host.docker.internal", "box.lan", "me:secret@localhost"],
    ]) {
      assert.equal(local(`http://${host}/v1`), true, host);
    }
    for (const host of [
      "api.anthropic.com",
      "8.8.8.8",
      "172.32.0.1",
      "[2001:db8::1]",
      "localhost.example.com",
    ]) {
      assert.equal(local(`https://${host}/v1`), false, host);
    }
    assert.equal(local("no url"), false);
    const { baseUrl: _own, ...hosted } = openAiModel({ openAiUrl: "" });
    assert.equal(isLocalServer(hosted), false);
  });
});

describe("the log", () => {
  it("gets one line for a failed response, with the raw cause and without secrets, and none for a stop", async () => {
    const lines: string[] = [];
    const log = (line: string) => lines.push(line);
    const failing: Provider = ({ partial }) => {
      const cause = "raw\nkey-secret and header-secret and Bearer abcdefgh\n  at x";
      partial.fail({ kind: "network", message: "It failed. Try again.", cause });
      return Promise.reject(new Error("and then it threw"));
    };
    const response = open(failing, {}, { log });
    const [end] = await endOf(response);
    assert.ok(end?.type === "error" && end.cause?.startsWith("raw"));
    assert.equal(lines.length, 1);
    const [line = ""] = lines;
    assert.match(line, /network.*anthropic\/claude-test.*127\.0\.0\.1:9.*It failed\. Try again\. .*raw/);
    assert.doesNotMatch(line, /secret|abcdefgh|user:pass|\n/);
    const controller = new AbortController();
    const stopped = open(() => never, { signal: controller.signal }, { log });
    controller.abort();
    await stopped.result();
    assert.equal(lines.length, 1);
  });

  it("may fail without an effect on the response", async () => {
    const log = () => {
      throw new Error("disk full");
    };
    assert.equal(
      (await open(() => Promise.reject(new Error("x")), {}, { log }).result()).stopReason,
      "error",
    );
  });
});
