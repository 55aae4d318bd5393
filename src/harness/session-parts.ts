// Builds the parts of one open session and wires them: the agent asks, the recorder writes, the tools act. What can be
// done with them is session-view.ts' and coding-agent.ts' business.
import { v4 as uuid, v7 as sortableUuid } from "uuid";
import { Agent } from "../agent/agent.ts";
import type { SequencedEvent } from "../agent/events.ts";
import type { AgentConfig, AgentMessage } from "../agent/types.ts";
import type { StreamFn } from "../ai/types.ts";
import { DisposableStore } from "../shared/disposable.ts";
import { Emitter } from "../shared/event.ts";
import { UserError } from "../shared/errors.ts";
import { Checkpoints } from "./checkpoints/checkpoints.ts";
import { readContextFiles } from "./context/context-files.ts";
import { declarationOf, systemChange } from "./context/system-change.ts";
import { buildSections } from "./context/system-prompt.ts";
import { SessionMeter } from "./meter.ts";
import type { ModelBook } from "./model-book.ts";
import { ModelChoice } from "./model-choice.ts";
import { Notices } from "./notices.ts";
import type { HarnessPorts } from "./ports.ts";
import { RunDriver } from "./run-driver.ts";
import type { SessionTools, SessionWriter } from "./session-tools.ts";
import { SessionLog } from "./session/log.ts";
import { convertForModel, projectForModel } from "./session/projection.ts";
import { SessionRecorder } from "./session/recorder.ts";
import { restore } from "./session/restore.ts";
import type { RestoredSession } from "./session/restore.ts";
import type { LoadedSession, SessionStore } from "./session/store.ts";

export interface SessionDeps {
  readonly ports: HarnessPorts;
  readonly stream: StreamFn;
  readonly models: ModelBook;
  readonly store: SessionStore;
  /** The tools of one session; each session has its own, on files and commands whose changes it records. */
  readonly createTools: (ports: HarnessPorts, writer: SessionWriter) => SessionTools;
  /** 8 hex digits; default random. */
  readonly createId?: () => string;
  /** 0 to 1, for the waits between tries. Default Math.random. */
  readonly random?: () => number;
}

export interface SessionParts {
  readonly ports: HarnessPorts;
  readonly store: SessionStore;
  readonly log: SessionLog;
  readonly recorder: SessionRecorder;
  readonly agent: Agent;
  readonly driver: RunDriver;
  readonly tools: SessionTools;
  readonly choice: ModelChoice;
  readonly notices: Notices;
  readonly checkpoints: Checkpoints;
  readonly meter: SessionMeter;
  readonly restored: RestoredSession;
  readonly events: Emitter<SequencedEvent>;
  readonly changed: Emitter<void>;
  /** What is released with the session, the recorder last to hear of anything. */
  readonly owned: DisposableStore;
}

/** A session from its file (or from none yet). Nothing is written. */
export function assembleSession(deps: SessionDeps, loaded: LoadedSession): SessionParts {
  const { file } = loaded;
  const { ports, store } = deps;
  const now = () => ports.clock.now();
  const createId = unusedId(deps.createId ?? randomId, (id) => file.tree.has(id));
  const logDeps = { storage: ports.storage, log: ports.log, now, createId, createSessionId };
  const log = new SessionLog(logDeps, file);
  const restored = restore(log, loaded, now());
  const choice = new ModelChoice(ports.settings, deps.models);
  choice.ref = restored.modelRef;
  choice.level = restored.thinkingLevel;
  if (choice.mayBeFound) void choice.look();
  const notices = new Notices(now);
  const changed = new Emitter<void>((error) => ports.log.error(String(error)));
  const checkpoints: Checkpoints = new Checkpoints({
    ...{ ports, session: log, createId },
    requireIdle: () => {
      if (driver.active || agent.status !== "idle") throw new UserError(busy);
    },
    tell: (message) => notices.push(message),
  });
  const { files, commands } = checkpoints;
  const writer: SessionWriter = {
    // A session that has no file yet gets none for this.
    write: (entry) => (log.exists ? void log.append(entry) : void log.note(entry)),
    tell: (message) => notices.push(message),
  };
  const tools = deps.createTools({ ...ports, files, commands }, writer);
  void tools.restore(restored.messages, log.tree.path());
  const prepare = (): Promise<readonly AgentMessage[]> => prepareRequest({ ports, tools, notices, agent });
  const config = agentConfig(deps, { log, choice, tools, createId, prepare });
  const agent = new Agent(config, { messages: restored.messages });
  const driver = new RunDriver(agent, { clock: ports.clock, random: deps.random ?? Math.random }, () =>
    changed.fire(),
  );
  const parts: SessionParts = {
    ports,
    store,
    log,
    recorder: new SessionRecorder(log, ports.clock),
    agent,
    driver,
    tools,
    choice,
    notices,
    checkpoints,
    meter: new SessionMeter(),
    restored,
    events: new Emitter<SequencedEvent>((error) => ports.log.error(String(error))),
    changed,
    owned: new DisposableStore(),
  };
  connect(parts);
  parts.owned.add(deps.models.onDidChange(() => changed.fire()));
  return parts;
}

