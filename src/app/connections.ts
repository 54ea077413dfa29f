import { once } from "node:events";
import { createServer, type Server, type ServerOptions } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { openCounts } from "../core/concurrency.ts";
import { clientNetwork } from "../core/network.ts";
import { type FallbackContext, notReadyHandler, onClientError } from "../web/fallback.ts";

/**
 * What one connection may take, in milliseconds. A client that opens lines and says nothing, stops in
 * the middle, or never reads its answer holds none of them for long (contract §14).
 */
export const CONNECTION_TIMES: ServerOptions = {
  /** From the line's opening to the end of its headers, also where nothing comes at all. */
  headersTimeout: 15_000,
  /** To the end of the body: 128 KiB within this is 4 KiB a second. */
  requestTimeout: 30_000,
  /** How often the two above are looked at. */
  connectionsCheckingInterval: 2_000,
  // The other machine may be gone without a word: its streams end when the kernel finds out.
  keepAlive: true,
  keepAliveInitialDelay: 30_000,
};

/**
 * Nothing moved on the line, in neither direction: longer than the longest poll, and than a
 * proxy's.
 */
const STILL_MS = 90_000;

export interface ConnectionOptions extends FallbackContext {
  /** Connections in all; further ones are closed at once. */
  most: number;
  /** Lines of one address; 0 where a proxy stands in front, and they all come from it. */
  mostOfOne: number;
  times: ServerOptions;
  stillMs?: number;
}

/** The HTTP server before it has anything to serve, with its lines bounded in number and in time. */
export function createLines(options: ConnectionOptions): Server {
  const server = createServer(options.times, notReadyHandler(options));
  server.on("clientError", onClientError(options));
  server.maxConnections = options.most;
  server.timeout = options.stillMs ?? STILL_MS;
  if (options.mostOfOne > 0) server.on("connection", perAddress(options.mostOfOne));
  return server;
}

/** Answers the port: PORT=0 is any that is free. */
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
