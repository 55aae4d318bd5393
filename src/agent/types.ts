// What the loop needs from the layers above: tools, hooks, messages of its own. It knows no file, approval or provider.
import type { TSchema } from "@sinclair/typebox";
import type {
  AssistantMessage,
  ImageBlock,
  Message,
  Model,
  StreamFn,
  TextBlock,
  ThinkingLevel,
  ToolCallBlock,
  ToolResultMessage,
  UserMessage,
} from "../ai/types.ts";
import type { JsonObject } from "../shared/json.ts";

/** A record of the application that lives beside the messages; it reaches a model only through `convertToLlm`. */
export interface AppMessage {
  readonly role: "app";
  /** For example `notice`, `compaction`. */
  readonly kind: string;
  readonly text: string;
  readonly details?: JsonObject;
  readonly timestamp: number;
}

export type AgentMessage = Message | AppMessage;

/** A message with its id. The session entry that stores it has the same id. */
export interface MessageEntry {
  readonly id: string;
  readonly message: AgentMessage;
}

export interface ToolOutcome {
  readonly content: readonly (TextBlock | ImageBlock)[];
  /** For the panel; JSON; never sent to a model. */
  readonly details?: JsonObject;
  readonly isError?: boolean;
  /** When every result of a batch says so, the automatic next request is skipped. */
  readonly terminate?: boolean;
}

/** Progress of a running tool. `details` replaces what was shown; `output` is appended to it. */
export interface ToolProgress {
  readonly details?: JsonObject;
  readonly output?: string;
}

export interface ToolContext {
  readonly toolCallId: string;
  readonly signal: AbortSignal;
  /** Ignored once the tool has settled. */
  readonly onProgress: (progress: ToolProgress) => void;
  /** For what waits for a person: settles as `pending` does, and the time does not count as the run's. */
  readonly whileAsking: <T>(pending: Promise<T>) => Promise<T>;
}

/** `execute` may throw: the text becomes an error result, so write it for the model and name the next step. */
export interface AgentTool {
  readonly name: string;
  /** For people, for example "Read". */
  readonly label: string;
  readonly description: string;
  readonly parameters: TSchema;
  /** One sequential tool makes the batch sequential. Default parallel. */
  readonly executionMode?: "parallel" | "sequential";
  /** Calls with the same key never overlap (for example the path that is written), whatever run they belong to. */
  readonly lockKey?: (args: JsonObject) => string | undefined;
  /** Reshapes raw arguments before validation; may throw. */
  readonly prepareArguments?: (args: JsonObject) => JsonObject;
  readonly execute: (args: JsonObject, context: ToolContext) => Promise<ToolOutcome>;
}

export type QueueKind = "steering" | "followUp";
export type QueueMode = "one-at-a-time" | "all";

export interface QueuedMessage {
  readonly id: string;
  readonly kind: QueueKind;
  readonly message: UserMessage;
}

export interface BeforeToolCall {
  readonly assistantMessage: AssistantMessage;
  readonly toolCall: ToolCallBlock;
  /** Validated. */
  readonly args: JsonObject;
  readonly signal: AbortSignal;
}

/** `allow` runs the tool; `block` gives the model `reason` as an error result, `details` go to the panel. */
export type ToolDecision =
  | { readonly type: "allow" }
  | { readonly type: "block"; readonly reason: string; readonly details?: JsonObject };

export interface AfterToolCall extends BeforeToolCall {
  readonly outcome: ToolOutcome;
}

/** A turn that is over. */
export interface TurnInfo {
  readonly message: AssistantMessage;
  readonly toolResults: readonly ToolResultMessage[];
}

/** What a turn works with; taken once at its start. */
export interface TurnSettings {
  readonly model: Model;
  readonly thinkingLevel: ThinkingLevel;
  readonly tools: readonly AgentTool[];
}

/** What a run may use from its prompt on; reaching one pauses it at the next boundary. For none: Infinity. */
export interface LoopLimits {
  /** Answers with what followed from them. Default 200. */
  readonly turns: number;
  /** Default 1,000. */
  readonly toolCalls: number;
  /** Input and output, without what the provider read from its cache. Default 20,000,000. */
  readonly tokens: number;
  /** US dollars, where the price is known. Default 25. */
  readonly cost: number;
  /** Of work: waiting for a person does not count. Default 240. */
  readonly minutes: number;
  /** The same call failing, or repeating with the same result, this many times in a row. Default 5. */
  readonly repeats: number;
}

/** For `AgentConfig.maxParallel`. */
export const DEFAULT_MAX_PARALLEL = 8;

/** For `AgentConfig.abortGraceMs`, in milliseconds. */
export const DEFAULT_ABORT_GRACE_MS = 2_000;

/** For `AgentConfig.barrierGraceMs`, in milliseconds. */
export const DEFAULT_BARRIER_GRACE_MS = 10_000;

/** The loop's environment. Unless said otherwise a hook that throws ends the run with an `error` turn. */
export interface AgentConfig {
  readonly stream: StreamFn;
  /** Key for one request; undefined sends none. */
  readonly getApiKey?: (model: Model) => Promise<string | undefined>;
  /** Called at the start of every turn. */
  readonly getSettings: () => TurnSettings;
  /** Unique per session; message and entry ids. */
  readonly createId: () => string;
  readonly now: () => number;
  readonly sessionId?: string;
  /** Before every request: what of the transcript this request shows. Default: the transcript. */
  readonly transformContext?: (
    messages: readonly AgentMessage[],
    signal: AbortSignal,
  ) => Promise<readonly AgentMessage[]>;
  /** Default: drops app messages. */
  readonly convertToLlm?: (messages: readonly AgentMessage[]) => readonly Message[];
  /**
   * Before every request, first included: messages to append (for example a system change). They come after the
   * turn's new messages, which are durable by then; only in an empty transcript they lead.
   */
  readonly prepareRequest?: (signal: AbortSignal) => Promise<readonly AgentMessage[]>;
  /**
   * After a turn, once another one is certain: messages with which that one starts, before any steering. Not called
   * before the first turn of a run.
   */
  readonly prepareNextTurn?: (turn: TurnInfo, signal: AbortSignal) => Promise<readonly AgentMessage[]>;
  /**
   * After results, before `turn_end`; `end` stops the run and leaves the queue as it is, `continue` asks for one
   * more request. Not called for failed or aborted turns.
   */
  readonly finishTurn?: (turn: TurnInfo) => Promise<"end" | "continue" | undefined>;
  /** A throw blocks the call with its text. */
  readonly beforeToolCall?: (call: BeforeToolCall) => Promise<ToolDecision>;
  /** Overrides fields of the outcome; a throw replaces the result by its text. */
  readonly afterToolCall?: (call: AfterToolCall) => Promise<Partial<ToolOutcome> | undefined>;
  /** Default one-at-a-time for both. */
  readonly steeringMode?: QueueMode;
  readonly followUpMode?: QueueMode;
  /** Concurrent executions in a parallel batch. Default 8. */
  readonly maxParallel?: number;
  /** How long a tool or a stream that ignores its signal may hold an aborted run, in milliseconds. Default 2,000. */
  readonly abortGraceMs?: number;
  /** How long a barrier subscriber may hold an aborted run, in milliseconds; then the run ends with an error. Default 10,000. */
  readonly barrierGraceMs?: number;
  /** Asked at every boundary. Default: the defaults. May not throw. */
  readonly getLimits?: () => Partial<LoopLimits>;
  /** Late results and failing listeners are told here. */
  readonly log?: (text: string) => void;
}
