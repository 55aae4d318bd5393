// An HTTP proxy on loopback for tests, which stands for the network outside: it knows hosts that no name server knows.
// Tunnels (CONNECT) and forwards plain requests, and can ask for a user name and a password. And a TLS front for servers.
import { createServer, request as httpRequest } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { connect } from "node:net";
import type { AddressInfo, Server } from "node:net";
import type { Duplex } from "node:stream";
import { createServer as createTlsServer } from "node:tls";
import type { Certificate } from "./certificate.ts";

export interface ProxyOptions {
  /** The ports on loopback of the hosts it knows, by `host:port`. */
  readonly hosts: { readonly [authority: string]: number };
  /** `user:password`; without it everybody may pass. */
  readonly credentials?: string;
}

export interface LoopbackProxy {
  readonly port: number;
  /** `CONNECT host:port` or `POST http://host/path`, in order, refused ones included. */
  readonly passed: readonly string[];
  close(): Promise<void>;
}

export async function startProxy({ hosts, credentials }: ProxyOptions): Promise<LoopbackProxy> {
  const passed: string[] = [];
  const sockets = new Set<Duplex>();
  const mayPass = ({ headers }: IncomingMessage) =>
    credentials === undefined ||
    headers["proxy-authorization"] === `Basic ${Buffer.from(credentials).toString("base64")}`;
  const server = createServer((incoming, response) => {
    const url = new URL(incoming.url ?? "/", "http://proxy");
    passed.push(`${incoming.method} ${url.href}`);
    const port = hosts[`${url.hostname}:${url.port || "80"}`];
    if (!mayPass(incoming)) refuse(response, 407);
    else if (port === undefined) refuse(response, 502);
    else forward(incoming, response, { port, path: url.pathname + url.search });
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  server.on("connect", (incoming, socket) => {
    passed.push(`CONNECT ${incoming.url}`);
    const port = hosts[incoming.url ?? ""];
    socket.on("error", () => socket.destroy());
    if (!mayPass(incoming)) socket.end(`HTTP/1.1 407 Denied\r\n${challenge}\r\n\r\n`);
    else if (port === undefined) socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
    else tunnel(socket, port);
  });
  const port = await listen(server);
  return { port, passed, close: () => closeAll(server, sockets) };
}

/** Speaks TLS and passes everything on to a port on loopback. */
export async function startTlsFront(
  certificate: Certificate,
  behind: number,
): Promise<{ readonly port: number; close(): Promise<void> }> {
  const sockets = new Set<Duplex>();
  const server = createTlsServer(certificate, (socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    const inner = connect(behind, "127.0.0.1");
    inner.on("error", () => socket.destroy());
    socket.pipe(inner).pipe(socket);
  });
  return { port: await listen(server), close: () => closeAll(server, sockets) };
}

const challenge = 'Proxy-Authenticate: Basic realm="test"';

function tunnel(socket: Duplex, port: number): void {
  const outside = connect(port, "127.0.0.1", () => {
    socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
    socket.pipe(outside).pipe(socket);
  });
  outside.on("error", () => socket.destroy());
  socket.on("close", () => outside.destroy());
}

function forward(
  incoming: IncomingMessage,
  response: ServerResponse,
  { port, path }: { readonly port: number; readonly path: string },
): void {
  const { method, headers } = incoming;
  const outside = httpRequest({ host: "127.0.0.1", port, path, method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  outside.on("error", () => response.destroy());
  incoming.pipe(outside);
}

function refuse(response: ServerResponse, status: 407 | 502): void {
  response.writeHead(status, status === 407 ? { "proxy-authenticate": 'Basic realm="test"' } : {}).end();
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port; // A TCP server's address is not a string.
}

async function closeAll(server: Server, sockets: ReadonlySet<Duplex>): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  for (const socket of sockets) socket.destroy();
  await closed;
}
