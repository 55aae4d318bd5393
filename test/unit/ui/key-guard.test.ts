// A key that was meant for something else decides nothing (A27).
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { KeyGuard, isByKey, keyGuardMs } from "../../../src/ui/key-guard.ts";

describe("a key on something that can be decided (A27)", () => {
  let time = 0;
  const guard = new KeyGuard(() => time);

  it("counts only when that has been in front for long enough", () => {
    guard.appeared("first", keyGuardMs);
    assert.equal(guard.passes("first"), false);
    time += keyGuardMs - 1;
    guard.appeared("first", keyGuardMs);
    assert.equal(guard.passes("first"), false, "telling it again does not begin anew, nor end");
    time += 1;
    assert.equal(guard.passes("first"), true);
  });

  it("does not count for what was never shown, or came into its place", () => {
    assert.equal(guard.passes("second"), false);
    guard.appeared("second", keyGuardMs);
    assert.equal(guard.passes("second"), false);
    assert.equal(guard.passes("first"), false);
  });

  it("counts at once where the user went themselves", () => {
    guard.release();
    assert.equal(guard.passes("second"), true);
    guard.hold(keyGuardMs);
    assert.equal(guard.passes("second"), false);
  });

  it("is told apart from the palette and from buttons", () => {
    assert.deepEqual(
      [{ by: "key" }, undefined, "id", { path: "/a" }, null].map((each) => isByKey(each)),
      [true, false, false, false, false],
    );
    const manifest = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8")) as {
      contributes: { keybindings: { command: string; args?: unknown }[] };
    };
    const decides = /allow|reject|accept/;
    for (const { command, args } of manifest.contributes.keybindings)
      assert.equal(isByKey(args), decides.test(command), command);
  });
});
