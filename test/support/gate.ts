import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** The network between an instance and its database, which can fail in the two ways networks do. */
export interface Gate {
  /** The database's address through this gate. */
  url: string;
  /** Ends every connection and takes no new one: at once noticed at both ends. */
  cut(): void;
  /** Lets nothing through any more, and says nothing about it. */
  silence(): void;
  /** As it was at first. What was silenced is gone, as after a router's restart. */
  mend(): void;
  close(): Promise<void>;
}

export async function openGate(databaseUrl: string): Promise<Gate> {
  const { hostname, port } = new URL(databaseUrl);
  const pairs = new Set<readonly [Socket, Socket]>();
  let state: "open" | "cut" | "silent" = "open";
  const server = createServer((near) => {
    near.on("error", () => {});
    if (state === "cut") return void near.destroy();
    if (state === "silent") return void near.pause();
    const far = connect(Number(port || 5432), hostname);
    const pair = [near, far] as const;
    pairs.add(pair);
    const end = () => {
      pairs.delete(pair);
      // A silent network carries no farewell either.
      if (state !== "silent") for (const socket of pair) socket.destroy();
    };
    for (const socket of pair) socket.on("error", () => {}).on("close", end);
    near.on("data", (bytes) => state === "open" && far.write(bytes));
    far.on("data", (bytes) => state === "open" && near.write(bytes));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(databaseUrl);
  url.hostname = "127.0.0.1";
  url.port = String((server.address() as AddressInfo).port);
  const drop = () => {
    for (const pair of pairs) for (const socket of pair) socket.destroy();
    pairs.clear();
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
    mend() {
      drop();
      state = "open";
    },
    async close() {
      state = "cut";
      drop();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
