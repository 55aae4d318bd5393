// Whole panels as they look in use, for the accessibility tests and for looking at them.
import type { SearchDetails, ToWebview } from "../../src/protocol/to-webview.ts";
import {
  approval,
  assistant,
  assistantMessage,
  hunk,
  panelState,
  proposal,
  result,
  snapshot,
  toolCall,
  user,
} from "./transcripts.ts";

type Snapshot = Extract<ToWebview, { type: "snapshot" }>;

const read = (id: string, path: string, lines: readonly [number, number]) =>
  result(id, "read", {
    details: {
      tool: "read",
      path,
      uri: `file:///work/${path}`,
      firstLine: lines[0],
      lastLine: lines[1],
      totalLines: lines[1],
    },
  });

const search = (id: string, details: SearchDetails) => result(id, details.tool, { details });

const found = (path: string, line: number, text: string) => ({
  ...{ path, uri: `file:///work/${path}`, line, text },
});

const waitingProposal = proposal({
  hunks: [
    hunk("h1", {
      status: "accepted",
      line: 18,
      before: [],
      oldLines: ["  const now = Date.now();"],
      newLines: ["  const now = Math.floor(Date.now() / 1000);"],
      after: [],
    }),
    hunk("h2"),
  ],
});

/** In the middle of the work: reads, a change under review, a failed command, one that waits, a queue. */
export function working(): Snapshot {
  return snapshot({
    transcript: {
      status: "running",
      turn: 4,
      messages: [
        user("u1", "Make @test/auth.test.js pass. Don’t change the public API."),
        assistant("a1", [
          {
            type: "thinking",
            thinking: "The refresh path compares seconds with milliseconds, so every token looks expired.",
          },
          toolCall("c1", "read", { path: "test/auth.test.js" }),
          toolCall("c2", "read", { path: "src/auth/refresh.js" }),
          toolCall("c3", "grep", { pattern: "Date\\.now\\(\\)", path: "src" }),
          toolCall("c4", "find", { pattern: "**/*clock*" }),
          toolCall("c5", "ls", { path: "src/auth" }),
        ]),
        read("c1", "test/auth.test.js", [1, 48]),
        read("c2", "src/auth/refresh.js", [1, 112]),
        search("c3", {
          ...{ tool: "grep", pattern: "Date\\.now\\(\\)", path: "src", count: 3, files: 2, more: false },
          hits: [
            found("src/auth/refresh.js", 41, "const now = Date.now();"),
            found("src/auth/refresh.js", 87, "return Date.now() + skew;"),
            found(
              "src/session/expiry-of-a-session.js",
              12,
              "if (token.exp * 1000 < Date.now()) renew(token);",
            ),
          ],
        }),
        search("c4", { tool: "find", pattern: "**/*clock*", path: ".", count: 0, more: false, hits: [] }),
        search("c5", {
          ...{ tool: "ls", path: "src/auth", count: 2, more: false },
          hits: [{ path: "keys/" }, { path: "refresh.js", uri: "file:///work/src/auth/refresh.js" }],
        }),
        assistant("a2", [
          {
            type: "text",
            text: "The token’s `exp` is in seconds, `Date.now()` in milliseconds. I’ll convert once, and keep the exported names.",
          },
          toolCall("call-test", "bash", { command: "node --test test/auth.test.js" }),
        ]),
        result("call-test", "bash", {
          isError: true,
          durationMs: 1240,
          content: [{ type: "text", text: "✖ refreshes an expired token" }],
          details: {
            tool: "bash",
            command: "node --test test/auth.test.js",
            cwd: "/work",
            exitCode: 1,
            end: "exited",
            tail: "✖ refreshes an expired token (3.1ms)\n  AssertionError: expected 'expired', got undefined\nℹ tests 6 · pass 5 · fail 1",
          },
        }),
        assistant("a3", [
          toolCall("call-edit", "edit", { path: "src/auth/refresh.js" }),
          toolCall("call-bash", "bash", { command: "npm test -- --reporter=dot && git push origin main" }),
        ]),
      ],
      activeTools: [
        {
          toolCallId: "call-edit",
          toolName: "edit",
          args: { path: "src/auth/refresh.js" },
          phase: "running",
          isError: false,
          output: "",
        },
        {
          toolCallId: "call-bash",
          toolName: "bash",
          args: { command: "npm test -- --reporter=dot && git push origin main" },
          phase: "waiting",
          isError: false,
          output: "",
        },
      ],
      queue: [
        {
          id: "q1",
          kind: "steering",
          message: { role: "user", content: "keep the error text unchanged", timestamp: 0 },
        },
        {
          id: "q2",
          kind: "followUp",
          message: { role: "user", content: "then write the changelog line", timestamp: 0 },
        },
      ],
    },
    panel: { decisions: [approval(), { type: "proposal", proposal: waitingProposal }] },
  });
}

