// A short name for a text: the same on every machine and in every version, spread well, and no secret.

/** 14 digits and small letters. */
export function stableHash(text: string): string {
  let low = 0x811c9dc5;
  let high = 0x01000193;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high ^ unit, 0x85ebca6b) ^ (high >>> 13);
  }
  return base36(low) + base36(high);
}

function base36(value: number): string {
  return (value >>> 0).toString(36).padStart(7, "0");
}
