// VS Code's own language model API, with a provider of the suite's behind it (test/ide/language-models): an extension of
// its own in the Node window, and the suite itself in the worker.
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { createStream } from "../../src/ai/stream.ts";
import type { Message, Model, StreamEvent } from "../../src/ai/types.ts";
import { systemClock } from "../../src/vscode/clock.ts";
import type { Clock } from "../../src/harness/ports.ts";
import type { LanguageModelParts } from "../../src/vscode/language-models.ts";
import { VsCodeLanguageModels } from "../../src/vscode/language-models.ts";
import { activate } from "../ide/language-models/extension.mjs";
import { until } from "./editors.ts";

/** Set when the suite is bundled. */
declare const REINS_TEST_HOST: "node" | "web";

interface Answering {
  text(text: string): void;
  call(id: string, name: string, input: object): void;
  data(text: string): void;
  readonly token: vscode.CancellationToken;
  readonly vscode: typeof vscode;
}

interface TestModels {
  readonly state: {
    readonly requests: {
      readonly model: string;
      readonly messages: readonly vscode.LanguageModelChatRequestMessage[];
      readonly options: vscode.ProvideLanguageModelChatResponseOptions;
    }[];
    answer: (to: Answering) => Promise<void>;
    /** Instead of what is offered. */
    list: (() => Promise<readonly object[]>) | undefined;
  };
  offer(models: readonly object[]): void;
}

const offered = (id: string, more: object = {}) => ({
  ...{
    id,
    name: `Model ${id}`,
    family: "test",
    version: "1",
    maxInputTokens: 12_345,
    maxOutputTokens: 1_000,
  },
  capabilities: { toolCalling: true, imageInput: true },
  ...more,
});

const parts: LanguageModelParts = {
  clock: systemClock,
  log: { info: () => undefined, error: () => undefined },
  access: () => undefined,
};

async function provider(subscriptions: vscode.Disposable[]): Promise<TestModels> {
  if (REINS_TEST_HOST === "web") return activate({ subscriptions });
  const extension = vscode.extensions.getExtension<TestModels>("reins-test.language-models");
  assert.ok(extension, "the suite's provider is not there");
  return extension.activate();
}

