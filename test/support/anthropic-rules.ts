// What the real Messages API answers with a 400, checked on every request of the loopback provider.
import type { JsonObject } from "../../src/shared/json.ts";
import { checkImageData, checkImages } from "./image-rules.ts";
import { redactedData, thinkingSignature } from "./reply-parts.ts";
import {
  asArray,
  asObject,
  asString,
  onlyFields,
  requireThat,
  requireWellFormed,
  textOf,
  toolIdPattern,
} from "./request-rules.ts";

/** `temperature`, `top_p` and `top_k` are refused since the API's version 2026-10-21. */
const requestFields = [
  "model",
  "messages",
  "max_tokens",
  "system",
  "tools",
  "tool_choice",
  "thinking",
  "output_config",
  "stream",
  "metadata",
  "stop_sequences",
];

/** What a model deviates in; the default is one without the newer additions. */
export interface AnthropicRules {
  /** Takes the role `system` behind a user message. Default false. */
  readonly laterSystem?: boolean;
}

/** Throws a RuleViolation for the first rule that is broken. */
export function checkAnthropicRequest(body: JsonObject, rules: AnthropicRules = {}): void {
  requireWellFormed(body);
  onlyFields(body, requestFields, "");
  asString(body["model"], "model");
  checkLimits(body);
  checkCacheMarks(body);
  for (const [index, block] of systemBlocks(body).entries()) checkText(block, `system.${index}`);
  for (const [index, tool] of (body["tools"] === undefined
    ? []
    : asArray(body["tools"], "tools")
  ).entries()) {
    checkTool(asObject(tool, `tools.${index}`), `tools.${index}`);
  }
  checkMessages(body, rules);
  checkImages(body["messages"], {
    maxLength: 5_242_880,
    maxSide: 8_000,
    many: { count: 20, maxSide: 2_000 },
    maxCount: 100,
    maxTotalLength: 32_000_000,
  });
}

function checkLimits(body: JsonObject): void {
  const maxTokens = body["max_tokens"];
  requireThat(maxTokens !== undefined, "max_tokens: Field required");
  requireThat(
    typeof maxTokens === "number" && Number.isInteger(maxTokens) && maxTokens >= 1,
    "max_tokens: Input should be greater than or equal to 1",
  );
  if (body["thinking"] === undefined) return;
  const thinking = asObject(body["thinking"], "thinking");
  if (thinking["type"] !== "enabled") return;
  const budget = thinking["budget_tokens"];
  requireThat(
    typeof budget === "number" && budget >= 1024,
    "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024",
  );
  requireThat(maxTokens > budget, "`max_tokens` must be greater than `thinking.budget_tokens`");
}

function checkCacheMarks(body: JsonObject): void {
  let marks = 0;
  JSON.stringify(body, (key, value: unknown) => {
    if (key === "cache_control" && value !== undefined && value !== null) marks += 1;
    return value;
  });
  requireThat(marks <= 4, `A maximum of 4 blocks with cache_control may be provided. Found ${marks}.`);
}

function systemBlocks(body: JsonObject): readonly JsonObject[] {
  const system = body["system"];
  if (system === undefined || typeof system === "string") return [];
  return asArray(system, "system").map((block, index) => asObject(block, `system.${index}`));
}

const toolNamePattern = /^[a-zA-Z0-9_-]{1,128}$/;

function checkTool(tool: JsonObject, where: string): void {
  onlyFields(tool, ["name", "description", "input_schema", "cache_control", "type"], where);
  requireThat(
    toolNamePattern.test(asString(tool["name"], `${where}.name`)),
    `${where}.name: String should match pattern '${toolNamePattern.source}'`,
  );
  const schema = asObject(tool["input_schema"], `${where}.input_schema`);
  requireThat(schema["type"] === "object", `${where}.input_schema.type: Input should be 'object'`);
}

/** Tool uses that the next message must answer. */
type Open = readonly string[];

function checkMessages(body: JsonObject, rules: AnthropicRules): void {
  const messages = asArray(body["messages"], "messages");
  requireThat(messages.length > 0, "messages: at least one message is required");
  const seen = new Set<string>();
  let open: Open = [];
  for (const [index, item] of messages.entries()) {
    const where = `messages.${index}`;
    const message = asObject(item, where);
    onlyFields(message, ["role", "content"], where);
    const role = message["role"];
    if (role === "system") {
      requireThat(rules.laterSystem === true, "role 'system' is not supported on this model");
      checkLaterSystem(messages, index);
      continue;
    }
    requireThat(
      role === "user" || role === "assistant",
      `${where}.role: Input should be 'user' or 'assistant'`,
    );
    if (index === 0) requireThat(role === "user", 'messages: first message must use the "user" role');
    const blocks = contentBlocks(message, where);
    open =
      role === "user" ? checkUser(blocks, open, where) : checkAssistant(blocks, open, { where, seen, body });
  }
  requireThat(open.length === 0, unanswered(messages.length - 1, open));
  const last = asObject(messages.at(-1), "messages");
  requireThat(
    last["role"] !== "assistant",
    "This model does not support assistant message prefill. The conversation must end with a user message.",
  );
}

function checkLaterSystem(messages: readonly unknown[], index: number): void {
  const where = `messages.${index}`;
  const roleAt = (at: number) => (at in messages ? asObject(messages[at], where)["role"] : undefined);
  requireThat(roleAt(index - 1) === "user", `${where}: a system message must follow a user message`);
  requireThat(
    [undefined, "assistant"].includes(textOf(roleAt(index + 1)) || undefined),
    `${where}: a system message must be the last message or precede an assistant message`,
  );
  for (const block of contentBlocks(asObject(messages[index], where), where)) checkText(block, where);
}

