import { randomInt } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/** Listens for this machine only and returns the port, a free one by default. */
export async function listenLocally(server: Server, port = 0): Promise<number> {
  await once(server.listen(port, "127.0.0.1"), "listening");
  return (server.address() as AddressInfo).port;
}

/** Ports and twins end below the range of outgoing connections, which begins at 32,768 or above. */
const FIRST_PORT = 11_000;
const PORTS = 10_500;

/**
 * Reserves a port for a process that restarts, because its links name the port. While this process lives, it
 * listens on the port's twin, which every test tries first.
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

/** The network between an instance and its database, which can fail in the ways networks do. */
export interface Gate {
  /** URL of the database through this gate. */
  url: string;
  /** Ends every connection and refuses new ones; both ends notice at once. */
  cut(): void;
  /** Drops all bytes without ending a connection. */
  silence(): void;
  /** Delays all bytes. */
  slow(ms: number): void;
  /** Opens the gate again. Silenced connections are gone, like after a router's restart. */
  mend(): void;
  close(): Promise<void>;
}

export async function openGate(databaseUrl: string): Promise<Gate> {
  const { hostname, port } = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let state: "open" | "cut" | "silent" = "open";
  let lateMs = 0;
  const hold = (socket: Socket, other?: Socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    const pass = (bytes: Buffer) => state === "open" && other?.write(bytes);
    socket.on("data", (bytes) => {
      if (lateMs === 0) pass(bytes);
      else setTimeout(pass, lateMs, bytes);
    });
    socket.on("close", () => {
      sockets.delete(socket);
      // A silent network does not carry the end of a connection either.
      if (state !== "silent") other?.destroy();
    });
  };
  const server = createServer((near) => {
    if (state === "silent") return hold(near);
    if (state === "cut") return void near.destroy();
    const far = connect(Number(port || 5432), hostname);
    hold(near, far);
    hold(far, near);
  });
  const url = new URL(databaseUrl);
  url.hostname = "127.0.0.1";
  url.port = String(await listenLocally(server));
  const drop = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.href,
    cut() {
      state = "cut";
      drop();
    },
    silence() {
      state = "silent";
    },
    slow(ms) {
      lateMs = ms;
    },
    mend() {
      drop();
      lateMs = 0;
      state = "open";
    },
    async close() {
      state = "cut";
      drop();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
