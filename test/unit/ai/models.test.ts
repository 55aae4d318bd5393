// Providers and models from the catalogue and the setting `reins.providers`.
import assert from "node:assert/strict";
import { catalogue } from "../../../src/ai/catalogue.ts";
import { envKeyName, findModel, mayBeFound, modelRef, resolveProviders } from "../../../src/ai/models.ts";
import { thinkingLevelsOf } from "../../../src/ai/thinking-level.ts";
import type { Model } from "../../../src/ai/types.ts";

const found = (provider: string, id: string, contextWindow = 32_768): Model => ({
  ...{ provider, id, name: id, api: "openai-chat", baseUrl: "http://127.0.0.1:11434/v1" },
  ...{ contextWindow, maxTokens: 8_192, input: ["text"], reasoning: false },
});

describe("models", () => {
  it("are known without any setting, each under its own reference", () => {
    const { providers, models, problems } = resolveProviders(undefined);
    assert.deepEqual(problems, []);
    assert.deepEqual(
      providers.map(({ id }) => id),
      [
        ...["anthropic", "openai", "google", "deepseek", "xai", "mistral", "groq", "openrouter"],
        ...["ollama", "lmstudio", "llamacpp", "vllm"],
      ],
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
        "good.models[0].price.input ",
        "good.models[0].price.output ",
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

  it("have plausible facts in the catalogue", () => {
    for (const { id, models, unlisted = [], families = [] } of catalogue) {
      for (const model of [...models, ...unlisted]) {
        const { price, contextWindow, maxTokens } = model;
        assert.ok(maxTokens <= contextWindow && contextWindow >= 100_000, model.id);
        const levels = thinkingLevelsOf({ ...model, provider: id, api: "openai-chat" });
        assert.equal(
          model.reasoning,
          levels.some((level) => level !== "off"),
          model.id,
        );
        for (const rates of price ? [price, price.longContext ?? price] : []) {
          assert.ok(rates.cacheRead <= rates.input && rates.input <= rates.cacheWrite, model.id);
          assert.ok(rates.input <= rates.output, model.id);
        }
        if (price?.longContext) assert.ok(price.longContext.input > price.input, model.id);
      }
      // What is listed is never at odds with what its name says.
      for (const { pattern, like } of families)
        for (const model of models.filter((each) => pattern.test(each.id)))
          assert.equal(model.reasoning, like.reasoning ?? false, model.id);
    }
  });

  it("that nobody listed are taken for what their names say", () => {
    const facts = (ref: string) => {
      const model = findModel(resolveProviders({}), ref);
      return [model?.api, model?.contextWindow, model?.maxTokens, model?.reasoning, model?.thinking];
    };
    assert.deepEqual(facts("anthropic/claude-opus-6"), [
      "anthropic-messages",
      1e6,
      128_000,
      true,
      "adaptive",
    ]);
    assert.deepEqual(facts("anthropic/claude-sonnet-4-5-20250929"), [
      ...["anthropic-messages", 200_000, 32_000, true, "budget"],
    ]);
    assert.deepEqual(facts("openai/gpt-7-sol"), ["openai-responses", 922_000, 128_000, true, undefined]);
    assert.deepEqual(facts("openai/o4-mini"), ["openai-responses", 200_000, 100_000, true, undefined]);
    assert.deepEqual(facts("google/gemini-5-neon"), ["openai-chat", 1_048_576, 65_536, true, undefined]);
    assert.deepEqual(facts("openai/davinci"), ["openai-responses", 128_000, 8_192, false, undefined]);
  });

  it("of Azure need an address, and take their facts from the model a deployment is named after", () => {
    const without = resolveProviders({});
    assert.deepEqual(without.problems, []);
    assert.deepEqual(without.unready, [
      { id: "azure", name: "Azure OpenAI", address: "https://<resource>.openai.azure.com/openai/v1" },
    ]);
    assert.equal(findModel(without, "azure/gpt-6.2-sol"), undefined);
    assert.deepEqual(resolveProviders({ azure: { models: [{ id: "d" }] } }).problems, [
      "reins.providers.azure.baseUrl is missing: set it to https://<resource>.openai.azure.com/openai/v1.",
    ]);
    const baseUrl = "https://mine.openai.azure.com/openai/v1";
    const azure = resolveProviders({
      azure: {
        baseUrl,
        models: [
          {
            ...{ id: "old", api: "openai-chat", contextWindow: 64_000 },
            baseUrl: "https://mine.openai.azure.com/openai/deployments/old",
            query: { "api-version": "2025-04-01" },
          },
        ],
      },
    });
    assert.deepEqual([azure.problems, azure.unready], [[], []]);
    const sol = findModel(azure, "azure/gpt-6.2-sol");
    assert.deepEqual(
      [sol?.api, sol?.baseUrl, sol?.keyHeader, sol?.contextWindow, sol?.price],
      ["openai-responses", baseUrl, "api-key", 922_000, undefined],
    );
    const old = findModel(azure, "azure/old");
    assert.deepEqual(
      [old?.api, old?.baseUrl, old?.keyHeader, old?.query],
      [
        "openai-chat",
        "https://mine.openai.azure.com/openai/deployments/old",
        "api-key",
        { "api-version": "2025-04-01" },
      ],
    );
  });

  it("that were found are listed, with the user's words on top", () => {
    const resolved = resolveProviders(
      {
        ollama: { headers: { "x-a": "1" }, models: [{ id: "qwen3", contextWindow: 8_000 }, { id: "later" }] },
        lmstudio: { baseUrl: "http://192.168.0.7:1234/v1" },
      },
      [
        found("ollama", "qwen3"),
        found("ollama", "llama4"),
        found("lmstudio", "here"),
        found("vscode", "gpt"),
      ],
    );
    assert.deepEqual(resolved.problems, []);
    const refs = resolved.models.map(modelRef).filter((ref) => /^(ollama|lmstudio|vscode)/.test(ref));
    assert.deepEqual(refs, ["ollama/qwen3", "ollama/llama4", "ollama/later", "vscode/gpt"]);
    const qwen = findModel(resolved, "ollama/qwen3");
    assert.deepEqual([qwen?.contextWindow, qwen?.headers], [8_000, { "x-a": "1" }]);
    assert.equal(findModel(resolved, "ollama/llama4")?.contextWindow, 32_768);
    // The user's server is another one than the one that was found.
    assert.equal(findModel(resolved, "lmstudio/here")?.baseUrl, "http://192.168.0.7:1234/v1");
  });

  it("may be found by looking where looking helps", () => {
    const resolved = resolveProviders({ vllm: { baseUrl: "http://10.0.0.1/v1" }, vscode: {} }, [
      found("ollama", "qwen3"),
    ]);
    assert.deepEqual(resolved.problems, []);
    const refs = [
      "ollama/qwen3",
      "ollama/other",
      "lmstudio/x",
      "vscode/gpt",
      "vllm/x",
      "openai/gpt-9",
      "",
      "ollama/",
    ];
    assert.deepEqual(
      refs.filter((ref) => mayBeFound(resolved, ref)),
      ["ollama/other", "lmstudio/x", "vscode/gpt"],
    );
  });

  it("may have time limits of their own, by provider", () => {
    const { timeouts, problems } = resolveProviders({
      openai: { idleTimeoutSeconds: 300 },
      mine: { baseUrl: "http://localhost:1/v1", connectTimeoutSeconds: 5, idleTimeoutSeconds: 0 },
    });
    assert.deepEqual(timeouts.get("openai"), { idleTimeoutSeconds: 300 });
    assert.deepEqual(timeouts.get("mine"), { connectTimeoutSeconds: 5 });
    assert.deepEqual(problems, [
      "reins.providers.mine.idleTimeoutSeconds must be a number of seconds from 1 to 86,400.",
    ]);
  });
});
