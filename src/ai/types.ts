// The one message model, from the provider to the pixel and to disk, and the streaming interface over all models.
// Leaves to `providers/` how a wire format maps to it. Shapes follow Pi's session format (version 3).
import type { JsonObject } from "../shared/json.ts";

/** The wire protocol of a model. */
export type Api = "anthropic-messages" | "openai-chat" | "openai-responses" | "vscode-lm" | "scripted";

export type ThinkingLevel = "off" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";

export interface TextBlock {
  readonly type: "text";
  readonly text: string;
  readonly textSignature?: string;
}

export interface ImageBlock {
  readonly type: "image";
  /** Base64. */
  readonly data: string;
  readonly mimeType: string;
}

export interface ThinkingBlock {
  readonly type: "thinking";
  readonly thinking: string;
  /** Opaque; only ever sent back to the same provider and model. */
  readonly thinkingSignature?: string;
  /** The provider hid the text; the payload is in the signature. */
  readonly redacted?: boolean;
}

export interface ToolCallBlock {
  readonly type: "toolCall";
  readonly id: string;
  readonly name: string;
  readonly arguments: JsonObject;
  /** Set when the final argument text was not a JSON object: the raw text and why. `arguments` is then `{}`. */
  readonly argumentsError?: string;
  /** Opaque (Gemini); only ever sent back to the same provider and model. */
  readonly thoughtSignature?: string;
}

export type AssistantBlock = TextBlock | ThinkingBlock | ToolCallBlock;

/** `error` and `aborted` turns are kept in the session and never sent again. */
export type StopReason = "stop" | "length" | "toolUse" | "error" | "aborted";

export type ErrorKind =
  | "auth"
  | "quota"
  | "rate_limit"
  | "overloaded"
  | "context_overflow"
  | "bad_request"
  | "network"
  | "timeout"
  | "content_filter"
  | "malformed_stream"
  | "unknown";

/** US dollars. Where the provider reports a total, that is it, and the parts share it as the price says (all zero without one). */
export interface Cost {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly total: number;
}

/** Tokens. `input` excludes cache reads and writes; the context a request filled is the sum of all four. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly totalTokens: number;
  readonly cost: Cost;
}

export interface ToolDeclaration {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly parameters: JsonObject;
}

/**
 * The leading system message carries the prompt's named sections (in order) and the tool declarations; later
 * ones carry changes only: a section replaced, or removed with null.
 */
export interface SystemMessage {
  readonly role: "system";
  readonly content: string;
  readonly sections?: { readonly [name: string]: string | null };
  readonly toolsAdded?: readonly ToolDeclaration[];
  readonly toolsRemoved?: readonly { readonly name: string }[];
  /** Unix milliseconds, as in every message. */
  readonly timestamp: number;
}

export interface UserMessage {
  readonly role: "user";
  readonly content: string | readonly (TextBlock | ImageBlock)[];
  readonly timestamp: number;
}

export interface AssistantMessage {
  readonly role: "assistant";
  readonly content: readonly AssistantBlock[];
  readonly api: Api;
  readonly provider: string;
  readonly model: string;
  readonly usage: Usage;
  readonly stopReason: StopReason;
  /** For a person: what happened and what to do. Set with `error`, may be set with `aborted`. */
  readonly errorMessage?: string;
  readonly errorKind?: ErrorKind;
  /** How long the provider asked to wait before a retry, in milliseconds. */
  readonly retryAfterMs?: number;
  /** Another try would fail in the same way, though the kind would allow one (a certificate, a proxy's password). */
  readonly errorFinal?: true;
  readonly responseId?: string;
  readonly thinkingLevel?: ThinkingLevel;
  readonly durationMs?: number;
  readonly timestamp: number;
}

export interface ToolResultMessage {
  readonly role: "toolResult";
  readonly toolCallId: string;
  readonly toolName: string;
  readonly content: readonly (TextBlock | ImageBlock)[];
  /** For the panel and for recovery; never sent to a model. */
  readonly details?: JsonObject;
  readonly isError: boolean;
  readonly durationMs?: number;
  readonly timestamp: number;
}

