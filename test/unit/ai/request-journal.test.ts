// The view of the last request: what was sent and what became of it, for every API, and nothing that is secret.
import assert from "node:assert/strict";
import { RequestJournal } from "../../../src/ai/request-journal.ts";
import { tourModel } from "../../../src/ai/tour-model.ts";
import type { Message, Model } from "../../../src/ai/types.ts";
import type { JsonObject } from "../../../src/shared/json.ts";
import { png } from "../../support/image-rules.ts";
import {
  anthropicModel,
  openAiModel,
  responsesModel,
  streamAll,
  system,
  user,
} from "../../support/provider-models.ts";
import { httpError, reply } from "../../support/provider-replies.ts";
import { startProviderServer } from "../../support/provider-server.ts";
import type { ProviderServer } from "../../support/provider-server.ts";

const noServer = { url: "", openAiUrl: "" } as ProviderServer; // Only for the names of the tests.
const apiKey = "test-key-0123456789";

describe("The view of the last request", () => {
  let server: ProviderServer;
  let journal: RequestJournal;
  before(async () => (server = await startProviderServer()));
  after(() => server.close());
  beforeEach(() => (journal = new RequestJournal()));

  const send = (model: Model, messages: readonly Message[], sessionId = "s1") =>
    streamAll({ model, messages, options: { apiKey, sessionId }, deps: { journal } });
  /** What the view shows is JSON. */
  const shown = (sessionId = "s1") =>
    JSON.parse(journal.show(sessionId) ?? "null") as Record<string, JsonObject>;

  const models: readonly ((server: ProviderServer) => Model)[] = [
    anthropicModel,
    openAiModel,
    responsesModel,
  ];
  for (const make of models) {
    it(`has the request of ${make(noServer).api} as the server got it, with masked keys, and the answer`, async () => {
      server.enqueue(reply({ text: "Hello", usage: { input: 10, output: 2 } }));
      await send(make(server), [system("Be brief."), user("Hi")]);
      const got = server.requests.at(-1);
      const { request, response, result, note } = shown();
      assert.match(JSON.stringify(note), /as it was sent/);
      assert.deepEqual(request?.["body"], got?.body);
      assert.equal(request?.["method"], "POST");
      assert.equal(request["url"], `${server.url}${got?.path}`);
      assert.equal(request["bytes"], Buffer.byteLength(got?.rawBody ?? ""));
      const headers = request["headers"] as Record<string, string>; // As shown().
      const keyHeader = headers["x-api-key"] ?? headers["authorization"];
      assert.match(keyHeader ?? "", /^(Bearer )?\[hidden\]$/);
      assert.equal(headers["content-type"], "application/json");
      assert.equal(response?.["status"], 200);
      assert.equal(result?.["stopReason"], "stop");
      assert.equal((result["usage"] as JsonObject)["output"], 2);
      assert.ok(!journal.show("s1")?.includes(apiKey));
    });
  }

  it("says how many bytes it shares with the request before it", async () => {
    server.enqueue(reply({ text: "one" }), reply({ text: "two" }));
    await send(openAiModel(server), [system("Be brief."), user("Hi")]);
    assert.equal(shown()["prefix"], undefined);
    await send(openAiModel(server), [system("Be brief."), user("Hi"), user("There")]);
    const { prefix } = shown();
    assert.ok(Number(prefix?.["bytesSharedWithPreviousRequest"]) > 40);
    assert.ok(Number(prefix?.["bytesSharedWithPreviousRequest"]) < Number(prefix?.["bytesOfThisRequest"]));
  });

  it("tells a failure, and a request that was refused and sent again without a part", async () => {
    server.enqueue(
      httpError(400, { error: { message: "stream_options: unknown field" } }),
      httpError(503, "busy"),
    );
    await send(openAiModel(server), [user("Hi")]);
    const { refusedBefore, request, response, result } = shown();
    assert.deepEqual(refusedBefore, ["HTTP 400"]);
    assert.equal((request?.["body"] as JsonObject)["stream_options"], undefined);
    assert.equal(response?.["status"], 503);
    assert.equal(result?.["errorKind"], "overloaded");
  });

  it("shortens images, and keeps the rest", async () => {
    server.enqueue(reply({ text: "Seen" }));
    await send(openAiModel(server), [
      { role: "user", content: [{ type: "text", text: "What is this?" }, png(10, 10, 30_000)], timestamp: 0 },
    ]);
    const text = journal.show("s1") ?? "";
    assert.ok(text.length < 4_000, text);
    assert.match(text, /What is this\?/);
    assert.match(text, /\(base64, \d+ characters\)/);
  });

  it("keeps the last of each of four sessions, and nothing of those before", async () => {
    for (const id of ["a", "b", "c", "d", "e"]) {
      server.enqueue(reply({ text: id }));
      await send(openAiModel(server), [user(`This is ${id}`)], id);
    }
    assert.equal(journal.show("a"), undefined);
    assert.match(journal.show("b") ?? "", /This is b/);
    assert.match(journal.show("e") ?? "", /This is e/);
  });

  it("has the messages of a model to which nothing is sent, and says so", async () => {
    await send(tourModel, [user("Show me around.")]);
    const { note, messages, request } = shown();
    assert.match(JSON.stringify(note), /nothing is sent/);
    assert.equal(request, undefined);
    assert.match(JSON.stringify(messages), /Show me around/);
    assert.equal(journal.show("none"), undefined);
  });
});
