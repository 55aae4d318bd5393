// Servers that keep a connection open, break it, or disguise what they send, beyond what the transport suite plays to all
// APIs alike.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Model, StreamOptions } from "../../../src/ai/types.ts";
import type { JsonObject } from "../../../src/shared/json.ts";
import { OpenBody, whileTimePasses } from "../../support/passing-time.ts";
import { assertWellFormed } from "../../support/contract-run.ts";
import {
  anthropicModel,
  openAiModel,
  responsesModel,
  streamAll,
  textOf,
  user,
} from "../../support/provider-models.ts";
import { openAiFrame } from "../../support/provider-replies.ts";

const nowhere = { openAiUrl: "http://127.0.0.1:9/v1" };

type Answer = (response: ServerResponse, body: JsonObject) => void;

/** Plays one answer to every request, and closes whatever is left open. */
async function asked(
  answer: Answer,
  {
    modelOf = openAiModel,
    options = {},
  }: { readonly modelOf?: typeof openAiModel; readonly options?: StreamOptions } = {},
) {
  const bodies: JsonObject[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as JsonObject;
      bodies.push(body);
      answer(response, body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const model: Model = modelOf({ openAiUrl: `${url}/v1` });
    const response = await streamAll({ model, messages: [user("Hi")], options });
    assertWellFormed(response);
    return { message: response.message, bodies };
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

/** What is answered by a body that never ends, with `ping` in it every 10 ms. */
async function heldOpen(status: number, text: string, ping = "", options: StreamOptions = {}) {
  const body = new OpenBody(status);
  const call = { model: openAiModel(nowhere), messages: [user("Hi")], options, deps: { fetch: body.fetch } };
  body.write(text);
  const { message } = await whileTimePasses(
    () => streamAll(call),
    () => body.write(ping),
  );
  return message;
}

const events = { "content-type": "text/event-stream" };
const hi = openAiFrame({ choices: [{ index: 0, delta: { content: "Hi" }, finish_reason: null }] });
const stop = openAiFrame({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] });
const usage = openAiFrame({ choices: [], usage: { prompt_tokens: 5, completion_tokens: 2 } });
const refuse = (response: ServerResponse, message: string) =>
  response.writeHead(400, { "content-type": "application/json" }).end(JSON.stringify({ error: { message } }));

/** Byte by byte, as separate packets where the network lets them be. */
function trickle(response: ServerResponse, text: string): void {
  response.socket?.setNoDelay(true);
  const bytes = [...Buffer.from(text)];
  const next = () => {
    const byte = bytes.shift();
    if (byte === undefined) response.end();
    else response.write(Uint8Array.of(byte), () => setImmediate(next));
  };
  next();
}

describe("a server that keeps the connection open", () => {
  it("has answered when it says why it ended, though it never says [DONE] (P03)", async () => {
    const message = await heldOpen(200, hi + stop + usage);
    assert.deepEqual([message.stopReason, textOf(message), message.usage.totalTokens], ["stop", "Hi", 7]);
  });

  it("has answered when it says [DONE], comments behind it or not (P03)", async () => {
    for (const tail of ["", ": bye\n\n"]) {
      const { message } = await asked((response) =>
        response.writeHead(200, events).write(`${hi}data: [DONE]\n\n${tail}`),
      );
      assert.deepEqual([message.stopReason, textOf(message)], ["stop", "Hi"]);
    }
  });

  it("has failed as its status says, though its error never ends (P46)", async () => {
    const message = await heldOpen(401, '{"error":{"message":"bad');
    assert.equal(message.errorKind, "auth");
  });

  it("may do so with pings alone for long, but not for ever (P10)", async () => {
    const message = await heldOpen(200, "", ": ping\n\n", { idleTimeoutMs: 30 });
    assert.equal(message.errorKind, "timeout");
    assert.match(message.errorMessage ?? "", /kept the connection open for 0\.6 s and said nothing/);
  });
});

describe("a server that breaks the connection", () => {
  it("in the middle of an error has failed as its status says (P46)", async () => {
    const { message } = await asked((response) => {
      response.writeHead(429, { "content-length": "500", "retry-after": "7" });
      response.write('{"error":', () => response.destroy());
    });
    assert.deepEqual([message.errorKind, message.retryAfterMs], ["rate_limit", 7_000]);
  });

  it("before all the bytes it promised is a network error, what came kept (P09)", async () => {
    const { message } = await asked((response) => {
      response.writeHead(200, { ...events, "content-length": "5000" });
      response.write(hi, () => setTimeout(() => response.destroy(), 20));
    });
    assert.deepEqual([message.errorKind, textOf(message)], ["network", "Hi"]);
  });
});

describe("a server that disguises what it sends", () => {
  const error = '{"error":{"message":"bad key","type":"authentication_error"}}';

  it("sends an error as a stream (P46)", async () => {
    for (const body of [error, `\n ${error}`, `[${error}]`]) {
      const { message } = await asked((response) => response.writeHead(200, events).end(body));
      assert.equal(message.errorKind, "auth", body);
    }
  });

  it("sends a stream under another name, byte by byte (P01, P46)", async () => {
    for (const headers of [{}, { "content-type": "application/json" }, { "content-type": "text/plain" }]) {
      const { message } = await asked((response) =>
        trickle(response.writeHead(200, headers), `: hello\n\n${hi}data: [DONE]\n\n`),
      );
      assert.deepEqual([message.errorMessage, textOf(message)], [undefined, "Hi"]);
    }
  });

  it("sends an error under another name, byte by byte (P46)", async () => {
    for (const headers of [{}, { "content-type": "text/plain" }]) {
      const { message } = await asked((response) => trickle(response.writeHead(200, headers), error));
      assert.equal(message.errorKind, "auth");
    }
  });
});

describe("a server that refuses fields of a request", () => {
  it("is asked without them, one after the other (P37)", async () => {
    const { message, bodies } = await asked(
      (response, body) => {
        if (body["stream_options"] !== undefined)
          return refuse(response, "Unknown field: stream_options.include_usage");
        if (body["prompt_cache_key"] !== undefined)
          return refuse(response, "prompt_cache_key: Extra inputs are not permitted");
        const wanted =
          "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
        if (body["max_tokens"] !== undefined) return refuse(response, wanted);
        return response.writeHead(200, events).end(`${hi}${stop}data: [DONE]\n\n`);
      },
      {
        modelOf: (server) => openAiModel(server, { compat: { promptCacheKey: true } }),
        options: { sessionId: "s1" },
      },
    );
    assert.deepEqual([message.errorMessage, textOf(message), bodies.length], [undefined, "Hi", 4]);
    assert.equal(bodies[3]?.["max_completion_tokens"], bodies[0]?.["max_tokens"]);
  });

  it("is not asked again for what cannot be left out (P37, P42)", async () => {
    for (const refusal of ["Unknown field: tools", "max_tokens is too large: 500000", "Invalid messages"]) {
      const { message, bodies } = await asked((response) => refuse(response, refusal));
      assert.deepEqual([message.errorKind, bodies.length], ["bad_request", 1]);
    }
  });

  it("gets nothing of a key that is not there", async () => {
    for (const modelOf of [
      openAiModel,
      responsesModel,
      ({ openAiUrl }: { readonly openAiUrl: string }) => anthropicModel({ url: openAiUrl }),
    ]) {
      let seen: unknown;
      const look: Answer = (response) => {
        seen = response.req.rawHeaders.filter((name) => /^(authorization|x-api-key|api-key)$/i.test(name));
        response.writeHead(404).end();
      };
      await asked(look, { modelOf, options: { apiKey: "" } });
      assert.deepEqual(seen, []);
    }
  });
});
