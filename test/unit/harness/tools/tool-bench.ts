// The tools of one session over memory ports, called as the loop calls them: prepared, validated, executed.
import type { AgentTool, ToolOutcome, ToolProgress } from "../../../../src/agent/types.ts";
import { validateArguments } from "../../../../src/agent/validate.ts";
import type { SettingsSnapshot } from "../../../../src/harness/ports.ts";
import { Proposals } from "../../../../src/harness/proposals/proposals.ts";
import type { ProposalDecision } from "../../../../src/harness/proposals/types.ts";
import { createTools } from "../../../../src/harness/tools/create-tools.ts";
import type { ToolDeps } from "../../../../src/harness/tools/create-tools.ts";
import { ProblemSources } from "../../../../src/harness/tools/problem-watch.ts";
import { ReadRecords } from "../../../../src/harness/tools/read-records.ts";
import { errorText } from "../../../../src/shared/errors.ts";
import type { JsonObject } from "../../../../src/shared/json.ts";
import { MemoryFiles } from "../../../support/memory-files.ts";
import { MemorySettings, MemoryWriter, memoryPorts } from "../../../support/memory-ports.ts";
import { until } from "../../../support/until.ts";

export class ToolBench {
  readonly ports;
  readonly proposals: Proposals;
  reads = new ReadRecords();
  readonly problemSources = new ProblemSources();
  readonly writer = new MemoryWriter();
  readonly abort = new AbortController();
  readonly progress: ToolProgress[] = [];
  private calls = 0;

  /** Files by path in the folder `memory:///work`. */
  constructor(
    files: { readonly [path: string]: string | Uint8Array } = {},
    settings: Partial<SettingsSnapshot> = {},
    disk = new MemoryFiles(),
  ) {
    this.ports = memoryPorts({ files: disk, settings: new MemorySettings(settings) });
    disk.makeFolder("memory:///work");
    for (const [path, content] of Object.entries(files)) this.ports.files.write(uri(path), content);
    this.proposals = new Proposals(this.ports.files);
  }

  /** What the tools work with. */
  get context(): ToolDeps {
    const { ports, proposals, reads, problemSources, writer } = this;
    return { ...ports, proposals, reads, problemSources, writer };
  }

  tool(name: string): AgentTool {
    const tool = createTools(this.context).find((candidate) => candidate.name === name);
    if (tool === undefined) throw new Error(`No tool ${name}`);
    return tool;
  }

  /** What the model gets; a throw becomes an error result, as in the loop. */
  async call(name: string, args: JsonObject): Promise<ToolOutcome> {
    const tool = this.tool(name);
    try {
      const validation = validateArguments(tool, tool.prepareArguments?.(args) ?? args);
      if (!validation.ok) throw new Error(validation.problem);
      return await tool.execute(validation.args, {
        toolCallId: `call${++this.calls}`,
        signal: this.abort.signal,
        onProgress: (progress) => this.progress.push(progress),
        whileAsking: (pending) => pending,
      });
    } catch (error) {
      return { content: [{ type: "text", text: errorText(error) }], isError: true };
    }
  }

  /** Calls an editing tool and answers its proposal. */
  async decide(name: string, args: JsonObject, ...decisions: ProposalDecision[]): Promise<ToolOutcome> {
    const outcome = this.call(name, args);
    let settled = false;
    void outcome.then(() => (settled = true));
    await until(() => settled || this.proposals.pending.length > 0);
    const id = this.proposals.pending[0]?.view.id ?? "";
    for (const decision of decisions) await this.proposals.decide(id, decision);
    return outcome;
  }
}

export function uri(path: string): string {
  return `memory:///work/${path}`;
}

export function textOf(outcome: ToolOutcome): string {
  return outcome.content
    .map((block) => (block.type === "text" ? block.text : `<${block.mimeType}>`))
    .join("\n");
}
