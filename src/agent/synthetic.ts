// Assistant messages that no model wrote: the empty start of a response, and how a response ends that cannot end itself.
import type { AssistantMessage, Model } from "../ai/types.ts";
import { noUsage, toUsage } from "../ai/usage.ts";

/** Without content; `model` is undefined when a run failed before its settings were known. */
export function emptyAnswer(model: Model | undefined, timestamp: number): AssistantMessage {
  return {
    role: "assistant",
    content: [],
    api: model?.api ?? "scripted",
    provider: model?.provider ?? "reins",
    model: model?.id ?? "none",
    usage: toUsage(noUsage, undefined),
    stopReason: "stop",
    timestamp,
  };
}

export function abortedAnswer(answer: AssistantMessage): AssistantMessage {
  const { errorKind: _, ...rest } = answer;
  return { ...rest, stopReason: "aborted" };
}

/** `text` is for a person and names the next step. */
export function failedAnswer(answer: AssistantMessage, text: string): AssistantMessage {
  return { ...answer, stopReason: "error", errorMessage: text, errorKind: answer.errorKind ?? "unknown" };
}

/** Whether nothing in it says anything. */
export function isBlank(answer: AssistantMessage): boolean {
  return answer.content.every((block) => {
    if (block.type === "toolCall") return false;
    if (block.type === "text") return block.text === "";
    return block.thinking === "" && block.thinkingSignature === undefined && block.redacted !== true;
  });
}
