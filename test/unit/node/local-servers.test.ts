// Servers on this machine that offer models, and everything else that may listen at their ports.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { RequestListener, Server } from "node:http";
import { createServer as createSocketServer } from "node:net";
import type { Server as SocketServer, Socket } from "node:net";
import { localServers } from "../../../src/ai/catalogue/local.ts";
import {
  llamaCppFacts,
  lmStudioFacts,
  ollamaFacts,
  vllmFacts,
} from "../../../src/node/local-server-facts.ts";
import type { FactsReader } from "../../../src/node/local-server-facts.ts";
import { LocalServers, wellKnownServers } from "../../../src/node/local-servers.ts";

const open: (Server | SocketServer)[] = [];
const sockets = new Set<Socket>();

async function listen<T extends Server | SocketServer>(server: T): Promise<number> {
  open.push(server);
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  assert.ok(address && typeof address === "object");
  return address.port;
}

type Answers = Record<string, unknown>;

/** Answers JSON by path; `POST /api/show` by the model asked for. */
async function start(answers: Answers): Promise<{ readonly port: number; readonly asked: string[] }> {
  const asked: string[] = [];
  const port = await listen(
    createServer((request, response) => {
      let body = "";
      request.on("data", (chunk) => (body += String(chunk)));
      request.on("end", () => {
        const model = body ? (JSON.parse(body) as { model: string }).model : undefined;
        const key = model === undefined ? String(request.url) : `${request.url} ${model}`;
        asked.push(`${request.method} ${key}`);
        if (!(key in answers)) response.writeHead(404).end();
        else response.setHeader("content-type", "application/json").end(JSON.stringify(answers[key]));
      });
    }),
  );
  return { port, asked };
}

async function find(port: number, facts: FactsReader = vllmFacts, timeoutMs = 2_000) {
  const source = new LocalServers([{ id: "here", port, facts }], timeoutMs);
  await source.refresh();
  return source.models;
}

const list = (...data: unknown[]) => ({ object: "list", data });
const windows = (models: readonly { readonly id: string; readonly contextWindow: number }[]) =>
  Object.fromEntries(models.map((model) => [model.id, model.contextWindow]));

