// One run of ripgrep: its output record by record until it ends, is stopped or aborted. The process is gone when the
// promise settles.
import { spawn } from "node:child_process";
import { abortError, errorText, UserError } from "../shared/errors.ts";

export interface RipgrepRun {
  readonly binary: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** What ends a record. */
  readonly separator: "\n" | "\0";
  /** False: enough. */
  readonly onRecord: (record: string) => boolean | Promise<boolean>;
  readonly signal: AbortSignal;
  /** For its standard input; none: it has none. */
  readonly input?: string;
}

export interface RipgrepEnd {
  /** It was stopped because `onRecord` had enough. */
  readonly stopped: boolean;
  /** Records too long to be looked at. */
  readonly overlong: number;
}

/** Characters. A line of a bundle or a data file can be as long as the file. */
const longestRecord = 16 * 1024 * 1024;
const longestError = 2000;

/** Rejects with an AbortError when aborted, and with a UserError that has what ripgrep complains about. */
export async function runRipgrep(run: RipgrepRun): Promise<RipgrepEnd> {
  if (run.signal.aborted) throw abortError();
  const child = spawn(run.binary, run.args, {
    cwd: run.cwd,
    stdio: [run.input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    windowsHide: true,
  });
  const kill = () => child.kill("SIGKILL");
  run.signal.addEventListener("abort", kill, { once: true });
  const exited = new Promise<number | null>((resolve, reject) => {
    child.once("error", (error) => reject(new UserError(`ripgrep could not run: ${errorText(error)}`)));
    child.once("close", resolve);
  });
  // Awaited below; until then a failure is no unhandled one.
  exited.catch(() => undefined);
  let complaint = "";
  child.stderr?.on(
    "data",
    (chunk: Buffer) => (complaint = (complaint + chunk.toString()).slice(0, longestError)),
  );
  // It may end before it has read everything.
  child.stdin?.on("error", () => undefined);
  child.stdin?.end(run.input);
  const reader = new RecordReader(run);
  try {
    await reader.read(child.stdout ?? []);
    if (reader.stopped) kill();
    const code = await exited;
    if (run.signal.aborted) throw abortError();
    // Without a word the code 2 is about files that could not be read.
    if (code === 2 && complaint !== "" && !reader.stopped) throw new UserError(explain(complaint));
    return { stopped: reader.stopped, overlong: reader.overlong };
  } finally {
    run.signal.removeEventListener("abort", kill);
    kill();
  }
}

class RecordReader {
  stopped = false;
  overlong = 0;
  private readonly run: RipgrepRun;
  private readonly decoder = new TextDecoder();
  private rest = "";
  private dropping = false;

  constructor(run: RipgrepRun) {
    this.run = run;
  }

  /** Until the end, or until `onRecord` has enough. Rejects with what `onRecord` throws. */
  async read(output: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
    for await (const chunk of output) {
      await this.push(this.decoder.decode(chunk, { stream: true }));
      if (this.stopped) return;
    }
  }

  private async push(text: string): Promise<void> {
    const records = (this.rest + text).split(this.run.separator);
    this.rest = records.pop() ?? "";
    for (const record of records) {
      if (this.dropping) {
        this.dropping = false;
        continue;
      }
      const more = this.run.onRecord(record);
      // Most answer at once, and waiting for each would cost more than the search.
      this.stopped = !(typeof more === "boolean" ? more : await more);
      if (this.stopped) return;
    }
    if (this.rest.length <= longestRecord) return;
    if (!this.dropping) this.overlong += 1;
    this.dropping = true;
    this.rest = "";
  }
}

/** With two engines tried it complains twice; the first complaint is about the dialect that people know. */
function explain(complaint: string): string {
  const first = /~{20,}\n([\s\S]*?)~{20,}/.exec(complaint)?.[1] ?? complaint;
  return `${first.replace(/^rg: /, "").trim()}\nCorrect the pattern, or set literal to true to find the text as it is.`;
}
