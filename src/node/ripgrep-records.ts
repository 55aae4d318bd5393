// ripgrep's JSON output put together file by file.
import type { FoundLine } from "../harness/search-ports.ts";
import { isJsonObject } from "../shared/json.ts";
import type { JsonObject } from "../shared/json.ts";

/** More of a line is shown nowhere. Characters. */
const longestLine = 2000;

/** A file is given on when it is complete: only then it is known not to be binary. */
export class RipgrepReader {
  /** Files looked into, once all has been read. */
  searched = 0;
  private readonly accepts: (path: string) => boolean;
  private readonly onFile: (path: string, lines: readonly FoundLine[]) => boolean | Promise<boolean>;
  private lines: FoundLine[] = [];
  private isWanted = false;

  constructor(
    accepts: (path: string) => boolean,
    onFile: (path: string, lines: readonly FoundLine[]) => boolean | Promise<boolean>,
  ) {
    this.accepts = accepts;
    this.onFile = onFile;
  }

  /** False: enough. */
  read(record: string): boolean | Promise<boolean> {
    const { type, data } = parse(record);
    switch (type) {
      case "begin":
        this.lines = [];
        this.isWanted = this.accepts(pathOf(data));
        return true;
      case "match":
      case "context":
        if (this.isWanted) this.lines.push(...linesOf(data, type === "match"));
        return true;
      case "end":
        return this.endFile(data);
      case "summary":
        this.searched = searchesOf(data);
        return true;
      default:
        return true;
    }
  }

  private endFile(data: JsonObject): boolean | Promise<boolean> {
    const isBinary = typeof data["binary_offset"] === "number";
    return !this.isWanted || isBinary || this.lines.length === 0 || this.onFile(pathOf(data), this.lines);
  }
}

function parse(record: string): { readonly type: unknown; readonly data: JsonObject } {
  const value: unknown = record === "" ? undefined : JSON.parse(record);
  if (!isJsonObject(value) || !isJsonObject(value["data"])) return { type: undefined, data: {} };
  return { type: value["type"], data: value["data"] };
}

function pathOf(data: JsonObject): string {
  return textOf(data["path"]).replace(/^\.\//, "");
}

/** One record is one line, but for the carriage returns that some editors count as ends of lines too. */
function linesOf(data: JsonObject, match: boolean): FoundLine[] {
  const line = data["line_number"];
  if (typeof line !== "number") return [];
  const text = textOf(data["lines"])
    .replace(/\r?\n$/, "")
    .replace(/^\ufeff/, "");
  return [{ line, text: text.length > longestLine ? startOf(text) : text, match }];
}

/** A copy: as a part of the whole it would keep that in memory. */
function startOf(text: string): string {
  return Buffer.from(text.slice(0, longestLine), "utf16le").toString("utf16le");
}

/** What is not UTF-8 comes as bytes in base64. */
function textOf(value: unknown): string {
  if (!isJsonObject(value)) return "";
  const { text, bytes } = value;
  if (typeof text === "string") return text;
  return typeof bytes === "string" ? Buffer.from(bytes, "base64").toString("utf8") : "";
}

function searchesOf(data: JsonObject): number {
  const { stats } = data;
  return isJsonObject(stats) && typeof stats["searches"] === "number" ? stats["searches"] : 0;
}
