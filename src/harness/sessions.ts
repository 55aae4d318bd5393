// The sessions of this workspace, of which exactly one is open. It remembers which, and sees to it that leaving one
// loses nothing. What a session does is coding-agent.ts' business.
import { Emitter } from "../shared/event.ts";
import type { Event } from "../shared/event.ts";
import { errorText } from "../shared/errors.ts";
import { modelRef } from "../ai/models.ts";
import { tourModel } from "../ai/tour-model.ts";
import type { Model, StreamFn } from "../ai/types.ts";
import { findCutOff } from "./checkpoints/cut-off.ts";
import { CodingAgent } from "./coding-agent.ts";
import { ModelBook } from "./model-book.ts";
import type { HarnessPorts } from "./ports.ts";
import { createSessionId } from "./session-parts.ts";
import type { SessionDeps } from "./session-parts.ts";
import type { SessionTools, SessionWriter } from "./session-tools.ts";
import { SessionStore } from "./session/store.ts";
import type { LoadedSession } from "./session/store.ts";
import type { CodingSession, SessionInfo, Sessions } from "./types.ts";

export interface SessionBookDeps {
  readonly ports: HarnessPorts;
  readonly stream: StreamFn;
  /** The tools of one session; each session has its own. */
  readonly createTools: (ports: HarnessPorts, writer: SessionWriter) => SessionTools;
  /** Entry ids of 8 hex digits; default random. */
  readonly createId?: () => string;
  /** 0 to 1, for the waits between tries. Default Math.random. */
  readonly random?: () => number;
}

const openKey = "reins.openSession";
const tourPrompt = "Show me around.";

export class SessionBook implements Sessions {
  private readonly deps: SessionDeps;
  private readonly changed = new Emitter<CodingSession>();
  readonly onDidChangeCurrent = this.changed.event;
  private open_: CodingAgent;
  /** Opening and leaving happen one after the other. */
  private switching: Promise<unknown> = Promise.resolve();

  private constructor(deps: SessionDeps, first: CodingAgent) {
    this.deps = deps;
    this.open_ = first;
    this.follow(first);
  }

  /** Opens the session that was open last, else a new one. Never rejects for what a session's file holds. */
  static async open({ ports, ...rest }: SessionBookDeps): Promise<SessionBook> {
    const deps = { ...rest, ports, models: new ModelBook(ports), store: new SessionStore(ports) };
    return new SessionBook(deps, await openLast(deps));
  }

  get current(): CodingSession {
    return this.open_;
  }

  models(): ReturnType<Sessions["models"]> {
    return this.deps.models.available;
  }

  findModel(ref: string): Model | undefined {
    return this.deps.models.find(ref);
  }

  get onDidChangeModels(): Event<void> {
    return this.deps.models.onDidChange;
  }

  refreshModels(): Promise<void> {
    return this.deps.models.refresh();
  }

  list(): Promise<readonly SessionInfo[]> {
    return this.deps.store.list();
  }

  /** The open one stays when nothing was said in it yet. */
  create(): Promise<CodingSession> {
    return this.inTurn(() =>
      isUnused(this.open_) ? Promise.resolve(this.open_) : this.switchTo(newSession(this.deps)),
    );
  }

  open(id: string): Promise<CodingSession> {
    return this.inTurn(async () => {
      if (id === this.open_.id) return this.open_;
      return this.switchTo(await load(this.deps, id));
    });
  }

  async startTour(): Promise<CodingSession> {
    const session = await this.inTurn(() => this.switchTo(newSession(this.deps)));
    session.setModel(modelRef(tourModel));
    void session.prompt(tourPrompt).catch((error: unknown) => this.deps.ports.log.error(errorText(error)));
    return session;
  }

  /** At once; what is still to be written follows. Await `current.flush()` before it where there is time. */
  dispose(): void {
    this.open_.dispose();
    this.deps.models.dispose();
    this.changed.dispose();
  }

  private async switchTo(loaded: LoadedSession): Promise<CodingAgent> {
    await this.open_.leave();
    this.open_ = CodingAgent.open(this.deps, loaded);
    this.follow(this.open_);
    this.changed.fire(this.open_);
    return this.open_;
  }

  /** Its id changes when it has to go on in a copy. */
  private follow(session: CodingAgent): void {
    const { memento, log } = this.deps.ports;
    let known: string | undefined;
    const remember = () => {
      if (session.id === known) return;
      known = session.id;
      memento.set(openKey, known).then(undefined, (error: unknown) => log.error(errorText(error)));
    };
    session.onDidChange(remember);
    remember();
  }

  private inTurn<T>(step: () => Promise<T>): Promise<T> {
    const result = this.switching.then(step);
    this.switching = result.catch(() => undefined);
    return result;
  }
}

async function openLast(deps: SessionDeps): Promise<CodingAgent> {
  const id = deps.ports.memento.get(openKey);
  try {
    if (id !== undefined) return CodingAgent.open(deps, await loadOrCreate(deps, id));
  } catch (error) {
    // Its file is there and cannot be read, which must not keep the user from starting another one.
    deps.ports.log.error(errorText(error));
  }
  return CodingAgent.open(deps, newSession(deps));
}

/** A session in which nothing was said has no file. It keeps its id, because there may be a draft under it. */
async function loadOrCreate(deps: SessionDeps, id: string): Promise<LoadedSession> {
  const { store } = deps;
  return (await store.has(id)) ? load(deps, id) : { file: store.create(id), problems: [] };
}

async function load({ store, ports }: SessionDeps, id: string): Promise<LoadedSession> {
  const loaded = await store.load(id);
  return { ...loaded, cutOff: await findCutOff(loaded.file.tree.all, ports) };
}

function newSession({ store }: SessionDeps): LoadedSession {
  return { file: store.create(createSessionId()), problems: [] };
}

function isUnused(session: CodingAgent): boolean {
  return session.transcript.messages.length === 0 && session.transcript.status === "idle";
}
