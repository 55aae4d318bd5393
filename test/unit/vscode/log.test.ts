import assert from "node:assert/strict";
import { ChannelLog } from "../../../src/vscode/log.ts";

describe("The log", () => {
  const open = () => {
    const lines: string[] = [];
    const add = (line: string) => void lines.push(line);
    return { log: new ChannelLog({ info: add, error: add }), lines };
  };

  // A26
  it("keeps nothing that looks like a key", () => {
    const { log, lines } = open();
    log.info("401 for key sk-ant-SECRET0123456789");
    log.error("proxy http://user:SECRET0123456789@proxy.example:8080 refused");
    assert.deepEqual(lines, ["401 for key [hidden]", "proxy http://[hidden]@proxy.example:8080 refused"]);
  });

  it("keeps no key that was used, whatever it looks like", () => {
    const { log, lines } = open();
    log.hide("correct horse");
    log.error("Could not store correct horse, nor correct%20horse.");
    assert.deepEqual(lines, ["Could not store [hidden], nor [hidden]."]);
  });

  it("leaves other text as it is", () => {
    const { log, lines } = open();
    const text = "Read src/keys.ts (12 lines) from https://example.com:8080/a in 3 ms; task-runner-service";
    log.info(text);
    assert.deepEqual(lines, [text]);
  });
});
