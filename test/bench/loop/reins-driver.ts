// Reins' agent under the work of driver.ts.
import { Type } from "@sinclair/typebox";
import { Agent } from "../../../src/agent/agent.ts";
import { EventQueue } from "../../../src/ai/event-stream.ts";
import type { AssistantBlock, AssistantMessage, AssistantStream } from "../../../src/ai/types.ts";
import { testModel, testUsage } from "../../support/scripted-stream.ts";
import { delta } from "./driver.ts";
import type { CreateDriver } from "./driver.ts";

export const createReins: CreateDriver = ({ deltas, calls }) => {
  let left = 0;
  let ids = 0;
  const nothing = {
    name: "nothing",
    label: "Nothing",
    description: "Does nothing.",
    parameters: Type.Object({ n: Type.Number() }),
    execute: () => Promise.resolve({ content: [{ type: "text", text: "ok" }] as const }),
  };
  const respond = (): AssistantStream => {
    left -= 1;
    const text: AssistantBlock = { type: "text", text: delta.repeat(deltas) };
    const toolCall = {
      type: "toolCall",
      id: `call${left}`,
      name: "nothing",
      arguments: { n: left },
    } as const;
    const again = calls && left > 0;
    const message: AssistantMessage = {
      ...{ role: "assistant", api: "scripted", provider: testModel.provider, model: testModel.id },
      ...{ content: again ? [text, toolCall] : [text], usage: testUsage, timestamp: 1 },
      stopReason: again ? "toolUse" : "stop",
    };
    const queue = new EventQueue(() => message);
    queue.push({ type: "start" });
    queue.push({ type: "text_start", index: 0 });
    for (let at = 0; at < deltas; at += 1) queue.push({ type: "text_delta", index: 0, delta });
    queue.push({ type: "text_end", index: 0 });
    if (again) {
      queue.push({ type: "toolcall_start", index: 1, id: toolCall.id, name: toolCall.name });
      queue.push({ type: "toolcall_delta", index: 1, delta: JSON.stringify(toolCall.arguments) });
      queue.push({ type: "toolcall_end", index: 1, toolCall });
    }
    queue.push({ type: "done", message });
    return queue;
  };
  const agent = new Agent({
    stream: respond,
    getSettings: () => ({ model: testModel, thinkingLevel: "off", tools: [nothing] }),
    createId: () => `m${++ids}`,
    now: () => 1,
    getLimits: () => ({ turns: Infinity, toolCalls: Infinity, repeats: Infinity }),
  });
  return Promise.resolve({
    subscribe: (perEvent) => void agent.subscribe(() => perEvent()),
    run: async (turns) => {
      left = turns;
      await agent.prompt([{ role: "user", content: "Go", timestamp: 1 }]);
    },
    messages: () => agent.transcript.messages.length,
  });
};
