// Checks that all request formats share. A rule that is broken throws a RuleViolation with the API's kind of message.
import type { JsonObject } from "../../src/shared/json.ts";

/** What OpenAI's error bodies tell beside the message. */
export interface ViolationDetails {
  readonly code?: string;
  /** The place in the request. */
  readonly param?: string;
}

export class RuleViolation extends Error {
  readonly details: ViolationDetails;

  constructor(message: string, details: ViolationDetails = {}) {
    super(message);
    this.details = details;
  }
}

export function refuse(message: string, details?: ViolationDetails): never {
  throw new RuleViolation(message, details);
}

export function requireThat(
  condition: boolean,
  message: string,
  details?: ViolationDetails,
): asserts condition {
  if (!condition) refuse(message, details);
}

export function asObject(value: unknown, where: string): JsonObject {
  requireThat(
    typeof value === "object" && value !== null && !Array.isArray(value),
    `${where}: Input should be an object`,
  );
  return value as JsonObject;
}

export function asArray(value: unknown, where: string): readonly unknown[] {
  requireThat(Array.isArray(value), `${where}: Input should be a valid list`);
  return value;
}

export function asString(value: unknown, where: string): string {
  requireThat(typeof value === "string", `${where}: Input should be a valid string`);
  return value;
}

/** A string, or the empty string for anything else. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function onlyFields(value: JsonObject, allowed: readonly string[], where: string): void {
  const known = new Set(allowed);
  for (const key of Object.keys(value)) {
    requireThat(known.has(key), `${where ? `${where}.` : ""}${key}: Extra inputs are not permitted`);
  }
}

export const toolIdPattern = /^[A-Za-z0-9_-]{1,64}$/;

/** Every string in the body, keys included, must be well-formed Unicode. */
export function requireWellFormed(value: unknown, where = "body"): void {
  if (typeof value === "string") {
    requireThat(
      value.isWellFormed(),
      `${where}: The request body is not valid JSON: no low surrogate in string`,
    );
  } else if (Array.isArray(value)) {
    value.forEach((item, index) => requireWellFormed(item, `${where}.${index}`));
  } else if (typeof value === "object" && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      requireWellFormed(key, where);
      requireWellFormed(item, `${where}.${key}`);
    }
  }
}
