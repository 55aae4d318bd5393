// Validated arguments with their types, and the small repairs of what models write instead of the schema.
import type { Static, TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { UserError } from "../../shared/errors.ts";
import type { Json, JsonObject } from "../../shared/json.ts";
import { isJsonObject } from "../../shared/json.ts";

/** The arguments as the schema's type. Throws a UserError when they do not fit it. */
export function typedArguments<T extends TSchema>(schema: T, args: JsonObject): Static<T> {
  const value: unknown = args;
  if (Value.Check(schema, value)) return value;
  throw new UserError("The arguments do not fit the tool's parameters. Call it again as they are described.");
}

/** `" +5 "` means 5. */
export function plainNumbers(args: JsonObject, names: readonly string[]): JsonObject {
  const numbers = names.flatMap((name): [string, number][] => {
    const value = args[name];
    const digits = typeof value === "string" ? /^\s*\+?(-?\d{1,9})\s*$/.exec(value)?.[1] : undefined;
    return digits === undefined ? [] : [[name, Number(digits)]];
  });
  return { ...args, ...Object.fromEntries(numbers) };
}

/** `edits` as JSON text, as one object, or as `oldText` and `newText` beside the path: always a list afterwards. */
export function listOfEdits(args: JsonObject): JsonObject {
  const { edits, oldText, newText, ...rest } = args;
  const list = toList(typeof edits === "string" ? parseJson(edits) : edits);
  const single =
    oldText === undefined && newText === undefined ? [] : [withoutUndefined({ oldText, newText })];
  return {
    ...rest,
    ...(list !== undefined || single.length > 0 ? { edits: [...(list ?? []), ...single] } : {}),
  };
}

function toList(value: Json | undefined): readonly Json[] | undefined {
  if (value === undefined) return undefined;
  // Array.isArray does not narrow readonly arrays, hence the object first.
  if (isJsonObject(value)) return [value];
  return typeof value === "object" && value !== null ? value : [value];
}

function parseJson(text: string): Json {
  try {
    // JSON.parse returns JSON.
    return JSON.parse(text) as Json;
  } catch {
    // Not JSON: the schema's error tells the model what is expected.
    return text;
  }
}

function withoutUndefined(values: { readonly [name: string]: Json | undefined }): JsonObject {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]): [string, Json][] =>
      value === undefined ? [] : [[name, value]],
    ),
  );
}
