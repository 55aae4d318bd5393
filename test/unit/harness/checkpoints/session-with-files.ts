// A session with the real tools over files in memory, every edit accepted at once, and a model that calls tools.
import { createSessionTools } from "../../../../src/harness/tools/create-tools.ts";
import { SessionBook } from "../../../../src/harness/sessions.ts";
import type { CodingSession } from "../../../../src/harness/types.ts";
import type { RestorePoint, RestoreResult } from "../../../../src/harness/checkpoints/types.ts";
import type { SettingsSnapshot } from "../../../../src/harness/ports.ts";
import type { JsonObject } from "../../../../src/shared/json.ts";
import { MemoryFiles } from "../../../support/memory-files.ts";
import { memoryPorts, MemorySettings } from "../../../support/memory-ports.ts";
import type { MemoryPorts } from "../../../support/memory-ports.ts";
import { localProviders } from "../../../support/open-session.ts";
import { scriptedStream, text, toolCalls } from "../../../support/scripted-stream.ts";

export type ToolCall = readonly [name: string, args: JsonObject];

export function place(path: string): string {
  return `memory:/work/${path}`;
}

export class SessionWithFiles {
  readonly ports: MemoryPorts;
  readonly requests: unknown[] = [];
  private script: (readonly ToolCall[] | undefined)[] = [];
  private calls = 0;
  private book: SessionBook | undefined;

  constructor(
    files: { readonly [path: string]: string | Uint8Array } = {},
    settings: Partial<SettingsSnapshot> = {},
    ports?: MemoryPorts,
  ) {
    const memory = new MemoryFiles();
    for (const [path, content] of Object.entries(files)) memory.write(place(path), content);
    memory.makeFolder("memory:/work");
    this.ports =
      ports ??
      memoryPorts({
        files: memory,
        settings: new MemorySettings({
          ...{ model: "local/small", providers: localProviders, editUnread: true },
          ...{ approvalEdits: "auto", approvalCommands: "auto" },
          ...settings,
        }),
      });
  }

  async open(): Promise<CodingSession> {
    this.book = await SessionBook.open({
      ports: this.ports,
      random: () => 0.5,
      createTools: (own, writer) => createSessionTools(own, writer),
      stream: scriptedStream((request) => {
        this.requests.push(request.request);
        const calls = this.script.shift();
        if (!calls) return text("done");
        return toolCalls(...calls.map(([name, args]) => ({ id: `c${++this.calls}`, name, args })));
      }),
    });
    return this.book.current;
  }

  get session(): CodingSession {
    if (!this.book) throw new Error("Not open");
    return this.book.current;
  }

  /** One run: the tools that the model calls, turn by turn. The id of its message. */
  async run(prompt: string, ...turns: readonly (readonly ToolCall[])[]): Promise<string> {
    this.script = [...turns];
    await this.session.prompt(prompt);
    const { messages } = this.session.transcript;
    const entry = messages.findLast(({ message }) => message.role === "user");
    if (!entry) throw new Error("No message");
    return entry.id;
  }

  /** Everything of the plan that is not somebody else's change. */
  async restore(point: RestorePoint): Promise<RestoreResult> {
    const plan = await this.session.checkpoints.plan(point);
    const own = plan.files.filter((file) => !file.changedSince);
    return this.session.checkpoints.restore(
      plan,
      own.map(({ uri }) => uri),
    );
  }

  disk(path: string): string | undefined {
    return this.ports.files.onDisk(place(path));
  }

  /** As a killed window: nothing more is written. */
  kill(): void {
    this.book?.dispose();
  }

  get lastTexts(): readonly string[] {
    return this.session.transcript.messages.map(({ message }) =>
      message.role === "app"
        ? message.text
        : message.role === "system"
          ? ""
          : JSON.stringify(message.content),
    );
  }
}

export function write(path: string, content: string): ToolCall {
  return ["write", { path, content }];
}

export function edit(path: string, oldText: string, newText: string): ToolCall {
  return ["edit", { path, edits: [{ oldText, newText }] }];
}
