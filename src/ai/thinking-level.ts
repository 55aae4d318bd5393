// Which thinking levels a model has, the nearest one to a wish, and the API's word for it.
import type { Model, ThinkingLevel } from "./types.ts";

/** In rising order. */
export const allThinkingLevels: readonly ThinkingLevel[] = [
  "off",
  "minimal",
  "low",
  "medium",
  "high",
  "xhigh",
  "max",
];

/** In rising order; never empty. */
export function thinkingLevelsOf(model: Model): readonly ThinkingLevel[] {
  if (!model.reasoning) return ["off"];
  const listed = model.thinkingLevels?.length ? model.thinkingLevels : allThinkingLevels;
  const levels = listed.filter((level) => model.thinkingEfforts?.[level] !== null);
  return levels.length > 0 ? levels : ["off"];
}

/** The level itself, else the next higher one the model has, else the next lower one. Default `off`. */
export function clampThinkingLevel(model: Model, level: ThinkingLevel = "off"): ThinkingLevel {
  const levels = thinkingLevelsOf(model);
  const rank = allThinkingLevels.indexOf(level);
  const higher = levels.find((candidate) => allThinkingLevels.indexOf(candidate) >= rank);
  return higher ?? levels.at(-1) ?? "off";
}

/** The model's own word for a level, else the usual one of its API; undefined: nothing is said. */
export function effortFor(
  model: Model,
  level: ThinkingLevel,
  usual: { readonly [Level in ThinkingLevel]?: string },
): string | undefined {
  return model.thinkingEfforts?.[level] ?? usual[level];
}

export function isThinkingLevel(value: unknown): value is ThinkingLevel {
  return allThinkingLevels.some((level) => level === value);
}
