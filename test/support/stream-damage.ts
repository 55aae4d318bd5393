// Damage to a recorded stream, as networks, proxies and careless servers do it, at random: for the fuzz tests.
import fc from "fast-check";
import type { Json, JsonObject } from "../../src/shared/json.ts";

/** One line of a recording: an event, or what is none any more. */
export type Line = string;

type Lines = readonly Line[];

type Damage = (lines: Lines) => Lines;

/** What a field may be instead of what it should be. */
const oddities: readonly Json[] = [
  null,
  "",
  "x",
  0,
  -1,
  7,
  true,
  [],
  {},
  [null],
  { type: "x" },
  "__proto__",
  '{"a":',
  1e21,
];

const noJson: Lines = ['{"type":"oops', "null", "[]", "42", '"text"', "{}", "[DONE]", '{"error":"x"}', "<p>"];

/** Some damage, or none, in any order. */
export function damageOf(lines: Lines): fc.Arbitrary<Lines> {
  const place = fc.nat(Math.max(0, lines.length - 1));
  const one: fc.Arbitrary<Damage> = fc.oneof(
    place.map((at) => (from: Lines) => from.filter((_line, n) => n !== at)),
    place.map((at) => (from: Lines) => from.flatMap((line, n) => (n === at ? [line, line] : [line]))),
    place.map((at) => (from: Lines) => from.slice(0, at + 1)),
    fc.tuple(place, place).map(
      ([first, second]) =>
        (from: Lines) =>
          swapped(from, first, second),
    ),
    fc
      .tuple(place, fc.constantFrom(...noJson))
      .map(([at, line]) => (from: Lines) => [...from.slice(0, at), line, ...from.slice(at)]),
    fc.tuple(place, fc.nat(40), fc.option(fc.constantFrom(...oddities), { nil: undefined })).map(
      ([at, field, value]) =>
        (from: Lines) =>
          from.map((line, n) => (n === at ? withField(line, field, value) : line)),
    ),
  );
  return fc
    .array(one, { minLength: 1, maxLength: 4 })
    .map((damages) => damages.reduce((from, damage) => damage(from), lines));
}

/** Chunks of random sizes. */
export function chunksOf(bytes: Uint8Array<ArrayBuffer>, cuts: readonly number[]): Uint8Array<ArrayBuffer>[] {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return places.flatMap((from, n) => (from < (places[n + 1] ?? 0) ? [bytes.slice(from, places[n + 1])] : []));
}

function swapped(lines: Lines, first: number, second: number): Lines {
  const [a = "", b = ""] = [lines[first], lines[second]];
  return lines.map((line, n) => (n === first ? b : n === second ? a : line));
}

/** The n-th of all fields within an event gets another value; `undefined`: it is left out. */
function withField(line: Line, n: number, value: Json | undefined): Line {
  let event: unknown;
  try {
    event = JSON.parse(line);
  } catch {
    return line;
  }
  const fields = fieldsIn(event);
  const [holder, key] = fields[n % Math.max(1, fields.length)] ?? [];
  if (holder === undefined || key === undefined) return line;
  if (value === undefined) Reflect.deleteProperty(holder, key);
  else Reflect.set(holder, key, value);
  return JSON.stringify(event);
}

function fieldsIn(value: unknown): [object, string][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value as JsonObject).flatMap(([key, inner]) => [
    [value, key] as [object, string],
    ...fieldsIn(inner),
  ]);
}
