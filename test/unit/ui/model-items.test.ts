// What the model picker offers, and in which section.
import assert from "node:assert/strict";
import type { Model } from "../../../src/ai/types.ts";
import { keyProviders, modelSections } from "../../../src/ui/model-items.ts";
import { MemoryModelSource, MemorySecrets, MemorySettings } from "../../support/memory-ports.ts";
import { localPorts, localProviders, openBook } from "../../support/open-session.ts";

const found = (provider: string, id: string, baseUrl?: string): Model => ({
  ...{ provider, id, name: id, api: "openai-chat", contextWindow: 16_000, maxTokens: 4_000 },
  ...{ input: ["text"], reasoning: false },
  ...(baseUrl !== undefined && { baseUrl }),
});

async function open(providers: object = {}) {
  const source = new MemoryModelSource([
    found("ollama", "qwen3", "http://127.0.0.1:11434/v1"),
    found("vscode", "gpt"),
  ]);
  const settings = new MemorySettings({
    model: "local/small",
    providers: { ...localProviders, ...providers },
  });
  const secrets = new MemorySecrets({ anthropic: "key" });
  const { book } = await openBook([], { ports: localPorts({ settings, secrets, modelSources: [source] }) });
  return { sessions: book, secrets };
}

async function offered(deps: Awaited<ReturnType<typeof open>>, typed = "") {
  const sections = await modelSections(deps, typed);
  return Object.fromEntries(sections.map(({ title, entries }) => [title, entries.map(({ key }) => key)]));
}

describe("The model picker", () => {
  it("offers what is known at once, and what was found as soon as it is", async () => {
    const deps = await open();
    const before = await offered(deps);
    assert.deepEqual(Object.keys(before), ["Ready to use", "Needs an API key", "Needs an address"]);
    assert.ok(before["Ready to use"]?.includes("anthropic/claude-opus-5-5"));
    assert.ok(before["Ready to use"]?.includes("local/large"));
    assert.ok(before["Needs an API key"]?.includes("openai/gpt-6.2-sol"));
    assert.ok(!JSON.stringify(before).includes("scripted/tour"));
    await deps.sessions.refreshModels();
    const after = await offered(deps);
    const added = after["Ready to use"]?.filter((key) => !before["Ready to use"]?.includes(key));
    assert.deepEqual(added, ["ollama/qwen3", "vscode/gpt"]);
  });

  it("marks the model in use", async () => {
    const sections = await modelSections(await open(), "");
    const marked = sections.flatMap(({ entries }) =>
      entries.filter((entry) => entry.model !== undefined && entry.current),
    );
    assert.deepEqual(
      marked.map(({ key }) => key),
      ["local/small"],
    );
  });

  it("offers a typed model that is in no list, with any known provider", async () => {
    const deps = await open({ azure: { baseUrl: "https://mine.openai.azure.com/openai/v1" } });
    const typed = async (text: string) => (await offered(deps, text))["Not in the list"];
    assert.deepEqual(await typed(" anthropic/claude-next "), ["anthropic/claude-next"]);
    assert.deepEqual(await typed("azure/my-deployment"), ["azure/my-deployment"]);
    for (const text of ["", "claude", "anthropic/", "nobody/x", "local/small", "openai/a b", "vscode/other"])
      assert.equal(await typed(text), undefined, text);
    const [section] = await modelSections(deps, "azure/my-deployment");
    const entry = section?.entries[0];
    assert.ok(entry?.model && entry.lacksKey && entry.always === true);
  });

  it("names the setting of a provider that needs an address", async () => {
    const sections = await modelSections(await open(), "");
    const entry = sections.find(({ title }) => title === "Needs an address")?.entries[0];
    assert.deepEqual(
      [entry?.label, entry?.description],
      ["Azure OpenAI", "set reins.providers.azure.baseUrl"],
    );
  });

  it("asks for keys of every provider that can have one", async () => {
    const deps = await open({ azure: { baseUrl: "https://mine.openai.azure.com/openai/v1" } });
    const before = keyProviders(deps.sessions);
    assert.ok(
      ["anthropic", "azure", "local"].every((id) => before.includes(id)),
      before.join(),
    );
    assert.ok(!before.includes("ollama") && !before.includes("vscode"));
    await deps.sessions.refreshModels();
    const after = keyProviders(deps.sessions);
    assert.ok(after.includes("ollama") && !after.includes("vscode"));
  });
});
