// What is taken out of texts: known secrets in every form, and what looks like one (A26). What stays must still be read.
import assert from "node:assert/strict";
import fc from "fast-check";
import { redact } from "../../../src/ai/redact.ts";
import { requestSecrets } from "../../../src/ai/request-secrets.ts";
import { disguises, leaksOf } from "../../support/secret-disguises.ts";

describe("Redaction", () => {
  const secret = fc
    .string({ unit: "grapheme-ascii", minLength: 10, maxLength: 60 })
    .filter((text) => /^\S+$/.test(text));

  for (const [name, disguise] of Object.entries(disguises)) {
    it(`takes out any secret that comes back ${name}`, () => {
      fc.assert(
        fc.property(secret, fc.string(), fc.string(), (key, before, after) => {
          const shown = redact(`${before} ${disguise(key)} ${after}`, [key]);
          assert.deepEqual(leaksOf(key, shown), [], shown);
          assert.ok(shown.includes("[hidden]"), shown);
        }),
      );
    });
  }

  it("takes out the beginning of a secret at the end of a text that was cut", () => {
    const key = "SECRETabcdefghijklmnop";
    for (let length = 6; length <= key.length; length += 1)
      assert.equal(redact(`It was ${key.slice(0, length)}`, [key]), "It was [hidden]");
  });

  it("leaves no hole for a secret that is a part of another one, nor for one of three characters", () => {
    assert.equal(
      redact("user:password9 and password9, abc", ["password9", "user:password9", "abc"]),
      "[hidden] and [hidden], abc",
    );
  });

  const value = "SECRET0123456789";
  const looks = [
    `key sk-ant-api03-${value}`,
    `key sk-proj-${value}`,
    `sk-or-v1-${value}`,
    `gsk_${value}`,
    `xai-${value}`,
    `ghp_${value} github_pat_${value} gho_${value}`,
    `hf_${value}`,
    `AIza${value}${value}`,
    `eyJhbGciOi.${value}.${value}`,
    `Authorization: Bearer ${value}`,
    `authorization: Basic ${Buffer.from(value).toString("base64")}${value}`,
    `{"x-api-key":"${value}"}`,
    `{"headers":"{\\"api-key\\":\\"${value}\\"}"}`,
    `'x-goog-api-key', '${value}'`,
    `X-Api-Key:[${value}]`,
    `OPENAI_API_KEY=${value}`,
    `token: ${value}`,
    `GET /v1/models?key=${value}&alt=sse`,
    `GET /v1/models?alt=sse&api_key=${value}`,
    `https://a.test/?sig=${value}`,
    `proxy http://user:${value}@proxy.example:8080 refused`,
    `proxy http://${value}@proxy.example:8080 refused`,
    `proxy user:${value}@proxy.example:8080 refused`,
    `Set-Cookie: ${value}; Path=/`,
  ];
  for (const text of looks) {
    it(`takes out what looks like a key in ${text.replaceAll(value, "…")}`, () => {
      assert.doesNotMatch(redact(text), /SECRET/);
    });
  }

  it("leaves the rest as it is", () => {
    for (const text of [
      "Read src/keys.ts (12 lines) from https://example.com:8080/a in 3 ms; task-runner-service",
      "Incorrect API key provided. You can find yours at https://platform.openai.com/account/api-keys.",
      "max_tokens: 8192 is too large; total tokens: 123456789",
      "Unexpected token: } in JSON at position 12",
      "Basic authentication failed for realm=test",
      "getaddrinfo ENOTFOUND api.acme.test: ENOTFOUND",
      "file:///home/me/a@b/c.ts:12:3",
      "npm:left-pad@next and mail@example.com",
      "Use tool_choice, tool_use ids like toolu_01A09q90qw90lq917835lq9",
    ])
      assert.equal(redact(text), text);
  });

  it("takes little time for any text", () => {
    const parts = [
      "sk-",
      "//",
      "a:",
      "@",
      "token: ",
      "key=",
      "?a",
      '\\"',
      " ",
      "Basic ",
      "eyJ",
      ".",
      "x".repeat(50),
      "api-key",
    ];
    for (const part of [...parts, ...parts.map((each) => `${each}x.`), "//a", "?key", "password    "]) {
      const text = part.repeat(65_536 / part.length);
      const start = performance.now();
      redact(text, ["hunter2hunter2"]);
      assert.ok(performance.now() - start < 3_000, `${part}: ${performance.now() - start} ms`);
    }
  });
});

describe("The secrets of a request", () => {
  it("are the key, what settings put into headers, query and address, and their parts", () => {
    const secrets = requestSecrets(
      {
        baseUrl: "https://me:p%40ss-word@acme.test/v1",
        headers: {
          authorization: "Bearer header-secret",
          "x-corp": "0123456789",
          "x-title": "My App",
          auth: "1234",
        },
        query: { "api-version": "2024-10-21", key: "abcd" },
      },
      "the-key",
    );
    for (const secret of [
      "the-key",
      "header-secret",
      "0123456789",
      "1234",
      "abcd",
      "p@ss-word",
      "p%40ss-word",
    ])
      assert.ok(secrets.includes(secret), secret);
    for (const plain of ["My App", "2024-10-21", "Bearer", "https://acme.test/v1"])
      assert.ok(!secrets.includes(plain), plain);
  });

  it("are none where there are none", () => {
    assert.deepEqual(requestSecrets({}, undefined), []);
    assert.deepEqual(requestSecrets({ baseUrl: "http://127.0.0.1:1/v1", headers: {} }, ""), []);
  });
});
