// Tokens and money: what a provider reported, what it costs, and an estimate for what nobody has counted yet.
import type { Cost, ImageBlock, Message, Price, TextBlock, ToolDeclaration, Usage } from "./types.ts";

/** The four disjoint parts of a report, in tokens. */
export interface UsageParts {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

export const noUsage: UsageParts = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

const noCost: Cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };

/** An image costs about this much with every provider. */
const imageTokens = 1_500;
/** Role, separators and ids around a message. */
const messageTokens = 4;

/** A whole usage record. The cost is zero when the price is not known. */
export function toUsage(parts: UsageParts, price: Price | undefined): Usage {
  return { ...parts, totalTokens: contextTokens(parts), cost: price ? costOf(parts, price) : noCost };
}

/** US dollars, at the rates of a long context where the input is one. */
export function costOf(parts: UsageParts, price: Price): Cost {
  const input = parts.input + parts.cacheRead + parts.cacheWrite;
  const rates = price.longContext && input > price.longContext.above ? price.longContext : price;
  const cost = {
    input: (parts.input * rates.input) / 1e6,
    output: (parts.output * rates.output) / 1e6,
    cacheRead: (parts.cacheRead * rates.cacheRead) / 1e6,
    cacheWrite: (parts.cacheWrite * rates.cacheWrite) / 1e6,
  };
  return { ...cost, total: cost.input + cost.output + cost.cacheRead + cost.cacheWrite };
}

/** The context a request filled, its answer included; 0 when the provider reported nothing. */
export function contextTokens(usage: UsageParts): number {
  return usage.input + usage.output + usage.cacheRead + usage.cacheWrite;
}

/** Within about 20 % for code and prose in any language. */
export function estimateTokens(text: string): number {
  let nonAscii = 0;
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 127) nonAscii += 1;
  return Math.ceil((text.length - nonAscii) / 3.2 + nonAscii / 1.3);
}

/** Tokens of one message as a request would carry it. */
export function estimateMessageTokens(message: Message): number {
  switch (message.role) {
    case "system": {
      const sections = Object.values(message.sections ?? {}).reduce(
        (sum, text) => sum + estimateTokens(text ?? ""),
        0,
      );
      return (
        messageTokens + estimateTokens(message.content) + sections + estimateTools(message.toolsAdded ?? [])
      );
    }
    case "assistant":
      return message.content.reduce((sum, block) => {
        if (block.type === "text") return sum + estimateTokens(block.text);
        if (block.type === "thinking") return sum + estimateTokens(block.thinking);
        return sum + estimateTokens(block.name) + estimateTokens(JSON.stringify(block.arguments));
      }, messageTokens);
    case "user":
      return messageTokens + estimateContent(message.content);
    case "toolResult":
      return messageTokens + estimateContent(message.content);
  }
}

export function estimateMessagesTokens(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + estimateMessageTokens(message), 0);
}

function estimateTools(tools: readonly ToolDeclaration[]): number {
  return tools.reduce((sum, tool) => sum + estimateTokens(JSON.stringify(tool)), 0);
}

function estimateContent(content: string | readonly (TextBlock | ImageBlock)[]): number {
  if (typeof content === "string") return estimateTokens(content);
  return content.reduce(
    (sum, block) => sum + (block.type === "text" ? estimateTokens(block.text) : imageTokens),
    0,
  );
}
