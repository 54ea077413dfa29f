import type { TableName } from "../../src/core/records.ts";
import { countRows } from "./all-rows.ts";
import { type Balancer, startBalancer } from "./balancer.ts";
import { freshPostgres } from "./postgres.ts";
import { startService, type TestService, testClock } from "./service.ts";

export interface Fleet {
  databaseUrl: string;
  /** What the world sees: one address, and behind it the next instance. */
  balancer: Balancer;
  instances: TestService[];
  /** The base address of an instance itself, counted round. */
  at(i: number): string;
  clock: ReturnType<typeof testClock>;
  /** One more instance of this shop, behind the same address. */
  join(env?: Record<string, string>): Promise<TestService>;
  /** How many rows this table has in all. */
  rows(table: TableName): Promise<number>;
  stop(): Promise<void>;
}

/** So many instances of one shop on one PostgreSQL, behind a balancer without affinity. */
export async function startFleet(
  size: number,
  env: Record<string, string> = {},
  clock = testClock(),
): Promise<Fleet> {
  const databaseUrl = await freshPostgres();
  const balancer = await startBalancer();
  const instances: TestService[] = [];
  const addresses: string[] = [];
  const fleet: Fleet = {
    databaseUrl,
    balancer,
    instances,
    at: (i) => addresses[i % addresses.length]!,
    clock,
    async join(more = {}) {
      const all = { DATABASE_URL: databaseUrl, BASE_URL: balancer.url, TRUST_PROXY: "1" };
      const instance = await startService({ ...all, ...env, ...more }, clock);
      instances.push(instance);
      const address = `http://127.0.0.1:${instance.port}`;
      addresses.push(address);
      balancer.targets.push(address);
      return instance;
    },
    rows: (table) => countRows(instances[0]!.store, table),
    async stop() {
      await Promise.all(instances.map((instance) => instance.stop()));
      await balancer.close();
    },
  };
  await Promise.all(Array.from({ length: size }, () => fleet.join()));
  return fleet;
}
