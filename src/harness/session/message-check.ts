// Messages read from a file, brought into the shape the rest of the code relies on. What cannot be brought into
// it is left to the caller as undefined.
import type { AgentMessage } from "../../agent/types.ts";
import type { StopReason, ToolDeclaration, Usage } from "../../ai/types.ts";
import { isJsonObject } from "../../shared/json.ts";
import type { JsonObject } from "../../shared/json.ts";

const stopReasons: readonly string[] = [
  "stop",
  "length",
  "toolUse",
  "error",
  "aborted",
] satisfies StopReason[];

/** Fills missing fields with neutral values, drops damaged blocks, keeps unknown fields. `time` for a missing timestamp. */
export function checkMessage(raw: unknown, time: number): AgentMessage | undefined {
  if (!isJsonObject(raw)) return undefined;
  const timestamp = typeof raw.timestamp === "number" ? raw.timestamp : time;
  const checked = checkRole({ ...raw, timestamp });
  // Each branch of checkRole has set or verified the fields its role requires.
  return checked as unknown as AgentMessage | undefined;
}

function checkRole(raw: JsonObject): JsonObject | undefined {
  switch (raw.role) {
    case "user":
      return { ...raw, content: typeof raw.content === "string" ? raw.content : inputBlocks(raw.content) };
    case "assistant":
      return checkAssistant(raw);
    case "toolResult":
      return typeof raw.toolCallId === "string"
        ? {
            ...raw,
            toolName: text(raw.toolName),
            content: inputBlocks(raw.content),
            isError: raw.isError === true,
            details: isJsonObject(raw.details) ? raw.details : {},
          }
        : undefined;
    case "system":
      return checkSystem(raw);
    case "bashExecution":
      return userShell(raw);
    default:
      return undefined;
  }
}

function checkAssistant(raw: JsonObject): JsonObject {
  const stopReason = stopReasons.includes(text(raw.stopReason)) ? text(raw.stopReason) : "stop";
  return {
    ...raw,
    content: list(raw.content).filter(isAssistantBlock),
    api: text(raw.api),
    provider: text(raw.provider),
    model: text(raw.model),
    usage: checkUsage(raw.usage),
    stopReason,
  };
}

function checkSystem(raw: JsonObject): JsonObject {
  const { sections, toolsAdded, toolsRemoved, ...rest } = raw;
  return {
    ...rest,
    content: text(raw.content),
    ...(isJsonObject(sections) && {
      sections: Object.fromEntries(Object.entries(sections).filter(([, value]) => isSection(value))),
    }),
    ...(Array.isArray(toolsAdded) && { toolsAdded: toolsAdded.filter(isDeclaration) }),
    ...(Array.isArray(toolsRemoved) && { toolsRemoved: toolsRemoved.filter(isNamed) }),
  };
}

/** A command the user ran in Pi. The model of that session saw it as user text; `excludeFromContext` ones it did not. */
function userShell(raw: JsonObject): JsonObject {
  const shown = `Ran \`${text(raw.command)}\`\n\`\`\`\n${text(raw.output)}\n\`\`\``;
  if (raw.excludeFromContext === true) {
    return { role: "app", kind: "notice", text: shown, timestamp: raw.timestamp ?? 0 };
  }
  return { role: "user", content: shown, timestamp: raw.timestamp ?? 0 };
}

function checkUsage(raw: unknown): JsonObject & Usage {
  const usage = isJsonObject(raw) ? raw : {};
  const cost = isJsonObject(usage.cost) ? usage.cost : {};
  return {
    input: amount(usage.input),
    output: amount(usage.output),
    cacheRead: amount(usage.cacheRead),
    cacheWrite: amount(usage.cacheWrite),
    totalTokens: amount(usage.totalTokens),
    cost: {
      input: amount(cost.input),
      output: amount(cost.output),
      cacheRead: amount(cost.cacheRead),
      cacheWrite: amount(cost.cacheWrite),
      total: amount(cost.total),
    },
  };
}

function inputBlocks(raw: unknown): JsonObject[] {
  if (typeof raw === "string") return [{ type: "text", text: raw }];
  return list(raw).filter(
    (block) =>
      (block.type === "text" && typeof block.text === "string") ||
      (block.type === "image" && typeof block.data === "string" && typeof block.mimeType === "string"),
  );
}

function isAssistantBlock(block: JsonObject): boolean {
  if (block.type === "text") return typeof block.text === "string";
  if (block.type === "thinking") return typeof block.thinking === "string";
  return block.type === "toolCall" && typeof block.id === "string" && typeof block.name === "string"
    ? isJsonObject(block.arguments)
    : false;
}

function isDeclaration(value: unknown): value is JsonObject & ToolDeclaration {
  return isNamed(value) && typeof value.description === "string" && isJsonObject(value.parameters);
}

function isNamed(value: unknown): value is JsonObject & { readonly name: string } {
  return isJsonObject(value) && typeof value.name === "string";
}

function isSection(value: unknown): boolean {
  return value === null || typeof value === "string";
}

function list(raw: unknown): JsonObject[] {
  return Array.isArray(raw) ? raw.filter(isJsonObject) : [];
}

function text(raw: unknown): string {
  return typeof raw === "string" ? raw : "";
}

function amount(raw: unknown): number {
  return typeof raw === "number" && Number.isFinite(raw) ? raw : 0;
}
