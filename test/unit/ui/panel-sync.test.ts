import assert from "node:assert/strict";
import type { SequencedEvent } from "../../../src/agent/events.ts";
import type { TranscriptState } from "../../../src/agent/transcript.ts";
import type { CodingSession } from "../../../src/harness/types.ts";
import type { PanelState, ToWebview } from "../../../src/protocol/to-webview.ts";
import { Emitter } from "../../../src/shared/event.ts";
import { PanelSync } from "../../../src/ui/panel-sync.ts";
import { FakeClock } from "../../support/fake-clock.ts";

/** As much of a session as the synchronisation looks at. */
class SyncedSession {
  readonly id: string;
  seq = 0;
  private readonly events = new Emitter<SequencedEvent>();
  private readonly changes = new Emitter<void>();
  readonly onEvent = this.events.event;
  readonly onDidChange = this.changes.event;

  constructor(id: string) {
    this.id = id;
  }
  get transcript(): Partial<TranscriptState> {
    return { seq: this.seq };
  }
  happen(count = 1): void {
    for (let i = 0; i < count; i++) this.events.fire({ type: "agent_start", seq: ++this.seq });
  }
  change(): void {
    this.changes.fire();
  }
}

function setUp() {
  const clock = new FakeClock();
  const posted: ToWebview[] = [];
  const session = new SyncedSession("one");
  const shown = { title: "first" };
  const sync = new PanelSync({
    post: (message) => posted.push(message),
    clock,
    panelState: ({ id }) => ({ sessionId: id, ...shown }) as PanelState,
    draft: (id) => `draft of ${id}`,
  });
  const attach = (other: SyncedSession) => sync.attach(other as unknown as CodingSession);
  attach(session);
  return { clock, posted, session, sync, shown, attach, types: () => posted.map((message) => message.type) };
}

function seqs(message: ToWebview | undefined): number[] {
  return message?.type === "events" ? message.events.map((event) => event.seq) : [];
}

describe("The panel's copy of a session", () => {
  it("gets nothing before it asks, then a snapshot with the draft", async () => {
    const { clock, posted, session, sync } = setUp();
    session.happen(3);
    session.change();
    await clock.advance(1000);
    assert.deepEqual(posted, []);
    sync.resume();
    assert.deepEqual(posted, [
      {
        type: "snapshot",
        transcript: { seq: 3 },
        panel: { sessionId: "one", title: "first" },
        draft: "draft of one",
      },
    ]);
  });

  it("gets many events in one batch, in order and without a gap", async () => {
    const { clock, posted, session, sync } = setUp();
    sync.resume();
    session.happen(100);
    assert.equal(posted.length, 1);
    await clock.advance(33);
    assert.equal(posted.length, 2);
    session.happen(2);
    await clock.advance(33);
    assert.deepEqual(
      [...seqs(posted[1]), ...seqs(posted[2])],
      Array.from({ length: 102 }, (_, i) => i + 1),
    );
  });

  it("gets the panel state only when it changed, after the events", async () => {
    const { clock, session, sync, shown, types } = setUp();
    sync.resume();
    session.change();
    await clock.advance(33);
    assert.deepEqual(types(), ["snapshot"]);
    shown.title = "second";
    session.change();
    session.happen();
    await clock.advance(33);
    assert.deepEqual(types(), ["snapshot", "events", "panel"]);
  });

  // U15
  it("gets nothing while it is hidden and everything when it is back, once", async () => {
    const { clock, posted, session, sync, types } = setUp();
    sync.resume();
    session.happen();
    sync.pause();
    session.happen(5);
    await clock.advance(1000);
    assert.deepEqual(types(), ["snapshot"]);
    sync.resume();
    await clock.advance(1000);
    assert.deepEqual(types(), ["snapshot", "snapshot"]);
    session.happen();
    await clock.advance(33);
    assert.deepEqual(seqs(posted[2]), [7]);
  });

  it("changes to another session with a snapshot and hears no more of the first", async () => {
    const { clock, posted, session, sync, attach } = setUp();
    sync.resume();
    session.happen();
    const other = new SyncedSession("two");
    attach(other);
    session.happen();
    await clock.advance(1000);
    assert.deepEqual(
      posted.map((message) => message.type === "snapshot" && message.panel.sessionId),
      ["one", "two"],
    );
    other.happen();
    await clock.advance(33);
    assert.deepEqual(seqs(posted[2]), [1]);
  });
});
