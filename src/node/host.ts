// What the Node extension host has: processes behind terminals, and files that can be appended to.
import { homedir } from "node:os";
import { join } from "node:path";
import type { HostParts, Log } from "../harness/ports.ts";
import { BlobFolder } from "./blob-folder.ts";
import { AppendFileStorage } from "./append-file.ts";
import { TerminalCommandRunner } from "./command-runner.ts";
import { fileFacts } from "./file-facts.ts";
import { LocalServers } from "./local-servers.ts";
import { sendSignal } from "./process-tree.ts";
import { findRipgrep } from "./ripgrep-binary.ts";
import { Ripgrep } from "./ripgrep.ts";

/** The host's parts, with session files and command logs below `storagePath`; `appRoot` is VS Code's. */
export function createNodeHost(storagePath: string, appRoot: string, log: Log): HostParts {
  const commands = new TerminalCommandRunner(join(storagePath, "command-logs"), log);
  // The last resort when the host ends without having been asked to: no time is left for more than a signal.
  const killAll = () => {
    for (const group of commands.runningGroups()) sendSignal(-group, "SIGKILL");
  };
  process.once("exit", killAll);
  return {
    commands,
    storage: new AppendFileStorage(join(storagePath, "sessions")),
    blobs: new BlobFolder(join(storagePath, "checkpoints")),
    // Looked for each time: an update of VS Code moves it.
    findSearchEngine: async () => {
      const binary = await findRipgrep({ appRoot, env: process.env });
      return binary === undefined ? undefined : new Ripgrep(binary);
    },
    modelSources: [new LocalServers()],
    platform: process.platform === "darwin" ? "mac" : "other",
    fileFacts,
    home: homedir(),
    env: (name) => process.env[name],
    shutdown: () => commands.shutdown(),
    dispose: () => process.off("exit", killAll),
  };
}
