// Which thinking levels a model has, and the nearest one to a wish.
import type { Model, ThinkingLevel } from "./types.ts";

const allLevels: readonly ThinkingLevel[] = ["off", "minimal", "low", "medium", "high", "xhigh", "max"];

/** In rising order; never empty. */
export function thinkingLevelsOf(model: Model): readonly ThinkingLevel[] {
  if (!model.reasoning) return ["off"];
  return model.thinkingLevels && model.thinkingLevels.length > 0 ? model.thinkingLevels : allLevels;
}

/** The level itself, else the next higher one the model has, else the next lower one. Default `off`. */
export function clampThinkingLevel(model: Model, level: ThinkingLevel = "off"): ThinkingLevel {
  const levels = thinkingLevelsOf(model);
  const rank = allLevels.indexOf(level);
  const higher = levels.find((candidate) => allLevels.indexOf(candidate) >= rank);
  return higher ?? levels.at(-1) ?? "off";
}

export function isThinkingLevel(value: unknown): value is ThinkingLevel {
  return allLevels.some((level) => level === value);
}
