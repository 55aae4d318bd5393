// The argument text of a tool call that is still streaming, as far as it can be shown: read once, piece by piece, so
// that looking often costs no more than looking once. For display only: `tool-arguments.ts` has the parse that counts.
import { isJsonObject } from "../shared/json.ts";
import type { Json, JsonObject } from "../shared/json.ts";

type Container = { kind: "object"; members: { [key: string]: Json } } | { kind: "array"; items: Json[] };

/** `half`: the first half of a pair whose second half is still to come; asking the text for its end would copy it. */
interface OpenString {
  text: string;
  half: string;
  readonly isKey: boolean;
}

/** `key`: the member of an object whose value is being read. */
interface Frame {
  readonly open: Container;
  expects: "key" | "colon" | "value" | "comma";
  key: string;
}

/** Longer numbers are not worth showing; a scan of one must not be repeated without end. Characters. */
const maxScalar = 400;

const escapes: { readonly [letter: string]: string } = {
  ...{ '"': '"', "\\": "\\", "/": "/" },
  ...{ b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" },
};

export class GrowingArguments {
  private pending = "";
  private at = 0;
  private readonly frames: Frame[] = [];
  /** The string that is being read; `isKey`: as the name of a member. */
  private string: OpenString | undefined;
  private root: JsonObject = Object.freeze({});
  /** The text is no JSON object, or its end is reached: what is known stays. */
  private over = false;

  /** The next piece of text. Read only when `value` is asked for. */
  add(text: string): void {
    this.pending += text;
  }

  /**
   * What is known so far, frozen: unfinished texts, lists and objects as they are, half a character left out; numbers and
   * words only when they are complete. `{}` when there is nothing. Never throws. Costs the text that is new and the
   * width of what is open.
   */
  value(): JsonObject {
    while (!this.over && this.step());
    this.pending = this.over ? "" : this.pending.slice(this.at);
    this.at = 0;
    return this.frames.length === 0 ? this.root : this.view();
  }

  /** False when there is nothing more to read now. */
  private step(): boolean {
    if (this.string) return this.readString(this.string);
    while (/\s/.test(this.pending[this.at] ?? "")) this.at += 1;
    const next = this.pending[this.at];
    if (next === undefined) return false;
    const frame = this.frames.at(-1);
    if (!frame) return next === "{" ? this.openContainer({ kind: "object", members: {} }) : this.stop();
    if (next === (frame.open.kind === "object" ? "}" : "]") && frame.expects !== "colon") {
      return this.closeContainer();
    }
    switch (frame.expects) {
      case "comma":
        return this.pass(",", frame, frame.open.kind === "object" ? "key" : "value");
      case "colon":
        return this.pass(":", frame, "value");
      case "key":
        return next === '"' ? this.openString(true) : this.stop();
      case "value":
        return this.readValue(next);
    }
  }

  private pass(character: string, frame: Frame, expects: Frame["expects"]): boolean {
    if (this.pending[this.at] !== character) return this.stop();
    this.at += 1;
    frame.expects = expects;
    return true;
  }

  private readValue(next: string): boolean {
    if (next === '"') return this.openString(false);
    if (next === "{") return this.openContainer({ kind: "object", members: {} });
    if (next === "[") return this.openContainer({ kind: "array", items: [] });
    return this.readScalar();
  }

  private openString(isKey: boolean): boolean {
    this.at += 1;
    this.string = { text: "", half: "", isKey };
    return true;
  }

  private readString(string: OpenString): boolean {
    const plain = /[^"\\]*/y;
    plain.lastIndex = this.at;
    const run = plain.exec(this.pending)?.[0] ?? "";
    append(string, run);
    this.at += run.length;
    const stop = this.pending[this.at];
    if (stop === undefined) return false;
    if (stop === "\\") return this.readEscape(string);
    this.at += 1;
    this.string = undefined;
    const text = string.text + string.half;
    const frame = this.frames.at(-1);
    if (frame && string.isKey) {
      frame.key = text;
      frame.expects = "colon";
    } else this.put(text);
    return true;
  }

  private readEscape(string: OpenString): boolean {
    const letter = this.pending[this.at + 1];
    if (letter === undefined) return false;
    const length = letter === "u" ? 6 : 2;
    const code = this.pending.slice(this.at + 2, this.at + length);
    if (letter === "u" && /[^0-9a-fA-F]/.test(code)) return this.stop();
    if (code.length < length - 2) return false;
    const character = letter === "u" ? String.fromCharCode(Number.parseInt(code, 16)) : escapes[letter];
    if (character === undefined) return this.stop();
    append(string, character);
    this.at += length;
    return true;
  }

  /** A number or a word is complete when something follows it that is no part of it. */
  private readScalar(): boolean {
    const token = /[^\s,\]}]*/y;
    token.lastIndex = this.at;
    const raw = token.exec(this.pending)?.[0] ?? "";
    if (raw.length > maxScalar) return this.stop();
    if (this.at + raw.length === this.pending.length) return false;
    const value = scalar(raw);
    if (value === undefined) return this.stop();
    this.at += raw.length;
    this.put(value);
    return true;
  }

  private openContainer(open: Container): boolean {
    this.at += 1;
    this.frames.push({ open, key: "", expects: open.kind === "object" ? "key" : "value" });
    return true;
  }

  private closeContainer(): boolean {
    this.at += 1;
    const closed = this.frames.pop();
    if (!closed) return this.stop();
    const { open } = closed;
    const value = Object.freeze(open.kind === "array" ? open.items : open.members);
    if (this.frames.length > 0) this.put(value);
    else if (isJsonObject(value)) {
      this.root = value;
      this.over = true;
    }
    return true;
  }

  private put(value: Json): void {
    const frame = this.frames.at(-1);
    if (!frame) return;
    if (frame.open.kind === "array") frame.open.items.push(value);
    else setMember(frame.open.members, frame.key, value);
    frame.expects = "comma";
  }

  /** Copies of what is open, from the inside to the outside; what is closed is frozen and shared. */
  private view(): JsonObject {
    const { string } = this;
    const inmost = string && !string.isKey ? string.text : undefined;
    const root = this.frames.reduceRight<Json | undefined>(
      (inner, { open, key }) => Object.freeze(copyOf(open, key, inner)),
      inmost,
    );
    return isJsonObject(root) ? root : this.root;
  }

  private stop(): false {
    this.over = true;
    return false;
  }
}

function copyOf(open: Container, key: string, inner: Json | undefined): JsonObject | readonly Json[] {
  if (open.kind === "array") return inner === undefined ? [...open.items] : [...open.items, inner];
  return inner === undefined ? { ...open.members } : { ...open.members, [key]: inner };
}

/** As JSON.parse does it: `__proto__` is a name like any other. */
function setMember(members: { [key: string]: Json }, key: string, value: Json): void {
  if (key !== "__proto__") members[key] = value;
  else Object.defineProperty(members, key, { value, enumerable: true, configurable: true, writable: true });
}

function scalar(raw: string): Json | undefined {
  if (raw === "null") return null;
  if (raw === "true" || raw === "false") return raw === "true";
  return /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(raw) ? Number(raw) : undefined;
}

function append(string: OpenString, piece: string): void {
  if (piece === "") return;
  const last = piece.charCodeAt(piece.length - 1);
  const isHalf = last >= 0xd800 && last <= 0xdbff;
  string.text += string.half + (isHalf ? piece.slice(0, -1) : piece);
  string.half = isHalf ? piece.slice(-1) : "";
}
