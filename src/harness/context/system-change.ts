// What has to be said about the prompt and the tools, given what a conversation has said already: all of it at the
// start, later only what changed, and nothing as long as nothing did.
import type { AgentMessage, AgentTool } from "../../agent/types.ts";
import type { SystemMessage, ToolDeclaration } from "../../ai/types.ts";
import { isJsonObject } from "../../shared/json.ts";
import type { PromptSections } from "./system-prompt.ts";

/** Undefined when the conversation's system messages already say exactly this. */
export function systemChange(
  messages: readonly AgentMessage[],
  sections: PromptSections,
  tools: readonly ToolDeclaration[],
): Omit<SystemMessage, "timestamp"> | undefined {
  const said = replay(messages);
  const changedSections = changes(said.sections, new Map(Object.entries(sections)));
  const toolsAdded = tools.filter((tool) => said.tools.get(tool.name) !== JSON.stringify(tool));
  const wanted = new Set(tools.map((tool) => tool.name));
  const toolsRemoved = [...said.tools.keys()].filter((name) => !wanted.has(name)).map((name) => ({ name }));
  const hasSections = Object.keys(changedSections).length > 0;
  if (!hasSections && toolsAdded.length === 0 && toolsRemoved.length === 0) return undefined;
  return {
    role: "system",
    content: "",
    ...(hasSections && { sections: changedSections }),
    ...(toolsAdded.length > 0 && { toolsAdded }),
    ...(toolsRemoved.length > 0 && { toolsRemoved }),
  };
}

/** The tool as a model sees it. */
export function declarationOf(tool: AgentTool): ToolDeclaration {
  // A TypeBox schema is JSON with symbols beside it; a round trip leaves only what is sent.
  const parameters: unknown = JSON.parse(JSON.stringify(tool.parameters));
  if (!isJsonObject(parameters)) throw new Error(`The parameters of ${tool.name} are no object schema.`);
  return { name: tool.name, description: tool.description, parameters };
}

interface Said {
  readonly sections: ReadonlyMap<string, string>;
  /** Declarations by name, as JSON. */
  readonly tools: ReadonlyMap<string, string>;
}

function replay(messages: readonly AgentMessage[]): Said {
  const sections = new Map<string, string>();
  const tools = new Map<string, string>();
  for (const message of messages) {
    if (message.role !== "system") continue;
    for (const [name, text] of Object.entries(message.sections ?? {})) {
      if (text === null) sections.delete(name);
      else sections.set(name, text);
    }
    for (const { name } of message.toolsRemoved ?? []) tools.delete(name);
    for (const tool of message.toolsAdded ?? []) tools.set(tool.name, JSON.stringify(tool));
  }
  return { sections, tools };
}

function changes(said: ReadonlyMap<string, string>, wanted: ReadonlyMap<string, string>) {
  const changed: { [name: string]: string | null } = {};
  for (const [name, text] of wanted) if (said.get(name) !== text) changed[name] = text;
  for (const name of said.keys()) if (!wanted.has(name)) changed[name] = null;
  return changed;
}
