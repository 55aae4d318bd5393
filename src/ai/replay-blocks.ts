// Single blocks of the history as a model may be shown them: no empty text, no broken Unicode, no image it cannot read.
// Leaves how blocks make turns to `replay.ts`, and how many images are too many to `image-limits.ts`.
import { readImageFormat } from "./image-format.ts";
import type { ImageBlock, Model, TextBlock, ThinkingBlock } from "./types.ts";

const blindNote = "(An image was left out: this model does not read images.)";
const unreadableNote = "(An image was left out: it is not a whole PNG, JPEG, GIF or WebP file.)";

/** Images get the type that their data has, or become a note; the same note in a row only once. A new list. */
export function showContent(
  content: readonly (TextBlock | ImageBlock)[],
  model: Model,
): (TextBlock | ImageBlock)[] {
  const shown: (TextBlock | ImageBlock)[] = [];
  let lastNote: string | undefined;
  for (const block of content) {
    if (block.type === "text" && block.text.trim() === "") continue;
    const next = block.type === "text" ? showText(block, false) : showImage(block, model);
    const note = block.type === "image" && next.type === "text" ? next.text : undefined;
    if (note === undefined || note !== lastNote) shown.push(next);
    lastNote = note;
  }
  return shown;
}

/** Signatures are opaque to everyone but the model that made them. */
export function showText(block: TextBlock, own: boolean): TextBlock {
  const signature = own ? block.textSignature : undefined;
  return {
    type: "text",
    text: block.text.toWellFormed(),
    ...(signature !== undefined && { textSignature: signature }),
  };
}

/** Thinking goes back byte for byte or not at all. */
export function isReplayable(block: ThinkingBlock, signedOnly: boolean): boolean {
  const { thinking, thinkingSignature: signature = "" } = block;
  if (!thinking.isWellFormed() || !signature.isWellFormed()) return false;
  return signature !== "" || (!signedOnly && thinking.trim() !== "");
}

function showImage(image: ImageBlock, model: Model): TextBlock | ImageBlock {
  if (!model.input.includes("image")) return { type: "text", text: blindNote };
  const format = readImageFormat(image.data);
  if (!format) return { type: "text", text: unreadableNote };
  return format.type === image.mimeType ? image : { ...image, mimeType: format.type };
}
