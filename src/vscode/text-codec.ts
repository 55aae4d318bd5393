// Bytes of a file to text and back, with the encodings of VS Code itself. Says when bytes would not survive the
// way there and back; what to do about it is left to the callers.
import * as vscode from "vscode";

/** How a file's text became bytes. */
export interface Codec {
  /** A VS Code encoding id, for example `utf8`, `gbk`. */
  readonly encoding: string;
  /** The file starts with a byte order mark. */
  readonly bom: boolean;
}

export interface DecodedText {
  readonly text: string;
  readonly codec: Codec;
  /** Encoding `text` again gives other bytes than those of the file. */
  readonly lossy: boolean;
}

/**
 * Decodes all bytes of a file as VS Code would (byte order mark, `files.encoding`, guessing), or with `encoding`
 * where it is known already. Rejects when the content is binary.
 */
export async function decodeFile(
  uri: vscode.Uri,
  bytes: Uint8Array,
  encoding?: string,
): Promise<DecodedText> {
  const bom = bomEncoding(bytes);
  if (encoding !== undefined) return decodeAs(bytes, { encoding, bom: bom !== undefined });
  if (bom !== undefined) return decodeAs(bytes, { encoding: bom, bom: true });
  const settings = vscode.workspace.getConfiguration("files", uri);
  const configured = settings.get<string>("encoding") ?? "utf8";
  if (configured === "utf8" && !isGuessed(settings)) {
    const plain = decodeUtf8(bytes);
    if (plain !== undefined) return plain;
  }
  const text = await vscode.workspace.decode(bytes, { uri });
  for (const candidate of new Set([configured, "utf8"])) {
    const decoded = await decodeAs(bytes, { encoding: candidate, bom: false });
    if (decoded.text === text && !decoded.lossy) return decoded;
  }
  // Guessed, UTF-16 without a mark, or not decodable at all: only a document tells which encoding was picked.
  const document = await vscode.workspace.openTextDocument(uri);
  return decodeAs(bytes, { encoding: document.encoding, bom: false });
}

/** The bytes of `text`; undefined when the encoding cannot hold every character of it. */
export async function encodeText(text: string, codec: Codec): Promise<Uint8Array | undefined> {
  const bytes = await encodeWithBom(text, codec);
  const back = await vscode.workspace.decode(bytes, { encoding: codec.encoding });
  return back === text ? bytes : undefined;
}

/** Whether more than the setting itself decides: the content, or the language, which only VS Code knows of a file. */
function isGuessed(settings: vscode.WorkspaceConfiguration): boolean {
  if (settings.get<boolean>("autoGuessEncoding") === true) return true;
  return ["encoding", "autoGuessEncoding"].some(
    (name) => (settings.inspect(name)?.languageIds ?? []).length > 0,
  );
}

/**
 * Valid UTF-8, which most files are, as VS Code decodes it: without sending all bytes to the window and back. Undefined
 * for anything else.
 */
function decodeUtf8(bytes: Uint8Array): DecodedText | undefined {
  // Where VS Code looks for NULs to tell UTF-16 and binary content.
  if (bytes.subarray(0, 512).includes(0)) return undefined;
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return { text, codec: { encoding: "utf8", bom: false }, lossy: false };
  } catch {
    return undefined;
  }
}

async function decodeAs(bytes: Uint8Array, codec: Codec): Promise<DecodedText> {
  const plain = codec.encoding === "utf8" && !codec.bom ? decodeUtf8(bytes) : undefined;
  if (plain !== undefined) return plain;
  const text = await vscode.workspace.decode(bytes, { encoding: codec.encoding });
  const again = await encodeWithBom(text, codec);
  return { text, codec, lossy: !sameBytes(bytes, again) };
}

/** VS Code always writes the mark of UTF-16 and never that of plain `utf8`; a file keeps what it had. */
async function encodeWithBom(text: string, codec: Codec): Promise<Uint8Array> {
  const encoding = codec.encoding === "utf8" && codec.bom ? "utf8bom" : codec.encoding;
  const bytes = await vscode.workspace.encode(text, { encoding });
  const mark = bomEncoding(bytes);
  if (codec.bom || mark === undefined) return bytes;
  return bytes.subarray(mark === "utf8bom" ? 3 : 2);
}

/** The encoding that the byte order mark at the start says; undefined where there is none. */
export function bomEncoding(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf8bom";
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf16be";
  return undefined;
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  // A loop, because it runs over every file that is read, and a callback per byte takes ten times as long.
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return false;
  return true;
}
