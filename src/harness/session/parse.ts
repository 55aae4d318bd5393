// A session file's text as records, whatever happened to the file: damaged lines become problems to tell the user,
// unknown ones are carried along, and nothing throws. Parentage is tree.ts' business.
import { isThinkingLevel } from "../../ai/thinking-level.ts";
import { isJsonObject } from "../../shared/json.ts";
import type { JsonObject } from "../../shared/json.ts";
import type { EntryData, SessionEntry, SessionHeader } from "./entries.ts";
import { checkMessage } from "./message-check.ts";

export interface ParsedSession {
  /** Undefined: this is no session file. */
  readonly header: SessionHeader | undefined;
  readonly entries: readonly SessionEntry[];
  /** For people; each names its line. */
  readonly problems: readonly string[];
  /** The text does not end with a line feed: it was cut off, or is being written. */
  readonly torn: boolean;
}

const sliceLength = 1 << 20;

/** Parses all lines. `pause` is awaited between slices of about a million characters, so that others get a turn. */
export async function parseSession(text: string, pause?: () => Promise<void>): Promise<ParsedSession> {
  const entries: SessionEntry[] = [];
  const problems: string[] = [];
  let header: SessionHeader | undefined;
  let pauseAt = sliceLength;
  let line = 0;
  for (let start = 0; start < text.length;) {
    const end = text.indexOf("\n", start);
    const content = end < 0 ? text.slice(start) : text.slice(start, end);
    line++;
    if (header) parseEntryLine(content, line, entries, problems);
    else header = parseHeader(content);
    if (!header) return { header, entries, problems, torn: false };
    start = end < 0 ? text.length : end + 1;
    if (start < pauseAt) continue;
    pauseAt = start + sliceLength;
    await pause?.();
  }
  return { header, entries, problems, torn: text.length > 0 && !text.endsWith("\n") };
}

/** The header if this line is one. A session's first line always is. */
export function parseHeader(line: string): SessionHeader | undefined {
  const raw = parseJson(line);
  if (raw?.type !== "session" || typeof raw.id !== "string" || raw.id === "") return undefined;
  return {
    type: "session",
    version: typeof raw.version === "number" ? raw.version : 1,
    id: raw.id,
    timestamp: typeof raw.timestamp === "string" ? raw.timestamp : new Date(0).toISOString(),
    cwd: typeof raw.cwd === "string" ? raw.cwd : "",
    ...(typeof raw.workspace === "string" && { workspace: raw.workspace }),
    ...(typeof raw.parentSession === "string" && { parentSession: raw.parentSession }),
  };
}

/** One entry, or undefined when the line is no JSON object with a type. `line` makes an id where there is none. */
export function parseEntry(text: string, line: number): SessionEntry | undefined {
  const raw = parseJson(text);
  if (!raw || typeof raw.type !== "string") return undefined;
  const timestamp = typeof raw.timestamp === "string" ? raw.timestamp : new Date(0).toISOString();
  const place = {
    id: typeof raw.id === "string" && raw.id !== "" ? raw.id : `line-${line}`,
    // Undefined (none recorded) becomes a parent that is never found; tree.ts then takes the entry before.
    parentId: typeof raw.parentId === "string" ? raw.parentId : raw.parentId === null ? null : "",
    timestamp,
  };
  const data = parseData(raw, Date.parse(timestamp) || 0);
  return data.type === "unknown" ? { ...data, ...place } : { ...raw, ...data, ...place };
}

function parseEntryLine(content: string, line: number, entries: SessionEntry[], problems: string[]): void {
  if (content.trim() === "") return;
  const entry = parseEntry(content, line);
  if (!entry) problems.push(`Line ${line} is damaged and was left out.`);
  else {
    entries.push(entry);
    if (entry.type === "unknown" && entry.problem) problems.push(`Line ${line}: ${entry.problem}`);
  }
}

function parseData(raw: JsonObject, time: number): EntryData {
  switch (raw.type) {
    case "message": {
      const message = checkMessage(raw.message, time);
      if (!message) return unknown(raw, "a message that cannot be read.");
      return { type: "message", message };
    }
    case "model_change":
      return isText(raw.provider) && isText(raw.modelId)
        ? { type: "model_change", provider: raw.provider, modelId: raw.modelId }
        : unknown(raw, "a model change without a model.");
    case "thinking_level_change":
      return isThinkingLevel(raw.thinkingLevel)
        ? { type: "thinking_level_change", thinkingLevel: raw.thinkingLevel }
        : unknown(raw, "an unknown thinking level.");
    case "session_info":
      return { type: "session_info", name: isText(raw.name) ? raw.name : "" };
    default:
      return parseOther(raw);
  }
}

function parseOther(raw: JsonObject): EntryData {
  if (raw.type === "compaction" && isText(raw.summary)) {
    const firstKeptEntryId = isText(raw.firstKeptEntryId) ? raw.firstKeptEntryId : "";
    return { type: "compaction", summary: raw.summary, firstKeptEntryId };
  }
  if (raw.type === "branch_summary" && isText(raw.summary)) {
    return { type: "branch_summary", summary: raw.summary };
  }
  if (raw.type === "custom" && isText(raw.customType)) {
    return { type: "custom", customType: raw.customType, ...(raw.data !== undefined && { data: raw.data }) };
  }
  if (raw.type === "custom_message" && isText(raw.customType)) {
    return { type: "custom_message", customType: raw.customType, content: raw.content ?? "" };
  }
  return unknown(raw, undefined);
}

function unknown(raw: JsonObject, problem: string | undefined): EntryData {
  return { type: "unknown", problem, raw };
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

/** Undefined for anything but an object. Lone surrogates, which no strict server accepts, become U+FFFD. */
function parseJson(text: string): JsonObject | undefined {
  try {
    const hasSurrogateEscapes = /\\u[dD][89a-fA-F]/.test(text);
    const value: unknown = JSON.parse(
      text,
      hasSurrogateEscapes
        ? (_key, part: unknown) => (typeof part === "string" ? part.toWellFormed() : part)
        : undefined,
    );
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
