/** The documented upgrade: the newer version starts beside the older one, then replaces it. */
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { TableName } from "../../src/core/records.ts";
import { TABLE_NAMES } from "../../src/core/records.ts";
import { rival } from "../db/postgres-clients.ts";
import { startFleet } from "../support/fleet.ts";
import { dump } from "../support/lasting-database.ts";
import { freshPostgres, query, waitingIn } from "../support/postgres.ts";
import { newEmail, orderOf, purchase, readyQuote } from "../support/purchase.ts";
import { startService, testClock } from "../support/service.ts";
import { eventually, payAsBuyer, quoteRequest, register, send } from "../support/shopper.ts";
import { databaseFile } from "../support/stores.ts";
import { type NewerVersion, newerVersion } from "./newer-version.ts";

let newer: NewerVersion;

beforeAll(async () => {
  newer = await newerVersion();
});
afterAll(() => newer.remove());

/** Agents that keep requesting quotes and reading their orders. */
function constantRequests(bases: readonly string[], key: string) {
  const quotes: string[] = [];
  const failures: string[] = [];
  let over = false;
  let turn = 0;
  const agent = async () => {
    while (!over) {
      const base = bases[turn++ % bases.length]!;
      const body = quoteRequest({ email: newEmail() });
      const quoted = await send(base, "/v1/quote-requests", { key, body }).catch(String);
      const listed = await send(base, "/v1/orders", { key }).catch(String);
      for (const answer of [quoted, listed]) {
        if (typeof answer === "string") failures.push(answer);
        else if (answer.status >= 300) failures.push(`${answer.status} ${answer.text}`);
      }
      if (typeof quoted !== "string" && quoted.status === 201) quotes.push(quoted.body.id);
      // A constant load that leaves time to start instances.
      await delay(50);
    }
  };
  const agents = Promise.all([agent(), agent()]);
  const stop = async () => {
    over = true;
    await agents;
  };
  onTestFinished(stop);
  return {
    failures,
    quotes,
    async more(count: number) {
      const enough = quotes.length + count;
      await eventually(async () => quotes.length >= enough || failures.length > 0);
    },
    stop,
  };
}

/** The newer version uses the real clock, and would remove older rows. */
const now = () => testClock(Date.now());

async function rowsOf(url: string, table: TableName) {
  return (await dump(url))[table]!;
}

const idsOf = async (url: string) => new Set((await rowsOf(url, "quotes")).map(({ id }) => id));

describe.each([
  ["SQLite", async () => `sqlite:${await databaseFile()}`],
  ["PostgreSQL", freshPostgres],
])("after a newer version has migrated the database, on %s", (_, databaseUrl) => {
  test("the older one keeps answering, also with statements prepared before", async () => {
    const url = await databaseUrl();
    const older = await startService({ DATABASE_URL: url }, now());
    onTestFinished(() => older.stop());
    const { key, order } = await purchase(older.baseUrl);
    const ready = await readyQuote(older.baseUrl, {}, key);
    const load = constantRequests([older.baseUrl], key);
    await load.more(20);
    // The newer one hands out the older one's links, because they are one shop.
    const beside = await newer.start({ DATABASE_URL: url, BASE_URL: older.baseUrl });
    await load.more(20);
    await load.stop();
    expect(load.failures).toEqual([]);
    expect((await rowsOf(url, "orders"))[0]).toHaveProperty("added_count", 0);
    const kept = await idsOf(url);
    expect(load.quotes.filter((id) => !kept.has(id))).toEqual([]);
    await payAsBuyer("", ready.reviewUrl);
    for (const base of [older.baseUrl, beside.baseUrl]) {
      expect((await send(base, `/v1/orders/${order.id}`, { key })).body).toEqual(order);
      expect(await orderOf(base, key, ready.quote.id)).toMatchObject({ status: "CONFIRMED" });
      await purchase(older.baseUrl, {}, await register(base));
    }
    expect((await beside.end("SIGTERM")).code).toBe(0);
  });
});

test("a migration that waits for a long dump does not block other queries for long", async () => {
  const url = await freshPostgres();
  const older = await startService({ DATABASE_URL: url }, now());
  onTestFinished(() => older.stop());
  const load = constantRequests([older.baseUrl], await register(older.baseUrl));
  const dumping = await rival(url, "select count(*) from orders");
  const beside = newer.start({ DATABASE_URL: url, BASE_URL: older.baseUrl });
  await expect.poll(() => waitingIn(url), { timeout: 20_000 }).toBeGreaterThan(0);
  await load.more(20);
  await dumping.query("commit");
  await (await beside).end("SIGTERM");
  await load.stop();
  expect(load.failures).toEqual([]);
});

test("a migration retries after a deadlock with a reader", async () => {
  const url = await freshPostgres();
  await query(
    url,
    "do $$ begin execute format('alter database %I set deadlock_timeout = 100', current_database()); end $$",
  );
  const older = await startService({ DATABASE_URL: url }, now());
  onTestFinished(() => older.stop());
  const [first] = TABLE_NAMES;
  const reader = await rival(url, `select count(*) from ${TABLE_NAMES.at(-1)}`);
  await reader.query("set local deadlock_timeout = '10min'");
  const beside = newer.start({ DATABASE_URL: url, BASE_URL: older.baseUrl });
  const taken = `select count(*)::int as n from pg_locks
    where database = (select oid from pg_database where datname = current_database())
    and relation = '${first}'::regclass and mode = 'AccessExclusiveLock' and granted`;
  await expect
    .poll(async () => (await query(url, taken))[0]?.n, { timeout: 20_000, interval: 5 })
    .toBeGreaterThan(0);
  await reader.query(`select count(*) from ${first}`);
  await reader.query("commit");
  await (await beside).end("SIGTERM");
});

test("replacing both instances one by one under load fails no request", async () => {
  const fleet = await startFleet(0);
  onTestFinished(() => fleet.stop());
  const { balancer } = fleet;
  const older = await Promise.all([fleet.spawn(), fleet.spawn()]);
  const { key } = await purchase(balancer.url);
  const load = constantRequests([balancer.url], key);
  await load.more(20);
  for (const one of older) {
    await fleet.spawn({}, { cwd: newer.folder });
    // As documented: it leaves the balancer first, and exits after its requests.
    balancer.targets.splice(balancer.targets.indexOf(one.baseUrl), 1);
    await load.more(20);
    expect(await one.end("SIGTERM")).toEqual({ code: 0, signal: null });
    await load.more(20);
  }
  await load.stop();
  expect(load.failures).toEqual([]);
  const kept = await idsOf(fleet.databaseUrl);
  expect(load.quotes.filter((id) => !kept.has(id))).toEqual([]);
});
