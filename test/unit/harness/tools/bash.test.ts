import assert from "node:assert/strict";
import type { CommandResult } from "../../../../src/harness/ports.ts";
import { createSessionTools, toolPrompts } from "../../../../src/harness/tools/create-tools.ts";
import { OutputTail } from "../../../../src/harness/tools/output-tail.ts";
import { incompleteTail, plainLine } from "../../../../src/harness/tools/terminal-text.ts";
import type { JsonObject } from "../../../../src/shared/json.ts";
import { MemoryWriter, memoryPorts } from "../../../support/memory-ports.ts";
import { ToolBench, textOf } from "./tool-bench.ts";

function run(chunks: readonly string[], result: Partial<CommandResult> = {}, args: JsonObject = {}) {
  const bench = new ToolBench();
  bench.ports.commands.onRun = (_command, options) => {
    for (const chunk of chunks) options.onOutput(chunk);
    return Promise.resolve(result);
  };
  return bench.call("bash", { command: "make", ...args }).then((outcome) => ({ bench, outcome }));
}

describe("What the model is told about a command", () => {
  const cases: readonly {
    name: string;
    chunks: string[];
    result?: Partial<CommandResult>;
    expected: string;
    error?: boolean;
  }[] = [
    { name: "is its output", chunks: ["a\nb\n"], expected: "a\nb" },
    { name: "says that there is none", chunks: [], expected: "(no output)" },
    {
      name: "T15: has every character of it",
      chunks: [",a,b\n--- x\n%%y\n> z\n"],
      expected: ",a,b\n--- x\n%%y\n> z",
    },
    {
      name: "T13: has no escape sequences, however they are split",
      chunks: [
        ..."\u001b]133;A\u0007\u001b[31mred\u001b[0m\u001b]8;;http://x\u0007link\u001b]8;;\u0007\u001b[2K\u001b[?25l\n",
      ],
      expected: "redlink",
    },
    {
      name: "has the last state of a progress line",
      chunks: ["10%\r2", "0%\r100%\r\ndone\r\n"],
      expected: "100%\ndone",
    },
    { name: "applies backspaces", chunks: ["ab\b\bxy\n"], expected: "xy" },
    {
      name: "T18: notes binary output and leaves control characters out",
      chunks: ["\u0600\u202e\0\u0007x\ud800\n"],
      expected: "\u0600x\ufffd\n\n[Binary output: control characters were left out.]",
    },
    {
      name: "T39: passes output and exit code on",
      chunks: ["1c1\n"],
      result: { exitCode: 1 },
      expected: "1c1\n\nCommand exited with code 1.",
      error: true,
    },
    {
      name: "T21: says that it timed out and what became of it",
      chunks: ["1\n2\n"],
      result: { exitCode: undefined, end: "timeout" },
      expected:
        "1\n2\n\nCommand timed out after 120 seconds; it and everything it started were killed. Give a longer timeout, or run less.",
      error: true,
    },
    {
      name: "says that it was stopped",
      chunks: [],
      result: { exitCode: 137, end: "aborted" },
      expected: "(no output)\n\nCommand was stopped by the user; it and everything it started were killed.",
      error: true,
    },
    {
      name: "T27: says that the terminal was closed",
      chunks: ["x"],
      result: { exitCode: undefined, end: "closed" },
      expected: "x\n\nThe user closed the terminal while the command ran. Its exit code is not known.",
      error: true,
    },
    {
      name: "T12: calls an unknown exit code unknown, never success",
      chunks: [],
      result: { exitCode: undefined },
      expected: "(no output)\n\nCommand ended; its exit code is not known.",
      error: true,
    },
  ];
  for (const { name, chunks, result, expected, error = false } of cases) {
    it(name, async () => {
      const { outcome } = await run(chunks, result);
      assert.equal(textOf(outcome), expected);
      assert.equal(outcome.isError, error);
    });
  }

  it("T19, T20: is the end of long output, exactly, with the file that has all of it", async () => {
    const lines = Array.from({ length: 100_000 }, (_, i) => `${i + 1}\n`);
    const { outcome } = await run([lines.join("")]);
    const text = textOf(outcome);
    assert.ok(text.startsWith("98001\n98002\n"));
    assert.ok(
      text.endsWith("100000\n\n[Showing lines 98001-100000 of 100000. Full output: /logs/call1.log]"),
    );
    const exact = await run([lines.slice(0, 2000).join("")]);
    assert.equal(textOf(exact.outcome), lines.slice(0, 2000).join("").trimEnd());
  });

  it("keeps bounded memory of a line that never ends", () => {
    const tail = new OutputTail();
    for (let i = 0; i < 200; i += 1) tail.push("x".repeat(50_000));
    const { text, notice } = tail.result("/log");
    assert.equal(text, "x".repeat(51_200));
    assert.equal(notice, "[Showing the last 50.0 KiB of line 1, which is 9.5 MiB. Full output: /log]");
  });
});

