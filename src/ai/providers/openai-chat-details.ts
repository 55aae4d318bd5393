// The list `reasoning_details` of one answer (OpenRouter), put together from its pieces: it goes back as one, unread.
import { isJsonObject } from "../../shared/json.ts";
import type { Json, JsonObject } from "../../shared/json.ts";
import { text } from "./read-json.ts";

/** Fields that arrive in pieces; all others stay what they were said to be last. */
const growingFields = new Set(["text", "summary", "data"]);

interface Detail {
  readonly key: string;
  readonly fields: Map<string, Json>;
  readonly pieces: Map<string, string[]>;
}

export class ReasoningDetails {
  private details: Detail[] = [];

  /** One chunk's list. A piece belongs to the last entry when that has the same index and type. */
  add(pieces: readonly unknown[]): void {
    for (const piece of pieces) {
      if (!isJsonObject(piece)) continue;
      const key = JSON.stringify([piece["index"] ?? null, piece["type"] ?? null]);
      const last = this.details.at(-1);
      if (last?.key === key) extend(last, piece);
      else this.details.push(extend({ key, fields: new Map(), pieces: new Map() }, piece));
    }
  }

  /** JSON of the entries so far, which are then forgotten; empty when there are none. */
  take(): string {
    const { details } = this;
    this.details = [];
    if (details.length === 0) return "";
    const whole = details.map(({ fields, pieces }) => ({
      ...Object.fromEntries(fields),
      ...Object.fromEntries([...pieces].map(([key, parts]) => [key, parts.join("")])),
    }));
    return JSON.stringify(whole);
  }
}

/** What a person may read of them. */
export function detailsText(pieces: readonly unknown[]): string {
  return pieces.map((piece) => text(piece, "text") || text(piece, "summary")).join("");
}

function extend(detail: Detail, piece: JsonObject): Detail {
  for (const [key, value] of Object.entries(piece)) {
    const known = detail.pieces.get(key);
    if (typeof value !== "string" || !growingFields.has(key)) {
      if (value !== null || !detail.fields.has(key)) detail.fields.set(key, value);
    } else if (known) known.push(value);
    else detail.pieces.set(key, [value]);
  }
  return detail;
}