describe("Servers on this machine", () => {
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
    for (const server of open.splice(0)) await new Promise((resolve) => server.close(resolve));
  });

  it("are looked for where the catalogue has them", () => {
    assert.deepEqual(
      wellKnownServers.map(({ id, port }) => [id, `http://127.0.0.1:${port}/v1`]),
      localServers.map(({ id, baseUrl }) => [id, baseUrl]),
    );
  });

  it("are usable with what they tell, and with a stated default where they do not (vLLM)", async () => {
    const { port } = await start({
      "/v1/models": list(
        { id: "meta/llama", object: "model", owned_by: "vllm", max_model_len: 8_192 },
        { id: "plain" },
        { id: "plain" },
        { id: 7 },
        "odd",
      ),
    });
    assert.deepEqual(await find(port), [
      {
        ...{ provider: "here", id: "meta/llama", name: "meta/llama", api: "openai-chat" },
        baseUrl: `http://127.0.0.1:${port}/v1`,
        ...{ contextWindow: 8_192, maxTokens: 4_096, input: ["text"], reasoning: false },
      },
      {
        ...{ provider: "here", id: "plain", name: "plain", api: "openai-chat" },
        baseUrl: `http://127.0.0.1:${port}/v1`,
        ...{ contextWindow: 32_768, maxTokens: 8_192, input: ["text"], reasoning: false },
      },
    ]);
  });

  it("tell the window of a loaded model, and what a model can (Ollama)", async () => {
    const show = (length: number, ...capabilities: string[]) => ({
      model_info: { "general.architecture": "x", "x.context_length": length },
      capabilities,
    });
    const { port } = await start({
      "/v1/models": list({ id: "loaded" }, { id: "small" }, { id: "large" }, { id: "embed" }, { id: "gone" }),
      "/api/ps": { models: [{ name: "loaded", model: "loaded", context_length: 65_536 }] },
      "/api/show loaded": show(131_072, "completion", "tools", "vision"),
      "/api/show small": show(8_192, "completion"),
      "/api/show large": show(262_144, "completion", "tools"),
      "/api/show embed": show(2_048, "embedding"),
    });
    const models = await find(port, ollamaFacts);
    assert.deepEqual(windows(models), { loaded: 65_536, small: 8_192, large: 32_768, gone: 32_768 });
    assert.deepEqual(models[0]?.input, ["text", "image"]);
    assert.deepEqual(models[1]?.input, ["text"]);
  });

  it("tell the window and the kind of each model (LM Studio)", async () => {
    const { port } = await start({
      "/v1/models": list({ id: "vision" }, { id: "idle" }, { id: "embed" }, { id: "new" }),
      "/api/v0/models": list(
        { id: "vision", type: "vlm", max_context_length: 32_768, loaded_context_length: 4_096 },
        { id: "idle", type: "llm", max_context_length: 131_072 },
        { id: "embed", type: "embeddings", max_context_length: 2_048 },
      ),
    });
    const models = await find(port, lmStudioFacts);
    assert.deepEqual(windows(models), { vision: 4_096, idle: 131_072, new: 32_768 });
    assert.deepEqual(models[0]?.input, ["text", "image"]);
  });

  it("tell how they were started, or what the model was trained on (llama.cpp)", async () => {
    const entry = (id: string) => ({ id, owned_by: "llamacpp", meta: { n_ctx_train: 131_072 } });
    const one = await start({
      "/v1/models": list(entry("gguf")),
      "/props": { default_generation_settings: { n_ctx: 16_384 }, modalities: { vision: true } },
    });
    const [model] = await find(one.port, llamaCppFacts);
    assert.deepEqual([model?.contextWindow, model?.input], [16_384, ["text", "image"]]);
    const several = await start({ "/v1/models": list(entry("a"), entry("b")) });
    assert.deepEqual(windows(await find(several.port, llamaCppFacts)), { a: 131_072, b: 131_072 });
    assert.deepEqual(several.asked, ["GET /v1/models"]);
  });

  it("are told from other programs, whatever those answer", async () => {
    const answers: [string, RequestListener][] = [
      ["a page", (_, response) => response.end("<!doctype html><h1>It works</h1>")],
      ["another JSON", (_, response) => response.end('{"data":"none"}')],
      ["a bare list", (_, response) => response.end('[{"id":"x"}]')],
      ["null", (_, response) => response.end("null")],
      ["a refusal", (_, response) => response.writeHead(401).end(JSON.stringify(list({ id: "x" })))],
      ["cut off", (_, response) => response.writeHead(200, { "content-length": "999" }).write('{"data":[')],
      ["no end", (_, response) => response.write('{"data":[{"id":"x"}')],
      ["no word", () => undefined],
    ];
    for (const [name, answer] of answers) {
      const port = await listen(createServer(answer));
      assert.deepEqual(await find(port, ollamaFacts, 100), [], name);
    }
    const silent = await listen(createSocketServer());
    assert.deepEqual(await find(silent, vllmFacts, 100), [], "a socket that says nothing");
    const gibberish = await listen(createSocketServer((socket) => socket.end("\0\0SSH-2.0-x\r\n")));
    assert.deepEqual(await find(gibberish), [], "not HTTP");
    assert.deepEqual(await find(1), [], "nobody");
  });

  it("are not followed elsewhere, and not read without an end", async () => {
    let elsewhere = 0;
    const target = await listen(createServer((_, response) => (elsewhere++, response.end("{}"))));
    const redirecting = await listen(
      createServer((_, response) =>
        response.writeHead(307, { location: `http://127.0.0.1:${target}/v1/models` }).end(),
      ),
    );
    assert.deepEqual(await find(redirecting), []);
    assert.equal(elsewhere, 0);
    let sent = 0;
    const chunk = `${" ".repeat(65_535)}\n`;
    const flooding = await listen(
      createServer((_, response) => {
        const pour = () => {
          while (!response.destroyed && response.write(chunk)) sent += chunk.length;
          sent += chunk.length;
        };
        response.on("drain", pour);
        pour();
      }),
    );
    assert.deepEqual(await find(flooding, vllmFacts, 30_000), []);
    assert.ok(sent < 64 * 1024 * 1024, `${sent} bytes were taken`);
  });

  it("are asked past a proxy of the environment", async () => {
    let proxied = 0;
    const proxy = await listen(createServer((_, response) => (proxied++, response.end("{}"))));
    const before = process.env["HTTP_PROXY"];
    process.env["HTTP_PROXY"] = `http://127.0.0.1:${proxy}`;
    try {
      const { port } = await start({ "/v1/models": list({ id: "m" }) });
      assert.deepEqual(windows(await find(port)), { m: 32_768 });
      assert.equal(proxied, 0);
    } finally {
      if (before === undefined) delete process.env["HTTP_PROXY"];
      else process.env["HTTP_PROXY"] = before;
    }
  });

  it("are asked only when told to, once for all who ask, and tell of changes only", async () => {
    const answers: Answers = { "/v1/models": list({ id: "a" }) };
    const { port, asked } = await start(answers);
    const source = new LocalServers([{ id: "here", port, facts: vllmFacts }], 2_000);
    let changes = 0;
    source.onDidChange(() => (changes += 1));
    assert.deepEqual([source.models, asked], [[], []]);
    await Promise.all([source.refresh(), source.refresh()]);
    assert.deepEqual([windows(source.models), asked.length, changes], [{ a: 32_768 }, 1, 1]);
    await source.refresh();
    assert.deepEqual([asked.length, changes], [2, 1]);
    answers["/v1/models"] = list({ id: "b" });
    await source.refresh();
    assert.deepEqual([windows(source.models), changes], [{ b: 32_768 }, 2]);
  });
});