const busy = "Reins is working. Stop it, or wait until it is done, before files are put back.";

/** A new session's id: sortable by time. */
export function createSessionId(): string {
  return sortableUuid();
}

function agentConfig(
  { ports, stream, models }: SessionDeps,
  own: {
    readonly log: SessionLog;
    readonly choice: ModelChoice;
    readonly tools: SessionTools;
    readonly createId: () => string;
    readonly prepare: () => Promise<readonly AgentMessage[]>;
  },
): AgentConfig {
  const { log, choice, tools } = own;
  return {
    stream: (model, request, options) => stream(model, request, { ...options, ...models.timeouts(model) }),
    getApiKey: (model) => ports.secrets.apiKey(model.provider),
    getSettings: () => ({ model: choice.require(), thinkingLevel: choice.thinkingLevel, tools: tools.tools }),
    getLimits: () => ports.settings.current().limits,
    createId: own.createId,
    now: () => ports.clock.now(),
    sessionId: log.id,
    prepareRequest: own.prepare,
    transformContext: (messages) => Promise.resolve(projectForModel(messages)),
    convertToLlm: convertForModel,
    beforeToolCall: (call) => tools.beforeToolCall(call),
    log: (text) => ports.log.error(text),
  };
}

/** What has to be said before the next request: about the prompt and the tools, and to the user. */
async function prepareRequest(own: {
  readonly ports: HarnessPorts;
  readonly tools: SessionTools;
  readonly notices: Notices;
  readonly agent: Agent;
}): Promise<readonly AgentMessage[]> {
  const { ports, tools, notices, agent } = own;
  const { workspace, commands, clock } = ports;
  const sections = buildSections({
    tools: tools.hints,
    workspace,
    shell: commands.shell,
    commandsUnavailable: commands.unavailable,
    contextFiles: await readContextFiles(ports),
  });
  const said = agent.transcript.messages.map(({ message }) => message);
  const change = systemChange(said, sections, tools.tools.map(declarationOf));
  return [...(change ? [{ ...change, timestamp: clock.now() }] : []), ...notices.take()];
}

function connect({
  agent,
  recorder,
  log,
  tools,
  notices,
  checkpoints,
  ports,
  events,
  changed,
  owned,
}: SessionParts): void {
  owned.add(agent.subscribeBarrier(recorder.record));
  owned.add(agent.subscribe(recorder.observe));
  owned.add(recorder);
  owned.add(agent.subscribe((event) => events.fire(event)));
  owned.add(
    agent.subscribe((event) => {
      if (event.type === "message_end" || event.type === "agent_end") changed.fire();
    }),
  );
  owned.add(
    log.onProblem((text) => {
      notices.add(text);
      changed.fire();
    }),
  );
  owned.add(log.onDidMove(() => changed.fire()));
  owned.add(checkpoints.onDidChange(() => changed.fire()));
  owned.add(checkpoints.baselines.onDidChange(() => changed.fire()));
  owned.add(checkpoints);
  owned.add(tools.onDidChange(() => changed.fire()));
  owned.add(ports.settings.onDidChange(() => changed.fire()));
  owned.add(tools);
}

function unusedId(create: () => string, isUsed: (id: string) => boolean): () => string {
  return () => {
    let id = create();
    while (isUsed(id)) id = create();
    return id;
  };
}

function randomId(): string {
  return uuid().slice(0, 8);
}
