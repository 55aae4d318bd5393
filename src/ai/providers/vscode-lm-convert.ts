// A conversation as VS Code's language models take it: user and assistant messages only, the prompt as the first of them.
import type { LanguageModelContent, LanguageModelMessage, LanguageModelRequest } from "../language-models.ts";
import { replay } from "../replay.ts";
import type { ReplayedTurn } from "../replay.ts";
import { replaySystem } from "../system.ts";
import type { AssistantBlock, Model, ModelRequest } from "../types.ts";

/** What most of the models behind it take. */
const ids = { maxLength: 40 };

export function toLanguageModelRequest(model: Model, { messages }: ModelRequest): LanguageModelRequest {
  const { prompt, tools } = replaySystem(messages);
  const turns = replay(messages, model, { ids, dropThinking: true });
  const head: LanguageModelMessage[] =
    prompt === "" ? [] : [{ role: "user", content: [{ type: "text", text: prompt }] }];
  return { model: model.id, messages: [...head, ...turns.map(toMessage)], tools };
}

function toMessage(turn: ReplayedTurn): LanguageModelMessage {
  switch (turn.role) {
    case "user":
      return { role: "user", content: turn.content };
    case "assistant":
      return { role: "assistant", content: turn.content.flatMap(toAssistantContent) };
    case "results":
      return {
        role: "user",
        content: turn.results.map(({ toolCallId, content }) => ({ type: "toolResult", toolCallId, content })),
      };
    case "system":
      return { role: "user", content: [{ type: "text", text: turn.text }] };
  }
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
