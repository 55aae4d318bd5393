// Tool call ids that any provider accepts: legal characters, bounded length, unique in a request, and the same on every
// request, since an id depends only on the ids before it.
export interface IdRule {
  /** Characters. */
  readonly maxLength: number;
  /** Exactly nine letters or digits instead (Mistral). */
  readonly short?: boolean;
}

export class ToolCallIds {
  private readonly rule: IdRule;
  private readonly used = new Set<string>();

  constructor(rule: IdRule) {
    this.rule = rule;
  }

  /** The id of the next call of the history. */
  assign(original: string): string {
    for (let repeat = 0; ; repeat += 1) {
      const id = this.candidate(original, repeat);
      if (this.used.has(id)) continue;
      this.used.add(id);
      return id;
    }
  }

  private candidate(original: string, repeat: number): string {
    const key = repeat === 0 ? original : `${original}#${repeat}`;
    if (this.rule.short) return /^[A-Za-z0-9]{9}$/.test(key) ? key : hash(key).padStart(9, "0").slice(-9);
    if (repeat === 0 && /^[A-Za-z0-9_-]+$/.test(original) && original.length <= this.rule.maxLength)
      return original;
    // The hash keeps ids apart that look the same after cleaning and cutting.
    const suffix = `_${hash(key)}`;
    const clean = original.replace(/[^A-Za-z0-9_-]/g, "_");
    return `${clean.slice(0, this.rule.maxLength - suffix.length) || "call"}${suffix}`;
  }
}

/** 64-bit FNV-1a in base 36; no secret, only spread. */
function hash(text: string): string {
  let value = 0xcbf29ce484222325n;
  for (let at = 0; at < text.length; at += 1) {
    value = BigInt.asUintN(64, (value ^ BigInt(text.charCodeAt(at))) * 0x100000001b3n);
  }
  return value.toString(36);
}
