// Proof 6: whatever the service does, the panel says what happened and what to do, and the session goes on after it.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../ide/server.ts";
import { namedEvents, httpError, reply, resetAfter } from "../support/provider-replies.ts";
import { startProviderServer } from "../support/provider-server.ts";
import { loopbackProviders, openReins } from "./reins.ts";
import type { Reins } from "./reins.ts";

// Put together here, because this file is below the profile too: as a part of the extension under test.
const wrongKey = ["sk", "test", "WRONG", "0123456789"].join("-");
const rightKey = ["sk", "test", "RIGHT", "9876543210"].join("-");
/** Milliseconds; what waits for nothing but a try is not to be slow. */
const soon = { "retry-after-ms": "20" };

describe("A service that fails", () => {
  let reins: Reins;
  let absentPort: number;
  before(async () => {
    const provider = await startProviderServer({ apiKey: rightKey });
    absentPort = await freePort();
    const absent = {
      api: "openai-chat",
      baseUrl: `http://127.0.0.1:${absentPort}/v1`,
      models: [{ id: "absent-model", name: "Absent model" }],
    };
    reins = await openReins({
      provider,
      env: { LOOPBACK_API_KEY: wrongKey, ABSENT_API_KEY: wrongKey },
      settings: { "reins.providers": { ...loopbackProviders(provider), absent } },
    });
  });
  after(() => reins?.close());
  beforeEach(async () => {
    if (await reins.transcript.isVisible()) await reins.button("New session").first().click();
    await reins.transcript.waitFor({ state: "hidden" });
  });
  afterEach(() => {
    assert.deepEqual(refusals(), []);
    assert.deepEqual(reins.provider.replies, [], "every scripted reply was asked for");
  });

  /** But for the wrong key, no request was refused. */
  const refusals = () =>
    reins.provider.requests.flatMap(({ refused }) => (refused && !/api.key/i.test(refused) ? [refused] : []));

  /** The next prompt is answered. */
  const goesOn = async (text: string) => {
    reins.provider.enqueue(reply({ text }));
    await reins.type("And now?");
    await reins.untilShownOnce(text);
    await reins.untilIdle();
  };

  const fails = async (prompt: string, title: string, advice: RegExp) => {
    await reins.type(prompt);
    await reins.untilShown(title);
    await reins.untilIdle();
    await reins.untilShown(advice);
    await reins.untilShownOnce(title);
  };

  it("because of the key asks for another one, and tries again with it", async () => {
    await fails("Hello?", "The key was not accepted", /refused the API key.*Set a valid key for loopback/);
    await reins.button("Set API key").click();
    const input = reins.window.page.locator(".quick-input-widget input").first();
    await input.fill(rightKey);
    await input.press("Enter");
    await input.waitFor({ state: "hidden" });
    reins.provider.enqueue(reply({ text: "The key fits." }));
    await reins.button("Retry").click();
    await reins.untilShownOnce("The key fits.");
    await reins.untilShownOnce("Hello?");
    await goesOn("It still fits.");
  });

  it("by 429 counts down to the next try, and shows the answer once", async () => {
    reins.provider.enqueue(
      httpError(429, { error: { type: "rate_limit_error", message: "Slow down" } }, { "retry-after": "2" }),
      reply({ text: "Slowly then." }),
    );
    await reins.type("Quick!");
    await reins.untilShown(/Trying again in [12] s/);
    await reins.untilShown(/limits the rate of requests.*attempt 1 of 3/);
    await reins.untilShownOnce("Slowly then.");
    await reins.untilIdle();
    await reins.untilShownOnce("Quick!");
    await reins.untilShownOnce("Too many requests; tried again");
    await goesOn("Not too fast.");
  });

  it("by 529 to the end says so, and offers to try again", async () => {
    const overloaded = httpError(529, { error: { type: "overloaded_error", message: "Overloaded" } }, soon);
    reins.provider.enqueue(overloaded, overloaded, overloaded, overloaded);
    await fails(
      "Busy?",
      "The service is overloaded or failing",
      /Try again in a moment, or choose another model/,
    );
    await reins.button("Switch model").waitFor();
    reins.provider.enqueue(reply({ text: "Not any more." }));
    await reins.button("Retry").click();
    await reins.untilShownOnce("Not any more.");
    await reins.untilIdle();
    await goesOn("All is well.");
  });

  it("by a reset in the middle of an answer tries again, and the answer is there once", async () => {
    reins.provider.enqueue(
      resetAfter(6, { text: "A whole answer, that is cut off when half of it has arrived." }),
      reply({ text: "A whole answer, this time with its end." }),
    );
    await reins.type("The whole of it?");
    await reins.untilShown("A whole answer, this time with its end.");
    await reins.untilIdle();
    await goesOn("There is more.");
  });

  it("by an error inside the stream tries again", async () => {
    reins.provider.enqueue(
      namedEvents([{ type: "error", error: { type: "overloaded_error", message: "Overloaded" } }]),
      reply({ text: "After the error." }),
    );
    await reins.type("Inside?");
    await reins.untilShownOnce("After the error.");
    await reins.untilIdle();
    await goesOn("Past the error.");
  });

  it("by a proxy's web page says that it is one", async () => {
    const page = httpError(502, "<html><body><h1>502 Bad Gateway</h1></body></html>", soon);
    reins.provider.enqueue(page, page, page, page);
    await fails(
      "Through the proxy?",
      "The service is overloaded or failing",
      /502: a web page instead of an answer/,
    );
    await goesOn("Round the proxy.");
  });

  it("because nothing listens can be stopped while it waits, and goes on when something does", async () => {
    await reins.button("Model: Test model").click();
    await reins.window.page
      .locator(".quick-input-list .monaco-list-row", { hasText: "Absent model" })
      .click();
    await reins.button("Model: Absent model").waitFor();
    await reins.type("Is anybody there?");
    await reins.untilShown(/Trying again in [12] s/);
    await reins.transcript.getByRole("button", { name: "Stop" }).click();
    await reins.untilIdle();
    await reins.untilShown("The connection failed");
    await reins.untilShown(/ECONNREFUSED.*Check the network, the proxy .*and the provider's base URL/);
    const provider = await startProviderServer({ port: absentPort, fallback: reply({ text: "I am here." }) });
    try {
      await reins.button("Retry").click();
      await reins.untilShownOnce("I am here.");
      await reins.untilIdle();
      assert.deepEqual(
        provider.requests.map(({ refused }) => refused),
        [undefined],
      );
    } finally {
      await provider.close();
    }
  });

  it("never brings a key into a file (A26)", () => {
    const files = readdirSync(reins.window.userDataDir, { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile())
      .map((file) => join(file.parentPath, file.name));
    const filesWith = (text: string) => files.filter((path) => readFileSync(path).includes(text));
    assert.notDeepEqual(
      filesWith("refused the API key"),
      [],
      "the session of the refused key is searched too",
    );
    assert.deepEqual([...filesWith(wrongKey), ...filesWith(rightKey)], []);
  });
});
