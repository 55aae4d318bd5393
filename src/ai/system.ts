// Replays the system messages of a conversation into the one prompt and tool list that a request carries.
import type { Message, ToolDeclaration } from "./types.ts";

export interface SystemHead {
  /** Empty when there is nothing. */
  readonly prompt: string;
  /** In order of declaration. */
  readonly tools: readonly ToolDeclaration[];
}

/** Contents first, then sections in the order in which their names first appeared, each in a tag of its name. */
export function replaySystem(messages: readonly Message[]): SystemHead {
  const contents: string[] = [];
  const sections = new Map<string, string>();
  const tools = new Map<string, ToolDeclaration>();
  for (const message of messages) {
    if (message.role !== "system") continue;
    if (message.content.trim() !== "") contents.push(message.content);
    for (const [name, text] of Object.entries(message.sections ?? {})) {
      if (text === null) sections.delete(name);
      else sections.set(name, text);
    }
    for (const { name } of message.toolsRemoved ?? []) tools.delete(name);
    for (const tool of message.toolsAdded ?? []) tools.set(tool.name, tool);
  }
  const tagged = [...sections]
    .filter(([, text]) => text.trim() !== "")
    .map(([name, text]) => `<${name}>\n${text}\n</${name}>`);
  return { prompt: [...contents, ...tagged].join("\n\n").toWellFormed(), tools: [...tools.values()] };
}