describe("The bash tool", () => {
  it("shows output while it runs, as plain text", async () => {
    const { bench, outcome } = await run(["\u001b[32mok\u001b[0m\r\n50%\r", "100%\n"]);
    assert.deepEqual(bench.progress, [
      { details: { tool: "bash", command: "make", cwd: "/work" } },
      { output: "ok\n100%\n" },
    ]);
    assert.deepEqual(outcome.details, {
      tool: "bash",
      command: "make",
      cwd: "/work",
      end: "exited",
      exitCode: 0,
      logPath: "/logs/call1.log",
      tail: "ok\n100%",
    });
  });

  it("shows output ten times a second at most, and never half an escape sequence", async () => {
    const bench = new ToolBench();
    bench.ports.commands.onRun = async (_command, { onOutput }) => {
      onOutput("a\u001b[3");
      await bench.ports.clock.advance(100);
      onOutput("1mb");
      onOutput("c");
      await bench.ports.clock.advance(100);
      return {};
    };
    await bench.call("bash", { command: "x" });
    assert.deepEqual(bench.progress.slice(1), [{ output: "a" }, { output: "bc" }]);
    assert.equal(bench.ports.clock.pending, 0);
  });

  it("runs in the first folder with the timeout of the call or of the settings", async () => {
    const { bench } = await run([], {}, { timeout: 2 });
    assert.equal(bench.ports.commands.ran[0]?.options.timeoutMs, 2000);
    assert.equal(bench.ports.commands.ran[0]?.options.cwd, "/work");
    assert.equal((await run([])).bench.ports.commands.ran[0]?.options.timeoutMs, 120_000);
  });

  for (const timeout of [0, -1, 1e9]) {
    it(`refuses a timeout of ${timeout} seconds`, async () => {
      const { bench, outcome } = await run([], {}, { timeout });
      assert.match(textOf(outcome), /timeout is in seconds/);
      assert.deepEqual(bench.ports.commands.ran, []);
    });
  }

  it("T40: sends a list of words back, and ignores an empty one", async () => {
    for (const args of [{ command: ["ls", "-la"] }, { command: "ls", args: ["-la"] }]) {
      assert.match(textOf((await run([], {}, args)).outcome), /one string, as typed in a shell/);
    }
    assert.equal(textOf((await run(["x"], {}, { command: "ls -la src", args: [] })).outcome), "x");
  });

  it("is left out where commands cannot run", () => {
    const ports = memoryPorts();
    ports.commands.unavailable = "There is no shell in the browser.";
    const tools = createSessionTools(ports, new MemoryWriter());
    assert.deepEqual(
      tools.tools.map((tool) => tool.name),
      ["read", "grep", "find", "ls", "edit", "write", "delete", "move"],
    );
    assert.deepEqual(
      tools.hints.map((hint) => hint.name),
      ["edit"],
    );
    tools.dispose();
  });
});

describe("Terminal text", () => {
  it("T11: may end in the middle of a sequence at any place", () => {
    const sequence = "\u001b]633;D;0\u0007";
    for (let end = 1; end < sequence.length; end += 1) {
      assert.equal(incompleteTail(`hi${sequence.slice(0, end)}`), end);
      assert.equal(plainLine(`hi${sequence.slice(0, end)}`), "hi");
    }
    assert.equal(incompleteTail(`hi${sequence}`), 0);
    assert.equal(incompleteTail("hi\r"), 1);
  });
});

describe("All tools together", () => {
  it("cost the model few tokens", () => {
    const ports = memoryPorts();
    const tools = createSessionTools(ports, new MemoryWriter()).tools;
    const declared = tools.map(({ name, description, parameters }) => ({ name, description, parameters }));
    const characters = JSON.stringify(declared).length + JSON.stringify(toolPrompts).length;
    assert.ok(characters < 3300, `${characters} characters`);
  });

  it("run one after the other as soon as a command is among them", () => {
    const { tools } = createSessionTools(memoryPorts(), new MemoryWriter());
    assert.deepEqual(
      tools.map((tool) => [tool.name, tool.executionMode ?? "parallel"]),
      [
        ["read", "parallel"],
        ["grep", "parallel"],
        ["find", "parallel"],
        ["ls", "parallel"],
        ["edit", "parallel"],
        ["write", "parallel"],
        ["delete", "parallel"],
        ["move", "parallel"],
        ["bash", "sequential"],
      ],
    );
  });
});
