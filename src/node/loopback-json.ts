// Asks a program on this machine for JSON, and trusts nothing about it: it may be any program, and it may hang.
import { request } from "node:http";
import type { IncomingMessage } from "node:http";

export interface LoopbackQuestion {
  readonly port: number;
  readonly path: string;
  /** Sent as JSON with POST; absent: GET. */
  readonly body?: unknown;
  /** For the whole answer. */
  readonly timeoutMs: number;
}

/** Larger lists of models are none. */
const maxBytes = 4 * 1024 * 1024;

/**
 * The JSON of a plain answer. Undefined for everything else: nobody listens, another status (redirects are not followed),
 * too large, too late, or not JSON. Never rejects. Goes to the loopback address itself, past any proxy.
 */
export function askLoopback({ port, path, body, timeoutMs }: LoopbackQuestion): Promise<unknown> {
  return new Promise((resolve) => {
    const content = body === undefined ? undefined : JSON.stringify(body);
    const asked = request(
      {
        host: "127.0.0.1",
        ...{ port, path, method: content === undefined ? "GET" : "POST" },
        headers: { accept: "application/json", ...(content && { "content-type": "application/json" }) },
        // Its own agent, so that neither a proxy of the environment nor a kept connection comes in between.
        agent: false,
        signal: AbortSignal.timeout(timeoutMs),
      },
      (answer) => readJson(answer, resolve),
    );
    asked.on("error", () => resolve(undefined));
    asked.end(content);
  });
}

function readJson(answer: IncomingMessage, resolve: (json: unknown) => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  const giveUp = () => {
    resolve(undefined);
    answer.destroy();
  };
  answer.on("error", giveUp);
  answer.on("close", giveUp);
  if (answer.statusCode !== 200) return giveUp();
  answer.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxBytes) giveUp();
    else chunks.push(chunk);
  });
  answer.on("end", () => resolve(parsed(Buffer.concat(chunks).toString("utf8"))));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // It was HTML or something else that is no answer to the question.
    return undefined;
  }
}
