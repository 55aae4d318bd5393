// Providers and models from the catalogue and the setting `reins.providers`.
import assert from "node:assert/strict";
import { envKeyName, findModel, modelRef, resolveProviders } from "../../../src/ai/models.ts";

describe("models", () => {
  it("are known without any setting, each under its own reference", () => {
    const { providers, models, problems } = resolveProviders(undefined);
    assert.deepEqual(problems, []);
    assert.deepEqual(
      providers.map(({ id }) => id),
      ["anthropic", "openai", "google", "deepseek", "xai", "mistral", "groq", "openrouter"],
    );
    const refs = models.map(modelRef);
    assert.equal(new Set(refs).size, refs.length);
    assert.ok(refs.includes("scripted/tour"));
    for (const model of models) {
      assert.ok(
        model.contextWindow > 0 && model.maxTokens > 0 && model.maxTokens < model.contextWindow,
        model.id,
      );
      assert.ok(!model.baseUrl?.endsWith("/"), model.id);
    }
  });

  it("of a server of one's own need an address and an id", () => {
    const resolved = resolveProviders({
      ollama: { baseUrl: "http://localhost:11434/v1/", models: [{ id: "qwen3:32b", contextWindow: 40_000 }] },
    });
    assert.deepEqual(resolved.problems, []);
    assert.deepEqual(findModel(resolved, "ollama/qwen3:32b"), {
      ...{ provider: "ollama", id: "qwen3:32b", name: "qwen3:32b", api: "openai-chat" },
      baseUrl: "http://localhost:11434/v1",
      ...{ contextWindow: 40_000, maxTokens: 8_192, input: ["text"], reasoning: false },
    });
  });

  it("can be changed where the catalogue has them, and added", () => {
    const resolved = resolveProviders({
      anthropic: {
        headers: { "x-team": "blue" },
        models: [
          { id: "claude-haiku-4-5", contextWindow: 100_000 },
          { id: "claude-next", name: "Claude Next", reasoning: true, price: { input: 1, output: 5 } },
        ],
      },
    });
    const haiku = findModel(resolved, "anthropic/claude-haiku-4-5");
    assert.deepEqual(
      [haiku?.contextWindow, haiku?.maxTokens, haiku?.name],
      [100_000, 64_000, "Claude Haiku 4.5"],
    );
    assert.deepEqual(haiku?.headers, { "x-team": "blue" });
    const next = findModel(resolved, "anthropic/claude-next");
    assert.equal(next?.api, "anthropic-messages");
    assert.deepEqual(next?.price, { input: 1, output: 5, cacheRead: 1, cacheWrite: 1 });
    assert.ok(findModel(resolved, "anthropic/claude-opus-5-5"));
  });

  it("that nobody listed work with stated defaults (C14)", () => {
    const resolved = resolveProviders({});
    const unknown = findModel(resolved, "openrouter/vendor/some-model:free");
    assert.deepEqual(
      [unknown?.id, unknown?.contextWindow, unknown?.maxTokens, unknown?.api],
      ["vendor/some-model:free", 128_000, 8_192, "openai-chat"],
    );
    assert.equal(findModel(resolved, "nobody/x"), undefined);
    assert.equal(findModel(resolved, "anthropic/"), undefined);
    assert.equal(findModel(resolved, "anthropic"), undefined);
    assert.equal(findModel(resolved, ""), undefined);
  });

  it("report what is wrong by its place, and keep the rest", () => {
    const { models, problems } = resolveProviders({
      broken: 5,
      lost: { models: [{ id: "x" }] },
      "a/b": {},
      good: {
        baseUrl: "http://localhost:1/v1",
        api: "telepathy",
        headers: { ok: "yes", "bad name": "x", number: 3 },
        compat: { maxTokensField: "max_completion_tokens", reasoningEffort: "yes", unknown: true },
        extra: 1,
        models: [{ id: "m", contextWindow: -5, input: ["text", "smell"], price: { input: "x" } }, {}, 7],
      },
      openai: { baseUrl: "ftp://x" },
    });
    const good = models.find((model) => modelRef(model) === "good/m");
    assert.deepEqual(good?.compat, { maxTokensField: "max_completion_tokens" });
    assert.deepEqual(good?.headers, { ok: "yes" });
    assert.equal(good?.contextWindow, 128_000);
    assert.ok(models.some((model) => modelRef(model) === "openai/gpt-6.2-sol"));
    const places = [
      ...["broken ", "lost.baseUrl ", "a/b ", "good.api ", "good.headers.bad name ", "good.headers.number "],
      ...[
        "good.compat.reasoningEffort ",
        "good.compat.unknown ",
        "good.extra ",
        "good.models[0].contextWindow ",
      ],
      ...[
        "good.models[0].input ",
        "good.models[0].price ",
        "good.models[1] ",
        "good.models[2] ",
        "openai.baseUrl ",
      ],
    ];
    for (const place of places) {
      assert.ok(
        problems.some((problem) => problem.startsWith(`reins.providers.${place}`)),
        `${place}: ${problems.join("\n")}`,
      );
    }
    assert.equal(problems.length, places.length);
    assert.equal(resolveProviders("nonsense").problems.length, 1);
  });

  it("do not inherit the catalogue's flags for another server under its name", () => {
    const resolved = resolveProviders({ mistral: { baseUrl: "http://localhost:1/v1" } });
    assert.equal(findModel(resolved, "mistral/codestral-latest")?.compat, undefined);
  });

  it("have their keys in the usual environment variables", () => {
    assert.deepEqual(["anthropic", "openai", "my-server", "a.b c"].map(envKeyName), [
      "ANTHROPIC_API_KEY",
      "OPENAI_API_KEY",
      "MY_SERVER_API_KEY",
      "A_B_C_API_KEY",
    ]);
  });
});
