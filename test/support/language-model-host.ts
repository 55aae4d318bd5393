// VS Code's language models in memory, as strict as the models behind them: for the contract suite. They say no usage, no
// stop reason and no thinking, and tool calls come whole.
import type {
  LanguageModelContent,
  LanguageModelMessage,
  LanguageModelPart,
  LanguageModelRequest,
  LanguageModels,
} from "../../src/ai/language-models.ts";
import type { StreamDeps } from "../../src/ai/stream.ts";
import type { Model } from "../../src/ai/types.ts";
import { abortError } from "../../src/shared/errors.ts";
import type { ContractHost } from "./contract-apis.ts";
import type { MessageReply, Pieces, Reply } from "./provider-replies.ts";
import { argumentPieces, joined } from "./reply-parts.ts";

export class LanguageModelHost implements ContractHost, LanguageModels {
  readonly model: Model = {
    ...{ provider: "vscode", id: "test/model", name: "Test", api: "vscode-lm", reasoning: false },
    ...{ contextWindow: 100_000, maxTokens: 8_192, input: ["text", "image"] },
  };
  private readonly requests: LanguageModelRequest[] = [];
  private readonly arrivals: (() => void)[] = [];
  private replies: Reply[] = [];
  private problem: string | undefined;
  private ended = Promise.withResolvers<void>();

  get count(): number {
    return this.requests.length;
  }

  deps(): Partial<StreamDeps> {
    return { languageModels: this };
  }

  play(...replies: readonly Reply[]): void {
    this.replies = [...replies];
  }

  arrival(): Promise<void> {
    return new Promise((resolve) => this.arrivals.push(resolve));
  }

  refused(): string | undefined {
    return this.problem;
  }

  sent(): string {
    return JSON.stringify(this.requests.at(-1) ?? "");
  }

  closed(): Promise<void> {
    return this.ended.promise;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  send(request: LanguageModelRequest, signal: AbortSignal): Promise<AsyncIterable<LanguageModelPart>> {
    this.requests.push(request);
    this.ended = Promise.withResolvers();
    signal.addEventListener("abort", () => this.ended.resolve());
    for (const arrived of this.arrivals.splice(0)) arrived();
    this.problem = problemOf(request);
    const reply = this.replies.shift();
    if (this.problem !== undefined) return Promise.reject(new Error(this.problem));
    if (reply?.type === "http") return Promise.reject(new Error(JSON.stringify(reply.body)));
    if (reply?.type !== "message") return new Promise(() => undefined);
    return Promise.resolve(partsOf(reply, this.count, signal));
  }
}

async function* partsOf(
  { text = "", calls = [], deltaSize = 12 }: MessageReply,
  request: number,
  signal: AbortSignal,
): AsyncGenerator<LanguageModelPart> {
  for await (const piece of textOf(text, deltaSize, signal)) yield { type: "text", text: piece };
  for (const [index, call] of calls.entries()) {
    const pieces = argumentPieces(call);
    for await (const _ of textOf(pieces, Infinity, signal));
    const input: unknown = JSON.parse(joined(pieces) || "{}");
    yield { type: "toolCall", id: call.id ?? `call_${request}_${index + 1}`, name: call.name, input };
  }
}

async function* textOf(pieces: Pieces, size: number, signal: AbortSignal): AsyncGenerator<string> {
  const stopped = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(abortError()));
  });
  stopped.catch(() => undefined);
  for (const piece of typeof pieces === "string" ? [pieces] : pieces) {
    if (typeof piece !== "string") await Promise.race([piece, stopped]);
    else for (let at = 0; at < piece.length; at += size) yield piece.slice(at, at + size);
  }
}

/** What models behind the API refuse: undefined when there is nothing. */
function problemOf({ messages, tools }: LanguageModelRequest): string | undefined {
  let open: string[] = [];
  for (const [index, { role, content }] of messages.entries()) {
    if (content.length === 0) return `message ${index} is empty`;
    if (content.some(isBlank)) return `message ${index} has an empty text`;
    if (!JSON.stringify(content).isWellFormed()) return `message ${index} is no sound Unicode`;
    const results = content.flatMap((part) => (part.type === "toolResult" ? [part.toolCallId] : []));
    if (role === "assistant" && results.length > 0) return `message ${index} has a result of its own`;
    if (results.join() !== open.join())
      return `message ${index} answers ${results.join()} and not ${open.join()}`;
    open = callsOf({ role, content });
    if (role === "user" && open.length > 0) return `message ${index} of the user calls tools`;
  }
  if (open.length > 0) return "the last calls have no results";
  if (messages.at(-1)?.role !== "user") return "the last message is not the user's";
  return tools.every(({ name }) => /^[\w-]{1,64}$/.test(name)) ? undefined : "a tool has an illegal name";
}

function callsOf({ content }: LanguageModelMessage): string[] {
  return content.flatMap((part) => (part.type === "toolCall" ? [part.id] : []));
}

function isBlank(part: LanguageModelContent): boolean {
  return part.type === "text" && part.text.trim() === "";
}
