// Reads values of the settings by tables of fields: what has the right shape is kept, what has not is reported at its
// place. Knows nothing of what the fields mean.
import { isJsonObject } from "../shared/json.ts";
import type { JsonObject } from "../shared/json.ts";

/** Tells what is wrong. `place` is below the place that the reporter stands for, for example `.models[0]`. */
export type Report = (problem: string, place?: string) => void;

/** Answers undefined for what is wrong, which it has reported by then. */
export type Reader<T> = (value: unknown, report: Report) => T | undefined;

export type Fields<T> = { readonly [K in keyof T]-?: Reader<Exclude<T[K], undefined>> };

/** The fields that are there and right; others are reported, each at its name. */
export function readFields<T extends object>(
  value: JsonObject,
  fields: Fields<T>,
  report: Report,
): Partial<T> {
  const read: Record<string, unknown> = {};
  const known = Object.keys(fields);
  for (const [name, item] of Object.entries(value)) {
    const at = below(report, `.${name}`);
    if (!known.includes(name)) at(`is not known; known are ${known.join(", ")}`);
    // The table has a reader for each of its keys, and `name` is one.
    else read[name] = (fields[name as keyof T] as Reader<unknown>)(item, at);
  }
  // Each value is what the reader of its field answered; the undefined ones go.
  return Object.fromEntries(Object.entries(read).filter(([, item]) => item !== undefined)) as Partial<T>;
}

export function below(report: Report, place: string): Report {
  return (problem, deeper = "") => report(problem, place + deeper);
}

/** An object with these fields, all optional. */
export function fieldsOf<T extends object>(fields: Fields<T>): Reader<Partial<T>> {
  return (value, report) => {
    if (isJsonObject(value)) return readFields(value, fields, report);
    report("must be an object");
    return undefined;
  };
}

/** A value that `accepts`; `expected` ends the sentence "must be …". */
export function valueOf<T>(expected: string, accepts: (value: unknown) => value is T): Reader<T> {
  return (value, report) => {
    if (accepts(value)) return value;
    report(`must be ${expected}`);
    return undefined;
  };
}

export function oneOf<const T extends string>(choices: readonly T[]): Reader<T> {
  return (value, report) => {
    const choice = choices.find((candidate) => candidate === value);
    if (choice === undefined) report(`must be one of ${choices.join(", ")}`);
    return choice;
  };
}

/** A list without repetitions; `least` is how many there must be. */
export function listOf<const T extends string>(choices: readonly T[], least: number): Reader<readonly T[]> {
  return (value, report) => {
    if (Array.isArray(value)) {
      const items = choices.filter((choice) => value.includes(choice));
      if (items.length === value.length && items.length >= least) return items;
    }
    const amount = least > 0 ? "a list with at least one" : "a list";
    report(`must be ${amount} of ${choices.join(", ")}, each once`);
    return undefined;
  };
}

/** An object of texts. A wrong name or text is reported and left out. */
export function textsOf(expected: string, name: RegExp, text: RegExp): Reader<{ [name: string]: string }> {
  return (value, report) => {
    if (!isJsonObject(value)) {
      report("must be an object");
      return undefined;
    }
    const texts: { [name: string]: string } = {};
    for (const [key, item] of Object.entries(value)) {
      if (typeof item === "string" && text.test(item) && name.test(key)) texts[key] = item;
      else report(`must be ${expected}`, `.${key}`);
    }
    return texts;
  };
}

export const flag = valueOf("true or false", (value) => typeof value === "boolean");

export const text = valueOf("a text", (value): value is string => typeof value === "string" && value !== "");

export const tokens = valueOf(
  "a whole number from 1 to 1,000,000,000",
  (value): value is number =>
    typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= 1_000_000_000,
);

/** Zero or more. */
export const amount = valueOf(
  "a number that is not negative",
  (value): value is number => typeof value === "number" && Number.isFinite(value) && value >= 0,
);

export const seconds = valueOf(
  "a number of seconds from 1 to 86,400",
  (value): value is number => typeof value === "number" && value >= 1 && value <= 86_400,
);
