// The published Pi agent under the work of driver.ts. It is not a dependency of Reins, so nothing here is typed.
import { Agent } from "@earendil-works/pi-agent-core";
import { createAssistantMessageEventStream } from "@earendil-works/pi-ai";

const delta = "some words ";

/** @param {{ deltas: number, calls: boolean }} work */
export async function createPi({ deltas, calls }) {
  let left = 0;
  const model = {
    ...{ id: "scripted", name: "Scripted", api: "faux", provider: "test", baseUrl: "", reasoning: false },
    ...{ input: ["text"], contextWindow: 100_000, maxTokens: 8_000 },
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  };
  const usage = {
    ...{ input: 10, output: 5, cacheRead: 0, cacheWrite: 0, totalTokens: 15 },
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
  };
  const nothing = {
    name: "nothing",
    label: "Nothing",
    description: "Does nothing.",
    parameters: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
    execute: () => Promise.resolve({ content: [{ type: "text", text: "ok" }], details: {} }),
  };
  const respond = () => {
    left -= 1;
    const again = calls && left > 0;
    const stream = createAssistantMessageEventStream();
    const partial = {
      ...{ role: "assistant", content: [], api: model.api, provider: model.provider, model: model.id },
      ...{ usage, stopReason: again ? "toolUse" : "stop", timestamp: 1 },
    };
    const push = (event) => stream.push({ ...event, partial });
    const text = { type: "text", text: "" };
    push({ type: "start" });
    partial.content.push(text);
    push({ type: "text_start", contentIndex: 0 });
    for (let at = 0; at < deltas; at += 1) {
      text.text += delta;
      push({ type: "text_delta", contentIndex: 0, delta });
    }
    push({ type: "text_end", contentIndex: 0, content: text.text });
    if (again) {
      const toolCall = { type: "toolCall", id: `call${left}`, name: "nothing", arguments: { n: left } };
      partial.content.push(toolCall);
      push({ type: "toolcall_start", contentIndex: 1 });
      push({ type: "toolcall_delta", contentIndex: 1, delta: JSON.stringify(toolCall.arguments) });
      push({ type: "toolcall_end", contentIndex: 1, toolCall });
    }
    stream.push({ type: "done", reason: partial.stopReason, message: partial });
    stream.end();
    return stream;
  };
  const agent = new Agent({ initialState: { model, tools: [nothing] }, streamFn: respond });
  return {
    subscribe: (perEvent) => void agent.subscribe(() => perEvent()),
    run: async (turns) => {
      left = turns;
      await agent.prompt("Go");
    },
    messages: () => agent.state.messages.length,
  };
}
