// VS Code's language models, played in memory: what they are sent, what is made of what they answer, and what a person is
// told when they do not. What holds for every API is in `provider-contract.test.ts`.
import assert from "node:assert/strict";
import { LanguageModelFailure } from "../../../src/ai/language-models.ts";
import type {
  LanguageModelPart,
  LanguageModelRequest,
  LanguageModels,
} from "../../../src/ai/language-models.ts";
import { explainLanguageModelFailure } from "../../../src/ai/providers/vscode-lm-failure.ts";
import type { AssistantMessage, ErrorKind, Message, Model, StreamOptions } from "../../../src/ai/types.ts";
import { png } from "../../support/image-rules.ts";
import {
  readTool,
  streamAll,
  system,
  testTime,
  textOf,
  toolResult,
  user,
} from "../../support/provider-models.ts";
import { gate } from "../../support/provider-replies.ts";
import { whileTimePasses } from "../../support/passing-time.ts";
import { settle } from "../../support/until.ts";

const model: Model = {
  ...{ provider: "vscode", id: "test/fox", name: "Fox 2", api: "vscode-lm", reasoning: false },
  ...{ contextWindow: 64_000, maxTokens: 8_192, input: ["text", "image"] },
};

type Answer = (
  signal: AbortSignal,
) => AsyncIterable<LanguageModelPart> | Promise<AsyncIterable<LanguageModelPart>>;

class FakeModels implements LanguageModels {
  readonly requests: LanguageModelRequest[] = [];
  signal: AbortSignal | undefined;
  private readonly answer: Answer;
  private readonly asks: boolean;

  constructor(answer: Answer, asks = false) {
    this.answer = answer;
    this.asks = asks;
  }

  mayAsk(): boolean {
    return this.asks;
  }

  async send(request: LanguageModelRequest, signal: AbortSignal): Promise<AsyncIterable<LanguageModelPart>> {
    this.requests.push(request);
    this.signal = signal;
    return this.answer(signal);
  }
}

function saying(...parts: (LanguageModelPart | Promise<unknown>)[]): Answer {
  return async function* () {
    for (const part of parts) {
      if (part instanceof Promise) await part;
      else yield part;
    }
  };
}

const say = (text: string): LanguageModelPart => ({ type: "text", text });
const call = (id: string, name: string, input: unknown): LanguageModelPart => ({
  ...{ type: "toolCall", id, name, input },
});

async function ask(
  answer: Answer | FakeModels,
  messages: readonly Message[] = [user("Hello")],
  options: StreamOptions = {},
) {
  const languageModels = answer instanceof FakeModels ? answer : new FakeModels(answer);
  const response = await streamAll({ model, messages, options, deps: { languageModels } });
  return { ...response, sent: languageModels.requests.at(-1), languageModels };
}

function answered(content: AssistantMessage["content"], change: Partial<AssistantMessage> = {}): Message {
  const none = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  return {
    ...{ role: "assistant", content, api: "vscode-lm", provider: "vscode", model: model.id },
    usage: { ...none, totalTokens: 0, cost: { ...none, total: 0 } },
    ...{ stopReason: "toolUse", timestamp: testTime, ...change },
  };
}

