import { type ClientRequest, createServer, request } from "node:http";
import type { TableName } from "../../src/core/records.ts";
import { countRows } from "./all-rows.ts";
import { listenLocally } from "./loopback.ts";
import { freshPostgres } from "./postgres.ts";
import { type Process, type ProcessOptions, startProcess } from "./process.ts";
import { startService, type TestService, testClock } from "./service.ts";

export interface Fleet {
  databaseUrl: string;
  /** The shop's one address; each request goes to the next instance. */
  balancer: Balancer;
  /** Those in this process. */
  instances: TestService[];
  /** Base address of the instance `i` in this process, modulo their number. */
  at(i: number): string;
  clock: ReturnType<typeof testClock>;
  /** Adds an instance behind the same address. */
  join(env?: Record<string, string>): Promise<TestService>;
  /** Adds an instance that is a process of its own. */
  spawn(env?: Record<string, string>, options?: ProcessOptions): Promise<Process>;
  /** Number of rows in a table. */
  rows(table: TableName): Promise<number>;
  stop(): Promise<void>;
}

/**
 * Starts instances of one shop behind a balancer without affinity, on a new database in PostgreSQL if `env`
 * names none.
 */
export async function startFleet(
  size: number,
  env: Record<string, string> = {},
  clock = testClock(),
): Promise<Fleet> {
  const databaseUrl = env.DATABASE_URL ?? (await freshPostgres());
  const balancer = await startBalancer();
  const instances: TestService[] = [];
  const processes: Process[] = [];
  const addresses: string[] = [];
  const place = { DATABASE_URL: databaseUrl, BASE_URL: balancer.url, TRUST_PROXY: "1", ...env };
  const fleet: Fleet = {
    databaseUrl,
    balancer,
    instances,
    at: (i) => addresses[i % addresses.length]!,
    clock,
    async join(more = {}) {
      const instance = await startService({ ...place, ...more }, clock);
      instances.push(instance);
      const address = `http://127.0.0.1:${instance.port}`;
      addresses.push(address);
      balancer.targets.push(address);
      return instance;
    },
    async spawn(more = {}, options = {}) {
      const instance = await startProcess({ ...place, ...more }, options);
      processes.push(instance);
      balancer.targets.push(instance.baseUrl);
      return instance;
    },
    rows: (table) => countRows(instances[0]!.store, table),
    async stop() {
      await Promise.all(processes.map((instance) => instance.end("SIGKILL")));
      await Promise.all(instances.map((instance) => instance.stop()));
      await balancer.close();
    },
  };
  await Promise.all(Array.from({ length: size }, () => fleet.join()));
  return fleet;
}

interface Balancer {
  url: string;
  /** Base addresses that requests go to in turn; one that refuses connections is skipped. */
  targets: string[];
  close(): Promise<void>;
}

/**
 * A load balancer without affinity: every request goes to the next instance over a new connection.
 * X-Forwarded-For names the client, for TRUST_PROXY=1.
 */
async function startBalancer(): Promise<Balancer> {
  const targets: string[] = [];
  let turn = 0;
  const server = createServer((req, res) => {
    const client = req.headers["x-forwarded-for"] ?? req.socket.remoteAddress ?? "";
    const headers = { ...req.headers, "x-forwarded-for": client };
    const bodyOf = async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of req) chunks.push(chunk as Buffer);
      return Buffer.concat(chunks);
    };
    const tryNext = (body: Buffer, left: number): void => {
      const target = targets[turn++ % targets.length];
      if (!target || left === 0) return void res.writeHead(502).end();
      const { hostname, port } = new URL(target);
      const { method, url: path } = req;
      const asked: ClientRequest = request(
        { hostname, port, method, path, headers, agent: false },
        (answer) => {
          res.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(res);
          answer.on("error", () => res.destroy());
        },
      );
      let connected = false;
      asked.on("socket", (socket) => socket.once("connect", () => (connected = true)));
      // A balancer never resends a request that may have arrived; clients retry.
      asked.on("error", () => (connected ? res.destroy() : tryNext(body, left - 1)));
      res.on("close", () => asked.destroy());
      asked.end(body);
    };
    bodyOf().then(
      (body) => tryNext(body, targets.length),
      () => res.destroy(),
    );
  });
  return {
    url: `http://127.0.0.1:${await listenLocally(server)}`,
    targets,
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
