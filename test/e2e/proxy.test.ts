// Proxies and certificates (W06), in the real IDE: what VS Code's settings and the environment say holds for our requests,
// and a failure names what helps. The provider has a name that only the proxy knows.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../ide/server.ts";
import { makeCertificate } from "../support/certificate.ts";
import { startProxy, startTlsFront } from "../support/loopback-proxy.ts";
import type { LoopbackProxy } from "../support/loopback-proxy.ts";
import { reply } from "../support/provider-replies.ts";
import { startProviderServer } from "../support/provider-server.ts";
import { openReins } from "./reins.ts";
import type { Reins } from "./reins.ts";

/** Of the proxy; no key has its looks. */
const password = "proxy-pass word";

describe("Between Reins and its model", () => {
  const closing: { close(): Promise<void> }[] = [];
  const folder = mkdtempSync(join(tmpdir(), "reins-certificates-"));
  let reins: Reins;
  let proxy: LoopbackProxy;
  let strictProxy: LoopbackProxy;
  let environmentProxy: LoopbackProxy;
  let deadPort: number;

  before(async () => {
    const provider = await startProviderServer();
    const port = Number(new URL(provider.url).port);
    // One authority is among the system's certificates, one is only in NODE_EXTRA_CA_CERTS, one is nowhere.
    const fronts = await Promise.all(
      [
        { name: "system", certificate: makeCertificate(["system.test"]) },
        { name: "extra", certificate: makeCertificate(["extra.test"]) },
        { name: "unknown", certificate: makeCertificate(["unknown.test"]) },
      ].map(async ({ name, certificate }) => {
        writeFileSync(join(folder, `${name}.pem`), certificate.cert);
        return { name, front: await startTlsFront(certificate, port) };
      }),
    );
    const hosts = {
      "plain.test:80": port,
      ...Object.fromEntries(fronts.map(({ name, front }) => [`${name}.test:443`, front.port])),
    };
    proxy = await startProxy({ hosts });
    strictProxy = await startProxy({ hosts, credentials: `me:${password}` });
    environmentProxy = await startProxy({ hosts });
    deadPort = await freePort();
    closing.push(proxy, strictProxy, environmentProxy, ...fronts.map(({ front }) => front));
    const at = (name: string, scheme = "https") => ({
      ...{ api: "openai-chat", baseUrl: `${scheme}://${name}.test/v1` },
    });
    reins = await openReins({
      provider,
      env: {
        SSL_CERT_FILE: join(folder, "system.pem"),
        NODE_EXTRA_CA_CERTS: join(folder, "extra.pem"),
        ...Object.fromEntries(
          ["PLAIN", "SYSTEM", "EXTRA", "UNKNOWN"].map((name) => [`${name}_API_KEY`, "test-key"]),
        ),
        // Settings go before it.
        HTTPS_PROXY: `http://127.0.0.1:${environmentProxy.port}`,
      },
      settings: {
        "reins.model": "plain/test-model",
        "reins.providers": {
          ...{ plain: at("plain", "http"), system: at("system"), extra: at("extra"), unknown: at("unknown") },
          direct: { ...at("direct"), baseUrl: provider.openAiUrl },
        },
        "http.proxy": `http://127.0.0.1:${proxy.port}`,
      },
    });
  });
  after(async () => {
    await reins?.close();
    for (const each of closing) await each.close();
    rmSync(folder, { recursive: true, force: true });
  });
  afterEach(async function () {
    await reins.picture(this.currentTest);
    reins.assertNothingRefused();
    assert.deepEqual(reins.provider.replies, [], "every scripted reply was asked for");
  });

  /** A window that was opened with these settings over those before. */
  const reopen = async (settings: Readonly<Record<string, unknown>>) => {
    const path = join(reins.window.userDataDir, "user/User/settings.json");
    const before = JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>; // As openWindow() wrote it.
    writeFileSync(path, JSON.stringify({ ...before, ...settings }, undefined, 2));
    await reins.reload();
  };
  /** In a session of its own. */
  const ask = async (provider: string) => {
    if (await reins.transcript.isVisible()) await reins.button("New session").first().click();
    await reins.transcript.waitFor({ state: "hidden" });
    await reins.panel.locator("button.model").click();
    const input = reins.window.page.locator(".quick-input-widget input").first();
    await input.fill(`${provider}/test-model`);
    await reins.window.page
      .locator(".quick-input-list .monaco-list-row", { hasText: `${provider}/test-model` })
      .first()
      .click();
    await reins.panel.locator(`[title="Model: ${provider}/test-model"]`).waitFor();
    await reins.type("Hello?");
  };
  let asked = 0;
  const answers = async (provider: string) => {
    const text = `Answer ${(asked += 1)}.`;
    reins.provider.enqueue(reply({ text }));
    await ask(provider);
    await reins.untilShownOnce(text);
    await reins.untilIdle();
  };
  /** At once: where trying again cannot help, nobody waits. */
  const fails = async (provider: string, ...texts: readonly RegExp[]) => {
    await ask(provider);
    await reins.untilShown("The connection failed");
    for (const text of texts) await reins.untilShown(text);
    await reins.untilIdle();
  };
  const address = ({ port }: LoopbackProxy, user = "") => `http://${user}127.0.0.1:${port}`;
  const reached = (through: LoopbackProxy, host: string) =>
    through.passed.filter((each) => each.startsWith(`CONNECT ${host}:`)).length;

  it("stands the proxy that `http.proxy` names, for plain requests and for TLS", async () => {
    await answers("plain");
    assert.equal(reached(proxy, "plain.test"), 1);
    await answers("system");
    assert.equal(reached(proxy, "system.test"), 1);
  });

  it("stands no proxy where the model is on this machine", async () => {
    await answers("direct");
    assert.deepEqual(
      proxy.passed.filter((each) => each.includes("127.0.0.1")),
      [],
    );
  });

  it("a certificate that nobody knows is refused at once, with the settings that help", async () => {
    const refused = /certificate was not accepted \(self-signed certificate\).*http\.systemCertificates/;
    await fails("unknown", refused, /NODE_EXTRA_CA_CERTS.*http\.proxyStrictSSL/);
    assert.equal(reached(proxy, "unknown.test"), 1);
    await fails("extra", refused);
  });

  it("a certificate of NODE_EXTRA_CA_CERTS is accepted where `http.systemCertificates` is off", async () => {
    await reopen({ "http.systemCertificates": false, "http.proxyStrictSSL": false });
    await answers("extra");
    await fails("system", /certificate was not accepted/);
    await fails("unknown", /certificate was not accepted/);
  });

  it("a proxy that wants a password says where to put it, gets it, and it is nowhere else", async () => {
    await reopen({ "http.systemCertificates": true, "http.proxy": address(strictProxy) });
    await fails("system", /wants a user name and a password.*http\.proxy/);
    assert.equal(reached(strictProxy, "system.test"), 1);
    await reopen({ "http.proxy": address(strictProxy, `me:${encodeURIComponent(password)}@`) });
    await answers("system");
    assert.doesNotMatch(JSON.stringify(reins.sessionEntries()), /proxy-pass/);
  });

  it("a proxy that is not there is named, and tried again", async () => {
    await reopen({ "http.proxy": `http://127.0.0.1:${deadPort}` });
    await ask("system");
    await reins.untilShown(new RegExp(`the proxy at 127\\.0\\.0\\.1:${deadPort} could not be reached`));
    await reins.button("Stop").first().click();
    await reins.untilIdle();
  });

  it("the proxy of the environment stands where no setting names one", async () => {
    await reopen({ "http.proxy": "" });
    await answers("plain");
    assert.equal(reached(environmentProxy, "plain.test"), 1);
  });
});