describe("VS Code's language models", () => {
  it("are told the prompt in a first message of the user, and its changes where they happen", async () => {
    const change: Message = {
      ...{ role: "system", content: "", timestamp: testTime },
      sections: { rules: "Use tabs." },
    };
    const talk = answered([{ type: "text", text: "Hi." }], { stopReason: "stop" });
    const { sent } = await ask(saying(say("Yes.")), [
      system("Be brief.", [readTool]),
      user("Hello"),
      talk,
      change,
      user("And now?"),
    ]);
    const written = sent?.messages.map(({ role, content }) => [
      role,
      content.map((part) => (part.type === "text" ? part.text : part.type)).join(),
    ]);
    assert.deepEqual(written?.slice(0, 3), [
      ["user", "Be brief."],
      ["user", "Hello"],
      ["assistant", "Hi."],
    ]);
    assert.match(written?.[3]?.[1] ?? "", /^<system-update>[^]*Use tabs/);
    assert.deepEqual(written?.[4], ["user", "And now?"]);
    assert.deepEqual(sent?.tools, [readTool]);
    assert.equal(sent?.model, "test/fox");
  });

  it("get all results of a batch in a message of nothing else, and their images in the next one", async () => {
    const calls = ["a", "b"].map((id) => ({
      ...{ type: "toolCall" as const, id, name: "read", arguments: { path: id } },
    }));
    const picture = png(4, 4);
    const shown: Message = {
      ...{ role: "toolResult", toolCallId: "b", toolName: "read", isError: false, timestamp: testTime },
      content: [picture],
    };
    const { sent } = await ask(saying(say("Two.")), [
      user("Look"),
      answered(calls),
      toolResult("a", "one"),
      shown,
    ]);
    assert.deepEqual(sent?.messages.slice(1), [
      { role: "assistant", content: calls },
      {
        role: "user",
        content: [
          { type: "toolResult", toolCallId: "a", content: [{ type: "text", text: "one" }] },
          { type: "toolResult", toolCallId: "b", content: [{ type: "text", text: "(see the image below)" }] },
        ],
      },
      { role: "user", content: [{ type: "text", text: "Images of the tool results above:" }, picture] },
    ]);
  });

  it("are shown no thinking and no long ids of other models, and an answer to every call", async () => {
    const id = `call_1|fc_${"x".repeat(90)}`;
    const foreign = answered(
      [
        { type: "thinking", thinking: "secret thoughts", thinkingSignature: "sig" },
        { type: "toolCall", id, name: "read", arguments: {} },
      ],
      { api: "openai-responses", provider: "openai", model: "other" },
    );
    const { sent } = await ask(saying(say("Yes.")), [user("Hello"), foreign, user("And?")]);
    assert.doesNotMatch(JSON.stringify(sent), /secret thoughts/);
    const [made] = sent?.messages[1]?.content ?? [];
    const [result] = sent?.messages[2]?.content ?? [];
    assert.ok(made?.type === "toolCall" && result?.type === "toolResult");
    assert.equal(made.id, result.toolCallId);
    assert.match(made.id, /^[\w-]{1,40}$/);
  });

  it("answer with calls that come whole, each begun, grown and ended, between texts", async () => {
    const { events, message } = await ask(
      saying(
        say("One "),
        say("two."),
        call("a", "read", { path: "é" }),
        call("b", "list", undefined),
        say("Bye."),
      ),
    );
    assert.deepEqual(
      events.map(({ type }) => type),
      [
        ...["start", "text_start", "text_delta", "text_delta", "text_end"],
        ...["toolcall_start", "toolcall_delta", "toolcall_end", "toolcall_start", "toolcall_end"],
        ...["text_start", "text_delta", "text_end", "done"],
      ],
    );
    assert.deepEqual(message.content, [
      { type: "text", text: "One two." },
      { type: "toolCall", id: "a", name: "read", arguments: { path: "é" } },
      { type: "toolCall", id: "b", name: "list", arguments: {} },
      { type: "text", text: "Bye." },
    ]);
    assert.equal(message.stopReason, "toolUse");
    assert.equal(message.usage.totalTokens, 0);
  });

  it("may give arguments as text; what is no object is never run", async () => {
    const { message } = await ask(
      saying(
        call("a", "read", '{"path":"x"}'),
        call("b", "read", "{oops"),
        call("c", "read", [1]),
        call("", "read", null),
      ),
    );
    const calls = message.content.filter((block) => block.type === "toolCall");
    assert.deepEqual(
      calls.map((block) => [block.arguments, block.argumentsError !== undefined]),
      [[{ path: "x" }, false], ...[1, 2].map(() => [{}, true]), [{}, false]],
    );
    assert.notEqual(calls[3]?.id, "");
  });

  it("take five megabytes of arguments in one piece", async () => {
    const content = "x".repeat(5_000_000);
    const { message } = await ask(saying(call("a", "write", { content })));
    const [block] = message.content;
    assert.ok(block?.type === "toolCall" && block.arguments["content"] === content);
  });

  it("are wrong to call what has no name: the answer is broken, and nothing of it is run", async () => {
    const { message } = await ask(saying(say("So."), call("a", "", {})));
    assert.deepEqual([message.errorKind, textOf(message)], ["malformed_stream", "So."]);
  });

  it("may send what is not known here, which is no content but a sign of life", async () => {
    const other: LanguageModelPart = { type: "other" };
    const slow = () => new Promise((resolve) => setTimeout(resolve, 150));
    const thinking: Answer = async function* () {
      for (let n = 0; n < 4; n += 1) {
        yield other;
        await slow();
      }
      yield say("Done.");
    };
    const { message } = await whileTimePasses(() => ask(thinking, undefined, { idleTimeoutMs: 400 }));
    assert.deepEqual([message.stopReason, textOf(message)], ["stop", "Done."]);
    assert.equal((await ask(saying(other))).message.errorKind, "malformed_stream");
  });

  it("time out when they fall silent, and are cancelled then", async () => {
    const { message, languageModels } = await whileTimePasses(() =>
      ask(saying(say("Half "), gate().promise), undefined, { idleTimeoutMs: 40 }),
    );
    assert.deepEqual([message.errorKind, textOf(message)], ["timeout", "Half "]);
    assert.match(message.errorMessage ?? "", /Fox 2 sent nothing/);
    assert.equal(languageModels.signal?.aborted, true);
  });

  it("time out when they never begin, unless a person may be thinking about it", async () => {
    const options = { idleTimeoutMs: 40 };
    const never = () => new Promise<never>(() => undefined);
    assert.equal((await ask(new FakeModels(never), undefined, options)).message.errorKind, "timeout");
    const thanks = saying(say("Thanks."));
    const held = new FakeModels(async (signal) => {
      await new Promise((resolve) => setTimeout(resolve, 200));
      return thanks(signal);
    }, true);
    const { message } = await whileTimePasses(() => ask(held, undefined, options));
    assert.equal(textOf(message), "Thanks.");
  });

  it("stop at once, even those that do not listen, and while VS Code still asks", async () => {
    const deaf = saying(say("Half "), gate().promise);
    const unasked = () => new Promise<never>(() => undefined);
    for (const answer of [new FakeModels(deaf), new FakeModels(unasked, true)]) {
      const controller = new AbortController();
      const response = ask(answer, undefined, { signal: controller.signal });
      await settle();
      controller.abort();
      assert.equal((await response).message.stopReason, "aborted");
      assert.equal(answer.signal?.aborted, true);
    }
  });

  it("that end quietly when they are cancelled have not answered", async () => {
    const controller = new AbortController();
    const obedient: Answer = async function* (signal) {
      yield say("Half ");
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
    };
    const response = ask(obedient, undefined, { signal: controller.signal });
    await settle();
    controller.abort();
    const { message } = await response;
    assert.deepEqual([message.stopReason, textOf(message)], ["aborted", "Half "]);
  });

  it("keep what they had said when they fail in the middle", async () => {
    const failing: Answer = async function* () {
      yield say("Half ");
      await Promise.reject(new Error("read ECONNRESET"));
    };
    const { message } = await ask(failing);
    assert.deepEqual([message.errorKind, textOf(message)], ["network", "Half "]);
  });

  it("that are not there in this host are said not to be", async () => {
    const { message } = await streamAll({ model, messages: [user("Hello")] });
    assert.equal(message.errorKind, "bad_request");
    assert.match(message.errorMessage ?? "", /no language models/);
  });
});

