import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { estimateMessagesTokens } from "../../../../src/ai/usage.ts";
import { declarationOf, systemChange } from "../../../../src/harness/context/system-change.ts";
import { buildSections } from "../../../../src/harness/context/system-prompt.ts";
import { createSessionTools } from "../../../../src/harness/tools/create-tools.ts";
import { MemoryWriter, memoryPorts } from "../../../support/memory-ports.ts";

describe("The system prompt with its tools", () => {
  it("costs less than 1,000 tokens", () => {
    const ports = memoryPorts();
    const { tools, hints } = createSessionTools(ports, new MemoryWriter(), "/home/me");
    const sections = buildSections({
      tools: hints,
      workspace: ports.workspace,
      shell: "bash",
      commandsUnavailable: undefined,
      contextFiles: [],
    });
    const change = systemChange([], sections, tools.map(declarationOf));
    assert.ok(change);
    const tokens = estimateMessagesTokens([{ ...change, timestamp: 1 }]);
    assert.ok(tokens < 1000 && tokens > 300, `${tokens} tokens`);
  });
});
