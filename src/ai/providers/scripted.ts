// A model without a model: plays a scenario, for the guided tour and for tests. Where it is in the scenario follows
// from the conversation alone, so a reload changes nothing.
import { UserError } from "../../shared/errors.ts";
import { isJsonObject } from "../../shared/json.ts";
import type { JsonObject } from "../../shared/json.ts";
import { ProviderError } from "../errors.ts";
import type { PartialMessage } from "../partial-message.ts";
import type { Message } from "../types.ts";
import { estimateTokens } from "../token-estimate.ts";
import { estimateMessagesTokens } from "../usage.ts";
import type { Provider } from "./provider.ts";

export interface ScenarioCall {
  readonly name: string;
  readonly arguments: JsonObject;
}

/** One assistant message; thinking, then text, then calls. */
export interface ScenarioStep {
  readonly thinking?: string;
  readonly text?: string;
  readonly calls?: readonly ScenarioCall[];
  /** Played only when the last tool results were all fine, or when one was an error. */
  readonly when?: "ok" | "rejected";
}

export interface Scenario {
  readonly title: string;
  readonly steps: readonly ScenarioStep[];
}

export interface ScriptedOptions {
  readonly scenario: Scenario;
  /** Milliseconds per delta of about a dozen characters. Default 15; 0 plays at once. */
  readonly delayMs?: number;
}

const deltaSize = 12;
const tourIsOver: ScenarioStep = {
  text: "That was the guided tour. To work on your own code, choose a model in the model picker below.",
};

export function scriptedProvider(options: ScriptedOptions | undefined): Provider {
  return async ({ request, partial, signal, alive }) => {
    if (!options)
      throw new ProviderError("bad_request", "There is no guided tour here. Choose another model.");
    const step = nextStep(options.scenario, request.messages) ?? tourIsOver;
    const pace = () => {
      alive();
      return wait(options.delayMs ?? 15, signal);
    };
    partial.start();
    partial.reportUsage({ input: estimateMessagesTokens(request.messages), output: outputTokens(step) });
    await playText(partial, step, pace);
    for (const [n, call] of (step.calls ?? []).entries()) {
      const index = partial.openToolCall(`tour_${answersSoFar(request.messages)}_${n + 1}`, call.name);
      await appendPaced(partial, { index, text: JSON.stringify(call.arguments) }, pace);
    }
    partial.finish("stop");
  };
}

/**
 * The step after those that were played. Replays the choice at every assistant message of the history: steps meant for
 * the other outcome of the last tool results are skipped. Failed and aborted answers are played again.
 */
export function nextStep(scenario: Scenario, messages: readonly Message[]): ScenarioStep | undefined {
  let at = 0;
  let rejected: boolean | undefined;
  for (const message of messages) {
    if (message.role === "toolResult") rejected = (rejected ?? false) || message.isError;
    if (message.role !== "assistant" || message.stopReason === "error" || message.stopReason === "aborted") {
      continue;
    }
    at = matchingStep(scenario.steps, at, rejected) + 1;
    rejected = undefined;
  }
  return scenario.steps[matchingStep(scenario.steps, at, rejected)];
}

/** Throws a UserError that names the place of what is wrong. */
export function parseScenario(json: unknown): Scenario {
  if (!isJsonObject(json)) throw wrong("the scenario", "an object");
  const { title, steps } = json;
  if (typeof title !== "string") throw wrong("title", "a text");
  if (!Array.isArray(steps) || steps.length === 0) throw wrong("steps", "a list with at least one step");
  return { title, steps: steps.map((step: unknown, index) => parseStep(step, `steps[${index}]`)) };
}

function matchingStep(steps: readonly ScenarioStep[], from: number, rejected: boolean | undefined): number {
  for (let at = from; at < steps.length; at += 1) {
    const when = steps[at]?.when;
    if (when === undefined || (when === "rejected") === (rejected ?? false)) return at;
  }
  return steps.length;
}

async function playText(
  partial: PartialMessage,
  step: ScenarioStep,
  pace: () => Promise<void>,
): Promise<void> {
  if (step.thinking !== undefined) {
    const index = partial.openThinking();
    await appendPaced(partial, { index, text: step.thinking }, pace);
    partial.close(index);
  }
  if (step.text !== undefined) {
    const index = partial.openText();
    await appendPaced(partial, { index, text: step.text }, pace);
    partial.close(index);
  }
}

async function appendPaced(
  partial: PartialMessage,
  { index, text }: { readonly index: number; readonly text: string },
  pace: () => Promise<void>,
): Promise<void> {
  const characters = [...text];
  for (let at = 0; at < characters.length && !partial.ended; at += deltaSize) {
    await pace();
    partial.append(index, characters.slice(at, at + deltaSize).join(""));
  }
}

/** Returns early when the response is no longer wanted. */
function wait(ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0 || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done, { once: true });
  });
}

function answersSoFar(messages: readonly Message[]): number {
  return messages.filter((message) => message.role === "assistant").length;
}

function outputTokens(step: ScenarioStep): number {
  const calls = (step.calls ?? []).map((call) => JSON.stringify(call.arguments)).join("");
  return estimateTokens(`${step.thinking ?? ""}${step.text ?? ""}${calls}`);
}

function parseStep(json: unknown, where: string): ScenarioStep {
  if (!isJsonObject(json)) throw wrong(where, "an object");
  const { thinking, text, calls, when } = json;
  if (thinking !== undefined && typeof thinking !== "string") throw wrong(`${where}.thinking`, "a text");
  if (text !== undefined && typeof text !== "string") throw wrong(`${where}.text`, "a text");
  if (when !== undefined && when !== "ok" && when !== "rejected") {
    throw wrong(`${where}.when`, '"ok" or "rejected"');
  }
  if (calls !== undefined && !Array.isArray(calls)) throw wrong(`${where}.calls`, "a list");
  const parsed = (calls ?? []).map((call: unknown, index) => parseCall(call, `${where}.calls[${index}]`));
  if ((text ?? "").trim() === "" && parsed.length === 0) throw wrong(where, "a step with text or calls");
  return {
    ...(thinking !== undefined && { thinking }),
    ...(text !== undefined && { text }),
    ...(parsed.length > 0 && { calls: parsed }),
    ...(when !== undefined && { when }),
  };
}

function parseCall(json: unknown, where: string): ScenarioCall {
  if (!isJsonObject(json)) throw wrong(where, "an object");
  const { name, arguments: args } = json;
  if (typeof name !== "string" || name === "") throw wrong(`${where}.name`, "the name of a tool");
  if (!isJsonObject(args)) throw wrong(`${where}.arguments`, "an object");
  return { name, arguments: args };
}

function wrong(where: string, expected: string): UserError {
  return new UserError(
    `The scenario cannot be played: ${where} must be ${expected}. Correct it and try again.`,
  );
}
