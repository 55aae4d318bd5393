// A window that is killed: runs the given turns in the given folder and, at the given step on the disk, ends itself with
// SIGKILL, so that nothing of it can tidy up. Arguments: folder, step.
import { openDiskSession } from "./disk-session.ts";
import { crashTurns } from "./crash-turns.ts";

const [folder = "", at = "0"] = process.argv.slice(2);
let steps = 0;
const book = await openDiskSession(folder, crashTurns, () => {
  if (++steps === Number(at)) process.kill(process.pid, "SIGKILL");
  return Promise.resolve();
});
await book.current.prompt("change both");
await book.current.flush();
