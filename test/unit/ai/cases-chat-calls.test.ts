// What compatible servers are known to do to tool calls in a Chat Completions stream, one kind of oddity a test.
import assert from "node:assert/strict";
import type { Json, JsonObject } from "../../../src/shared/json.ts";
import { callsOf, readChunks } from "../../support/read-events.ts";

const delta = (fields: JsonObject): JsonObject => ({
  choices: [{ index: 0, delta: fields, finish_reason: null }],
});
const call = (fields: JsonObject): JsonObject => delta({ tool_calls: [fields] });
const fn = (name: Json, args: Json): JsonObject => ({ function: { name, arguments: args } });
const end: JsonObject = { choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }] };
const a = { path: "a" };
const b = { path: "b" };
const json = JSON.stringify;

describe("chat completions: tool calls of odd servers", () => {
  const table: readonly (readonly [
    string,
    readonly JsonObject[],
    readonly (readonly [string, JsonObject])[],
  ])[] = [
    [
      "a name that is repeated in every delta (P17)",
      [
        call({ index: 0, id: "c", ...fn("read", '{"path"') }),
        call({ index: 0, id: "c", ...fn("read", ':"a"}') }),
      ],
      [["read", a]],
    ],
    [
      "an id that changes with every delta (P17)",
      [
        call({ index: 0, id: "c1", ...fn("read", "") }),
        call({ index: 0, id: "c2", ...fn("read", '{"path"') }),
        call({ index: 0, id: "c3", ...fn("", ':"a"}') }),
      ],
      [["read", a]],
    ],
    [
      "arguments that come whole once more at the end",
      [
        call({ index: 0, id: "c", ...fn("read", '{"path"') }),
        call({ index: 0, ...fn(null, ':"a"}') }),
        call({ index: 0, id: "c", ...fn("read", '{ "path": "a" }') }),
        call({ index: 0, id: "c", ...fn("read", "") }),
      ],
      [["read", a]],
    ],
    [
      "two calls under one index, told apart by their ids (P19)",
      [
        call({ index: 0, id: "c1", ...fn("read", "") }),
        call({ index: 0, ...fn(null, json(a)) }),
        call({ index: 0, id: "c2", ...fn("read", "") }),
        call({ index: 0, ...fn(null, json(b)) }),
      ],
      [
        ["read", a],
        ["read", b],
      ],
    ],
    [
      "two calls under one index without ids (P15, P17)",
      [call({ index: 0, ...fn("read", json(a)) }), call({ index: 0, ...fn("read", json(b)) })],
      [
        ["read", a],
        ["read", b],
      ],
    ],
    [
      "calls without index and id (P15)",
      [
        call(fn("read", json(a))),
        call(fn("read", '{"path":')),
        call(fn(null, '"b"}')),
        call(fn("list", "{}")),
        call(fn("list", json(a))),
      ],
      [
        ["read", a],
        ["read", b],
        ["list", {}],
        ["list", a],
      ],
    ],
    [
      "an index that is told from the second delta on (P15)",
      [call({ id: "c", ...fn("read", '{"path"') }), call({ index: 0, ...fn(null, ':"a"}') })],
      [["read", a]],
    ],
    [
      "an index that is told only at first (P15)",
      [call({ index: 3, id: "c", ...fn("read", '{"path"') }), call(fn(null, ':"a"}'))],
      [["read", a]],
    ],
    [
      "indexes that are texts, deltas that take turns (P19)",
      [
        call({ index: "1", id: "c1", ...fn("read", '{"path"') }),
        call({ index: "3", id: "c3", ...fn("list", "{") }),
        call({ index: "1", ...fn("", ':"a"}') }),
        call({ index: "3", ...fn("", "}") }),
      ],
      [
        ["read", a],
        ["list", {}],
      ],
    ],
    [
      "arguments as an object",
      [call({ index: 0, id: "c", ...fn("read", a) }), call({ index: 1, id: "d", ...fn("list", {}) })],
      [
        ["read", a],
        ["list", {}],
      ],
    ],
    [
      "arguments of null, or none (P13)",
      [
        call({ index: 0, id: "c", ...fn("list", null) }),
        call({ index: 1, id: "d", function: { name: "list" } }),
      ],
      [
        ["list", {}],
        ["list", {}],
      ],
    ],
    [
      "a call without the function around it",
      [call({ index: 0, id: "c", name: "read", arguments: json(a) })],
      [["read", a]],
    ],
    [
      "arguments before the name",
      [
        call({ index: 0, id: "c", function: { arguments: '{"path"' } }),
        call({ index: 0, ...fn("read", ':"a"}') }),
      ],
      [["read", a]],
    ],
    [
      "the format of before there were tools",
      [
        delta({ function_call: { name: "read", arguments: "" } }),
        delta({ function_call: { arguments: json(a) } }),
      ],
      [["read", a]],
    ],
    [
      "entries that are nothing",
      [
        delta({ tool_calls: [null, {}, { index: 0 }, { index: 0, function: {} }] }),
        delta({ tool_calls: null, function_call: null }),
        call({ index: 0, id: "c", ...fn("read", json(a)) }),
        delta({ tool_calls: "read", content: null }),
      ],
      [["read", a]],
    ],
    [
      "text between, before and after the calls",
      [
        delta({ content: "One" }),
        call({ index: 0, id: "c", ...fn("read", '{"path"') }),
        delta({ content: "Two" }),
        call({ index: 0, ...fn(null, ':"a"}') }),
      ],
      [["read", a]],
    ],
    [
      "one whole message instead of deltas",
      [
        {
          choices: [
            {
              index: 0,
              message: { content: null, tool_calls: [{ id: "c", ...fn("read", json(a)) }] },
              finish_reason: null,
            },
          ],
        },
      ],
      [["read", a]],
    ],
  ];
  for (const [name, chunks, calls] of table) {
    it(`are read with ${name}`, async () => {
      const message = await readChunks([...chunks, end]);
      assert.equal(message.errorMessage, undefined);
      assert.deepEqual([callsOf(message), message.stopReason], [calls, "toolUse"]);
      const ids = message.content.flatMap((block) => (block.type === "toolCall" ? [block.id] : []));
      assert.ok(ids.every((id) => id !== "") && new Set(ids).size === ids.length);
    });
  }

  it("are broken when they never get a name", async () => {
    const message = await readChunks([call({ index: 0, id: "c", function: { arguments: json(a) } }), end]);
    assert.equal(message.errorKind, "malformed_stream");
  });

  it("cost no more with a name in every delta (P49)", async () => {
    const deltas = Array.from({ length: 20_000 }, () => call({ index: 0, id: "c", ...fn("write", "{}") }));
    const chunks = [
      call({ index: 0, id: "c", ...fn("write", '{"text":"') }),
      ...deltas,
      call({ index: 0, ...fn(null, '"}') }),
    ];
    const started = performance.now();
    const message = await readChunks([...chunks, end]);
    assert.equal(callsOf(message)[0]?.[1]["text"], "{}".repeat(20_000));
    assert.ok(performance.now() - started < 5_000);
  });
});
