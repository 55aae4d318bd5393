// Where the key of a request is, and what its address carries: as the settings say, all the way to the server.
import assert from "node:assert/strict";
import { findModel, resolveProviders } from "../../../src/ai/models.ts";
import type { Model } from "../../../src/ai/types.ts";
import {
  anthropicModel,
  openAiModel,
  responsesModel,
  streamAll,
  user,
} from "../../support/provider-models.ts";
import { reply } from "../../support/provider-replies.ts";
import { startProviderServer } from "../../support/provider-server.ts";
import type { ProviderServer } from "../../support/provider-server.ts";

type Options = Parameters<typeof startProviderServer>[0];

async function answered(
  access: NonNullable<Options>,
  modelOf: (server: ProviderServer) => Model | undefined,
  apiKey = "k1",
) {
  const server = await startProviderServer(access);
  try {
    server.enqueue(reply({ text: "Hello" }));
    const model = modelOf(server);
    assert.ok(model);
    const { message } = await streamAll({ model, messages: [user("Hi")], options: { apiKey } });
    const headers = server.requests[0]?.headers ?? {};
    return { text: message.errorMessage ?? "answered", path: server.requests[0]?.path, headers };
  } finally {
    await server.close();
  }
}

const ofApi = [anthropicModel, openAiModel, responsesModel];

describe("The key of a request", () => {
  for (const keyHeader of ["authorization", "api-key", "x-api-key"] as const) {
    it(`is in ${keyHeader} and nowhere else, when the model says so`, async () => {
      for (const model of ofApi) {
        const { text } = await answered({ apiKey: "k1", keyHeader }, (server) =>
          model(server, { keyHeader }),
        );
        assert.equal(text, "answered");
      }
    });
  }

  it("is nowhere when there is none and its header is another", async () => {
    const { headers } = await answered({}, (server) => openAiModel(server, { keyHeader: "api-key" }), "");
    assert.deepEqual([headers["authorization"], headers["api-key"]], [undefined, undefined]);
  });

  it("and the version in the address get a deployment at Azure to answer", async () => {
    const query = { "api-version": "2025-04-01-preview" };
    const access = { apiKey: "k1", keyHeader: "api-key", query } as const;
    const azure = await answered(access, ({ openAiUrl }) =>
      findModel(resolveProviders({ azure: { baseUrl: openAiUrl, query } }), "azure/my-deployment"),
    );
    assert.equal(azure.text, "answered");
    assert.match(azure.path ?? "", /\/responses\?api-version=2025-04-01-preview$/);
    const old = { id: "old", api: "openai-chat", query };
    const deployment = await answered(access, ({ url, openAiUrl }) =>
      findModel(
        resolveProviders({
          azure: { baseUrl: openAiUrl, models: [{ ...old, baseUrl: `${url}/openai/deployments/old` }] },
        }),
        "azure/old",
      ),
    );
    assert.equal(deployment.text, "answered");
    assert.equal(deployment.path, "/openai/deployments/old/chat/completions?api-version=2025-04-01-preview");
  });

  it("goes with the headers of the provider and of the model", async () => {
    const { headers } = await answered({ apiKey: "k1" }, ({ openAiUrl }) =>
      findModel(
        resolveProviders({
          mine: {
            baseUrl: openAiUrl,
            headers: { "x-team": "blue", "x-place": "here" },
            models: [{ id: "m", headers: { "x-place": "there" } }],
          },
        }),
        "mine/m",
      ),
    );
    assert.deepEqual(
      [headers["x-team"], headers["x-place"], headers["authorization"]],
      ["blue", "there", "Bearer k1"],
    );
  });
});
