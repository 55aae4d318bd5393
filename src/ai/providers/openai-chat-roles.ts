// For servers whose chat template insists that user and assistant take turns: the same messages, with no two neighbours of
// one role, and an assistant message between a tool's result and the user.
import type {
  ChatCompletionContentPart,
  ChatCompletionMessageParam,
} from "openai/resources/chat/completions";

/** What the assistant says where the template wants it to have said something. */
const filler = "I have read the results.";

export function alternate(messages: readonly ChatCompletionMessageParam[]): ChatCompletionMessageParam[] {
  const taking: ChatCompletionMessageParam[] = [];
  for (const message of messages) {
    const last = taking.at(-1);
    if (message.role !== "user" || !last) {
      taking.push(message);
      continue;
    }
    if (last.role === "user") {
      taking.pop();
      taking.push({ role: "user", content: joined(last.content, message.content) });
      continue;
    }
    if (last.role === "tool") taking.push({ role: "assistant", content: filler });
    taking.push(message);
  }
  return taking;
}

type UserContent = string | ChatCompletionContentPart[];

function joined(first: UserContent, second: UserContent): UserContent {
  if (typeof first === "string" && typeof second === "string") return `${first}\n\n${second}`;
  return [...toParts(first), ...toParts(second)];
}

function toParts(content: UserContent): ChatCompletionContentPart[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}
