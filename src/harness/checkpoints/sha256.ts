// SHA-256 as hex, with the Web Crypto that every extension host has.

/** 64 hex digits. */
export async function sha256(content: Uint8Array | string): Promise<string> {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  // A view of shared memory would be refused by the types only; nothing here makes one.
  const digest = await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
