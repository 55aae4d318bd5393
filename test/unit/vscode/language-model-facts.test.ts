// What is made of what VS Code tells of a language model, on hosts that tell little or tell it badly.
import assert from "node:assert/strict";
import type * as vscode from "vscode";
import { toModel } from "../../../src/vscode/language-model-facts.ts";

// Only what is read of it; the rest is for asking.
const chat = (change: object) =>
  ({
    vendor: "copilot",
    id: "org/fox",
    name: "Fox",
    maxInputTokens: 64_000,
    ...change,
  }) as vscode.LanguageModelChat;

describe("a language model of VS Code", () => {
  it("has a reference that names its vendor, its window, and no key, address or price", () => {
    assert.deepEqual(toModel(chat({})), {
      ...{ provider: "vscode", id: "copilot/org/fox", name: "Fox", api: "vscode-lm", reasoning: false },
      ...{ contextWindow: 64_000, maxTokens: 8_192, input: ["text"] },
    });
  });

  it("sees images only where the host says so", () => {
    for (const [capabilities, input] of [
      [{ supportsImageToText: true }, ["text", "image"]],
      [{ supportsImageToText: "yes" }, ["text"]],
      [{}, ["text"]],
      [null, ["text"]],
    ] as const) {
      assert.deepEqual(toModel(chat({ capabilities }))?.input, input);
    }
  });

  it("is left out where it calls no tools, since an agent can do nothing with it", () => {
    assert.equal(toModel(chat({ capabilities: { supportsToolCalling: false } })), undefined);
    assert.ok(toModel(chat({ capabilities: { supportsToolCalling: true } })));
  });

  it("is shown by its id where it has no name, and with a careful window where it has none", () => {
    assert.equal(toModel(chat({ name: "" }))?.name, "org/fox");
    for (const maxInputTokens of [undefined, 0, -1, Number.NaN, Infinity]) {
      assert.equal(toModel(chat({ maxInputTokens }))?.contextWindow, 32_768);
    }
    assert.equal(toModel(chat({ maxInputTokens: 4_000.5 }))?.maxTokens, 2_000);
  });

  it("is left out where it cannot be asked for, or throws when it is looked at", () => {
    assert.equal(toModel(chat({ id: "" })), undefined);
    assert.equal(toModel(chat({ vendor: "" })), undefined);
    const proposal = Object.defineProperty(chat({}), "capabilities", {
      get: () => {
        throw new Error("CANNOT use API proposal");
      },
    });
    assert.equal(toModel(proposal)?.id, "copilot/org/fox");
    const broken = Object.defineProperty(chat({}), "name", {
      get: () => {
        throw new Error("gone");
      },
    });
    assert.equal(toModel(broken), undefined);
  });
});
