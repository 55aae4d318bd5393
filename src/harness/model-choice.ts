// Which model and thinking level a session works with: its own choice, else the settings'. Which models there are is
// model-book.ts' business.
import { isThinkingLevel } from "../ai/thinking-level.ts";
import type { Model, ThinkingLevel } from "../ai/types.ts";
import { UserError } from "../shared/errors.ts";
import type { ModelBook } from "./model-book.ts";
import type { Settings } from "./ports.ts";

export class ModelChoice {
  /** `<provider>/<model id>`, chosen in this session. */
  ref: string | undefined;
  /** Chosen in this session. */
  level: ThinkingLevel | undefined;
  private readonly settings: Settings;
  private readonly book: ModelBook;

  constructor(settings: Settings, book: ModelBook) {
    this.settings = settings;
    this.book = book;
  }

  /** Undefined when none is chosen, or the chosen one is not there (any more). */
  get model(): Model | undefined {
    return (
      (this.ref === undefined ? undefined : this.book.find(this.ref)) ?? this.book.find(this.fromSettings)
    );
  }

  get thinkingLevel(): ThinkingLevel {
    const level = this.level ?? this.settings.current().thinkingLevel;
    return isThinkingLevel(level) ? level : "off";
  }

  /** The chosen one is not known, or not yet known well: it may be found by looking. */
  get mayBeFound(): boolean {
    return this.book.mayBeFound(this.ref ?? this.fromSettings);
  }

  /** Looks for it. Afterwards it is known, or not there (in time). */
  look(): Promise<void> {
    return this.book.lookBriefly();
  }

  /** Throws a UserError that names the setting when there is no model. */
  require(): Model {
    const model = this.model;
    if (model) return model;
    const ref = this.ref ?? this.fromSettings;
    if (ref === "")
      throw new UserError("No model is chosen. Choose one with Reins: Select Model, or set `reins.model`.");
    throw new UserError(
      this.withoutAddress(ref) ??
        `There is no model "${ref}". Choose one with Reins: Select Model, correct \`reins.model\`, or add it to \`reins.providers\`.`,
    );
  }

  /** Throws a UserError when there is no such model. */
  choose(ref: string): Model {
    const model = this.book.find(ref);
    if (!model) {
      throw new UserError(
        this.withoutAddress(ref) ??
          `There is no model "${ref}". Add it to \`reins.providers\`, or choose another.`,
      );
    }
    this.ref = ref;
    return model;
  }

  /** What to do when its provider is known and has no address yet. */
  private withoutAddress(ref: string): string | undefined {
    const provider = this.book.available.unready.find(({ id }) => ref.startsWith(`${id}/`));
    return (
      provider &&
      `${provider.name} needs the address of your resource: set \`reins.providers.${provider.id}.baseUrl\` to ${provider.address}.`
    );
  }

  private get fromSettings(): string {
    return this.settings.current().model;
  }
}
