// Builds an agent over a scripted model and tells what happened in short lines. For the tests of this folder.
import { Type } from "@sinclair/typebox";
import type { TSchema } from "@sinclair/typebox";
import { Agent } from "../../../src/agent/agent.ts";
import type { AgentInitial } from "../../../src/agent/agent.ts";
import type { AgentEvent, SequencedEvent } from "../../../src/agent/events.ts";
import type {
  AgentConfig,
  AgentMessage,
  AgentTool,
  ToolContext,
  ToolOutcome,
} from "../../../src/agent/types.ts";
import type { Message, UserMessage } from "../../../src/ai/types.ts";
import type { JsonObject } from "../../../src/shared/json.ts";
import { scriptedStream, testModel } from "../../support/scripted-stream.ts";
import type { ScriptedStream, Step } from "../../support/scripted-stream.ts";

export interface Setup {
  readonly agent: Agent;
  readonly events: SequencedEvent[];
  readonly stream: ScriptedStream;
  readonly log: string[];
  /** Short lines; see `line`. */
  readonly trace: () => string[];
}

export function setup(
  steps: readonly Step[],
  config: Partial<AgentConfig> & { readonly tools?: readonly AgentTool[] } = {},
  initial: AgentInitial = {},
): Setup {
  const stream = scriptedStream(steps);
  const log: string[] = [];
  const full = testConfig(stream, { log: (text) => log.push(text), ...config });
  const agent = new Agent(full, initial);
  const events: SequencedEvent[] = [];
  agent.subscribe((event) => events.push(event));
  return { agent, events, stream, log, trace: () => trace(events) };
}

export function testConfig(
  stream: AgentConfig["stream"],
  { tools = [], ...config }: Partial<AgentConfig> & { readonly tools?: readonly AgentTool[] } = {},
): AgentConfig {
  let ids = 0;
  return {
    stream,
    getSettings: () => ({ model: testModel, thinkingLevel: "off", tools }),
    createId: () => `m${++ids}`,
    now: () => 1,
    ...config,
  };
}

export function user(content: UserMessage["content"]): UserMessage {
  return { role: "user", content, timestamp: 1 };
}

/** A tool that takes `value` (any string) and does what `execute` does; default: it answers with its name. */
export function tool(
  name: string,
  execute: (args: JsonObject, context: ToolContext) => Promise<ToolOutcome> = () =>
    Promise.resolve(said(`${name} done`)),
  more: Partial<AgentTool> = {},
): AgentTool {
  const parameters: TSchema = Type.Object({ value: Type.Optional(Type.String()) });
  return { name, label: name, description: name, parameters, execute, ...more };
}

export function said(text: string, more: Partial<ToolOutcome> = {}): ToolOutcome {
  return { content: [{ type: "text", text }], ...more };
}

/** One line per event; an update that follows one of the same block or tool is left out. */
export function trace(events: readonly AgentEvent[]): string[] {
  const lines: string[] = [];
  for (const event of events) {
    const next = line(event);
    if (!(next.includes("update") && lines.at(-1) === next)) lines.push(next);
  }
  return lines;
}

function line(event: AgentEvent): string {
  switch (event.type) {
    case "turn_start":
      return `turn_start ${event.turn}`;
    case "message_start":
      return `start ${event.message.role}`;
    case "message_update":
      return "update";
    case "message_end":
      return `end ${label(event.message)}`;
    case "tool_execution_start":
    case "tool_execution_running":
    case "tool_execution_update":
      return `${event.type.replace("tool_execution_", "tool ")} ${event.toolCallId}`;
    case "tool_execution_end":
      return `tool end ${event.toolCallId}${event.isError ? " error" : ""}`;
    case "turn_end":
      return `turn_end ${event.message.stopReason}`;
    case "agent_end":
      return `agent_end ${event.end}`;
    case "queue_update":
      return `queue ${event.queue.length}`;
    case "limit_reached":
      return `limit ${event.limit} ${event.used}/${event.max}`;
    default:
      return event.type;
  }
}

function label(message: AgentMessage): string {
  switch (message.role) {
    case "user":
      return `user ${textOf(message)}`;
    case "assistant":
      return `assistant ${message.stopReason}`;
    case "toolResult":
      return `result ${message.toolCallId}${message.isError ? " error" : ""}`;
    case "system":
      return "system";
    case "app":
      return `app ${message.kind}`;
  }
}

export function textOf(message: AgentMessage): string {
  if (message.role === "app") return message.text;
  if (typeof message.content === "string") return message.content;
  return message.content.map((block) => (block.type === "text" ? block.text : `[${block.type}]`)).join("");
}

/** What a request showed: role and text. */
export function shown(messages: readonly Message[]): string[] {
  return messages.map((message) => `${message.role}: ${textOf(message)}`);
}

/** The result text of a call in the agent's transcript. */
export function resultOf(agent: Agent, toolCallId: string): string {
  const results = agent.transcript.messages
    .map((entry) => entry.message)
    .filter((message) => message.role === "toolResult" && message.toolCallId === toolCallId);
  return results.map(textOf).join(" | ");
}
