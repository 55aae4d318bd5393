// A whole session in memory for tests: a scripted model, tools of the test's own, and everything that was written.
import { Type } from "@sinclair/typebox";
import type { AgentTool, ToolContext, ToolOutcome } from "../../src/agent/types.ts";
import { SessionBook } from "../../src/harness/sessions.ts";
import type { PendingDecision } from "../../src/harness/approvals/types.ts";
import type { SessionTools } from "../../src/harness/session-tools.ts";
import { Proposals } from "../../src/harness/proposals/proposals.ts";
import type { JsonObject } from "../../src/shared/json.ts";
import { Emitter } from "../../src/shared/event.ts";
import { memoryPorts, MemorySettings } from "./memory-ports.ts";
import type { MemoryPorts } from "./memory-ports.ts";
import { scriptedStream } from "./scripted-stream.ts";
import type { ScriptedStream, Step } from "./scripted-stream.ts";

/** What `providers` in the settings must hold so that `local/small` and `local/large` are models. */
export const localProviders = {
  local: {
    api: "openai-chat",
    baseUrl: "http://127.0.0.1:1/v1",
    models: [
      { id: "small", contextWindow: 10_000 },
      { id: "large", contextWindow: 90_000 },
    ],
  },
};

export function localPorts(overrides: Partial<MemoryPorts> = {}): MemoryPorts {
  return memoryPorts({
    settings: new MemorySettings({ model: "local/small", providers: localProviders }),
    ...overrides,
  });
}

/** A tool `work` that does what the test says. */
export function workTool(
  execute: (args: JsonObject, context: ToolContext) => Promise<ToolOutcome> = () =>
    Promise.resolve({ content: [{ type: "text", text: "worked" }] }),
): AgentTool {
  return { name: "work", label: "Work", description: "Works.", parameters: Type.Object({}), execute };
}

/** Tools that are all allowed. */
export function plainTools(ports: MemoryPorts, tools: readonly AgentTool[]): SessionTools {
  const changed = new Emitter<void>();
  const decisions: PendingDecision[] = [];
  return {
    tools,
    hints: tools.map(({ name }) => ({ name, snippet: `${name} something`, guidelines: [] })),
    proposals: new Proposals(ports.files),
    decisions,
    onDidChange: changed.event,
    beforeToolCall: () => Promise.resolve({ type: "allow" }),
    answer: () => undefined,
    restore: () => Promise.resolve(),
    dispose: () => changed.dispose(),
  };
}

export interface OpenedBook {
  readonly ports: MemoryPorts;
  readonly book: SessionBook;
  readonly stream: ScriptedStream;
}

export async function openBook(
  steps: Parameters<typeof scriptedStream>[0] | readonly Step[] = [],
  options: { readonly ports?: MemoryPorts; readonly tools?: readonly AgentTool[] } = {},
): Promise<OpenedBook> {
  const ports = options.ports ?? localPorts();
  const stream = scriptedStream(steps);
  const tools = options.tools ?? [workTool()];
  const book = await SessionBook.open({
    ...{ ports, stream, random: () => 0.5 },
    createTools: () => plainTools(ports, tools),
  });
  return { ports, book, stream };
}
