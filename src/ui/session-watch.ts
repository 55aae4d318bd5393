// Follows the session that is open, whichever it is.
import type { CodingSession, Sessions } from "../harness/types.ts";
import { DisposableStore } from "../shared/disposable.ts";
import type { Disposable } from "../shared/disposable.ts";

/** Calls back now, when another session is opened, and when anything but a growing message changed in it. */
export function watchCurrentSession(
  sessions: Sessions,
  changed: (session: CodingSession) => void,
): Disposable {
  const owned = new DisposableStore();
  let listeners = new DisposableStore();
  const follow = (session: CodingSession) => {
    listeners.dispose();
    listeners = new DisposableStore();
    listeners.add(session.onDidChange(() => changed(session)));
    listeners.add(
      session.onEvent((event) => {
        if (event.type === "agent_start" || event.type === "agent_end") changed(session);
      }),
    );
    changed(session);
  };
  owned.add({ dispose: () => listeners.dispose() });
  owned.add(sessions.onDidChangeCurrent(follow));
  follow(sessions.current);
  return owned;
}
