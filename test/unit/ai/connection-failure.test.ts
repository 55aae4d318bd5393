// What is said of proxies and certificates (W06): the errors are those that VS Code's fetch was seen to throw.
import assert from "node:assert/strict";
import { describeFailure, HttpFailure } from "../../../src/ai/errors.ts";
import type { Failure } from "../../../src/ai/errors.ts";
import { openAiModel, streamAll, user } from "../../support/provider-models.ts";

const target = { provider: "acme", host: "api.acme.test", secrets: ["hunter2-secret"] };

/** As fetch throws it, innermost last. */
function fetchFailed(...chain: readonly (readonly [message: string, facts?: object])[]): Error {
  return [["fetch failed"] as const, ...chain].reduceRight<Error | undefined>(
    (cause, [message, facts = {}]) => Object.assign(new Error(message, cause && { cause }), facts),
    undefined,
  ) as Error; // There is always one.
}

const told = (thrown: unknown, host = target.host): Failure =>
  describeFailure(thrown, { ...target, host }, 0);

describe("A certificate", () => {
  const untrusted: readonly (readonly [code: string, message: string])[] = [
    [
      "DEPTH_ZERO_SELF_SIGNED_CERT",
      "self-signed certificate; if the root CA is installed locally, try running Node.js with --use-system-ca",
    ],
    ["SELF_SIGNED_CERT_IN_CHAIN", "self-signed certificate in certificate chain"],
    ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "unable to get local issuer certificate"],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "unable to verify the first certificate"],
  ];
  for (const [code, message] of untrusted) {
    it(`that is not trusted (${code}) names the settings, and is not tried again`, () => {
      const failure = told(fetchFailed([message, { code }]));
      assert.equal(failure.kind, "network");
      assert.equal(failure.final, true);
      assert.match(
        failure.message,
        /^The connection to api\.acme\.test failed: its certificate was not accepted \(/,
      );
      for (const name of ["`http.systemCertificates`", "NODE_EXTRA_CA_CERTS", "`http.proxyStrictSSL`"])
        assert.ok(failure.message.includes(name), failure.message);
      assert.doesNotMatch(failure.message, /--use-system-ca/);
      assert.match(failure.cause ?? "", new RegExp(code));
    });
  }

  it("that has expired points to the clock", () => {
    const failure = told(fetchFailed(["certificate has expired", { code: "CERT_HAS_EXPIRED" }]));
    assert.match(failure.message, /\(certificate has expired\)\. Check the clock.*`http\.proxy`/);
    assert.equal(failure.final, true);
  });

  it("for another host points to the address and the proxy", () => {
    const message = "Hostname/IP does not match certificate's altnames: Host: api.acme.test";
    const failure = told(fetchFailed([message, { code: "ERR_TLS_CERT_ALTNAME_INVALID" }]));
    assert.match(failure.message, /`baseUrl` in `reins\.providers\.acme`.*`http\.proxy`/);
    assert.equal(failure.final, true);
  });
});

describe("A proxy", () => {
  const tunnel = (status: number) =>
    fetchFailed(
      ["Request was cancelled."],
      [
        `Proxy response (${status}) ?.== 200 when HTTP Tunneling`,
        { code: "UND_ERR_ABORTED", name: "AbortError" },
      ],
    );

  it("that wants a password names the setting, and is not tried again", () => {
    for (const thrown of [tunnel(407), new HttpFailure(407, "<html>denied</html>", new Headers())]) {
      const failure = told(thrown);
      assert.equal(failure.kind, "network");
      assert.equal(failure.final, true);
      assert.match(
        failure.message,
        /user name and a password \(HTTP 407\).*`http\.proxy`.*`http\.proxyAuthorization`/,
      );
      assert.match(failure.cause ?? "", /407/);
    }
  });

  it("that does not let a request through says so, and is tried again only where that may help", () => {
    assert.match(told(tunnel(403)).message, /the proxy answered with HTTP 403\..*`http\.noProxy`/);
    assert.equal(told(tunnel(403)).final, true);
    assert.equal(told(tunnel(502)).final, undefined);
    assert.equal(told(tunnel(502)).kind, "network");
  });

  it("that cannot be reached is told from a provider that cannot be", () => {
    const refused = (address: string, port: number) =>
      fetchFailed([
        `connect ECONNREFUSED ${address}:${port}`,
        { code: "ECONNREFUSED", syscall: "connect", address, port },
      ]);
    const unknown = (hostname: string) =>
      fetchFailed([`getaddrinfo ENOTFOUND ${hostname}`, { code: "ENOTFOUND", hostname }]);
    const proxy = /the proxy at (127\.0\.0\.1:8080|proxy\.corp\.test) could not be reached.*`http\.proxy`/;
    assert.match(told(refused("127.0.0.1", 8080)).message, proxy);
    assert.match(told(unknown("proxy.corp.test")).message, proxy);
    assert.equal(told(unknown("proxy.corp.test")).final, undefined);
    for (const [thrown, host] of [
      [refused("203.0.113.7", 443), "api.acme.test"],
      [refused("127.0.0.1", 8080), "127.0.0.1:8080"],
      [refused("::1", 11434), "localhost:11434"],
      [unknown("api.acme.test"), "api.acme.test"],
      [unknown("API.acme.test"), "api.acme.test:444"],
    ] as const) {
      const { message, kind } = told(thrown, host);
      assert.doesNotMatch(message, /the proxy at/);
      assert.equal(kind, "network");
    }
  });
});

describe("An address with a password in it", () => {
  it("is not tried again, and says where the password belongs", async () => {
    const model = openAiModel({ openAiUrl: "http://me:pass%20word99@127.0.0.1:9/v1" });
    const { message } = await streamAll({ model, messages: [user("Hi")] });
    assert.equal(message.errorKind, "bad_request");
    assert.match(
      message.errorMessage ?? "",
      /`reins\.providers\.local\.baseUrl`.*`reins\.providers\.local\.headers`/,
    );
    assert.doesNotMatch(JSON.stringify(message), /word99/);
  });
});

describe("The cause for the log", () => {
  it("has status, telling headers and the beginning of the body", () => {
    const headers = new Headers({
      "content-type": "text/html",
      server: "nginx",
      "set-cookie": "a=hunter2-secret",
    });
    const { cause = "" } = told(new HttpFailure(502, "<html>Bad gateway</html>", headers));
    assert.equal(cause, "HTTP 502; content-type: text/html; server: nginx; <html>Bad gateway</html>");
  });

  it("has every error of the chain with its code", () => {
    const { cause = "" } = told(fetchFailed(["a"], ["read ECONNRESET", { code: "ECONNRESET" }]));
    assert.equal(cause, "Error: fetch failed <- Error: a <- Error [ECONNRESET]: read ECONNRESET");
  });

  it("is cut at 4,000 characters only after what is secret was taken out", () => {
    for (let before = 3_960; before <= 4_010; before += 1) {
      const { cause = "" } = told(new HttpFailure(500, `${"x".repeat(before)}hunter2-secret`, new Headers()));
      assert.ok(cause.length <= 4_000);
      assert.doesNotMatch(cause, /hunt/);
    }
  });
});