const report = `## What changed

The comparison mixed **seconds** and *milliseconds*. It now converts once:

\`\`\`js
const now = Math.floor(Date.now() / 1000);
if (token.exp < now) {
  // a refreshed token says why it was refreshed
  return { ...(await refresh(token)), reason: "expired" };
}
\`\`\`

1. \`refresh.js\`: one conversion, and the \`reason\` field.
2. No exported name changed.

- [x] tests pass
- [ ] changelog

| file | added | removed |
| --- | ---: | ---: |
| src/auth/refresh.js | 3 | 2 |

> The test for clock skew is still missing; see [the issue](https://example.com/issues/12).
`;

/** After the work: an answer with everything markdown has, commands and changes in their final states. */
export function finished(): Snapshot {
  const done = proposal({
    state: "done",
    toolCallId: "c1",
    hunks: [
      hunk("h1", { status: "accepted", line: 18 }),
      hunk("h2", { status: "rejected", line: 60, reason: "keep the message" }),
    ],
  });
  return snapshot({
    transcript: {
      status: "idle",
      turn: 6,
      lastEnd: "done",
      messages: [
        user("u1", "Finish it, run the tests, and tell me what changed."),
        assistant("a1", [
          toolCall("c1", "edit", { path: "src/auth/refresh.js" }),
          toolCall("c2", "bash", { command: "npm test" }),
          toolCall("c3", "bash", { command: "git push origin main" }),
          toolCall("c4", "bash", { command: "sleep 100" }),
          toolCall("c5", "read", { path: "missing.js" }),
        ]),
        result("c1", "edit", {
          details: {
            tool: "edit",
            path: done.path,
            uri: done.uri,
            proposal: JSON.parse(JSON.stringify(done)) as never,
          },
        }),
        result("c2", "bash", {
          durationMs: 2300,
          details: {
            tool: "bash",
            command: "npm test",
            cwd: "/work",
            exitCode: 0,
            end: "exited",
            tail: "6 passing",
          },
        }),
        result("c3", "bash", {
          isError: true,
          details: { tool: "none", why: "rejected", reason: "not on a Friday" },
        }),
        result("c4", "bash", {
          isError: true,
          durationMs: 10_200,
          details: { tool: "bash", command: "sleep 100", cwd: "/work", end: "aborted", tail: "" },
        }),
        result("c5", "read", {
          isError: true,
          content: [
            {
              type: "text",
              text: "missing.js does not exist. List the folder with `ls` to see what is there.",
            },
          ],
        }),
        {
          id: "n1",
          message: {
            role: "app",
            kind: "compaction",
            text: "compacted 42 messages · 61k → 8k tokens",
            timestamp: 0,
          },
        },
        assistant("a2", report),
      ],
    },
    panel: { unseenFiles: 2 },
  });
}

/** Every card that says that something went wrong or waits. */
export function troubled(): Snapshot {
  return snapshot({
    transcript: {
      status: "idle",
      lastEnd: "error",
      messages: [
        user("u1", "Go on"),
        assistant("a1", "I was about to", { stopReason: "aborted" }),
        user("u2", "Go on, then"),
        {
          id: "a2",
          message: assistantMessage([], {
            stopReason: "error",
            errorKind: "auth",
            errorMessage: "401: the key was refused. Set another key with “Reins: Set API Key”.",
            provider: "anthropic",
          }),
        },
      ],
    },
    panel: { problems: ["reins.providers.local: “baseUrl” is not a URL"], trusted: false },
  });
}

/** Nothing yet, and nothing to run on. */
export function unpowered(): Snapshot {
  return { ...snapshot(), panel: panelState({ model: undefined, title: "New session" }) };
}
