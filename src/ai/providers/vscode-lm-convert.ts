// A conversation as VS Code's language models take it: user and assistant messages only, the prompt as the first of them.
import { anthropicImageLimits } from "../image-limits.ts";
import type { LanguageModelContent, LanguageModelMessage, LanguageModelRequest } from "../language-models.ts";
import { replay } from "../replay.ts";
import type { ReplayedResult, ReplayedTurn } from "../replay.ts";
import { replaySystem } from "../system.ts";
import type { AssistantBlock, Model, ModelRequest } from "../types.ts";

/** What most of the models behind it take. */
const ids = { maxLength: 40 };

export function toLanguageModelRequest(model: Model, { messages }: ModelRequest): LanguageModelRequest {
  const { prompt, tools } = replaySystem(messages);
  // Whose model it is cannot be told: the limits are the narrowest of those it may have.
  const imageLimits = anthropicImageLimits(model);
  const turns = replay(messages, model, { ids, dropThinking: true, imageLimits });
  const head = prompt === "" ? [] : [userMessage([{ type: "text", text: prompt }])];
  return { model: model.id, messages: [...head, ...turns.flatMap(toMessages)], tools };
}

function toMessages(turn: ReplayedTurn): LanguageModelMessage[] {
  switch (turn.role) {
    case "user":
      return [userMessage(turn.content)];
    case "assistant":
      return [{ role: "assistant", content: turn.content.flatMap(toAssistantContent) }];
    case "results":
      return toResultMessages(turn.results);
    case "system":
      return [userMessage([{ type: "text", text: turn.text }])];
  }
}

/**
 * Behind calls, providers take a message of nothing but results, and many read only their text. So images of a batch
 * follow in a message of their own.
 */
function toResultMessages(results: readonly ReplayedResult[]): LanguageModelMessage[] {
  const answers = results.map(({ toolCallId, content }): LanguageModelContent => {
    const texts = content.filter((block) => block.type === "text");
    const shown = texts.length > 0 ? texts : [{ type: "text" as const, text: "(see the image below)" }];
    return { type: "toolResult", toolCallId, content: shown };
  });
  const images = results.flatMap(({ content }) => content.filter((block) => block.type === "image"));
  if (images.length === 0) return [userMessage(answers)];
  const caption = { type: "text", text: "Images of the tool results above:" } as const;
  return [userMessage(answers), userMessage([caption, ...images])];
}

function userMessage(content: readonly LanguageModelContent[]): LanguageModelMessage {
  return { role: "user", content };
}

function toAssistantContent(block: AssistantBlock): LanguageModelContent[] {
  switch (block.type) {
    case "text":
      return [{ type: "text", text: block.text }];
    case "toolCall":
      return [{ type: "toolCall", id: block.id, name: block.name, arguments: block.arguments }];
    case "thinking":
      return [];
  }
}
