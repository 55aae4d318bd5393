// Tokens and money: what a provider reported, what it costs, and an estimate for what nobody has counted yet.
import { readImageFormat } from "./image-format.ts";
import { estimateTokens } from "./token-estimate.ts";
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

/** An image of unknown size costs about this much with every provider, and none costs more. */
const imageTokens = 1_600;
/** Providers count images by area, in pixels per token. */
const pixelsPerToken = 750;
/** Role, separators and ids around a message. */
const messageTokens = 4;

/**
 * A whole usage record. `reported`: what the provider says that it charged, in US dollars; it counts more than the price.
 * The cost is zero when neither is known.
 */
export function toUsage(parts: UsageParts, price: Price | undefined, reported?: number): Usage {
  const estimated = price ? costOf(parts, price) : noCost;
  const cost = reported === undefined ? estimated : shareOut(estimated, reported);
  return { ...parts, totalTokens: contextTokens(parts), cost };
}

/** The reported total; its parts as the price says, where there is one. */
function shareOut(estimated: Cost, total: number): Cost {
  const factor = estimated.total > 0 ? total / estimated.total : 0;
  const { input, output, cacheRead, cacheWrite } = estimated;
  return {
    input: input * factor,
    output: output * factor,
    cacheRead: cacheRead * factor,
    cacheWrite: cacheWrite * factor,
    total,
  };
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
    (sum, block) => sum + (block.type === "text" ? estimateTokens(block.text) : estimateImageTokens(block)),
    0,
  );
}

function estimateImageTokens({ data }: ImageBlock): number {
  const format = readImageFormat(data);
  return format
    ? Math.min(imageTokens, Math.ceil((format.width * format.height) / pixelsPerToken))
    : imageTokens;
}
