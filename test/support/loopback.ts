import { randomInt } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

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

/** The network between an instance and its database, which can fail in the ways networks do. */
export interface Gate {
  /** The database's address through this gate. */
  url: string;
  /** Ends every connection and takes no new one: at once noticed at both ends. */
  cut(): void;
  /** Lets nothing through any more, and says nothing about it. */
  silence(): void;
  /** Lets everything through, so much later. */
  slow(ms: number): void;
  /** As it was at first. What was silenced is gone, as after a router's restart. */
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
      // A silent network carries no farewell either.
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
