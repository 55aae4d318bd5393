// What `npm start` keeps in the cache between starts: VS Code's settings, sessions, secrets and extensions of Reins'
// own profile, the sample project, and the port, because a browser keeps storage by port too.
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { join, resolve } from "node:path";
import { cacheDirectory } from "./cache.mjs";
import { SetupError } from "./npm.mjs";
import { makeSampleProject } from "./sample-project.ts";

interface State {
  readonly port?: number;
  readonly sample?: string;
}

/** Quiet, and with room for the panel. Written once: afterwards the settings are the user's. */
const firstSettings = {
  "workbench.startupEditor": "none",
  "workbench.welcomePage.walkthroughs.openOnInstall": false,
  "workbench.tips.enabled": false,
  "workbench.secondarySideBar.defaultVisibility": "visible",
  "chat.disableAIFeatures": true,
  "extensions.ignoreRecommendations": true,
  "telemetry.telemetryLevel": "off",
  "update.mode": "none",
};

export class Profile {
  readonly folder = join(cacheDirectory(), "profile");
  #state: State;

  constructor(fresh: boolean) {
    if (fresh) rmSync(this.folder, { recursive: true, force: true });
    mkdirSync(join(this.folder, "user/User"), { recursive: true, mode: 0o700 });
    const settings = join(this.folder, "user/User/settings.json");
    if (!existsSync(settings)) writeFileSync(settings, `${JSON.stringify(firstSettings, undefined, 2)}\n`);
    this.#state = this.#read();
  }

  /** The port of the last start, 0 if there was none. */
  get port(): number {
    return this.#state.port ?? 0;
  }

  rememberPort(port: number): void {
    this.#write({ ...this.#state, port });
  }

  /** The sample project of the last start, or a new one. */
  sampleProject(): string {
    const { sample } = this.#state;
    if (sample !== undefined && existsSync(join(sample, "package.json"))) return sample;
    const made = makeSampleProject();
    this.#write({ ...this.#state, sample: made });
    return made;
  }

  /**
   * The file with the secret that the address carries. Listening on loopback keeps other machines out; this keeps
   * other users of this machine, and web pages that try local ports, from commanding the IDE.
   */
  connectionTokenFile(): string {
    const file = join(this.folder, "connection-token");
    if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString("hex"), { mode: 0o600 });
    return file;
  }

  connectionToken(): string {
    return readFileSync(this.connectionTokenFile(), "utf8");
  }

  #read(): State {
    try {
      return JSON.parse(readFileSync(this.#stateFile(), "utf8")) as State; // Written by #write.
    } catch {
      return {}; // The first start, or a file that a full disk cut off: nothing in it is needed.
    }
  }

  #write(state: State): void {
    this.#state = state;
    writeFileSync(this.#stateFile(), JSON.stringify(state));
  }

  #stateFile(): string {
    return join(this.folder, "start.json");
  }
}

/** The folder that was named on the command line, which npm has left for the repository's. */
export function namedFolder(name: string): string {
  const folder = resolve(process.env["INIT_CWD"] ?? process.cwd(), name);
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw new SetupError(
      `There is no folder ${folder}. Usage: npm start -- [folder] [--no-open] [--port N] [--fresh]`,
    );
  return folder;
}
