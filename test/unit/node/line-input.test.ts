import assert from "node:assert/strict";
import { LineInput } from "../../../src/node/line-input.ts";
import { Screen } from "../../../src/node/screen.ts";

function typed(...keys: string[]): string[] {
  const seen: string[] = [];
  const input = new LineInput({
    echo: () => undefined,
    send: (text) => seen.push(text),
    interrupt: () => seen.push("<interrupt>"),
    end: () => seen.push("<end>"),
  });
  for (const key of keys) input.feed(key);
  return seen;
}

describe("Typing into a command's terminal", () => {
  it("sends a line with Enter, corrections made", () => {
    assert.deepEqual(typed("y", "x", "\u007f", "e", "s", "\r"), ["yes\n"]);
  });
  it("takes a paste of several lines apart", () => {
    assert.deepEqual(typed("one\r\ntwo\r"), ["one\n", "two\n"]);
  });
  it("ignores arrow keys and erases characters that take two code units whole", () => {
    assert.deepEqual(typed("\u001b[A", "😀", "\u007f", "ok", "\r"), ["ok\n"]);
  });
  it("interrupts with Ctrl+C and forgets the line", () => {
    assert.deepEqual(typed("abc", "\u0003", "\r"), ["<interrupt>", "\n"]);
  });
  it("ends the input with Ctrl+D on an empty line", () => {
    assert.deepEqual(typed("a", "\u0004", "\u0004"), ["a", "<end>"]);
  });
});

describe("The screen of a terminal", () => {
  it("keeps output until the terminal is open and writes a terminal's line ends", () => {
    const written: string[] = [];
    const screen = new Screen((text) => written.push(text));
    screen.push("a\nb\r\n");
    assert.deepEqual(written, []);
    screen.start();
    assert.deepEqual(written, ["a\r\nb\r\n"]);
    screen.dispose();
  });
  it("T19 shows the end of a flood only and says so", () => {
    const written: string[] = [];
    const screen = new Screen((text) => written.push(text));
    for (let i = 0; i < 100; i++) screen.push("x".repeat(10_000));
    screen.push("\nlast");
    screen.start();
    assert.equal(written.length, 1);
    assert.match(written[0] ?? "", /… \d+ characters are only in the log/);
    assert.ok((written[0] ?? "").length < 400_000 && written[0]?.endsWith("last"));
    screen.dispose();
  });
});