describe("VS Code's language models", function () {
  let models: TestModels;
  let source: VsCodeLanguageModels;

  const owned: vscode.Disposable[] = [];

  before(async () => {
    models = await provider(owned);
    source = new VsCodeLanguageModels(parts);
  });
  after(() => {
    source.dispose();
    for (const each of owned) each.dispose();
  });

  const ours = () => source.models.filter(({ id }) => id.startsWith("reins-test/"));

  it("are listed with what is known of them, and again when the list changes", async () => {
    models.offer([offered("one"), offered("talker", { capabilities: {} })]);
    assert.deepEqual(source.models, [], "nothing is asked for before someone looks");
    await source.refresh();
    await until("the model is listed", () => ours().length === 1);
    assert.deepEqual(ours(), [
      {
        ...{ provider: "vscode", id: "reins-test/one", name: "Model one", api: "vscode-lm" },
        ...{ contextWindow: 12_345, maxTokens: 6_173, input: ["text", "image"], reasoning: false },
      },
    ]);
    let told = 0;
    source.onDidChange(() => (told += 1));
    models.offer([offered("one"), offered("two", { capabilities: { toolCalling: true } })]);
    await until("both are listed", () => ours().length === 2);
    assert.ok(told > 0);
    assert.deepEqual(ours()[1]?.input, ["text"]);
  });

  it("answer with text and calls, and are sent the tools, the calls and their results", async () => {
    const call = { type: "toolCall", id: "call_1", name: "read", arguments: { path: "a.ts" } } as const;
    models.state.answer = async (to) => {
      to.text("Let me ");
      await Promise.resolve();
      to.data("what only the provider's friends understand");
      to.text("look.");
      to.call(call.id, call.name, call.arguments);
    };
    const first = await run([system, user("What is in a.ts?")]);
    assert.deepEqual(first.message.content, [{ type: "text", text: "Let me look." }, call]);
    assert.equal(first.message.stopReason, "toolUse");
    assert.ok(first.events.filter(({ type }) => type === "text_delta").length >= 1);

    models.state.answer = (to) => Promise.resolve(to.text("Nothing."));
    const result: Message = {
      ...{ role: "toolResult", toolCallId: call.id, toolName: "read", isError: false, timestamp: 3 },
      content: [{ type: "text", text: "(empty)" }],
    };
    const second = await run([system, user("What is in a.ts?"), first.message, result]);
    assert.equal(second.message.stopReason, "stop");
    const sent = models.state.requests.at(-1);
    assert.deepEqual(
      sent?.options.tools?.map(({ name, inputSchema }) => [name, inputSchema]),
      [["read", { type: "object" }]],
    );
    const roles = sent?.messages.map(({ role }) => role);
    const { User, Assistant } = vscode.LanguageModelChatMessageRole;
    assert.deepEqual(roles, [User, User, Assistant, User]);
    const parts = sent?.messages.flatMap(({ content }) => [...content]) ?? [];
    const calls = parts.filter((part) => part instanceof vscode.LanguageModelToolCallPart);
    const results = parts.filter((part) => part instanceof vscode.LanguageModelToolResultPart);
    assert.deepEqual([calls[0]?.callId, results[0]?.callId], [call.id, call.id]);
  });

  it("see images, of the user and of tools", async () => {
    const call = { type: "toolCall", id: "call_2", name: "read", arguments: {} } as const;
    models.state.answer = (to) => Promise.resolve(to.call(call.id, call.name, call.arguments));
    const asked: Message = { role: "user", content: [image], timestamp: 2 };
    const { message } = await run([system, asked]);
    const result: Message = {
      ...{ role: "toolResult", toolCallId: call.id, toolName: "read", isError: false, timestamp: 3 },
      content: [image],
    };
    models.state.answer = (to) => Promise.resolve(to.text("Two."));
    await run([system, asked, message, result]);
    const parts = models.state.requests.at(-1)?.messages.flatMap(({ content }) => [...content]) ?? [];
    const seen = parts.filter((part) => part instanceof vscode.LanguageModelDataPart);
    assert.deepEqual(
      seen.map(({ data, mimeType }) => [mimeType, btoa(String.fromCharCode(...data))]),
      [1, 2].map(() => ["image/png", image.data]),
    );
  });

  it("are cancelled with the response, which ends at once", async () => {
    let cancelled = false;
    models.state.answer = (to) =>
      new Promise((resolve) => {
        to.text("Working");
        to.token.onCancellationRequested(() => {
          cancelled = true;
          resolve();
        });
      });
    const abort = new AbortController();
    const { message } = await run([user("Go")], abort.signal, (event) => {
      if (event.type === "text_delta") abort.abort();
    });
    assert.equal(message.stopReason, "aborted");
    assert.deepEqual(message.content, [{ type: "text", text: "Working" }]);
    await until("the provider is told", () => cancelled);
  });

  it("say why they do not answer", async () => {
    models.state.answer = (to) => Promise.reject(to.vscode.LanguageModelError.Blocked("not this"));
    const { message } = await run([user("Go")]);
    assert.equal(message.errorKind, "content_filter");
    const spent = Object.assign(new Error("Until next month."), { name: "ChatQuotaExceeded" });
    const arrived = Promise.withResolvers<void>();
    models.state.answer = async (to) => {
      to.text("Half ");
      // VS Code may drop what has not arrived when the end does.
      await arrived.promise;
      throw spent;
    };
    const quota = (
      await run([user("Go")], undefined, ({ type }) => type === "text_delta" && arrived.resolve())
    ).message;
    assert.equal(quota.errorKind, "quota");
    assert.match(quota.errorMessage ?? "", /Until next month/);
    assert.deepEqual(quota.content, [{ type: "text", text: "Half " }]);
    models.offer([]);
    await until("none is listed", () => ours().length === 0);
    assert.match((await run([user("Go")])).message.errorMessage ?? "", /not there any more/);
  });

  it("of a provider that never says which they are hold nobody up", async () => {
    let runOut: () => void = () => undefined;
    const clock: Clock = {
      ...systemClock,
      schedule: (_ms, callback) => {
        runOut = callback;
        return { dispose: () => undefined };
      },
    };
    const waiting = new VsCodeLanguageModels({ ...parts, clock });
    const said = Promise.withResolvers<void>();
    models.state.list = async () => {
      await said.promise;
      return [offered("late")];
    };
    try {
      const looked = waiting.refresh();
      runOut();
      await looked;
      assert.deepEqual(
        waiting.models.filter(({ id }) => id.startsWith("reins-test/")),
        [],
      );
      const told = new Promise<void>((resolve) => waiting.onDidChange(resolve));
      said.resolve();
      await told;
      assert.ok(waiting.models.some(({ id }) => id === "reins-test/late"));
    } finally {
      models.state.list = undefined;
      waiting.dispose();
    }
  });

  it("may ask the person first, unless VS Code says that they do not", async () => {
    models.offer([offered("one")]);
    for (const [allowed, asks] of [
      [true, false],
      [false, true],
      [undefined, true],
    ] as const) {
      const access = { canSendRequest: () => allowed, onDidChange: () => ({ dispose: () => undefined }) };
      const guarded = new VsCodeLanguageModels({ ...parts, access: () => access });
      assert.equal(guarded.mayAsk("reins-test/one"), true, "nothing is known before a look");
      await guarded.refresh();
      assert.equal(guarded.mayAsk("reins-test/one"), asks);
      guarded.dispose();
    }
  });

  const image = {
    ...{ type: "image" as const, mimeType: "image/png" },
    data: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  };
  const system: Message = {
    ...{ role: "system", content: "You are Reins.", timestamp: 1 },
    toolsAdded: [{ name: "read", description: "Reads.", parameters: { type: "object" } }],
  };
  const user = (content: string): Message => ({ role: "user", content, timestamp: 2 });

  async function run(
    messages: readonly Message[],
    signal?: AbortSignal,
    onEvent: (event: StreamEvent) => void = () => undefined,
  ) {
    const model: Model = {
      ...{ provider: "vscode", id: "reins-test/one", name: "One", api: "vscode-lm", reasoning: false },
      ...{ contextWindow: 12_345, maxTokens: 8_192, input: ["text", "image"] },
    };
    const stream = createStream({ now: () => Date.now(), web: false, languageModels: source });
    const response = stream(model, { messages }, signal ? { signal } : {});
    const events: StreamEvent[] = [];
    for await (const event of response) {
      events.push(event);
      onEvent(event);
    }
    return { events, message: await response.result() };
  }
});
