// Checks a tool call's arguments against the tool's schema. Coerces only where nothing is lost or invented, on a copy.
import type { TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { isJsonObject } from "../shared/json.ts";
import type { Json, JsonObject } from "../shared/json.ts";
import type { AgentTool } from "./types.ts";

const MAX_PROBLEMS = 8;
const MAX_SHOWN = 2_000;

export type Validation =
  | { readonly ok: true; readonly args: JsonObject }
  /** For the model: each path, what was expected there, and what was received. */
  | { readonly ok: false; readonly problem: string };

/** Never changes `args`. May throw when the schema itself is unusable. */
export function validateArguments(tool: AgentTool, args: JsonObject): Validation {
  const schema = tool.parameters;
  const copy = Value.Clone(args);
  if (Value.Check(schema, copy)) return { ok: true, args: copy };
  const coerced = coerce(schema, copy);
  if (isJsonObject(coerced) && Value.Check(schema, coerced)) return { ok: true, args: coerced };
  return { ok: false, problem: describeProblems(tool, coerced, args) };
}

/** `"3"` → 3, `"true"` → true, JSON text → object or array, null for an optional property → absent. Nothing else. */
function coerce(schema: TSchema, value: Json): Json {
  const variants = subschemas(schema.anyOf);
  if (variants.length > 0) return coerceToVariant(variants, value);
  switch (schema.type) {
    case "number":
    case "integer":
      return typeof value === "string" ? toNumber(value, schema.type === "integer") : value;
    case "boolean":
      return value === "true" ? true : value === "false" ? false : value;
    case "array":
      return coerceItems(schema, typeof value === "string" ? parsed(value, Array.isArray) : value);
    case "object":
      return coerceProperties(schema, typeof value === "string" ? parsed(value, isJsonObject) : value);
    default:
      return value;
  }
}

function coerceToVariant(variants: readonly TSchema[], value: Json): Json {
  for (const variant of variants) {
    const candidate = coerce(variant, value);
    if (Value.Check(variant, candidate)) return candidate;
  }
  return value;
}

function toNumber(text: string, integer: boolean): Json {
  if (!/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text)) return text;
  const value = Number(text);
  const exact = integer ? Number.isSafeInteger(value) : Number.isFinite(value);
  return exact ? value : text;
}

function coerceItems(schema: TSchema, value: Json): Json {
  const [items] = subschemas([schema.items]);
  if (!isJsonArray(value) || items === undefined) return value;
  return value.map((item) => coerce(items, item));
}

function coerceProperties(schema: TSchema, value: Json): Json {
  const properties: unknown = schema.properties;
  if (!isJsonObject(value) || !isRecord(properties)) return value;
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : [];
  const result: Record<string, Json> = {};
  for (const [name, item] of Object.entries(value)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (isSchema(property)) {
      const absent = item === null && !required.includes(name) && !Value.Check(property, null);
      if (!absent) result[name] = coerce(property, item);
    } else if (schema.additionalProperties !== false) {
      result[name] = item;
    }
  }
  return result;
}

function parsed(text: string, accepts: (value: unknown) => boolean): Json {
  try {
    // JSON.parse returns JSON.
    const value = JSON.parse(text) as Json;
    return accepts(value) ? value : text;
  } catch {
    return text;
  }
}

function describeProblems(tool: AgentTool, value: Json, received: JsonObject): string {
  const problems = new Map<string, string>();
  for (const error of Value.Errors(tool.parameters, value)) {
    const path = error.path === "" ? "arguments" : error.path.slice(1).replaceAll("/", ".");
    if (!problems.has(path)) problems.set(path, `${error.message}, received ${shown(error.value, 200)}`);
    if (problems.size === MAX_PROBLEMS) break;
  }
  const lines = [...problems].map(([path, problem]) => `- ${path}: ${problem}`);
  return [
    `The arguments of "${tool.name}" do not fit its parameters, so it did not run:`,
    ...lines,
    `Received: ${shown(received, MAX_SHOWN)}`,
  ].join("\n");
}

function shown(value: unknown, limit: number): string {
  const text = value === undefined ? "nothing" : JSON.stringify(value);
  return text.length <= limit ? text : `${text.slice(0, limit)}… (${text.length} characters)`;
}

function subschemas(value: unknown): readonly TSchema[] {
  return Array.isArray(value) ? value.filter(isSchema) : [];
}

function isSchema(value: unknown): value is TSchema {
  return isRecord(value);
}

function isRecord(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isJsonArray(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
