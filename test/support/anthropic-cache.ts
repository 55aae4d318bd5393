// The Messages API's prompt cache as its documentation describes it: at each mark it looks for the longest prefix that it
// keeps, there and at most 19 blocks before, and afterwards keeps the prefix up to each mark.
import { createHash } from "node:crypto";
import type { JsonObject } from "../../src/shared/json.ts";
import { asArray, asObject } from "./request-rules.ts";

export const lookBack = 20;

interface Block {
  readonly text: string;
  readonly isMarked: boolean;
}

export class SimulatedCache {
  private readonly kept = new Set<string>();

  /** Content blocks that were read from the cache, of all. */
  send(body: JsonObject): { readonly hit: number; readonly blocks: number } {
    const blocks = blocksOf(body);
    const marks = blocks.flatMap(({ isMarked }, index) => (isMarked ? [index] : []));
    const prefixes: string[] = [];
    for (const { text } of blocks) {
      prefixes.push(
        createHash("sha256")
          .update(`${prefixes.at(-1) ?? ""}\n${text}`)
          .digest("hex"),
      );
    }
    let hit = 0;
    for (const mark of marks) {
      for (let at = mark; at > mark - lookBack && at >= 0; at -= 1) {
        if (!this.kept.has(prefixes[at] ?? "")) continue;
        hit = Math.max(hit, at + 1);
        break;
      }
    }
    for (const mark of marks) this.kept.add(prefixes[mark] ?? "");
    return { hit, blocks: blocks.length };
  }
}

/** In the order in which the API reads them. */
function blocksOf(body: JsonObject): Block[] {
  const parts = [...list(body["tools"]), ...list(body["system"])].map((item) => toBlock("", item));
  for (const item of list(body["messages"])) {
    const message = asObject(item, "messages");
    for (const block of list(message["content"]))
      parts.push(toBlock(`${JSON.stringify(message["role"])} `, block));
  }
  return parts;
}

function toBlock(prefix: string, item: unknown): Block {
  const { cache_control: mark, ...rest } = asObject(item, "block");
  return { text: prefix + JSON.stringify(rest), isMarked: mark !== undefined };
}

function list(value: unknown): readonly unknown[] {
  return value === undefined ? [] : asArray(value, "list");
}
