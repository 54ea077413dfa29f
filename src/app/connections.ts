import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { openCounts } from "../core/concurrency.ts";
import { clientNetwork, KEEP_ALIVE_MS } from "../core/network.ts";
import { type FallbackContext, notReadyHandler, onClientError } from "../web/fallback.ts";

/**
 * Time limits of a connection in milliseconds, so that clients that send nothing, stop halfway or never
 * read their response don't hold connections for long (contract §14).
 */
export const CONNECTION_TIMES: ServerOptions = {
  /** From the connection to the end of the request's headers. */
  headersTimeout: 15_000,
  /** To the end of the body: 128 KiB in this time is 4 KiB a second. */
  requestTimeout: 30_000,
  /** How often Node checks these two. */
  connectionsCheckingInterval: 2_000,
  // Ends the streams of a client machine that has disappeared.
  keepAlive: true,
  keepAliveInitialDelay: 30_000,
};

/** A connection without traffic during a request is closed: longer than the longest poll. */
const IDLE_MS = 90_000;

export interface ConnectionOptions extends FallbackContext {
  /** Most connections; further ones are closed at once. */
  most: number;
  /** Most connections of one address; 0 for no limit behind a proxy, whose address they all have. */
  mostOfOne: number;
  times: ServerOptions;
  idleMs?: number;
}

/** Creates the HTTP server with its connection limits. It answers "not ready" until the web is attached. */
export function createLimitedServer(options: ConnectionOptions): Server {
  const server = createServer(
    { keepAliveTimeout: KEEP_ALIVE_MS, ...options.times },
    notReadyHandler(options),
  );
  server.on("clientError", onClientError(options));
  server.maxConnections = options.most;
  server.timeout = options.idleMs ?? IDLE_MS;
  if (options.mostOfOne > 0) server.on("connection", perAddress(options.mostOfOne));
  return server;
}

/** Returns the port: PORT=0 takes a free one. */
export async function listen(
  server: Server,
  { host, port }: { host: string; port: number },
): Promise<number> {
  await once(server.listen(port, host), "listening");
  return (server.address() as AddressInfo).port;
}

function perAddress(most: number) {
  const enter = openCounts(most);
  return (socket: Socket): void => {
    const leave = enter(clientNetwork(socket.remoteAddress));
    if (leave) socket.once("close", leave);
    else socket.destroy();
  };
}

/** Requests of one connection that may wait for their answer. Browsers and proxies send one at a time. */
const MOST_UNANSWERED = 10;

/**
 * Node would parse the rest of the packet to its end, also for a destroyed socket: thousands of requests. 2
 * tells its parser that no HTTP follows. If Node changes this, only the time is lost.
 */
function endParsing(socket: Socket): void {
  const { parser } = socket as { parser?: { onIncoming?: () => number } };
  if (parser) parser.onIncoming = () => 2;
}

type Waiting = [request: IncomingMessage, response: ServerResponse];

/**
 * Answers the requests of a connection one after the other, because Node starts all requests of a packet at
 * once, which stops everybody else for seconds. A connection with more than ten unanswered requests ends, and
 * so does the work for it (contract §14).
 */
export function oneAtATime(answer: RequestListener): RequestListener {
  const busy = new WeakMap<Socket, Waiting[]>();
  const begin = (socket: Socket, [request, response]: Waiting): void => {
    response.once("close", () => {
      const next = busy.get(socket)?.shift();
      // Other connections come first.
      if (next) setImmediate(() => !socket.destroyed && begin(socket, next));
      else busy.delete(socket);
    });
    answer(request, response);
  };
  return (request, response) => {
    const { socket } = request;
    if (socket.destroyed) return;
    const waiting = busy.get(socket);
    if (!waiting) {
      busy.set(socket, []);
      begin(socket, [request, response]);
    } else if (waiting.push([request, response]) >= MOST_UNANSWERED) {
      busy.delete(socket);
      socket.destroy();
      endParsing(socket);
    }
  };
}
