import assert from "node:assert/strict";
import { redact } from "../../../src/vscode/log.ts";

describe("The log", () => {
  // A26
  const secret = "SECRET0123456789";
  const texts = [
    `401 for key sk-ant-${secret}`,
    `Authorization: Bearer ${secret}`,
    `{"x-api-key":"${secret}"}`,
    `proxy http://user:${secret}@proxy.example:8080 refused`,
    `OPENAI_API_KEY=${secret}`,
    `token: ${secret}`,
    `AIza${secret}${secret}`,
  ];
  for (const text of texts) {
    it(`keeps no key of ${text.replaceAll(secret, "…")}`, () => {
      assert.doesNotMatch(redact(text), /SECRET/);
    });
  }

  it("leaves other text as it is", () => {
    const text = "Read src/keys.ts (12 lines) from https://example.com:8080/a in 3 ms; task-runner-service";
    assert.equal(redact(text), text);
  });
});
