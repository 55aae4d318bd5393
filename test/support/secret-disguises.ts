// The forms in which a secret that was sent somewhere may come back, and whether a text has one in it.

const base64 = (text: string) => Buffer.from(text).toString("base64");

/** By name, for tests that try each. */
export const disguises: { readonly [name: string]: (secret: string) => string } = {
  plain: (secret) => secret,
  "percent-encoded": encodeURIComponent,
  "percent-encoded in lower case": (secret) =>
    encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase()),
  "percent-encoded twice": (secret) => encodeURIComponent(encodeURIComponent(secret)),
  "of a form": (secret) => new URLSearchParams({ a: secret }).toString().slice(2),
  "in JSON": (secret) => JSON.stringify({ error: secret }),
  "in JSON in JSON": (secret) => JSON.stringify(JSON.stringify({ error: secret })),
  "in JSON with more escapes": (secret) =>
    JSON.stringify(secret).replace(/[<>&/]/g, (c) => `\\u00${c.charCodeAt(0).toString(16)}`),
  "in base64": base64,
  "in base64 for addresses": (secret) => Buffer.from(secret).toString("base64url"),
  "in base64 of user and password": (secret) => base64(`user:${secret}`),
  "in base64 of two of them": (secret) => base64(`a:${secret}:b`),
  "in base64 of something longer": (secret) => base64(`{"key":"${secret}","more":1}`),
  "in HTML": (secret) => `<p>${htmlOf(secret)}</p>`,
};

function htmlOf(text: string): string {
  const names: Readonly<Record<string, string>> = {
    ...{ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" },
  };
  return text.replaceAll(/[&<>"']/g, (character) => names[character] ?? character);
}

/** Each form of `secret` that is in `text`, itself or within JSON. For secrets of 10 characters or more. */
export function leaksOf(secret: string, text: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const forms = [
    ...[secret, json, JSON.stringify(json).slice(1, -1)],
    ...[encodeURIComponent(secret), new URLSearchParams({ a: secret }).toString().slice(2), htmlOf(secret)],
    // What of it stays the same wherever in something longer it stands.
    ...[0, 1, 2].map((before) => {
      const length = Math.floor((before + secret.length) / 3) * 4;
      return base64(`${"x".repeat(before)}${secret}`).slice(before === 0 ? 0 : 4, length);
    }),
  ];
  return forms.filter((form) => text.includes(form));
}
