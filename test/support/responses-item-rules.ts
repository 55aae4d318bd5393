// What the real Responses API refuses of the items of its input: their kinds and fields, their ids, calls without outputs
// and outputs without calls, and reasoning that is not what it sent.
import type { JsonObject } from "../../src/shared/json.ts";
import { checkImageData } from "./image-rules.ts";
import { encryptedReasoning } from "./reply-parts.ts";
import { asObject, requireThat, textOf } from "./request-rules.ts";
import {
  checkCallId,
  checkId,
  checkName,
  knownFields,
  nonBlank,
  oneOf,
  requiredText,
} from "./responses-fields.ts";

export interface InputContext {
  readonly model: string;
  readonly systemFirst: boolean;
}

/** Throws a RuleViolation for the first rule that is broken. */
export function checkInput(input: unknown, context: InputContext): void {
  if (typeof input === "string") {
    requiredText(input, "input");
    return;
  }
  requireThat(Array.isArray(input), "Invalid type for 'input': expected an array of items or a string.", {
    ...{ code: "invalid_type", param: "input" },
  });
  requireThat(input.length > 0, "Missing required parameter: 'input'.", {
    ...{ code: "missing_required_parameter", param: "input" },
  });
  const items = input.map((item, index) => asObject(item, `input[${index}]`));
  for (const [index, item] of items.entries()) checkItem(item, `input[${index}]`, context);
  checkOrder(items, context);
  checkPairs(items);
}

function checkItem(item: JsonObject, where: string, { model }: InputContext): void {
  switch (item["type"] ?? "message") {
    case "message":
      return checkMessage(item, where);
    case "reasoning":
      return checkReasoningItem(item, model, where);
    case "function_call":
      return checkCall(item, where);
    case "function_call_output":
      return checkOutput(item, where);
    default:
      return oneOf(
        item["type"],
        ["message", "reasoning", "function_call", "function_call_output"],
        `${where}.type`,
      );
  }
}

const roles = ["assistant", "system", "developer", "user"];

function checkMessage(item: JsonObject, where: string): void {
  oneOf(item["role"], roles, `${where}.role`);
  const isAssistant = item["role"] === "assistant";
  knownFields(item, ["type", "role", "content", ...(isAssistant ? ["id", "phase"] : [])], where);
  checkId(item, "msg", where);
  if (item["phase"] !== undefined) oneOf(item["phase"], ["commentary", "final_answer"], `${where}.phase`);
  if (typeof item["content"] === "string") nonBlank(item["content"], `${where}.content`);
  else if (isAssistant) checkParts(item["content"], ["output_text", "refusal"], `${where}.content`);
  else {
    const kinds = item["role"] === "user" ? ["input_text", "input_image"] : ["input_text"];
    checkParts(item["content"], kinds, `${where}.content`);
  }
}

function checkParts(content: unknown, kinds: readonly string[], where: string): void {
  requireThat(Array.isArray(content) && content.length > 0, `Invalid '${where}': empty array.`, {
    ...{ code: "empty_array", param: where },
  });
  for (const [index, value] of content.entries()) {
    const place = `${where}[${index}]`;
    const part = asObject(value, place);
    oneOf(part["type"], kinds, `${place}.type`);
    if (part["type"] === "input_image") checkImage(part, place);
    else if (part["type"] === "refusal") {
      knownFields(part, ["type", "refusal"], place);
      nonBlank(part["refusal"], `${place}.refusal`);
    } else {
      knownFields(
        part,
        part["type"] === "output_text" ? ["type", "text", "annotations"] : ["type", "text"],
        place,
      );
      nonBlank(part["text"], `${place}.text`);
    }
  }
}

function checkImage(part: JsonObject, where: string): void {
  knownFields(part, ["type", "image_url", "detail", "file_id"], where);
  const url = part["image_url"];
  requireThat(
    typeof url === "string",
    `Invalid type for '${where}.image_url': expected an image URL, but got an object instead.`,
    { code: "invalid_type", param: `${where}.image_url` },
  );
  if (part["detail"] !== undefined) {
    oneOf(part["detail"], ["low", "high", "auto", "original"], `${where}.detail`);
  }
  const [, mimeType = "", data] = /^data:([^;]*);base64,(.*)$/.exec(url) ?? [];
  requireThat(
    data !== undefined || /^https:\/\//.test(url),
    `Invalid '${where}.image_url'. Expected a valid URL, but got a value with an invalid format.`,
    { code: "invalid_value", param: `${where}.image_url` },
  );
  if (data !== undefined) checkImageData(data, mimeType, where);
}

