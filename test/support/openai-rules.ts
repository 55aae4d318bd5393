// What strict Chat Completions servers answer with a 400, checked on every request of the loopback provider.
import type { JsonObject } from "../../src/shared/json.ts";
import { checkImageData } from "./image-rules.ts";
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

/** How this server deviates; the default is a generic server that accepts the minimal body only. */
export interface OpenAiServerRules {
  /** Accepted beside the minimal body, for example `reasoning_effort`. */
  readonly extraFields?: readonly string[];
  /** Refuses `stream_options`. Default false. */
  readonly rejectStreamOptions?: boolean;
  /** Accepts the role `developer`. Default false. */
  readonly developerRole?: boolean;
  /** Whether assistant messages with tool calls must, or must not, carry `reasoning_content`. Default forbidden. */
  readonly reasoningContent?: "required" | "forbidden";
  /** Refuses neighbours of one role, and a user message behind a tool's result. Default false. */
  readonly alternatingRoles?: boolean;
  /** Takes system messages anywhere. Default false. */
  readonly laterSystem?: boolean;
  /** Ids of calls must be nine letters or digits. Default false. */
  readonly shortToolCallIds?: boolean;
}

const minimalFields = ["model", "messages", "stream", "max_tokens", "tools", "tool_choice"];

/** Throws a RuleViolation for the first rule that is broken. */
export function checkOpenAiRequest(body: JsonObject, rules: OpenAiServerRules = {}): void {
  requireWellFormed(body);
  const streamOptions = rules.rejectStreamOptions ? [] : ["stream_options"];
  onlyFields(body, [...minimalFields, ...streamOptions, ...(rules.extraFields ?? [])], "");
  asString(body["model"], "model");
  if (body["tools"] !== undefined) {
    const tools = asArray(body["tools"], "tools");
    requireThat(tools.length > 0, "[] is too short - 'tools'");
    tools.forEach((tool, index) => checkTool(asObject(tool, `tools.${index}`), `tools.${index}`));
  }
  checkMessages(body, rules);
}

function checkTool(tool: JsonObject, where: string): void {
  onlyFields(tool, ["type", "function"], where);
  const declared = asObject(tool["function"], `${where}.function`);
  onlyFields(declared, ["name", "description", "parameters"], `${where}.function`);
  checkToolName(declared, `${where}.function`);
}

function checkToolName(called: JsonObject, where: string): void {
  requireThat(
    toolIdPattern.test(asString(called["name"], `${where}.name`)),
    `Invalid '${where}.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`,
  );
}

function checkMessages(body: JsonObject, rules: OpenAiServerRules): void {
  const messages = asArray(body["messages"], "messages");
  requireThat(
    messages.some((message) => asObject(message, "messages")["role"] === "user"),
    "messages: a user message is required",
  );
  const seen = new Set<string>();
  let open: string[] = [];
  let sawUser = false;
  for (const [index, item] of messages.entries()) {
    const where = `messages.${index}`;
    const message = asObject(item, where);
    const role = message["role"];
    if (rules.alternatingRoles && index > 0) checkTurn(textOf(role), messages[index - 1], where);
    if (role === "tool") {
      open = checkToolMessage(message, open, where);
      continue;
    }
    requireThat(
      open.length === 0,
      `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${open.join(", ")}`,
    );
    if (role === "user") {
      sawUser = true;
      checkUser(message, where);
    } else if (role === "assistant") {
      requireThat(sawUser, `${where}: Conversation roles must start with user`);
      open = checkAssistant(message, { where, seen, rules });
    } else checkSystem(message, index, rules);
  }
  requireThat(open.length === 0, `tool_call_ids did not have response messages: ${open.join(", ")}`);
}

function checkTurn(role: string, before: unknown, where: string): void {
  const last = textOf(asObject(before, where)["role"]);
  const isTurn = role === "tool" || (role === "user" ? last !== "user" && last !== "tool" : last !== role);
  requireThat(isTurn, `${where}: Unexpected role '${role}' after role '${last}'`);
}

function checkSystem(message: JsonObject, index: number, rules: OpenAiServerRules): void {
  const accepted = rules.developerRole ? ["system", "developer"] : ["system"];
  requireThat(accepted.includes(textOf(message["role"])), `messages.${index}: Incorrect role information`);
  requireThat(
    index === 0 || rules.laterSystem === true,
    `messages.${index}: System message must be at the beginning`,
  );
  onlyFields(message, ["role", "content"], `messages.${index}`);
  requireThat(
    asString(message["content"], `messages.${index}.content`).trim() !== "",
    "system content is empty",
  );
}

