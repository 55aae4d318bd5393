// How a request says who asks: the key in the header where the server wants it, and what every address carries. Leaves to
// the SDKs what is usual.
import type { Model } from "../types.ts";

type KeyHeader = NonNullable<Model["keyHeader"]>;

export interface Access {
  /** Null: a header that the SDK would set, and that must not be sent. */
  readonly defaultHeaders: { readonly [name: string]: string | null };
  readonly defaultQuery?: { readonly [name: string]: string };
}

/** `usual`: the header in which the SDK itself puts the key. */
export function accessOf(model: Model, apiKey: string | undefined, usual: KeyHeader): Access {
  const { keyHeader = usual, headers, query } = model;
  const moved = keyHeader === usual ? {} : { [usual]: null, ...keyIn(keyHeader, apiKey) };
  return { defaultHeaders: { ...moved, ...headers }, ...(query && { defaultQuery: query }) };
}

function keyIn(header: KeyHeader, apiKey: string | undefined): { readonly [name: string]: string } {
  if (!apiKey) return {};
  return { [header]: header === "authorization" ? `Bearer ${apiKey}` : apiKey };
}
