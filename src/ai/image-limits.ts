// Which images of a conversation a request can carry: one that a provider refuses would block the conversation for good,
// since it is sent again with every request. What is left out becomes a note that names its size and the limit.
import { readImageFormat } from "./image-format.ts";
import type { ImageType } from "./image-format.ts";
import type { ImageBlock, Model, TextBlock } from "./types.ts";

export interface ImageLimits {
  /** Characters of base64 of one image. */
  readonly maxLength: number;
  /** Pixels of the longer side. */
  readonly maxSide: number;
  /** Tighter sides for a request with more than `count` images. */
  readonly many?: { readonly count: number; readonly maxSide: number };
  /** Images in a request. */
  readonly maxCount: number;
  /** Characters of base64 of all images. */
  readonly maxTotalLength: number;
  /** Default: all that are known. */
  readonly types?: readonly ImageType[];
}

const mebi = 1024 * 1024;

/** Of the Messages API, whose requests have at most 32 MB. */
export function anthropicImageLimits(model: Model): ImageLimits {
  return {
    maxLength: 5 * mebi,
    maxSide: 8_000,
    many: { count: 20, maxSide: 2_000 },
    maxCount: model.contextWindow > 200_000 ? 600 : 100,
    maxTotalLength: 24 * mebi,
    ...model.imageLimits,
  };
}

/** Of OpenAI's APIs, which scale down by themselves, and what is asked of servers that imitate them. */
export function openAiImageLimits(model: Model): ImageLimits {
  return {
    maxLength: 20 * mebi,
    maxSide: Number.POSITIVE_INFINITY,
    maxCount: 500,
    maxTotalLength: 200 * mebi,
    ...model.imageLimits,
  };
}

type Content = readonly (TextBlock | ImageBlock)[];

interface Picture {
  readonly content: Content;
  readonly at: number;
  readonly length: number;
  readonly type: ImageType | undefined;
  /** Of the longer one; width × height for a person. */
  readonly side: number;
  readonly size: string;
}

/**
 * Decides image by image, in order, so that more images change earlier decisions only where the API leaves no choice:
 * when `many` is passed (once, since it then stays passed), and when the count or the total is passed (then half of
 * them go at once, the oldest first, so that it happens rarely).
 */
export class ImagePlan {
  private readonly limits: ImageLimits;
  private readonly notes = new Map<Content, Map<number, string>>();
  /** Images that are sent; before `first` they are not any more. */
  private readonly sent: Picture[] = [];
  private first = 0;
  private total = 0;
  private isMany = false;

  constructor(limits: ImageLimits) {
    this.limits = limits;
  }

  /** True when an image of an earlier content was taken out because of this one. Each content only once. */
  add(content: Content): boolean {
    let tookOut = false;
    for (const [at, block] of content.entries()) {
      if (block.type !== "image") continue;
      const picture = toPicture(content, at, block);
      const problem = this.ownProblem(picture);
      if (problem !== undefined) this.leaveOut(picture, problem);
      else if (this.send(picture)) tookOut = true;
    }
    return tookOut;
  }

  /** The content with notes for what cannot be sent, the same note in a row only once. */
  apply(content: Content): Content {
    const notes = this.notes.get(content);
    if (!notes) return content;
    const shown = content.map((block, at): TextBlock | ImageBlock => {
      const note = notes.get(at);
      return note === undefined ? block : { type: "text", text: note };
    });
    return shown.filter((_block, at) => {
      const note = notes.get(at);
      return note === undefined || note !== notes.get(at - 1);
    });
  }

  private ownProblem({ length, side, size, type }: Picture): string | undefined {
    const { maxLength, maxSide, many, types } = this.limits;
    if (types && !types.some((known) => known === type)) {
      return `it is of the type ${type ?? "unknown"}, and only ${types.join(", ")} can be sent`;
    }
    if (length > maxLength)
      return `it has ${megabytes(length)} MB, and at most ${megabytes(maxLength)} MB can be sent`;
    if (side > maxSide) return `it is ${size} pixels, and at most ${maxSide} a side can be sent`;
    return this.isMany && many && side > many.maxSide ? tooLargeForMany(size, many) : undefined;
  }

  /** True when that took an earlier one out. */
  private send(picture: Picture): boolean {
    const { many, maxCount, maxTotalLength } = this.limits;
    this.sent.push(picture);
    this.total += picture.length;
    let tookOut = false;
    if (many && !this.isMany && this.count() > many.count) {
      this.isMany = true;
      tookOut = this.takeOutLarge(many);
    }
    if (this.count() <= maxCount && this.total <= maxTotalLength) return tookOut;
    const why = `at most ${maxCount} images and ${megabytes(maxTotalLength)} MB of them can be sent, and newer ones came`;
    while (this.count() > 1 && (this.count() > maxCount / 2 || this.total > maxTotalLength / 2)) {
      const oldest = this.sent[this.first];
      this.first += 1;
      if (oldest && !this.isLeftOut(oldest))
        this.takeOut(oldest, `it has ${megabytes(oldest.length)} MB; ${why}`);
    }
    return true;
  }

  private takeOutLarge(many: NonNullable<ImageLimits["many"]>): boolean {
    const large = this.sent.slice(this.first).filter(({ side }) => side > many.maxSide);
    for (const picture of large) this.takeOut(picture, tooLargeForMany(picture.size, many));
    return large.length > 0;
  }

  private takeOut(picture: Picture, why: string): void {
    this.total -= picture.length;
    this.leaveOut(picture, why);
  }

  private leaveOut({ content, at }: Picture, why: string): void {
    const notes = this.notes.get(content) ?? new Map<number, string>();
    notes.set(at, `(An image was left out: ${why}.)`);
    this.notes.set(content, notes);
  }

  private isLeftOut({ content, at }: Picture): boolean {
    return this.notes.get(content)?.has(at) === true;
  }

  private count(): number {
    return this.sent.length - this.first;
  }
}

function toPicture(content: Content, at: number, { data }: ImageBlock): Picture {
  const { type, width, height } = readImageFormat(data) ?? { type: undefined, width: 0, height: 0 };
  const size = `${width} × ${height}`;
  return { content, at, type, length: data.length, side: Math.max(width, height), size };
}

function tooLargeForMany(size: string, { count, maxSide }: NonNullable<ImageLimits["many"]>): string {
  return `it is ${size} pixels, and at most ${maxSide} a side can be sent with more than ${count} images`;
}

function megabytes(length: number): string {
  return (length / mebi).toFixed(1).replace(/\.0$/, "");
}
