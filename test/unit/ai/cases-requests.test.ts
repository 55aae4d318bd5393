// What strict servers refuse a whole conversation for, sent through the real code to a server that is as strict.
import assert from "node:assert/strict";
import type { AssistantBlock, AssistantMessage, Message, Model } from "../../../src/ai/types.ts";
import type { JsonObject } from "../../../src/shared/json.ts";
import {
  anthropicModel,
  openAiModel,
  readTool,
  responsesModel,
  streamAll,
  system,
  textOf,
  toolResult,
  user,
} from "../../support/provider-models.ts";
import { reply } from "../../support/provider-replies.ts";
import { startProviderServer } from "../../support/provider-server.ts";
import type { ProviderServer } from "../../support/provider-server.ts";

const none = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

function turn(content: readonly AssistantBlock[], change: Partial<AssistantMessage> = {}): AssistantMessage {
  return {
    ...{ role: "assistant", content, api: "openai-chat", provider: "p", model: "m", timestamp: 0 },
    ...{ usage: { ...none, totalTokens: 0, cost: { ...none, total: 0 } }, stopReason: "toolUse", ...change },
  };
}

const call = (id: string): AssistantBlock => ({
  type: "toolCall",
  id,
  name: "read",
  arguments: { path: "a" },
});
const text = (words: string): AssistantBlock => ({ type: "text", text: words });

describe("a conversation of odd shape", () => {
  let server: ProviderServer;
  let models: readonly Model[];
  before(async () => {
    server = await startProviderServer();
    models = [openAiModel(server), anthropicModel(server), responsesModel(server)];
  });
  after(() => server.close());

  const histories: readonly (readonly [string, readonly Message[]])[] = [
    [
      "text and calls in one turn (P24)",
      [
        turn([text("So:"), text("now"), call("c1"), call("c2")]),
        toolResult("c1", "one"),
        toolResult("c2", "two"),
      ],
    ],
    [
      "a turn of calls alone, and results without content (P24, P25)",
      [turn([call("c1")]), toolResult("c1", "")],
    ],
    [
      "turns and blocks of blanks (P25)",
      [
        turn([text("  "), text("")], { stopReason: "stop" }),
        user("  \n"),
        turn([text(" "), call("c1")]),
        toolResult("c1", " \n "),
      ],
    ],
    ["a turn without anything (P11, P25)", [turn([], { stopReason: "stop" }), user("Go on")]],
    [
      "results that came twice, too late, for nothing, or never (P27, P29)",
      [
        turn([call("c1"), call("c2")]),
        toolResult("c9", "?"),
        toolResult("c1", "one"),
        toolResult("c1", "again"),
        user("Stop"),
        toolResult("c2", "late"),
      ],
    ],
    [
      "a call that was cut (P04, P12)",
      [
        turn([{ type: "toolCall", id: "c1", name: "read", arguments: {}, argumentsError: "cut" }], {
          stopReason: "length",
        }),
        toolResult("c1", "not run", true),
      ],
    ],
    [
      "turns that failed or were stopped (P27)",
      [
        turn([text("Half"), call("c1")], { stopReason: "error" }),
        turn([call("c2")], { stopReason: "aborted" }),
      ],
    ],
  ];
  for (const [name, history] of histories) {
    it(`is sent in a shape that every API takes: ${name}`, async () => {
      for (const model of models) {
        server.enqueue(reply({ text: "Fine" }));
        const messages = [system("Be brief.", [readTool]), user("Hi"), ...history, user("And?")];
        const { message } = await streamAll({ model, messages });
        assert.deepEqual([server.requests.at(-1)?.refused, textOf(message)], [undefined, "Fine"], model.api);
      }
    });
  }

  it("has content of Chat Completions turns as a text or null, never a list (P24)", async () => {
    server.enqueue(reply({ text: "Fine" }));
    const messages = [user("Hi"), ...(histories[0]?.[1] ?? []), ...(histories[1]?.[1] ?? [])];
    await streamAll({ model: openAiModel(server), messages });
    const sent = server.requests.at(-1)?.body["messages"] as unknown as JsonObject[];
    const contents = sent.filter(({ role }) => role !== "user").map(({ content }) => content);
    assert.deepEqual([contents[0], contents[3]], ["So:\nnow", null]);
    assert.ok(
      contents.every((content) => content === null || (typeof content === "string" && content !== "")),
    );
  });
});
