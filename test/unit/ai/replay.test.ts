// What of a conversation a model may be shown.
import assert from "node:assert/strict";
import { replay } from "../../../src/ai/replay.ts";
import type { ReplayedTurn } from "../../../src/ai/replay.ts";
import { stableHash } from "../../../src/ai/stable-hash.ts";
import { replaySystem, systemChangeText } from "../../../src/ai/system.ts";
import type { AssistantBlock, AssistantMessage, Message, Model } from "../../../src/ai/types.ts";
import { png } from "../../support/image-rules.ts";
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
    const image = png(1, 1);
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

  it("always begins and ends with the user, and puts the user between two answers", () => {
    const said = assistant([{ type: "text", text: "Hi" }], { stopReason: "length" });
    assert.deepEqual(
      shown([]).map((turn) => turn.role),
      ["user"],
    );
    const turns = shown([said, user(" "), said]);
    assert.deepEqual(
      turns.map((turn) => turn.role),
      ["user", "assistant", "user", "assistant", "user"],
    );
    const [first] = turns.slice(-1);
    assert.deepEqual(first, { role: "user", content: [{ type: "text", text: "Continue." }] });
  });

  it("keeps what was sent before a final Continue. when the answer comes, and when the user speaks instead", () => {
    const said = assistant([{ type: "text", text: "Half" }], { stopReason: "length" });
    const asked = shown([user("Go"), said]);
    assert.deepEqual(shown([user("Go"), said, said]).slice(0, 3), asked);
    assert.deepEqual(shown([user("Go"), said, user("No")]).slice(0, 2), asked.slice(0, 2));
  });

  it("shows a call whose arguments were no JSON as one without arguments, and keeps the reason in its result", () => {
    const bad: AssistantBlock = {
      ...{ type: "toolCall", id: "a", name: "read", arguments: {} },
      argumentsError: 'The arguments are not valid JSON: {"path',
    };
    const turns = shown([user("Go"), assistant([bad])]);
    assert.deepEqual(turns[1], { role: "assistant", content: [call("a")] });
    assert.match(
      JSON.stringify(results(turns)[0]?.content),
      /interrupted\. The arguments are not valid JSON: /,
    );
  });

  it("makes names of tools legal, the same each time, and different ones for different names", () => {
    const names = ["read", "fs.read", "fs:read", "", "日本", "n".repeat(65), "n".repeat(66), "\ud83d"];
    const messages = names.map((name, index) =>
      assistant([{ type: "toolCall", id: `c${index}`, name, arguments: {} }]),
    );
    const sent = results(shown([user("Go"), ...messages])).map(({ toolName }) => toolName);
    assert.ok(sent.every((name) => /^[A-Za-z0-9_-]{1,64}$/.test(name)));
    assert.equal(new Set(sent).size, names.length);
    assert.equal(sent[0], "read");
    assert.deepEqual(
      results(shown([user("Go"), ...messages])).map(({ toolName }) => toolName),
      sent,
    );
  });

  it("answers two calls of one id each with its own result (P29)", () => {
    const turns = shown([
      user("Go"),
      assistant([call("a"), call("a")]),
      toolResult("a", "one"),
      toolResult("a", "two"),
      assistant([call("a")]),
      toolResult("a", "three"),
    ]);
    assert.deepEqual(
      results(turns).map(({ content }) => content[0]),
      ["one", "two", "three"].map((text) => ({ type: "text", text })),
    );
    assert.equal(new Set(results(turns).map(({ toolCallId }) => toolCallId)).size, 3);
  });

  it("takes time in proportion to the history, with one id for all calls too", () => {
    const history = (length: number) =>
      Array.from({ length }, () => [assistant([call("same")]), toolResult("same", "ok")]).flat();
    const time = (length: number) => {
      const messages = history(length);
      const before = performance.now();
      shown(messages);
      return performance.now() - before;
    };
    time(1_000);
    // The best of several: whatever else the machine does can only make it worse.
    const factors = Array.from({ length: 5 }, () => time(10_000) / Math.max(time(1_000), 0.5));
    assert.ok(Math.min(...factors) < 40, `${factors.join(", ")} times as long for ten times as much`);
  });
});

