// What of a conversation a model may be shown.
import assert from "node:assert/strict";
import { replay } from "../../../src/ai/replay.ts";
import type { ReplayedTurn } from "../../../src/ai/replay.ts";
import { replaySystem } from "../../../src/ai/system.ts";
import type { AssistantBlock, AssistantMessage, Message, Model } from "../../../src/ai/types.ts";
import { anthropicModel, readTool, system, toolResult, user } from "../../support/provider-models.ts";

const model = anthropicModel({ url: "http://127.0.0.1:9" });

function assistant(
  content: readonly AssistantBlock[],
  change: Partial<AssistantMessage> = {},
): AssistantMessage {
  return {
    ...{ role: "assistant", content, api: model.api, provider: model.provider, model: model.id },
    usage: {
      ...{ input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0 },
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
    },
    ...{ stopReason: "toolUse", timestamp: 0 },
    ...change,
  };
}

const call = (id: string): AssistantBlock => ({ type: "toolCall", id, name: "read", arguments: {} });
const shown = (messages: readonly Message[], to: Model = model): ReplayedTurn[] =>
  replay(messages, to, { ids: { maxLength: 64 } });
const results = (turns: readonly ReplayedTurn[]) =>
  turns.flatMap((turn) => (turn.role === "results" ? turn.results : []));