function checkReasoningItem(item: JsonObject, model: string, where: string): void {
  knownFields(item, ["type", "id", "summary", "content", "encrypted_content"], where);
  checkId(item, "rs", where);
  const { summary, encrypted_content: encrypted } = item;
  requireThat(Array.isArray(summary), `Missing required parameter: '${where}.summary'.`, {
    ...{ code: "missing_required_parameter", param: `${where}.summary` },
  });
  const texts = summary.map((part, index) => textOf(asObject(part, `${where}.summary[${index}]`)["text"]));
  requireThat(
    typeof encrypted === "string",
    `Item with id '${textOf(item["id"])}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`,
    { param: "input" },
  );
  requireThat(
    encrypted === encryptedReasoning(model, texts),
    `The encrypted content ${encrypted.slice(0, 4)}...${encrypted.slice(-4)} could not be verified. Reason: Encrypted content could not be decrypted or parsed.`,
    { code: "invalid_encrypted_content" },
  );
}

function checkCall(item: JsonObject, where: string): void {
  knownFields(item, ["type", "id", "call_id", "name", "arguments"], where);
  checkId(item, "fc", where);
  checkCallId(item["call_id"], `${where}.call_id`);
  checkName(item["name"], `${where}.name`);
  let parsed: unknown;
  try {
    parsed = JSON.parse(requiredText(item["arguments"], `${where}.arguments`));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  asObject(parsed, `${where}.arguments`);
}

function checkOutput(item: JsonObject, where: string): void {
  knownFields(item, ["type", "id", "call_id", "output"], where);
  checkId(item, "fc", where);
  checkCallId(item["call_id"], `${where}.call_id`);
  if (typeof item["output"] === "string") requiredText(item["output"], `${where}.output`);
  else checkParts(item["output"], ["input_text", "input_image"], `${where}.output`);
}

/** Reasoning stands directly before what it led to, and the user does not speak before calls are answered. */
function checkOrder(items: readonly JsonObject[], { systemFirst }: InputContext): void {
  requireThat(
    items.some((item) => item["role"] === "user"),
    "Missing required parameter: 'input': a user message is required.",
    { param: "input" },
  );
  let userSpoke = false;
  for (const [index, item] of items.entries()) {
    const isSystem = item["role"] === "system" || item["role"] === "developer";
    requireThat(
      !isSystem || !systemFirst || !userSpoke,
      "System messages are only allowed at the beginning.",
      {
        param: `input[${index}]`,
      },
    );
    if (item["role"] === "user") userSpoke = true;
    if (item["type"] !== "reasoning") continue;
    const next = items[index + 1];
    requireThat(
      next !== undefined &&
        (next["role"] === "assistant" || ["reasoning", "function_call"].includes(textOf(next["type"]))),
      `Item '${textOf(item["id"])}' of type 'reasoning' was provided without its required following item.`,
      { param: "input" },
    );
  }
}

function checkPairs(items: readonly JsonObject[]): void {
  const open = new Set<string>();
  const seen = new Set<string>();
  for (const item of items) {
    const id = textOf(item["call_id"]);
    if (item["type"] === "function_call") {
      requireThat(!seen.has(id), `Duplicate function call with call_id ${id}.`, { param: "input" });
      seen.add(id);
      open.add(id);
    } else if (item["type"] === "function_call_output") {
      requireThat(open.delete(id), `No tool call found for function call output with call_id ${id}.`, {
        param: "input",
      });
    } else if (item["role"] !== undefined && item["role"] !== "assistant") requireAnswered(open);
  }
  requireAnswered(open);
}

function requireAnswered(open: ReadonlySet<string>): void {
  const [id] = open;
  requireThat(id === undefined, `No tool output found for function call ${id}.`, { param: "input" });
}