describe("A language model that does not answer", () => {
  const named = (name: string, message: string) => Object.assign(new Error(message), { name });
  const cases: readonly (readonly [string, unknown, ErrorKind, RegExp])[] = [
    [
      "was not allowed",
      new LanguageModelFailure("permission", "no consent"),
      "auth",
      /Manage Language Model Access/,
    ],
    ["is gone", new LanguageModelFailure("notFound", "test/fox"), "bad_request", /Select Model/],
    ["blocked it", new LanguageModelFailure("blocked", "not this"), "content_filter", /Rephrase[^]*quota/],
    ["blocked it for money", new LanguageModelFailure("blocked", "quota exceeded"), "quota", /Top it up/],
    [
      "blocked it for the rate",
      new LanguageModelFailure("blocked", "Too many requests"),
      "rate_limit",
      /Wait/,
    ],
    ["has a name for it", named("ChatQuotaExceeded", "You have used it all."), "quota", /used it all/],
    ["has another name for it", named("ChatRateLimited", "Slow down."), "rate_limit", /Slow down/],
    ["refuses its key", new Error("401 invalid_api_key"), "auth", /in VS Code/],
    ["was told too much", new Error("prompt is too long: 9 tokens"), "context_overflow", /Compact/],
    ["is busy", new Error("503 service unavailable"), "overloaded", /in a moment/],
    [
      "was wrapped",
      new Error("Unknown", { cause: new Error("fetch failed") }),
      "network",
      /Unknown: fetch failed/,
    ],
    ["says nothing", new Error(""), "unknown", /another model/],
    ["throws what is no error", "Response too slow", "unknown", /too slow/],
  ];
  for (const [what, thrown, kind, advice] of cases) {
    it(`${what}: ${kind}`, () => {
      const failure = explainLanguageModelFailure(thrown, "VS Code's model Fox 2");
      assert.equal(failure.kind, kind);
      assert.match(failure.message, advice);
      assert.match(failure.message, /Fox 2/);
      assert.doesNotMatch(failure.message, /reins\.providers/);
    });
  }

  it("is quoted with at most 500 characters, on one line", () => {
    const { message } = explainLanguageModelFailure(new Error(`a\n\n${"b".repeat(9_000)}`), "Fox");
    assert.ok(message.length < 700 && !message.includes("\n"));
  });
});
