// Validation and coercion of arguments: only what loses and invents nothing (pi.md §6.9, W10).
import assert from "node:assert/strict";
import { Type } from "@sinclair/typebox";
import type { TSchema } from "@sinclair/typebox";
import { validateArguments } from "../../../src/agent/validate.ts";
import type { Json } from "../../../src/shared/json.ts";
import { tool } from "./setup.ts";

function check(schema: TSchema, value: Json) {
  const parameters = Type.Object({ value: schema });
  const result = validateArguments(tool("t", undefined, { parameters }), { value });
  return result.ok ? result.args["value"] : "refused";
}

describe("Arguments are coerced", () => {
  const accepted: [string, TSchema, Json, Json][] = [
    ["a number written as text", Type.Number(), "3", 3],
    ["a fraction written as text", Type.Number(), "-2.5e1", -25],
    ["an integer written as text", Type.Integer(), "42", 42],
    ["true written as text", Type.Boolean(), "true", true],
    ["false written as text", Type.Boolean(), "false", false],
    ["a list written as JSON text", Type.Array(Type.Integer()), '["1", 2]', [1, 2]],
    ["an object written as JSON text", Type.Object({ a: Type.Number() }), '{"a":1}', { a: 1 }],
    ["inside lists of objects", Type.Array(Type.Object({ n: Type.Integer() })), [{ n: "1" }], [{ n: 1 }]],
    ["to the variant of a union that fits", Type.Union([Type.Boolean(), Type.Integer()]), "7", 7],
  ];
  for (const [name, schema, value, expected] of accepted) {
    it(name, () => assert.deepEqual(check(schema, value), expected));
  }

  it("a null for an optional property to its absence, but not where null is allowed", () => {
    const parameters = Type.Object({
      a: Type.Optional(Type.String()),
      b: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      c: Type.Integer(),
    });
    const result = validateArguments(tool("t", undefined, { parameters }), { a: null, b: null, c: "1" });
    assert.deepEqual(result, { ok: true, args: { b: null, c: 1 } });
  });
});

describe("Arguments are refused where coercion would lose or invent something", () => {
  const refused: [string, TSchema, Json][] = [
    ["an empty text for a number", Type.Number(), ""],
    ["a text with spaces for a number", Type.Number(), " 42 "],
    ["a hexadecimal text for a number", Type.Number(), "0x10"],
    ["a fraction for an integer", Type.Integer(), "3.5"],
    ["more digits than a number can hold", Type.Integer(), "12345678901234567890"],
    ["true for a number", Type.Number(), true],
    ["1 for a boolean", Type.Boolean(), 1],
    ["yes for a boolean", Type.Boolean(), "yes"],
    ["a number for a text", Type.String(), 5],
    ["a plain text for a list", Type.Array(Type.String()), "one"],
    ["a list as JSON text for an object", Type.Object({}), "[]"],
    ["null for a required property", Type.String(), null],
  ];
  for (const [name, schema, value] of refused) {
    it(name, () => assert.equal(check(schema, value), "refused"));
  }
});

describe("Validation", () => {
  const parameters = Type.Object({
    path: Type.String(),
    edits: Type.Array(Type.Object({ oldText: Type.String() })),
  });

  it("names each path, what was expected and what was received", () => {
    const result = validateArguments(tool("edit", undefined, { parameters }), { edits: [{ oldText: 5 }] });
    assert.ok(!result.ok);
    assert.match(result.problem, /^The arguments of "edit" do not fit/);
    assert.match(result.problem, /\n- path: .*received nothing/);
    assert.match(result.problem, /\n- edits\.0\.oldText: Expected string, received 5/);
    assert.match(result.problem, /\nReceived: \{"edits":\[\{"oldText":5\}\]\}$/);
  });

  it("bounds what it repeats", () => {
    const result = validateArguments(tool("edit", undefined, { parameters }), { edits: "x".repeat(100_000) });
    assert.ok(!result.ok && result.problem.length < 4_000);
  });

  it("tolerates unknown properties, and drops them for a closed schema", () => {
    const open = validateArguments(tool("t"), { value: "a", more: 1 });
    assert.deepEqual(open, { ok: true, args: { value: "a", more: 1 } });
    const closed = Type.Object({ a: Type.String() }, { additionalProperties: false });
    const result = validateArguments(tool("t", undefined, { parameters: closed }), { a: "x", more: 1 });
    assert.deepEqual(result, { ok: true, args: { a: "x" } });
  });

  it("works on a copy", () => {
    const args = { edits: '[{"oldText":"a"}]', path: "p" };
    const result = validateArguments(tool("t", undefined, { parameters }), args);
    assert.deepEqual(args, { edits: '[{"oldText":"a"}]', path: "p" });
    assert.ok(result.ok && result.args !== args);
  });
});