describe("thinking that is bound to what came before it", () => {
  const thinking = { type: "thinking", thinking: "Hm", thinkingSignature: "s" } as const;
  const at = (timestamp: number, message: Message): Message => ({ ...message, timestamp });
  const thought = (timestamp: number) =>
    at(timestamp, assistant([thinking, { type: "text", text: "Yes" }], { stopReason: "stop" }));
  const thinks = (messages: readonly Message[], options = {}) =>
    replay(messages, model, { ids: { maxLength: 64 }, boundThinking: true, ...options }).flatMap((turn) =>
      turn.role === "assistant" ? [turn.content.some((block) => block.type === "thinking")] : [],
    );

  it("stays while messages are only added", () => {
    assert.deepEqual(thinks([at(1, user("a")), thought(2), at(3, user("b")), thought(4), at(5, user("c"))]), [
      true,
      true,
    ]);
  });

  it("goes where a summary was put before it", () => {
    const messages = [at(9, user("Summary")), at(3, user("b")), thought(4), at(10, user("c")), thought(11)];
    assert.deepEqual(thinks(messages), [false, true]);
    assert.deepEqual(thinks(messages, { boundThinking: false }), [true, true]);
  });

  it("goes where the tools changed after it", () => {
    const change = at(5, { role: "system", content: "", toolsAdded: [readTool], timestamp: 5 });
    const messages = [at(1, user("a")), thought(2), at(4, user("b")), change, thought(6), at(7, user("c"))];
    assert.deepEqual(thinks(messages), [false, true]);
    assert.deepEqual(thinks([change, ...messages.filter((message) => message !== change)]), [false, true]);
  });

  it("goes where an image before it had to go", () => {
    const imageLimits = { maxLength: 1_000, maxSide: 100, maxCount: 2, maxTotalLength: 10_000 };
    const seen = (timestamp: number) => at(timestamp, { role: "user", content: [png(1, 1)], timestamp });
    const messages = [seen(1), thought(2), seen(3), thought(4), seen(5), thought(6), seen(7), thought(8)];
    assert.deepEqual(thinks(messages.slice(0, 4), { imageLimits }), [true, true]);
    assert.deepEqual(thinks(messages.slice(0, 6), { imageLimits }), [false, false, true]);
    assert.deepEqual(thinks(messages, { imageLimits }), [false, false, true, true]);
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
      prompt: "You are Reins.\n\n<rules>\nBe brief.\n</rules>\n\n<files>\na.ts\n</files>",
      tools: [readTool],
    });
    // Without a turn between them, as after a compaction, they are one prompt.
    const [first, , later] = messages;
    assert.ok(first && later);
    assert.equal(
      replaySystem([first, later]).prompt,
      "You are Reins.\n\n<files>\nb.ts\n</files>\n\n<late>\nNew.\n</late>",
    );
  });

  it("tell later what changed, and say nothing about tools that come or are declared anew", () => {
    const change = { role: "system", content: "", timestamp: 0 } as const;
    assert.equal(
      systemChangeText({ ...change, content: "Hi.", sections: { rules: "Be kind.", files: null } }),
      "Hi.\n\nFrom now on, the section <rules> is:\n<rules>\nBe kind.\n</rules>\n\nThe section <files> no longer applies.",
    );
    assert.equal(
      systemChangeText({
        ...change,
        toolsRemoved: [{ name: "read" }, { name: "a.b" }],
        toolsAdded: [readTool],
      }),
      "These tools are no longer available: a_b_" + stableHash("a.b") + ".",
    );
    assert.equal(systemChangeText({ ...change, toolsAdded: [readTool] }), undefined);
  });

  it("lose their broken Unicode, in declarations too (P44)", () => {
    const tool = { name: "\ud83d", description: "x\ud83d", parameters: { type: "object", title: "\udc00" } };
    assert.ok(JSON.stringify(replaySystem([system("a\ud83d", [tool])])).isWellFormed());
    assert.doesNotMatch(JSON.stringify(replaySystem([system("a\ud83d", [tool])])), /\\ud/);
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