describe("replay", () => {
  it("answers calls that were interrupted, before anything else follows (P27)", () => {
    const turns = shown([
      user("Go"),
      assistant([call("a"), call("b"), call("c")]),
      toolResult("b", "done"),
      user("continue"),
    ]);
    assert.deepEqual(
      turns.map((turn) => turn.role),
      ["user", "assistant", "results", "user"],
    );
    assert.deepEqual(
      results(turns).map(({ toolCallId, isError, content }) => [toolCallId, isError, content[0]]),
      [
        ["a", true, { type: "text", text: "No result: the call was interrupted." }],
        ["b", false, { type: "text", text: "done" }],
        ["c", true, { type: "text", text: "No result: the call was interrupted." }],
      ],
    );
  });

  it("drops stray and repeated results (P29)", () => {
    const turns = shown([
      user("Go"),
      toolResult("never", "?"),
      assistant([call("a")]),
      toolResult("a", "one"),
      toolResult("a", "two"),
      user("Next"),
      toolResult("a", "late"),
    ]);
    assert.deepEqual(
      results(turns).map(({ content }) => content[0]),
      [{ type: "text", text: "one" }],
    );
  });

  it("leaves failed and stopped turns out, with their results", () => {
    for (const stopReason of ["error", "aborted"] as const) {
      const turns = shown([
        user("Go"),
        assistant([{ type: "text", text: "Half" }, call("a")], { stopReason }),
        toolResult("a", "x"),
        user("Again"),
      ]);
      assert.deepEqual(
        turns.map((turn) => turn.role),
        ["user", "user"],
      );
    }
  });

  it("leaves empty blocks and empty messages out (P25)", () => {
    const turns = shown([
      user("   "),
      user("Go"),
      assistant([{ type: "text", text: " \n" }, call("a")]),
      toolResult("a", ""),
      assistant([{ type: "text", text: "" }], { stopReason: "stop" }),
      assistant([{ type: "thinking", thinking: "Hm", thinkingSignature: "s" }], { stopReason: "stop" }),
    ]);
    assert.deepEqual(turns, [
      { role: "user", content: [{ type: "text", text: "Go" }] },
      { role: "assistant", content: [call("a")] },
      {
        role: "results",
        results: [
          {
            toolCallId: "a",
            toolName: "read",
            content: [{ type: "text", text: "(no output)" }],
            isError: false,
          },
        ],
      },
    ]);
  });

  it("keeps own thinking as it is and drops that of others (P31)", () => {
    const thinking = { type: "thinking", thinking: " x ", thinkingSignature: "sig" } as const;
    const message = assistant([thinking, call("a")]);
    const kept = shown([user("Go"), message, toolResult("a", "ok")])[1];
    assert.ok(kept?.role === "assistant" && kept.content[0] === thinking);
    for (const change of [{ model: "other" }, { provider: "other" }, { api: "openai-chat" }] as const) {
      const turn = shown([user("Go"), { ...message, ...change }, toolResult("a", "ok")])[1];
      assert.deepEqual(turn?.role === "assistant" && turn.content, [call("a")]);
    }
  });

  it("makes ids legal and unique, the same for call and result (P29, P30)", () => {
    const long = `call_abc|fc_${"y".repeat(100)}`;
    const ids = [long, `${long}z`, "a.b", "a:b", "toolu_1", "toolu_1", "", "日本"];
    const messages = [
      user("Go"),
      ...ids.flatMap((id) => [assistant([call(id)]), toolResult(id, `of ${id}`)]),
    ];
    const answered = results(shown(messages));
    const calls = shown(messages).flatMap((turn) => (turn.role === "assistant" ? turn.content : []));
    assert.deepEqual(
      answered.map(({ toolCallId }) => toolCallId),
      calls.map((block) => block.type === "toolCall" && block.id),
    );
    assert.equal(new Set(answered.map(({ toolCallId }) => toolCallId)).size, ids.length);
    assert.ok(answered.every(({ toolCallId }) => /^[A-Za-z0-9_-]{1,64}$/.test(toolCallId)));
    assert.deepEqual(
      answered.map(({ content }) => content[0]),
      ids.map((id) => ({ type: "text", text: `of ${id}` })),
    );
    const short = replay(messages, model, { ids: { maxLength: 40, short: true } });
    assert.ok(results(short).every(({ toolCallId }) => /^[A-Za-z0-9]{9}$/.test(toolCallId)));
  });

  it("replaces lone surrogates everywhere but in pairs (P44)", () => {
    const broken = "a\ud83d";
    const turns = shown([
      user(broken),
      assistant([
        { type: "toolCall", id: "a", name: "read", arguments: { [broken]: [{ x: broken }], ok: "🦊" } },
      ]),
      toolResult("a", broken),
    ]);
    const json = JSON.stringify(turns);
    assert.doesNotMatch(json, /\\ud83d/);
    assert.match(json, /a\ufffd/);
    assert.match(json, /🦊/);
  });

  it("replaces images for a model without eyes by one note", () => {
    const image = { type: "image", data: "AAAA", mimeType: "image/png" } as const;
    const message: Message = {
      role: "user",
      content: [image, image, { type: "text", text: "?" }],
      timestamp: 0,
    };
    const [turn] = shown([message], { ...model, input: ["text"] });
    assert.ok(turn?.role === "user");
    assert.deepEqual(
      turn.content.map((block) => block.type),
      ["text", "text"],
    );
    assert.deepEqual(shown([message])[0], { role: "user", content: message.content });
  });

  it("always begins with the user", () => {
    assert.equal(shown([])[0]?.role, "user");
    assert.equal(shown([assistant([{ type: "text", text: "Hi" }], { stopReason: "stop" })])[0]?.role, "user");
  });
});

describe("system messages", () => {
  it("replay to contents, then sections in order, each in its tag", () => {
    const messages: Message[] = [
      {
        ...{ role: "system", content: "You are Reins.", timestamp: 0 },
        sections: { rules: "Be brief.", files: "a.ts", empty: "" },
        toolsAdded: [readTool],
      },
      user("Hi"),
      { role: "system", content: "", sections: { files: "b.ts", rules: null, late: "New." }, timestamp: 0 },
    ];
    assert.deepEqual(replaySystem(messages), {
      prompt: "You are Reins.\n\n<files>\nb.ts\n</files>\n\n<late>\nNew.\n</late>",
      tools: [readTool],
    });
  });

  it("remove tools before they add some", () => {
    const changed = { ...readTool, description: "Reads better." };
    const { tools } = replaySystem([
      system("", [readTool, { ...readTool, name: "list" }]),
      { role: "system", content: "", toolsRemoved: [{ name: "read" }], toolsAdded: [changed], timestamp: 0 },
    ]);
    assert.deepEqual(
      tools.map(({ name, description }) => [name, description]),
      [
        ["list", "Reads a file."],
        ["read", "Reads better."],
      ],
    );
    assert.deepEqual(replaySystem([user("Hi")]), { prompt: "", tools: [] });
  });
});
