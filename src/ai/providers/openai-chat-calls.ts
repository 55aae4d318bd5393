// The tool calls of a Chat Completions stream, put together from deltas whose indexes, ids and names may be missing, may
// change, and may be repeated. Leaves text, thinking and the end to `openai-chat-reader.ts`.
import { isJsonObject } from "../../shared/json.ts";
import type { PartialMessage } from "../partial-message.ts";
import { parseToolArguments } from "../tool-arguments.ts";
import { JsonEnd } from "./json-end.ts";
import { field, object, text } from "./read-json.ts";

interface Call {
  id: string;
  name: string;
  /** Undefined until the name is known; argument text waits in `early`. */
  index: number | undefined;
  early: string;
  readonly end: JsonEnd;
}

interface Delta {
  readonly key: string | undefined;
  readonly id: string;
  readonly name: string;
  readonly args: string;
  readonly signature: string;
}

export class ChatCalls {
  private readonly partial: PartialMessage;
  private readonly onOpen: () => void;
  private readonly calls: Call[] = [];
  /** The newest call of each index of the wire: several calls may come under one. */
  private readonly byIndex = new Map<string, Call>();

  /** `onOpen`: a call begins, and what was growing ends. */
  constructor(partial: PartialMessage, onOpen: () => void) {
    this.partial = partial;
    this.onOpen = onOpen;
  }

  read(raw: unknown): void {
    const delta = deltaOf(raw);
    if (delta.id === "" && delta.name === "" && delta.args === "" && delta.signature === "") return;
    const call = this.find(delta);
    if (delta.key !== undefined) this.byIndex.set(delta.key, call);
    if (call.index === undefined) this.open(call, delta);
    if (call.index !== undefined) this.partial.blocks.sign(call.index, delta.signature);
    if (!this.isRepeat(call, delta)) this.append(call, delta.args);
  }

  /** A call of which only arguments or an id arrived. */
  areNameless(): boolean {
    return this.calls.some((call) => call.index === undefined);
  }

  areWhole(): boolean {
    return this.calls.every((call) => parseToolArguments(this.text(call)).argumentsError === undefined);
  }

  private open(call: Call, { id, name }: Delta): void {
    if (call.id === "") call.id = id;
    if (name === "") return;
    this.onOpen();
    call.name = name;
    call.index = this.partial.openToolCall(call.id, name);
    this.partial.append(call.index, call.early);
  }

  private append(call: Call, args: string): void {
    if (call.index === undefined) call.early += args;
    else this.partial.append(call.index, args);
    call.end.add(args);
  }

  private find(delta: Delta): Call {
    const known = this.known(delta);
    if (known && !this.isAnother(known, delta)) return known;
    const call: Call = { id: delta.id, name: "", index: undefined, early: "", end: new JsonEnd() };
    this.calls.push(call);
    return call;
  }

  /** By index, then by id, then the last one. */
  private known(delta: Delta): Call | undefined {
    const { key, id, name } = delta;
    const byIndex = key === undefined ? undefined : this.byIndex.get(key);
    if (byIndex) return byIndex;
    const byId = id === "" ? undefined : this.calls.findLast((call) => call.id === id);
    if (byId && (key === undefined || name === "")) return byId;
    const last = this.calls.at(-1);
    if (!last || id !== "") return last?.id === "" && key === undefined ? last : undefined;
    // An index may be told from the second delta on, and no longer be told.
    const isBare = name === "" && (key === undefined || ![...this.byIndex.values()].includes(last));
    return isBare || (key === undefined && !this.beginsByItself(last, delta)) ? last : undefined;
  }

  /** Behind a call that has a name, another name, or the same one with other whole arguments. */
  private beginsByItself(last: Call, { name, args }: Delta): boolean {
    if (last.name === "") return false;
    return name !== last.name || (last.end.reached && isOther(args, this.text(last)));
  }

  /** One index for several calls. A changed id alone says nothing: some servers make up a new one for every delta. */
  private isAnother(known: Call, { id, name, args, key }: Delta): boolean {
    if (key === undefined || name === "" || known.name === "") return false;
    const otherId = id !== "" && known.id !== "" && id !== known.id;
    if (otherId && name !== known.name) return true;
    if (!known.end.reached) return false;
    return otherId || isOther(args, this.text(known));
  }

  /** Some servers send the whole arguments once more at the end. */
  private isRepeat(call: Call, { args }: Delta): boolean {
    return args.trimStart().startsWith("{") && call.end.reached && sameJson(args, this.text(call));
  }

  private text({ index, early }: Call): string {
    return index === undefined ? early : this.partial.blocks.text(index);
  }
}

function deltaOf(raw: unknown): Delta {
  const called = object(raw, "function") ?? (isJsonObject(raw) ? raw : undefined);
  const index = field(raw, "index");
  return {
    key: typeof index === "number" || (typeof index === "string" && index !== "") ? `${index}` : undefined,
    id: text(raw, "id"),
    name: text(called, "name"),
    args: argumentText(called?.["arguments"]),
    signature: text(object(object(raw, "extra_content"), "google"), "thought_signature"),
  };
}

/** Some servers send the arguments as an object. */
function argumentText(value: unknown): string {
  if (typeof value === "string") return value;
  return isJsonObject(value) ? JSON.stringify(value) : "";
}

/** Whole arguments, and not the known ones once more. */
function isOther(args: string, known: string): boolean {
  return args.trimStart().startsWith("{") && !sameJson(args, known);
}

function sameJson(first: string, second: string): boolean {
  if (first === second) return true;
  try {
    return JSON.stringify(JSON.parse(first)) === JSON.stringify(JSON.parse(second));
  } catch {
    return false;
  }
}