function checkUser(message: JsonObject, where: string): void {
  onlyFields(message, ["role", "content"], where);
  const content = message["content"];
  if (typeof content === "string") {
    requireThat(content.trim() !== "", `${where}.content: must not be empty`);
    return;
  }
  const parts = asArray(content, `${where}.content`);
  requireThat(parts.length > 0, `${where}.content: must not be empty`);
  for (const [index, item] of parts.entries()) {
    const part = asObject(item, `${where}.content.${index}`);
    if (part["type"] === "text") {
      requireThat(
        asString(part["text"], `${where}.text`).trim() !== "",
        `${where}.content.${index}: empty text`,
      );
    } else {
      requireThat(part["type"] === "image_url", `${where}.content.${index}.type: unknown part type`);
      const url = asString(asObject(part["image_url"], where)["url"], where);
      const [, mimeType = "", data = ""] = /^data:([^;]*);base64,(.*)$/.exec(url) ?? [];
      checkImageData(data, mimeType, where);
    }
  }
}

interface AssistantContext {
  readonly where: string;
  readonly seen: Set<string>;
  readonly rules: OpenAiServerRules;
}

function checkAssistant(message: JsonObject, context: AssistantContext): string[] {
  const { where, rules } = context;
  onlyFields(message, ["role", "content", "tool_calls", "reasoning_content"], where);
  const calls =
    message["tool_calls"] === undefined ? [] : asArray(message["tool_calls"], `${where}.tool_calls`);
  const content = message["content"];
  requireThat(
    typeof content === "string" || (content === null && calls.length > 0),
    `${where}.content: Input should be a valid string`,
  );
  requireThat(content !== "" || calls.length > 0, `${where}.content: must not be empty without tool_calls`);
  if (message["tool_calls"] !== undefined)
    requireThat(calls.length > 0, `${where}.tool_calls: [] is too short`);
  const reasoning = message["reasoning_content"];
  if (rules.reasoningContent === "required") {
    requireThat(
      calls.length === 0 || typeof reasoning === "string",
      `${where}: Missing \`reasoning_content\` field in the assistant message`,
    );
  } else requireThat(reasoning === undefined, `${where}.reasoning_content: Extra inputs are not permitted`);
  return calls.map((call, index) =>
    checkCall(asObject(call, where), `${where}.tool_calls.${index}`, context),
  );
}

function checkCall(call: JsonObject, where: string, { seen, rules }: AssistantContext): string {
  onlyFields(call, ["id", "type", "function"], where);
  const id = asString(call["id"], `${where}.id`);
  requireThat(
    !rules.shortToolCallIds || /^[A-Za-z0-9]{9}$/.test(id),
    `Tool call id has to be of length 9 with only a-z, A-Z, 0-9: ${id}`,
  );
  requireThat(toolIdPattern.test(id), `${where}.id: String should match pattern '${toolIdPattern.source}'`);
  requireThat(id.length <= 40, `${where}.id: string too long. Expected a string with maximum length 40`);
  requireThat(!seen.has(id), `${where}.id: Duplicate tool call id ${id}`);
  seen.add(id);
  requireThat(call["type"] === "function", `${where}.type: Input should be 'function'`);
  const called = asObject(call["function"], `${where}.function`);
  onlyFields(called, ["name", "arguments"], `${where}.function`);
  checkToolName(called, `${where}.function`);
  let parsed: unknown;
  try {
    parsed = JSON.parse(asString(called["arguments"], `${where}.function.arguments`));
  } catch {
    parsed = undefined;
  }
  asObject(parsed, `${where}.function.arguments`);
  return id;
}

function checkToolMessage(message: JsonObject, open: readonly string[], where: string): string[] {
  onlyFields(message, ["role", "content", "tool_call_id"], where);
  const id = asString(message["tool_call_id"], `${where}.tool_call_id`);
  requireThat(
    open.includes(id),
    `${where}: messages with role 'tool' must be a response to a preceding message with 'tool_calls'.`,
  );
  requireThat(asString(message["content"], `${where}.content`) !== "", `${where}.content: must not be empty`);
  return open.filter((other) => other !== id);
}
