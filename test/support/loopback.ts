import { randomInt } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";

/** Listens on any free port, for this machine alone, or on one's own; answers which. */
export async function listenLocally(server: Server, port = 0): Promise<number> {
  await once(server.listen(port, "127.0.0.1"), "listening");
  return (server.address() as AddressInfo).port;
}

/** Together they end below what a system gives to outgoing connections, which begins at 32,768 or above. */
const FIRST_PORT = 11_000;
const PORTS = 10_500;

/**
 * A port for a process, kept over restarts, as links given out name it. It is free now, and is taken by no
 * other test: as long as this process lives it listens on the port's twin, which each of them tries first.
 */
export async function freePort(): Promise<string> {
  for (;;) {
    const port = FIRST_PORT + randomInt(PORTS);
    const [twin, own] = [createServer().unref(), createServer()];
    try {
      await listenLocally(twin, port + PORTS);
      await listenLocally(own, port);
      own.close();
      await once(own, "close");
      return String(port);
    } catch (error) {
      twin.close();
      if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    }
  }
}
