// What the real Responses API answers with a 400, checked on every request of the loopback provider: the body as a whole.
// Leaves the items of its input to `responses-item-rules.ts`.
import type { JsonObject } from "../../src/shared/json.ts";
import { checkImages } from "./image-rules.ts";
import { asObject, requireThat, requireWellFormed, textOf } from "./request-rules.ts";
import { checkName, knownFields, maxLength, oneOf, requiredText } from "./responses-fields.ts";
import { checkInput } from "./responses-item-rules.ts";

/** How this server or model deviates; the default is api.openai.com with a reasoning model. */
export interface ResponsesServerRules {
  /** Whether the model reasons: only then it takes `reasoning` and has encrypted content. Default true. */
  readonly reasoning?: boolean;
  /** Default: all that exist. */
  readonly efforts?: readonly string[];
  /** Accepted beside the API's own. */
  readonly extraFields?: readonly string[];
  /** Refuses system and developer messages behind the first user message. Default false. */
  readonly systemFirst?: boolean;
}

const requestFields = [
  ...[
    "model",
    "input",
    "instructions",
    "stream",
    "stream_options",
    "store",
    "include",
    "tools",
    "tool_choice",
  ],
  ...["max_output_tokens", "max_tool_calls", "parallel_tool_calls", "reasoning", "text", "truncation"],
  ...["prompt_cache_key", "prompt_cache_retention", "safety_identifier", "service_tier", "metadata", "user"],
  ...["temperature", "top_p", "top_logprobs", "previous_response_id", "conversation", "background", "prompt"],
];

const allEfforts = ["none", "minimal", "low", "medium", "high", "xhigh", "max"];

/** Throws a RuleViolation for the first rule that is broken. */
export function checkResponsesRequest(body: JsonObject, rules: ResponsesServerRules = {}): void {
  requireWellFormed(body);
  knownFields(body, [...requestFields, ...(rules.extraFields ?? [])], "");
  requiredText(body["model"], "model");
  if (body["instructions"] !== undefined) requiredText(body["instructions"], "instructions");
  checkLimits(body);
  checkReasoning(body, rules);
  checkTools(body["tools"]);
  requireThat(
    body["store"] === false && body["previous_response_id"] === undefined,
    "Responses cannot be stored with data retention turned off. Set 'store' to false.",
    { param: "store" },
  );
  checkInput(body["input"], { model: textOf(body["model"]), systemFirst: rules.systemFirst === true });
  checkImages(body["input"], {
    maxLength: 20_971_520,
    maxSide: Number.POSITIVE_INFINITY,
    maxCount: 500,
    maxTotalLength: 209_715_200,
  });
}

function checkLimits(body: JsonObject): void {
  const max = body["max_output_tokens"];
  if (max !== undefined) {
    requireThat(Number.isInteger(max), "Invalid type for 'max_output_tokens': expected an integer.", {
      ...{ code: "invalid_type", param: "max_output_tokens" },
    });
    requireThat(
      Number(max) >= 16,
      `Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got ${Number(max)} instead.`,
      { code: "integer_below_min_value", param: "max_output_tokens" },
    );
  }
  const key = body["prompt_cache_key"];
  if (key !== undefined) maxLength(requiredText(key, "prompt_cache_key"), 64, "prompt_cache_key");
  for (const name of ["stream", "store", "parallel_tool_calls"]) {
    requireThat(
      [undefined, true, false].includes(body[name] as boolean),
      `Invalid type for '${name}': expected a boolean.`,
      { code: "invalid_type", param: name },
    );
  }
}

function checkReasoning(
  body: JsonObject,
  { reasoning = true, efforts = allEfforts }: ResponsesServerRules,
): void {
  const include = body["include"] ?? [];
  requireThat(Array.isArray(include), "Invalid type for 'include': expected an array.", { param: "include" });
  for (const [index, item] of include.entries()) {
    oneOf(item, ["reasoning.encrypted_content", "message.output_text.logprobs"], `include[${index}]`);
    requireThat(
      reasoning || item !== "reasoning.encrypted_content",
      "Encrypted content is not supported with this model.",
      { param: "include" },
    );
  }
  if (body["reasoning"] === undefined) return;
  requireThat(reasoning, "Unsupported parameter: 'reasoning.effort' is not supported with this model.", {
    ...{ code: "unsupported_parameter", param: "reasoning.effort" },
  });
  const wanted = asObject(body["reasoning"], "reasoning");
  knownFields(wanted, ["effort", "summary"], "reasoning");
  if (wanted["summary"] !== undefined) {
    oneOf(wanted["summary"], ["auto", "concise", "detailed"], "reasoning.summary");
  }
  const { effort } = wanted;
  if (effort === undefined || effort === null) return;
  oneOf(effort, allEfforts, "reasoning.effort");
  requireThat(
    efforts.includes(textOf(effort)),
    `Unsupported value: '${textOf(effort)}' is not supported with the '${textOf(body["model"])}' model. Supported values are: ${efforts.map((word) => `'${word}'`).join(", ")}.`,
    { code: "unsupported_value", param: "reasoning.effort" },
  );
}

function checkTools(tools: unknown): void {
  if (tools === undefined) return;
  requireThat(Array.isArray(tools), "Invalid type for 'tools': expected an array of objects.", {
    ...{ code: "invalid_type", param: "tools" },
  });
  const names = new Set<string>();
  for (const [index, item] of tools.entries()) {
    const where = `tools[${index}]`;
    const tool = asObject(item, where);
    oneOf(tool["type"], ["function"], `${where}.type`);
    knownFields(tool, ["type", "name", "description", "parameters", "strict"], where);
    const name = checkName(tool["name"], `${where}.name`);
    requireThat(!names.has(name), `Duplicate tool name '${name}'.`, { param: `${where}.name` });
    names.add(name);
    const schema = asObject(tool["parameters"], `${where}.parameters`);
    requireThat(
      schema["type"] === "object",
      `Invalid schema for function '${name}': schema must be a JSON Schema of 'type: "object"', got 'type: "${textOf(schema["type"]) || "None"}"'.`,
      { code: "invalid_function_parameters", param: `${where}.parameters` },
    );
    // Strict is the default of this API, and refuses every schema with optional properties.
    if (tool["strict"] !== false) checkStrictSchema(schema, name, where);
  }
}

function checkStrictSchema(schema: JsonObject, name: string, where: string): void {
  const details = { code: "invalid_function_parameters", param: `${where}.parameters` };
  const head = `Invalid schema for function '${name}': In context=(),`;
  requireThat(
    schema["additionalProperties"] === false,
    `${head} 'additionalProperties' is required to be supplied and to be false.`,
    details,
  );
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  for (const key of Object.keys(asObject(schema["properties"] ?? {}, where))) {
    requireThat(
      required.includes(key),
      `${head} 'required' is required to be supplied and to be an array including every key in properties. Missing '${key}'.`,
      details,
    );
  }
}
