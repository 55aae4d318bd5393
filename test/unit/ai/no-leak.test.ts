// No key is in anything that Reins shows, logs or keeps, whatever a server, a proxy or a library says when it fails (A26).
// Random keys in every place where one may be; what fails gives back everything that it was sent.
import assert from "node:assert/strict";
import fc from "fast-check";
import { RequestJournal } from "../../../src/ai/request-journal.ts";
import { createStream } from "../../../src/ai/stream.ts";
import type { Api } from "../../../src/ai/types.ts";
import { SessionBook } from "../../../src/harness/sessions.ts";
import { ChannelLog } from "../../../src/vscode/log.ts";
import { panelState } from "../../../src/ui/panel-state.ts";
import { MemorySecrets, MemorySettings, memoryPorts } from "../../support/memory-ports.ts";
import { plainTools } from "../../support/open-session.ts";
import { runs } from "../../support/properties.ts";
import { streamAll, user } from "../../support/provider-models.ts";
import { disguises, leaksOf } from "../../support/secret-disguises.ts";
import { until } from "../../support/until.ts";

/** `echo` is in a disguise; `plain` is for what disguises it itself. */
type Fault = (echo: string, plain: string) => Response;

const json = (status: number, body: unknown, headers = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...headers } });
const events = (...data: readonly string[]): Response =>
  new Response(data.map((line) => `${line}\n\n`).join(""), {
    headers: { "content-type": "text/event-stream" },
  });
const broken = (message: string, facts: object): never => {
  throw new TypeError("fetch failed", { cause: Object.assign(new Error(message), facts) });
};

/** Every kind of failure, and every place of an answer in which a key may come back. */
const faults: { readonly [name: string]: Fault } = {
  ...Object.fromEntries(
    [400, 401, 402, 403, 404, 407, 408, 413, 422, 429, 500, 503, 529].map((status) => [
      `HTTP ${status}`,
      (echo: string) => json(status, { error: { type: "some_error", message: `Bad: ${echo}` } }),
    ]),
  ),
  quota: (echo) => json(429, { error: { code: "insufficient_quota", message: echo } }),
  overflow: (echo) => json(400, { error: { message: `prompt is too long: ${echo}` } }),
  filter: (echo) => json(400, { error: { code: "content_filter", message: echo } }),
  detail: (echo) => json(422, { detail: [{ loc: ["header", "x-api-key"], msg: "refused", input: echo }] }),
  text: (echo) => new Response(`Denied: ${echo}`, { status: 500 }),
  page: (echo) => new Response(`<html><pre>${echo}</pre></html>`, { status: 502 }),
  headers: (_, plain) =>
    json(
      500,
      {},
      {
        server: encodeURIComponent(plain),
        via: "proxy",
        "x-request-id": Buffer.from(plain).toString("base64"),
      },
    ),
  cut: (echo) => new Response(`${"x".repeat(65_500)}${echo}`, { status: 500 }),
  "no stream": (echo) => json(200, { message: echo }),
  "event of Anthropic": (echo) =>
    events(
      `event: error\ndata: ${JSON.stringify({ type: "error", error: { type: "overloaded_error", message: echo } })}`,
    ),
  "event of OpenAI": (echo) =>
    events(`data: ${JSON.stringify({ error: { message: echo, code: "server_error" } })}`),
  "failed response": (echo) =>
    events(
      `event: response.failed\ndata: ${JSON.stringify({ type: "response.failed", response: { error: { code: "server_error", message: echo } } })}`,
    ),
  "broken event": (echo) => events(`data: {"type": "message_start", ${echo}`),
  "connection refused": (echo) =>
    broken(`connect ECONNREFUSED ${echo}`, { code: "ECONNREFUSED", address: "10.0.0.1", port: 8080 }),
  "unknown host": (echo) => broken(`getaddrinfo ENOTFOUND ${echo}`, { code: "ENOTFOUND", hostname: echo }),
  certificate: (echo) => broken(`self-signed certificate: ${echo}`, { code: "DEPTH_ZERO_SELF_SIGNED_CERT" }),
  "proxy's password": (echo) => broken(`Proxy response (407) !== 200 when HTTP Tunneling ${echo}`, {}),
  "odd throw": (echo) => {
    throw { odd: echo }; // eslint-disable-line @typescript-eslint/only-throw-error -- what libraries do
  },
};

