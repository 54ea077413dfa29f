/** A silent database ends every request in bounded time, and a slow one is not silent. */

import { setTimeout as delay } from "node:timers/promises";
import { test as base, beforeAll, describe, expect } from "vitest";
import { type Gate, openGate } from "../support/loopback.ts";
import { call, overHttp } from "../support/mcp-clients.ts";
import { freshPostgres } from "../support/postgres.ts";
import { startProcess } from "../support/process.ts";
import { newEmail } from "../support/purchase.ts";
import { REAL_CLOCK, startService } from "../support/service.ts";
import { type Answer, eventually, quoteRequest, register, send } from "../support/shopper.ts";

let databaseUrl: string;
beforeAll(async () => {
  databaseUrl = await freshPostgres();
});

/** An instance, the network between it and its database, and requests to it. */
interface Shop {
  gate: Gate;
  baseUrl: string;
  key: string;
  quote(): Promise<Answer>;
  orders(): Promise<Answer>;
  readiness(): Promise<Answer>;
  /** A kept-alive connection may close just as it is used, after five idle seconds. */
  ready(): Promise<boolean>;
}

/** Each test has its own network, so that tests that mostly wait can run concurrently. */
const test = base.extend<{ gate: Gate; shop: Shop }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest wants the pattern.
  gate: async ({}, use) => {
    const gate = await openGate(databaseUrl);
    await use(gate);
    await gate.close();
  },
  shop: async ({ gate }, use) => {
    const clock = REAL_CLOCK;
    const { baseUrl, stop } = await startService({ DATABASE_URL: gate.url }, clock);
    const key = await register(baseUrl);
    const orders = () => send(baseUrl, "/v1/orders", { key });
    const quote = () =>
      send(baseUrl, "/v1/quote-requests", { key, body: quoteRequest({ email: newEmail() }) });
    const readiness = () => send(baseUrl, "/readyz");
    const ready = () =>
      eventually(async () => (await readiness().catch(() => null))?.status === 200);
    // Opens all connections first, because new and old connections fail differently.
    await Promise.all(Array.from({ length: 20 }, orders));
    await use({ gate, baseUrl, key, quote, orders, readiness, ready });
    gate.mend();
    await ready();
    await stop();
  },
});

/** Response and duration. */
async function timed(asked: Promise<Answer>) {
  const began = performance.now();
  const answer = await asked;
  return { said: `${answer.status} ${answer.body.code ?? ""}`, ms: performance.now() - began };
}

/** A statement's limit, then a connection's, and extra time for a busy machine. */
const SOON_MS = 12_000;
/** A connection's limit, and extra time for a busy machine. */
const CONNECT_MS = 4500;
const UNAVAILABLE = "503 STORE_UNAVAILABLE";

describe.concurrent("concurrently", () => {
  test("later requests and readiness fail with their connection attempt until the database is back", async ({
    shop,
  }) => {
    const { gate, quote, orders, readiness, ready } = shop;
    gate.silence();
    await quote();
    for (let i = 0; i < 3; i++) {
      const answers = await Promise.all([quote(), orders()].map(timed));
      for (const { said, ms } of answers) {
        expect(said).toBe(UNAVAILABLE);
        expect(ms).toBeLessThan(CONNECT_MS);
      }
      const began = performance.now();
      expect((await readiness()).status).toBe(503);
      expect(performance.now() - began).toBeLessThan(CONNECT_MS);
      await delay(500);
    }
    gate.mend();
    const began = performance.now();
    await ready();
    expect(performance.now() - began).toBeLessThan(SOON_MS);
    expect((await timed(quote())).said).toBe("201 ");
  });

  test("a database that takes a second per reply counts as slow, not as down", async ({ shop }) => {
    const { gate, quote, orders, readiness } = shop;
    gate.slow(500);
    const answers = await Promise.all([quote(), orders(), quote(), orders()].map(timed));
    expect(answers.map(({ said }) => said)).toEqual(["201 ", "200 ", "201 ", "200 "]);
    expect(Math.max(...answers.map(({ ms }) => ms))).toBeGreaterThan(2000);
    expect((await readiness()).status).toBe(200);
  });

  test.for([
    ["with somebody waiting", 1],
    ["with nothing listening", 0],
  ] as const)(
    "with a silent database, %s, it stops within ten seconds",
    async ([, count], { gate }) => {
      const leaving = await startProcess({ DATABASE_URL: gate.url });
      // It logs that it is open a moment before it handles signals.
      await register(leaving.baseUrl);
      gate.silence();
      const unanswered = Array.from({ length: count }, () =>
        register(leaving.baseUrl).catch(() => undefined),
      );
      const began = performance.now();
      expect(await leaving.end("SIGTERM")).toEqual({ code: 0, signal: null });
      expect(performance.now() - began).toBeLessThan(10_000);
      await Promise.all(unanswered);
    },
  );
});

test("cut off, it answers at once to programs, agents and people, and recovers", async ({
  shop,
}) => {
  const { gate, quote, readiness, ready, baseUrl, key } = shop;
  const client = await overHttp(baseUrl, "auto", { key: undefined });
  gate.cut();
  const { said, ms } = await timed(quote());
  expect([said, ms < 1500]).toEqual([UNAVAILABLE, true]);
  const down = await readiness();
  expect([down.status, down.body.checks.database]).toEqual([503, false]);
  expect((await send(baseUrl, "/healthz")).status).toBe(200);
  expect((await send(baseUrl, "/v1/catalog")).status).toBe(200);
  expect(JSON.stringify(await call(client, "list_orders", { api_key: key }))).toContain(
    "STORE_UNAVAILABLE",
  );
  const page = await send(baseUrl, "/review/none", { headers: { accept: "text/html" } });
  expect(page.headers.get("content-type")).toContain("text/html");
  await expect(startService({ DATABASE_URL: gate.url })).rejects.toMatchObject({
    code: "STORE_UNAVAILABLE",
  });
  gate.mend();
  await ready();
  expect((await timed(quote())).said).toBe("201 ");
});

test("all of many requests get their 503 within twelve seconds", async ({ shop }) => {
  const { gate, quote, orders } = shop;
  gate.silence();
  const asked = [];
  for (let i = 0; i < 8; i++) {
    // More than there are connections, and than fit into one batch.
    for (let n = i === 0 ? 100 : 3; n > 0; n--) asked.push(timed(quote()), timed(orders()));
    await delay(250);
  }
  const answers = await Promise.all(asked);
  expect(new Set(answers.map(({ said }) => said))).toEqual(new Set([UNAVAILABLE]));
  expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(SOON_MS);
});