export type Message = SystemMessage | UserMessage | AssistantMessage | ToolResultMessage;

/** US dollars per million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** The rates of a whole request whose input (cache included) is larger than `above` tokens. */
  readonly longContext?: {
    readonly above: number;
    readonly input: number;
    readonly output: number;
    readonly cacheRead: number;
    readonly cacheWrite: number;
  };
}

/**
 * How an Anthropic model is told to think. `budget`: a number of tokens, or nothing for off. `adaptive`: by effort,
 * off is sent as disabled. `between_tools`: by effort, off means only between tools.
 */
export type AnthropicThinking = "budget" | "adaptive" | "between_tools";

/** What an OpenAI-compatible server deviates in. Defaults are the minimal body every server accepts. */
export interface OpenAiChatCompat {
  /** Default `max_tokens`; api.openai.com wants `max_completion_tokens`. */
  readonly maxTokensField?: "max_tokens" | "max_completion_tokens";
  /** Ask for usage in the stream. Default true, dropped for a server that refuses the field. */
  readonly streamUsage?: boolean;
  /** Send `reasoning_effort`. Default false. */
  readonly reasoningEffort?: boolean;
  /**
   * How the thinking level is told instead: `openrouter`, as `reasoning: { effort }`; `deepseek`, as `reasoning_effort`
   * with `thinking: { type }`, which is the only way to turn it off. Default: as `reasoningEffort` says.
   */
  readonly thinkingFormat?: "openrouter" | "deepseek";
  /** Send `prompt_cache_key`. Default false. */
  readonly promptCacheKey?: boolean;
  /** A header that gets the session's id, for servers that route by it (xAI: `x-grok-conv-id`). */
  readonly sessionHeader?: string;
  /** Role of the system prompt. Default `system`. */
  readonly systemRole?: "system" | "developer";
  /** Field to send own thinking back in (for example `reasoning_content`); absent: thinking is not sent back. */
  readonly reasoningField?: "reasoning_content" | "reasoning" | "reasoning_text";
  /** Send the list `reasoning_details` back as it arrived (OpenRouter); it is the signature of a thinking block. Default false. */
  readonly reasoningDetails?: boolean;
  /**
   * User and assistant messages must take turns: neighbours of one role become one message, and between a tool's result
   * and the user stands an assistant message (Mistral, strict chat templates). Default false.
   */
  readonly alternatingRoles?: boolean;
  /** Tool call ids must be nine letters or digits (Mistral). Default false. */
  readonly shortToolCallIds?: boolean;
  /** Send the thought signatures of tool calls back (Gemini). Default false. */
  readonly thoughtSignatures?: boolean;
}

/** What a provider takes of images where it is less than its API usually takes. Sizes in characters of base64. */
export interface ModelImageLimits {
  readonly maxLength?: number;
  /** Images in a request. */
  readonly maxCount?: number;
  readonly maxTotalLength?: number;
  /** Default: PNG, JPEG, GIF and WebP. */
  readonly types?: readonly ("image/png" | "image/jpeg" | "image/gif" | "image/webp")[];
}