/** What a server can say of a request: its address and its headers, as a dump of debugging would. */
function echoOf(
  input: Parameters<typeof fetch>[0],
  init: RequestInit | undefined,
  disguise: (text: string) => string,
): string {
  const headers = [...new Headers(init?.headers)].map(
    ([name, value]) => `${name}: ${disguise(value)} ${value}`,
  );
  return [String(input instanceof Request ? input.url : input), ...headers].join("\n");
}

const apis: readonly Api[] = ["anthropic-messages", "openai-chat", "openai-responses"];

describe("No key", () => {
  // What may be in a header, 12 characters or more, so that it is in no other text by chance.
  const key = fc
    .array(fc.integer({ min: 0x21, max: 0x7e }), { minLength: 12, maxLength: 60 })
    .map((codes) => String.fromCharCode(...codes));
  const keys = fc.record({ key, header: key, token: key, query: key });
  const scenario = fc.record({
    ...{ keys, api: fc.constantFrom(...apis), disguise: fc.constantFrom(...Object.keys(disguises)) },
  });

  for (const [name, fault] of Object.entries(faults)) {
    it(`is in what Reins shows, logs and keeps after a failure: ${name}`, () =>
      fc.assert(
        fc.asyncProperty(scenario, async ({ keys: secrets, api, disguise }) => {
          const everything = await failWith(fault, { api, secrets, disguise: disguises[disguise] ?? String });
          for (const secret of Object.values(secrets))
            for (const text of everything) assert.deepEqual(leaksOf(secret, text), [], text);
        }),
        { numRuns: runs(12) },
      ));
  }
});

interface Failing {
  readonly api: Api;
  readonly secrets: {
    readonly key: string;
    readonly header: string;
    readonly token: string;
    readonly query: string;
  };
  readonly disguise: (text: string) => string;
}

/** Every text that comes out of a session whose requests fail, and out of the stream itself. */
async function failWith(fault: Fault, { api, secrets, disguise }: Failing): Promise<string[]> {
  const { key, header, token, query } = secrets;
  const access = {
    headers: { "x-corp": header, "x-corp-token": `Token ${token}` },
    query: { "api-version": "2024-10-21", code: query },
  };
  const send: typeof fetch = (input, init) =>
    // What a fault throws rejects the promise.
    new Promise((resolve) => resolve(fault(echoOf(input, init, disguise), echoOf(input, init, String))));
  const lines: string[] = [];
  const keep = (line: string | Error) => void lines.push(String(line));
  const log = new ChannelLog({ info: keep, error: keep });
  const journal = new RequestJournal();
  const deps = { now: () => 0, web: false, fetch: send, journal, log: (text: string) => log.error(text) };
  const ports = memoryPorts({
    settings: new MemorySettings({
      model: "loop/some-model",
      providers: {
        loop: { api, baseUrl: "https://api.loop.test/v1", ...access, models: [{ id: "some-model" }] },
      },
    }),
    secrets: new MemorySecrets({ loop: key }),
  });
  const book = await SessionBook.open({
    ...{ ports, stream: createStream(deps), random: () => 0.5 },
    createTools: () => plainTools(ports, []),
  });
  const session = book.current;
  const seen: unknown[] = [];
  session.onEvent((event) => seen.push(event));
  const settled = session.prompt("Go on.");
  await until(() => session.transcript.messages.some(({ message }) => message.role === "assistant"));
  const around = {
    ...{ settings: ports.settings.current(), workspace: ports.workspace, commands: ports.commands },
    ...{ problems: book.models().problems, platform: "other" as const },
  };
  const state = panelState(session, around);
  await session.stop();
  await settled;
  await session.flush();
  const model = book.findModel("loop/some-model");
  assert.ok(model);
  const options = { apiKey: key, sessionId: "other" };
  const alone = await streamAll({ model, messages: [user("Go on.")], options, deps });
  const texts = [
    ...[seen, session.transcript, state, alone].map((part) => JSON.stringify(part)),
    ...ports.storage.names.map((name) => ports.storage.text(name)),
    ...[journal.show(session.id), journal.show("other")].map((view) => view ?? ""),
    ...[...lines, ...ports.log.lines],
  ];
  assert.equal(alone.message.stopReason, "error");
  assert.ok(lines.length >= 2 && texts.every((text) => text !== ""), "everything was looked at");
  book.dispose();
  return texts;
}
