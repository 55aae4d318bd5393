// Where the Messages API is asked to keep what it has read. It keeps a request up to each mark, and finds what it kept
// at a mark or at most 20 content blocks before one. Marks are no part of what it compares.
import type {
  CacheControlEphemeral,
  ContentBlockParam,
  MessageParam,
} from "@anthropic-ai/sdk/resources/messages/messages";

export const cacheHere: CacheControlEphemeral = { type: "ephemeral" };

/**
 * Marks two of the four places that the API allows (the others are the last tool and the system prompt): the end, and
 * the end of the request before, which is where the last answer begins. So a request finds all of the one before, however
 * many blocks an answer and its results have.
 */
export function markMessages(messages: readonly MessageParam[]): MessageParam[] {
  const end = messages.length - 1;
  const answer = messages.findLastIndex(({ role }) => role === "assistant");
  return messages.map((message, index) =>
    index === end || index === answer - 1 ? markLastBlock(message) : message,
  );
}

function markLastBlock(message: MessageParam): MessageParam {
  if (message.role === "assistant" || typeof message.content === "string") return message;
  const last = message.content.length - 1;
  const content = message.content.map((block, index) =>
    index === last ? { ...block, cache_control: cacheHere } : block,
  );
  // User and system messages hold only block types that may carry the mark.
  return { ...message, content: content as ContentBlockParam[] } as MessageParam;
}
