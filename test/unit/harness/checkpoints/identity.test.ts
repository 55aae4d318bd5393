// Property: whatever files hold and whatever was done to them, restoring and undoing it gives every byte back.
import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "mocha";
import type { MemoryFiles } from "../../../support/memory-files.ts";
import { runs } from "../../../support/properties.ts";
import { SessionWithFiles, place, write } from "./session-with-files.ts";
import type { ToolCall } from "./session-with-files.ts";

const names = ["a.txt", "b.txt", "sub/c.txt", "sub/deep/d.txt"] as const;
const content = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  fc
    .array(fc.constantFrom("x", "\r\n", "\n", "\r", "ä", "😀", "\ufeff"), { maxLength: 12 })
    .map((parts) => new TextEncoder().encode(parts.join(""))),
);
const action = fc.record({
  type: fc.constantFrom("write", "user", "remove"),
  name: fc.constantFrom(...names),
  text: fc.string({ maxLength: 20 }),
});

const bytesOf = (files: MemoryFiles) => names.map((name) => files.image(place(name))?.bytes);

describe("Restore and undo", () => {
  it("are together the identity on bytes, and restore gives what was there at the message", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.constantFrom(...names), content),
        fc.array(action, { minLength: 1, maxLength: 6 }),
        fc.array(action, { maxLength: 3 }),
        fc.boolean(),
        async (start, during, later, reopen) => {
          const own = new SessionWithFiles(start);
          await own.open();
          const before = bytesOf(own.ports.files);
          const id = await own.run("go", ...turns(during));
          for (const step of later) if (step.type !== "write") byUser(own.ports.files, step);
          let current = own;
          if (reopen) {
            await own.session.flush();
            current = new SessionWithFiles({}, {}, own.ports);
            await current.open();
          }
          await checkIdentity(current, id, before);
        },
      ),
      { numRuns: runs(80) },
    );
  });
});

async function checkIdentity(
  own: SessionWithFiles,
  id: string,
  before: readonly (Uint8Array | undefined)[],
): Promise<void> {
  const { checkpoints } = own.session;
  const after = bytesOf(own.ports.files);
  const plan = await checkpoints.plan({ type: "message", id });
  const all = plan.files.map(({ uri }) => uri);
  const { restoreId, failed } = await checkpoints.restore(plan, all);
  assert.deepEqual(failed, []);
  const touched = new Set(checkpoints.changed(id).map(({ uri }) => uri));
  const restored = bytesOf(own.ports.files);
  names.forEach((name, index) => {
    if (touched.has(place(name))) assert.deepEqual(restored[index], before[index], name);
    else assert.deepEqual(restored[index], after[index], name);
  });
  if (all.length === 0) return;
  const undo = await checkpoints.plan({ type: "restore", id: restoreId });
  await checkpoints.restore(
    undo,
    undo.files.map(({ uri }) => uri),
  );
  assert.deepEqual(bytesOf(own.ports.files), after);
}

type Action = { readonly type: string; readonly name: string; readonly text: string };

/** One turn for each change of the model. */
function turns(actions: readonly Action[]): ToolCall[][] {
  return actions.filter(({ type }) => type === "write").map(({ name, text }) => [write(name, text)]);
}

function byUser(files: MemoryFiles, { type, name, text }: Action): void {
  if (type === "remove") files.remove(place(name));
  if (type === "user") files.write(place(name), text);
}
