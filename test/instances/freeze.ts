import { setTimeout as delay } from "node:timers/promises";
import { expect, vi } from "vitest";
import { rival } from "../db/postgres-clients.ts";
import { overHttp } from "../support/mcp-clients.ts";
import { query } from "../support/postgres.ts";
import type { Process } from "../support/process.ts";
import { type Answer, send } from "../support/shopper.ts";

export interface Work {
  /** Locks the row of a quote. */
  first: () => Promise<Answer>;
  /** Requests that write new quotes. */
  quotes: (() => Promise<Answer>)[];
  /** Further requests in progress. */
  more: (() => Promise<Answer>)[];
}

/** Requests in progress at the freeze, and its time. */
export interface Begun {
  pressed: Promise<Answer>[];
  quoted: Promise<Answer>[];
  at: number;
}

/**
 * Freezes the instance during this work: one transaction has locked a quote's row, another has
 * written quotes without a commit, and the others wait for them in the process.
 */
export async function freeze(instance: Process, databaseUrl: string, work: Work): Promise<Begun> {
  const other = await rival(
    databaseUrl,
    "select * from quote_states for update",
    "lock table quotes in share mode",
  );
  const first = begin(work.first);
  await inDatabase(databaseUrl, "wait_event_type = 'Lock'", 1);
  const quoted = work.quotes.map(begin);
  await inDatabase(databaseUrl, "wait_event_type = 'Lock'", 2);
  const more = work.more.map(begin);
  // All requests have arrived by then.
  await delay(100);
  instance.signal("SIGSTOP");
  await delay(50);
  // It now has the locks that it waited for, without knowing.
  await other.query("rollback");
  const at = performance.now();
  await inDatabase(databaseUrl, "state = 'idle in transaction'", 2);
  return { pressed: [first, ...more], quoted, at };
}

function begin(ask: () => Promise<Answer>): Promise<Answer> {
  const answer = ask();
  // Awaited a minute later.
  answer.catch(() => {});
  return answer;
}

/** Waits until `count` connections are in this state. */
const inDatabase = (databaseUrl: string, state: string, count: number) =>
  vi.waitFor(
    async () => {
      const connections = "select 1 from pg_stat_activity where datname = current_database()";
      const found = await query(databaseUrl, `${connections} and ${state}`);
      expect(found.length).toBeGreaterThanOrEqual(count);
    },
    { timeout: 2500, interval: 50 },
  );

/** Starts two readers of an order at this instance: a long poll, and an agent's event stream. */
export async function readersAt(instance: Process, key: string, orderId: string) {
  const client = await overHttp(instance.baseUrl, "pinned", { key });
  const told = Promise.withResolvers<unknown>();
  client.fallbackNotificationHandler = async ({ method, params }) => {
    if (method === "notifications/resources/updated") told.resolve(params?.uri);
  };
  await client.listen({ resourceSubscriptions: [`coffee://orders/${orderId}`] });
  // Its time is up before the instance resumes.
  const path = `/v1/orders/${orderId}/events?after=2&wait=10`;
  return { polled: begin(() => send(instance.baseUrl, path, { key })), told: told.promise };
}
