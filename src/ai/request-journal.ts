// Remembers the last request of each session as it was sent, and what became of it, for the view that shows it to the
// user. In memory only. Nothing with a key in it leaves this file: `request-view.ts` makes the text when somebody looks,
// because most requests are never looked at.
import { redact } from "./redact.ts";
import { describeExchange } from "./request-view.ts";
import type { WireExchange } from "./request-view.ts";
import type { AssistantMessage, Model, ModelRequest } from "./types.ts";

/** Sessions that are remembered; those whose last request is older are forgotten. */
const maxSessions = 4;

/** One response that is asked for. */
export interface JournalStart {
  readonly model: Model;
  readonly request: ModelRequest;
  readonly sessionId: string | undefined;
  /** Taken out of everything that is shown. */
  readonly secrets: readonly string[];
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** What is told of one response. */
export interface JournalEntry {
  /** `send`, watched; answers and failures pass unchanged. */
  watch(send: typeof fetch): typeof fetch;
  /** It has ended. */
  ended(message: AssistantMessage): void;
}

export class RequestJournal {
  /** In order of their last request. */
  private readonly sessions = new Map<string, ResponseEntry>();

  begin(start: JournalStart): JournalEntry {
    const id = start.sessionId ?? "";
    const entry = new ResponseEntry(start, this.sessions.get(id)?.lastBody);
    this.sessions.delete(id);
    this.sessions.set(id, entry);
    const [oldest] = this.sessions.keys();
    if (this.sessions.size > maxSessions && oldest !== undefined) this.sessions.delete(oldest);
    return entry;
  }

  /** The last request of a session for a person, as JSON without secrets; undefined when there was none since VS Code was started. */
  show(sessionId: string): string | undefined {
    return this.sessions.get(sessionId)?.show();
  }
}

class ResponseEntry implements JournalEntry {
  private readonly start: JournalStart;
  private readonly previousBody: string | undefined;
  private readonly startedAt: number;
  private readonly sent: WireExchange[] = [];
  private end: AssistantMessage | undefined;

  constructor(start: JournalStart, previousBody: string | undefined) {
    this.start = start;
    this.previousBody = previousBody;
    this.startedAt = start.now();
  }

  /** What the session's next request is compared with. */
  get lastBody(): string | undefined {
    return this.sent.at(-1)?.body ?? this.previousBody;
  }

  watch(send: typeof fetch): typeof fetch {
    return async (input, init) => {
      const request: WireExchange = {
        sentAt: this.start.now(),
        method: init?.method ?? "GET",
        url: typeof input === "string" ? input : input instanceof URL ? input.href : input.url,
        headers: new Headers(init?.headers),
        body: typeof init?.body === "string" ? init.body : "",
      };
      const place = this.sent.push(request) - 1;
      const response = await send(input, init);
      const { status, headers } = response;
      this.sent[place] = {
        ...request,
        answer: { status, headers, afterMs: this.start.now() - request.sentAt },
      };
      return response;
    };
  }

  ended(message: AssistantMessage): void {
    this.end = message;
  }

  show(): string {
    const { model, request, secrets } = this.start;
    const { startedAt, sent, previousBody, end } = this;
    const exchange = describeExchange({ model, request, startedAt, sent, previousBody, end });
    return redact(JSON.stringify(exchange, undefined, 2), secrets);
  }
}
