// Which models a session can work with when some are found by looking only, and how long they may take.
import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { Model } from "../../../../src/ai/types.ts";
import { needsKey } from "../../../../src/harness/model-book.ts";
import { MemoryModelSource, MemorySettings } from "../../../support/memory-ports.ts";
import { localPorts, localProviders, openBook } from "../../../support/open-session.ts";
import { text } from "../../../support/scripted-stream.ts";
import { gate } from "../../../support/provider-replies.ts";

const found = (provider: string, id: string): Model => ({
  ...{ provider, id, name: `${id} found`, api: "openai-chat", baseUrl: "http://127.0.0.1:11434/v1" },
  ...{ contextWindow: 16_000, maxTokens: 4_000, input: ["text"], reasoning: false },
});

async function open(
  model: string,
  offered: readonly Model[],
  steps = [text("one"), text("two")],
  holdLook?: Promise<void>,
) {
  const source = new MemoryModelSource(offered);
  source.holdLook = holdLook;
  const settings = new MemorySettings({ model, providers: localProviders });
  const ports = localPorts({ settings, modelSources: [source] });
  return { source, ...(await openBook(steps, { ports })) };
}

describe("Models that are found", () => {
  it("are not looked for while everything that is chosen is known", async () => {
    const { source, book } = await open("local/small", [found("ollama", "qwen3")]);
    await book.current.prompt("go");
    assert.equal(source.looks, 0);
  });

  it("are looked for when one of them is chosen, and a session shows it as soon as it is there", async () => {
    const looking = gate();
    const { source, book } = await open("vscode/gpt", [found("vscode", "gpt")], [], looking.promise);
    const names: (string | undefined)[] = [book.current.model?.name];
    book.current.onDidChange(() => names.push(book.current.model?.name));
    looking.open();
    await source.refresh();
    assert.deepEqual([...new Set(names)], [undefined, "gpt found"]);
  });

  it("are looked for once more before a prompt is refused, and what was typed meanwhile steers", async () => {
    const { source, book, stream } = await open("vscode/gpt", []);
    await source.refresh();
    const looking = gate();
    source.holdLook = looking.promise;
    source.offered = [found("vscode", "gpt")];
    const prompts = [book.current.prompt("one"), book.current.prompt("two")];
    looking.open();
    await Promise.all(prompts);
    assert.equal(stream.requests[0]?.model.name, "gpt found");
    const said = book.current.transcript.messages.filter(({ message }) => message.role === "user");
    assert.deepEqual(
      said.map(({ message }) => message.role === "user" && message.content),
      ["one", "two"],
    );
  });

  it("are not waited for long", async () => {
    const { book, ports } = await open("vscode/gpt", [], [], new Promise(() => undefined));
    const refused = assert.rejects(book.current.prompt("go"), /no model "vscode\/gpt"/);
    await ports.clock.advance(5_000);
    await refused;
  });

  it("that are not there are refused by name, and nothing is written", async () => {
    const { book, ports } = await open("vscode/gpt", []);
    await assert.rejects(book.current.prompt("go"), /no model "vscode\/gpt".*reins\.model/);
    assert.deepEqual(await ports.storage.list(), []);
  });

  it("tell more of a model that works already", async () => {
    const { book, stream } = await open("ollama/qwen3", [found("ollama", "qwen3")]);
    await book.current.prompt("go");
    assert.equal(stream.requests[0]?.model.contextWindow, 16_000);
  });

  it("join the others, and say so when they change", async () => {
    const { source, book } = await open("local/small", [found("ollama", "qwen3")]);
    let changes = 0;
    book.onDidChangeModels(() => (changes += 1));
    await Promise.all([book.refreshModels(), book.refreshModels()]);
    assert.deepEqual([source.looks, changes], [1, 1]);
    assert.ok(book.models().models.some(({ name }) => name === "qwen3 found"));
    book.dispose();
    await source.refresh();
    assert.equal(changes, 1);
  });

  it("need no key on this machine, nearby, or from the editor", () => {
    const at = (baseUrl: string | undefined) => {
      const { baseUrl: _none, ...model } = found("x", "y");
      return needsKey({ ...model, ...(baseUrl !== undefined && { baseUrl }) });
    };
    assert.deepEqual(
      [undefined, "http://localhost:1/v1", "http://192.168.0.2/v1", "https://api.openai.com/v1"].map(at),
      [false, false, false, true],
    );
  });
});

describe("A provider whose address everybody has for themselves", () => {
  it("is named with the setting to fill in", async () => {
    const { book } = await open("azure/gpt-6.2-sol", []);
    const expected = /Azure OpenAI.*`reins\.providers\.azure\.baseUrl`.*openai\.azure\.com\/openai\/v1/;
    await assert.rejects(book.current.prompt("go"), expected);
    assert.throws(() => book.current.setModel("azure/gpt-6.2-sol"), expected);
  });
});

describe("The time a provider may take", () => {
  const timesOf = async (settings: Partial<ConstructorParameters<typeof MemorySettings>[0]>) => {
    const ports = localPorts({
      settings: new MemorySettings({ model: "local/small", providers: localProviders, ...settings }),
    });
    const { book, stream } = await openBook([text("one")], { ports });
    await book.current.prompt("go");
    const { connectTimeoutMs, idleTimeoutMs } = stream.requests[0]?.options ?? {};
    return [connectTimeoutMs, idleTimeoutMs];
  };

  it("is the model layer's own unless the settings say otherwise, a provider's first", async () => {
    assert.deepEqual(await timesOf({}), [undefined, undefined]);
    assert.deepEqual(await timesOf({ connectTimeoutSeconds: 5, idleTimeoutSeconds: 1.5 }), [5_000, 1_500]);
    const providers = { local: { ...localProviders.local, idleTimeoutSeconds: 900 } };
    assert.deepEqual(await timesOf({ providers, connectTimeoutSeconds: 5, idleTimeoutSeconds: 7 }), [
      ...[5_000, 900_000],
    ]);
  });
});

describe("The thinking level of a session", () => {
  it("is shown as it is used: what the model has, nearest to what was chosen", async () => {
    const models = [
      { id: "some", reasoning: true, thinkingLevels: ["low", "high"] },
      { id: "none", reasoning: false },
    ];
    const providers = { local: { ...localProviders.local, models } };
    const settings = new MemorySettings({ model: "local/some", thinkingLevel: "medium", providers });
    const { book } = await openBook([], { ports: localPorts({ settings }) });
    const { current } = book;
    assert.deepEqual(
      [current.thinkingLevel, current.thinking],
      ["medium", { levels: ["low", "high"], used: "high" }],
    );
    current.setThinkingLevel("off");
    assert.deepEqual(current.thinking.used, "low");
    current.setModel("local/none");
    assert.deepEqual(current.thinking, { levels: ["off"], used: "off" });
    assert.equal(current.thinkingLevel, "off");
  });
});
