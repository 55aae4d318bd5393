// The system messages of a conversation as a request carries them: the leading ones as its prompt, all of them as its
// tools. Later ones change nothing that was sent before; they become texts in their place, which `replay.ts` puts there.
import { legalToolName } from "./tool-call-ids.ts";
import type { Message, SystemMessage, ToolDeclaration } from "./types.ts";
import { wellFormedJson } from "./well-formed.ts";

export interface SystemHead {
  /** Empty when there is nothing. */
  readonly prompt: string;
  /** In order of declaration; a tool that changed is the last. Names as every API takes them. */
  readonly tools: readonly ToolDeclaration[];
}

/**
 * The prompt is what the messages before the first turn say: contents first, then sections in the order in which
 * their names first appeared, each in a tag of its name. It stays what it is for the whole conversation, so that caches
 * of what was sent stay valid. The tools are those of now.
 */
export function replaySystem(messages: readonly Message[]): SystemHead {
  const contents: string[] = [];
  const sections = new Map<string, string>();
  const tools = new Map<string, ToolDeclaration>();
  const leading = countLeading(messages);
  for (const [index, message] of messages.entries()) {
    if (message.role !== "system") continue;
    for (const { name } of message.toolsRemoved ?? []) tools.delete(name);
    for (const tool of message.toolsAdded ?? []) tools.set(tool.name, tool);
    if (index >= leading) continue;
    if (message.content.trim() !== "") contents.push(message.content);
    for (const [name, text] of Object.entries(message.sections ?? {})) {
      if (text === null) sections.delete(name);
      else sections.set(name, text);
    }
  }
  const tagged = [...sections]
    .filter(([, text]) => text.trim() !== "")
    .map(([name, text]) => tag(name, text));
  return {
    prompt: [...contents, ...tagged].join("\n\n").toWellFormed(),
    tools: [...tools.values()].map(legalTool),
  };
}

/** How many system messages come before the first turn. */
export function countLeading(messages: readonly Message[]): number {
  const first = messages.findIndex((message) => message.role !== "system");
  return first < 0 ? messages.length : first;
}

/** Declarations are at the very front of a request: when they change, everything after them does. */
export function changesTools(message: SystemMessage): boolean {
  return (message.toolsAdded ?? []).length > 0 || (message.toolsRemoved ?? []).length > 0;
}

/** What a later system message tells the model; undefined when it has nothing to say. */
export function systemChangeText(message: SystemMessage): string | undefined {
  const added = new Set((message.toolsAdded ?? []).map(({ name }) => name));
  const gone = (message.toolsRemoved ?? []).map(({ name }) => name).filter((name) => !added.has(name));
  const parts = [
    ...(message.content.trim() === "" ? [] : [message.content]),
    ...Object.entries(message.sections ?? {}).map(([name, text]) =>
      text === null || text.trim() === ""
        ? `The section <${name}> no longer applies.`
        : `From now on, the section <${name}> is:\n${tag(name, text)}`,
    ),
    ...(gone.length > 0
      ? [`These tools are no longer available: ${gone.map(legalToolName).join(", ")}.`]
      : []),
  ];
  return parts.length > 0 ? parts.join("\n\n").toWellFormed() : undefined;
}

function tag(name: string, text: string): string {
  return `<${name}>\n${text}\n</${name}>`;
}

function legalTool({ name, description, parameters }: ToolDeclaration): ToolDeclaration {
  return {
    name: legalToolName(name),
    description: description.toWellFormed(),
    parameters: wellFormedJson(parameters),
  };
}