function contentBlocks(message: JsonObject, where: string): readonly JsonObject[] {
  const content = message["content"];
  if (typeof content === "string") {
    requireThat(content.trim() !== "", `${where}: all messages must have non-empty content`);
    return [{ type: "text", text: content }];
  }
  const blocks = asArray(content, `${where}.content`);
  requireThat(blocks.length > 0, `${where}: all messages must have non-empty content`);
  return blocks.map((block, index) => asObject(block, `${where}.content.${index}`));
}

function checkUser(blocks: readonly JsonObject[], open: Open, where: string): Open {
  const results = blocks.filter((block) => block["type"] === "tool_result");
  const ids = results.map((block) => asString(block["tool_use_id"], `${where}.tool_use_id`));
  for (const id of ids) {
    requireThat(
      open.includes(id),
      `${where}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
    );
  }
  requireThat(new Set(ids).size === ids.length, `${where}: each tool_use must have a single result`);
  const missing = open.filter((id) => !ids.includes(id));
  requireThat(missing.length === 0, `${where}: ${unanswered(0, missing)}`);
  blocks.forEach((block, index) => {
    const place = `${where}.content.${index}`;
    if (block["type"] === "text") checkText(block, place);
    else if (block["type"] === "image") checkImage(block, place);
    else {
      requireThat(block["type"] === "tool_result", `${place}: unknown block type in a user message`);
      requireThat(index < results.length, `${place}: tool_result blocks must come first`);
      checkToolResult(block, place);
    }
  });
  return [];
}

interface AssistantContext {
  readonly where: string;
  readonly seen: Set<string>;
  readonly body: JsonObject;
}

function checkAssistant(blocks: readonly JsonObject[], open: Open, context: AssistantContext): Open {
  const { where, seen, body } = context;
  requireThat(open.length === 0, `${where}: ${unanswered(0, open)}`);
  const calls: string[] = [];
  blocks.forEach((block, index) => {
    const place = `${where}.content.${index}`;
    if (block["type"] === "text") checkText(block, place);
    else if (block["type"] === "tool_use") calls.push(checkToolUse(block, place, seen));
    else checkThinking(block, textOf(body["model"]), place);
  });
  const lastType = textOf(blocks.at(-1)?.["type"]);
  requireThat(
    !lastType.includes("thinking"),
    `${where}: The final block in an assistant message cannot be \`thinking\`.`,
  );
  return calls;
}

function checkToolUse(block: JsonObject, where: string, seen: Set<string>): string {
  onlyFields(block, ["type", "id", "name", "input", "cache_control"], where);
  const id = asString(block["id"], `${where}.id`);
  requireThat(toolIdPattern.test(id), `${where}.id: String should match pattern '${toolIdPattern.source}'`);
  requireThat(!seen.has(id), "messages: `tool_use` ids must be unique");
  seen.add(id);
  requireThat(
    toolNamePattern.test(asString(block["name"], `${where}.name`)),
    `${where}.name: String should match pattern '${toolNamePattern.source}'`,
  );
  asObject(block["input"], `${where}.input`);
  return id;
}

function checkThinking(block: JsonObject, model: string, where: string): void {
  requireThat(block["cache_control"] === undefined, `${where}: thinking blocks cannot have cache_control`);
  if (block["type"] === "redacted_thinking") {
    onlyFields(block, ["type", "data"], where);
    requireThat(
      block["data"] === redactedData(model),
      `${where}: Invalid \`data\` in \`redacted_thinking\` block`,
    );
    return;
  }
  requireThat(block["type"] === "thinking", `${where}: unknown block type in an assistant message`);
  onlyFields(block, ["type", "thinking", "signature"], where);
  const expected = thinkingSignature(model, asString(block["thinking"], `${where}.thinking`));
  requireThat(block["signature"] === expected, `${where}: Invalid \`signature\` in \`thinking\` block`);
}

function checkText(block: JsonObject, where: string): void {
  onlyFields(block, ["type", "text", "cache_control"], where);
  const text = asString(block["text"], `${where}.text`);
  requireThat(
    text !== "" || block["cache_control"] === undefined,
    `${where}: cache_control cannot be set for empty text blocks`,
  );
  requireThat(text !== "", `${where}: text content blocks must be non-empty`);
  requireThat(text.trim() !== "", `${where}: text content blocks must contain non-whitespace text`);
}

function checkImage(block: JsonObject, where: string): void {
  onlyFields(block, ["type", "source", "cache_control"], where);
  const source = asObject(block["source"], `${where}.source`);
  requireThat(source["type"] === "base64", `${where}.source.type: Input should be 'base64'`);
  requireThat(
    ["image/jpeg", "image/png", "image/gif", "image/webp"].includes(textOf(source["media_type"])),
    `${where}.source.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'`,
  );
  checkImageData(asString(source["data"], `${where}.source.data`), textOf(source["media_type"]), where);
}

function checkToolResult(block: JsonObject, where: string): void {
  onlyFields(block, ["type", "tool_use_id", "content", "is_error", "cache_control"], where);
  const content = block["content"];
  if (content === undefined || typeof content === "string") return;
  for (const [index, item] of asArray(content, `${where}.content`).entries()) {
    const inner = asObject(item, `${where}.content.${index}`);
    if (inner["type"] === "text") checkText(inner, `${where}.content.${index}`);
    else {
      requireThat(block["is_error"] !== true, `${where}: all content must be type text if is_error is true`);
      checkImage(inner, `${where}.content.${index}`);
    }
  }
}

function unanswered(index: number, ids: Open): string {
  return `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids.join(", ")}`;
}
