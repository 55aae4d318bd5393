// What the model does in the tests of killed windows: an edit, a new file, and another edit of the first one.
import { text, toolCalls } from "../../../support/scripted-stream.ts";

export const states = { "a.txt": ["one", "two", "three"], "deep/b.txt": [undefined, "new"] } as const;

export const crashTurns = [
  toolCalls({ id: "c1", name: "edit", args: edits("one", "two") }),
  toolCalls({ id: "c2", name: "write", args: { path: "deep/b.txt", content: "new" } }),
  toolCalls({ id: "c3", name: "edit", args: edits("two", "three") }),
  text("done"),
];

function edits(oldText: string, newText: string) {
  return { path: "a.txt", edits: [{ oldText, newText }] };
}
