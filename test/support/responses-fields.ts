// Checks of single fields as the Responses API makes them, with its messages, codes and places.
import type { JsonObject } from "../../src/shared/json.ts";
import { refuse, requireThat, textOf } from "./request-rules.ts";

export function checkId(item: JsonObject, prefix: string, where: string): void {
  const { id } = item;
  if (id === undefined) return;
  const param = `${where}.id`;
  requireThat(
    typeof id === "string" && /^[A-Za-z0-9_-]+$/.test(id),
    `Invalid '${param}': '${textOf(id)}'. Expected an ID that contains letters, numbers, underscores, or dashes, but this value contained additional characters.`,
    { code: "invalid_value", param },
  );
  maxLength(id, 64, param);
  requireThat(
    id.startsWith(prefix),
    `Invalid '${param}': '${id}'. Expected an ID that begins with '${prefix}'.`,
    { code: "invalid_value", param },
  );
}

export function checkCallId(id: unknown, where: string): void {
  maxLength(requiredText(id, where), 64, where);
  requireThat(/^[A-Za-z0-9_-]+$/.test(textOf(id)), `Invalid '${where}': string does not match pattern.`, {
    code: "invalid_value",
    param: where,
  });
}

export function checkName(name: unknown, where: string): string {
  const text = maxLength(requiredText(name, where), 64, where);
  requireThat(
    /^[a-zA-Z0-9_-]+$/.test(text),
    `Invalid '${where}': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`,
    { code: "invalid_value", param: where },
  );
  return text;
}

export function knownFields(value: JsonObject, allowed: readonly string[], where: string): void {
  for (const key of Object.keys(value)) {
    const param = where === "" ? key : `${where}.${key}`;
    requireThat(allowed.includes(key), `Unknown parameter: '${param}'.`, {
      code: "unknown_parameter",
      param,
    });
  }
}

export function oneOf(value: unknown, allowed: readonly string[], where: string): void {
  if (value === undefined) {
    refuse(`Missing required parameter: '${where}'.`, { code: "missing_required_parameter", param: where });
  }
  const supported = allowed.map((word) => `'${word}'`).join(", ");
  requireThat(
    typeof value === "string" && allowed.includes(value),
    `Invalid value: '${typeof value === "string" ? value : typeof value}'. Supported values are: ${supported}.`,
    { code: "invalid_value", param: where },
  );
}

export function requiredText(value: unknown, where: string): string {
  requireThat(value !== undefined, `Missing required parameter: '${where}'.`, {
    ...{ code: "missing_required_parameter", param: where },
  });
  requireThat(typeof value === "string", `Invalid type for '${where}': expected a string.`, {
    ...{ code: "invalid_type", param: where },
  });
  requireThat(
    value !== "",
    `Invalid '${where}': empty string. Expected a string with minimum length 1, but got an empty string instead.`,
    {
      ...{ code: "empty_string", param: where },
    },
  );
  return value;
}

export function nonBlank(value: unknown, where: string): void {
  requireThat(requiredText(value, where).trim() !== "", `Invalid '${where}': blank text.`, { param: where });
}

export function maxLength(text: string, limit: number, where: string): string {
  requireThat(
    text.length <= limit,
    `Invalid '${where}': string too long. Expected a string with maximum length ${limit}, but got a string with length ${text.length} instead.`,
    { code: "string_above_max_length", param: where },
  );
  return text;
}
