// Takes secrets out of texts before anything shows or keeps them: those that are known, in every form in which a server,
// a library or a proxy may give them back, and whatever looks like one. Which are known is `request-secrets.ts`' business.

/** What stands in a text where a secret was. */
export const hidden = "[hidden]";

/** Shorter ones are not hidden: every text would be full of holes. */
const shortest = 4;

/**
 * The text without `secrets` (plain, escaped for JSON, HTML or an address, or within base64; also the beginning of one at
 * the end of a text that was cut) and without what has the shape of a key, a password or an authorization header. Redact
 * first and cut then. Linear in the text's length.
 */
export function redact(text: string, secrets: readonly string[] = []): string {
  // A short one may be a part of a longer one.
  const known = [...new Set(secrets)].filter(({ length }) => length >= shortest);
  known.sort((a, b) => b.length - a.length);
  let clean = text;
  for (const secret of known) clean = clean.replace(escapedPattern(secret), hidden);
  const encoded = known.flatMap((secret) => base64Forms(utf8(secret)));
  for (const form of encoded) clean = clean.replace(base64Pattern(form), hidden);
  clean = withoutCutEnd(clean, [...known, ...encoded]);
  return shapes.reduce((result, [shape, instead]) => result.replace(shape, instead), clean);
}

function withoutCutEnd(text: string, forms: readonly string[]): string {
  for (const form of forms) {
    for (let length = form.length - 1; length >= 6; length -= 1) {
      if (text.endsWith(form.slice(0, length))) return text.slice(0, -length) + hidden;
    }
  }
  return text;
}

/** Letters and digits are written as they are everywhere, every other character in several ways. */
function escapedPattern(secret: string): RegExp {
  const parts = secret.match(/[A-Za-z0-9]+|\\+|[^]/gu) ?? [];
  return new RegExp(
    parts.map((part) => (/^[A-Za-z0-9]/.test(part) ? part : escapedForms(part))).join(""),
    "gi",
  );
}

function escapedForms(part: string): string {
  // Doubled in each string that it is put into.
  if (part.startsWith("\\")) return String.raw`(?:\\|%(?:25)?5c|&#92;|&#x5c;){${part.length},}`;
  const code = part.codePointAt(0) ?? 0;
  const units = [...Array(part.length).keys()].map((at) => `u${hex(part.charCodeAt(at), 4)}`);
  const literal = units.map((unit) => `\\${unit}`).join("");
  const percent = utf8(part.toWellFormed()).map((byte) => `%(?:25)?${hex(byte)}`);
  const forms = [
    String.raw`\\{0,7}${literal}`,
    percent.join(""),
    ...(part === " " ? [String.raw`\+`] : []),
    units.map((unit) => String.raw`\\{1,4}${unit}`).join(""),
    `&#0{0,4}${code};`,
    `&#x0{0,4}${hex(code)};`,
    ...(htmlNames[part] ?? []).map((name) => `&${name};`),
  ];
  return `(?:${forms.join("|")})`;
}

const htmlNames: { readonly [character: string]: readonly string[] } = {
  "&": ["amp"],
  "<": ["lt"],
  ">": ["gt"],
  '"': ["quot"],
  "'": ["apos"],
};

/** The whole, and what of it stays the same wherever it begins in something larger, for example in `user:password`. */
function base64Forms(bytes: readonly number[]): string[] {
  const inner = [0, 1, 2].flatMap((before) => {
    const encoded = base64([...Array<number>(before).fill(0), ...bytes]);
    // The first characters depend on what stands before, and the last on what follows.
    const rest = (before + bytes.length) % 3;
    const core = encoded.replace(/=+$/, "").slice(before === 0 ? 0 : before + 1, rest === 0 ? undefined : -1);
    return core.length >= 8 ? [core] : [];
  });
  return [base64(bytes).replace(/=+$/, ""), ...inner].filter((form) => form.length >= 6);
}

/** In either alphabet, escaped or not. */
function base64Pattern(form: string): RegExp {
  const source = form
    .replaceAll("/", String.raw`(?:\\{0,7}/|_|%(?:25)?2[Ff])`)
    .replaceAll("+", String.raw`(?:\+|-|%(?:25)?2[Bb]|\\u002[Bb])`);
  return new RegExp(source, "g");
}

function base64(bytes: readonly number[]): string {
  return btoa(String.fromCharCode(...bytes));
}

function utf8(text: string): number[] {
  return [...new TextEncoder().encode(text)];
}

function hex(number: number, length = 2): string {
  return number.toString(16).padStart(length, "0");
}

const secretName = String.raw`(?:api|access|auth|secret|private|subscription|goog)[-_ ]?key|authorization|token|secret|passw(?:or)?d|(?:set-)?cookie`;
/** Between a name and its value, in headers, JSON, JSON within JSON, and lists of names and values. */
const separator = String.raw`(?:[\\"']{0,4}\s{0,8}[:=]\s{0,8}|[\\"']{1,4}\s{0,8},\s{0,8})[\\"'[]{0,4}`;

/** Every repetition that something must follow is bounded, so that no text takes long. */
const shapes: readonly (readonly [RegExp, string])[] = [
  // Passwords in addresses, with and without a scheme.
  [/\/\/[^\s/"'<>]{1,500}@/g, `//${hidden}@`],
  [/\b[\w.%+-]{1,64}:[^\s/@:"']{1,200}@(?=[A-Za-z][\w-]{0,63}[.:]|\d{1,3}\.\d|\[)/g, `${hidden}@`],
  // Anthropic, OpenAI, DeepSeek and OpenRouter (sk-), Groq, xAI, GitHub, Hugging Face, and others of this look.
  [/\b(?:sk|pk|rk|gsk|xai|ghp|gho|ghu|ghs|ghr|github_pat|hf|glpat|xox[abeprs])[-_][\w*.-]{6,}/g, hidden],
  [/\bkey-(?=[\w-]{0,40}\d)[\w-]{8,}/g, hidden],
  // Google.
  [/\bAIza[\w-]{10,}/g, hidden],
  [/\bAQ\.[\w-]{20,}/g, hidden],
  // JSON Web Tokens.
  [/\beyJ[\w-]{6,}(?:\.[\w-]*){0,4}/g, hidden],
  [/\bBearer\s{1,8}(?!\[hidden)[^\s"'<>,;\\]{6,}/gi, `Bearer ${hidden}`],
  [/\bBasic\s{1,8}(?=[A-Za-z+/]{0,200}[\d=])[\w+/=-]{6,}/gi, `Basic ${hidden}`],
  [
    new RegExp(
      String.raw`(${secretName})(${separator})((?:Bearer|Basic|Token)\s{1,8})?(?!\[?hidden)[^\s"'<>,;&}\]\\[]{8,}`,
      "gi",
    ),
    `$1$2$3${hidden}`,
  ],
  [/([?&][\w.-]{0,24}(?:key|token|secret|password|sig|signature)=)[^&\s"'<>#[\\]{4,}/gi, `$1${hidden}`],
];