export interface Model {
  readonly provider: string;
  readonly id: string;
  readonly name: string;
  readonly api: Api;
  /** Without a trailing slash; absent: the SDK's own default. */
  readonly baseUrl?: string;
  readonly headers?: { readonly [name: string]: string };
  /** Added to every address (for example Azure's `api-version`). */
  readonly query?: { readonly [name: string]: string };
  /** The header that carries the key. Default: `x-api-key` for the Messages API, else `authorization` (as `Bearer`). */
  readonly keyHeader?: "authorization" | "api-key" | "x-api-key";
  /** Tokens. */
  readonly contextWindow: number;
  /** Largest output in tokens. */
  readonly maxTokens: number;
  readonly input: readonly ("text" | "image")[];
  readonly imageLimits?: ModelImageLimits;
  readonly reasoning: boolean;
  readonly price?: Price;
  /** What can be chosen, in rising order; default: all for a reasoning model, else only `off`. */
  readonly thinkingLevels?: readonly ThinkingLevel[];
  /**
   * The API's own word for a level, where it is not the usual one of its API; null: the model does not have the level.
   * Usual are, for Chat Completions, nothing for `off` and otherwise `low`, `medium`, `high` (OpenRouter: `none`,
   * `minimal`, `low`, `medium`, `high`, `xhigh`; DeepSeek: `low`, `high`, `max`), for Responses `none`, `low`, `medium`,
   * `high`, `xhigh`, `max`, and for Messages `low` to `max` (none for budgets). `off` needs an entry where thinking is on
   * unless it is turned off (for example `off: "none"`), and null where it cannot be.
   */
  readonly thinkingEfforts?: { readonly [Level in ThinkingLevel]?: string | null };
  /**
   * The API takes system messages later in the conversation too (Messages: Claude Opus 4.8, Opus 5, and the models of
   * 5.1 and later; Chat Completions: api.openai.com). Default true for Responses, else false: they are told in a user
   * message.
   */
  readonly laterSystemMessages?: boolean;
  readonly compat?: OpenAiChatCompat;
  /** Default `budget`; read only for `anthropic-messages`. */
  readonly thinking?: AnthropicThinking;
}

/** Everything a model is shown: the replayed system messages give its prompt and its tools. */
export interface ModelRequest {
  readonly messages: readonly Message[];
}

export interface StreamOptions {
  readonly signal?: AbortSignal;
  readonly apiKey?: string;
  /** Stable per session: cache affinity. */
  readonly sessionId?: string;
  /** Default `off`; clamped to what the model has. */
  readonly thinkingLevel?: ThinkingLevel;
  /** Output tokens; default the model's maximum. */
  readonly maxTokens?: number;
  /** Milliseconds until the answer begins (response headers), after which it ends with a `timeout` error. Default 60,000; local servers 600,000. */
  readonly connectTimeoutMs?: number;
  /** Milliseconds of silence after which the stream ends with a `timeout` error. Default 120,000; local servers 600,000. */
  readonly idleTimeoutMs?: number;
}

/** `index` is the block's place in the message's content; blocks may interleave. */
export type StreamEvent =
  | { readonly type: "start" }
  | { readonly type: "text_start"; readonly index: number }
  | { readonly type: "text_delta"; readonly index: number; readonly delta: string }
  | { readonly type: "text_end"; readonly index: number }
  | { readonly type: "thinking_start"; readonly index: number }
  | { readonly type: "thinking_delta"; readonly index: number; readonly delta: string }
  | { readonly type: "thinking_end"; readonly index: number }
  | { readonly type: "toolcall_start"; readonly index: number; readonly id: string; readonly name: string }
  | { readonly type: "toolcall_delta"; readonly index: number; readonly delta: string }
  | { readonly type: "toolcall_end"; readonly index: number; readonly toolCall: ToolCallBlock }
  | { readonly type: "done"; readonly message: AssistantMessage }
  /** `cause`: what went wrong in the raw, for the log; without secrets, at most 4,000 characters. */
  | { readonly type: "error"; readonly message: AssistantMessage; readonly cause?: string };

/**
 * One response being received. Iterating and `result()` never throw: the last event is `done` or `error` and
 * carries the final message, content so far included. `start` may be missing before `error`. One consumer; who stops
 * iterating cancels nothing (abort the signal for that), and `result()` needs nobody to iterate.
 */
export interface AssistantStream extends AsyncIterable<StreamEvent> {
  result(): Promise<AssistantMessage>;
  /**
   * What has arrived so far, events that were not taken yet included; no later growth changes it, and nobody else can:
   * it is frozen, as final messages are. Until the end it looks like a response that was stopped now (`aborted`, without
   * `errorMessage`), before the first block without content, and a call that has not ended has the arguments that can be
   * shown already, with an `argumentsError`: never run it. After the end it is the final message itself. Costs its size.
   */
  snapshot(): AssistantMessage;
}

/**
 * Starts one response. Never throws and never retries; only a request that was refused because of an optional field is
 * sent again at once without that field, three times at most.
 */
export type StreamFn = (model: Model, request: ModelRequest, options: StreamOptions) => AssistantStream;
