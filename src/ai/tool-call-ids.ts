// Tool call ids that any provider accepts: legal characters, bounded length, unique in a request, and the same on every
// request, since an id depends only on the ids before it.
import { stableHash } from "./stable-hash.ts";

export interface IdRule {
  /** Characters. */
  readonly maxLength: number;
  /** Exactly nine letters or digits instead (Mistral). */
  readonly short?: boolean;
}

export class ToolCallIds {
  private readonly rule: IdRule;
  private readonly used = new Set<string>();
  /** How often each id of the history was assigned. */
  private readonly repeats = new Map<string, number>();

  constructor(rule: IdRule) {
    this.rule = rule;
  }

  /** The id of the next call of the history. */
  assign(original: string): string {
    for (let repeat = this.repeats.get(original) ?? 0; ; repeat += 1) {
      const id = this.candidate(original, repeat);
      if (this.used.has(id)) continue;
      this.used.add(id);
      this.repeats.set(original, repeat + 1);
      return id;
    }
  }

  private candidate(original: string, repeat: number): string {
    const key = repeat === 0 ? original : `${original}#${repeat}`;
    if (this.rule.short) return /^[A-Za-z0-9]{9}$/.test(key) ? key : stableHash(key).slice(-9);
    return repeat === 0
      ? legalName(original, this.rule.maxLength)
      : suffixed(original, key, this.rule.maxLength);
  }
}

/** The name of a tool, for APIs that take up to 64 letters, digits, `_` and `-`: the same name whenever it is asked for. */
export function legalToolName(name: string): string {
  return legalName(name, 64);
}

function legalName(original: string, maxLength: number): string {
  const isLegal = original.length <= maxLength && /^[A-Za-z0-9_-]+$/.test(original);
  return isLegal ? original : suffixed(original, original, maxLength);
}

/** The hash keeps names apart that look the same after cleaning and cutting. */
function suffixed(original: string, key: string, maxLength: number): string {
  const suffix = `_${stableHash(key)}`;
  const clean = original.slice(0, maxLength - suffix.length).replace(/[^A-Za-z0-9_-]/g, "_");
  return `${clean || "call"}${suffix}`;
}
