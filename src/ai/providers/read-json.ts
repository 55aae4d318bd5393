// Reads fields of what a server sent, trusting no type declaration: compatible servers deviate in every one.
import { isJsonObject } from "../../shared/json.ts";
import type { JsonObject } from "../../shared/json.ts";

export function object(value: unknown, key: string): JsonObject | undefined {
  const field = isJsonObject(value) ? value[key] : undefined;
  return isJsonObject(field) ? field : undefined;
}

/** Empty when it is no list. */
export function list(value: unknown, key: string): readonly unknown[] {
  const field: unknown = isJsonObject(value) ? value[key] : undefined;
  return Array.isArray(field) ? field : [];
}

/** Empty when it is no string. */
export function text(value: unknown, key: string): string {
  const field = isJsonObject(value) ? value[key] : undefined;
  return typeof field === "string" ? field : "";
}

/** A count of tokens; 0 for anything that is not a positive finite number, also when written as a string. */
export function count(value: unknown, key: string): number {
  const field = isJsonObject(value) ? value[key] : undefined;
  const number = typeof field === "string" ? Number(field) : field;
  return typeof number === "number" && Number.isFinite(number) && number > 0 ? number : 0;
}

/** Whatever it is; undefined when there is none. */
export function field(value: unknown, key: string): unknown {
  return isJsonObject(value) ? value[key] : undefined;
}
