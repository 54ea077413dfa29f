/** A database that says nothing any more is found out in three seconds, and a slow one is not one. */
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { rival } from "../store/postgres-clients.ts";
import { type Fleet, startFleet } from "../support/fleet.ts";
import { type Gate, openGate } from "../support/gate.ts";
import { freshPostgres } from "../support/postgres.ts";
import { freePort, startProcess } from "../support/process.ts";
import { newEmail } from "../support/purchase.ts";
import { type Answer, eventually, quoteRequest, register, send } from "../support/shopper.ts";

let fleet: Fleet;
let gate: Gate;
let there: string;
let key: string;
beforeAll(async () => {
  fleet = await startFleet(0, {}, { now: Date.now, advance: () => {} });
  gate = await openGate(await freshPostgres());
  await fleet.join({ DATABASE_URL: gate.url });
  there = fleet.at(0);
  key = await register(there);
});
// As many as can be are open before: what is new and what is old fails in ways of its own.
beforeEach(async () => {
  await Promise.all(Array.from({ length: 20 }, () => send(there, "/v1/orders", { key })));
});
afterEach(async () => {
  gate.mend();
  await ready();
});
afterAll(async () => {
  await fleet?.stop();
  await gate?.close();
});

/** A connection that was not used for five seconds may be closed just as it is used. */
const ready = () =>
  eventually(async () => {
    const answer = await send(there, "/readyz").catch(() => null);
    return answer?.status === 200;
  });

const quote = () =>
  send(there, "/v1/quote-requests", { key, body: quoteRequest({ email: newEmail() }) });
const orders = () => send(there, "/v1/orders", { key });

/** How it went, and how long that took. */
async function timed(asked: Promise<Answer>) {
  const began = performance.now();
  const answer = await asked;
  return { said: `${answer.status} ${answer.body.code ?? ""}`, ms: performance.now() - began };
}

/** Three seconds, and what a busy machine takes. */
const SOON_MS = 4500;
const AT_ONCE_MS = 1000;
const UNAVAILABLE = "503 STORE_UNAVAILABLE";

test("however many ask, and whenever they do, all have their 503 within three seconds", async () => {
  gate.silence();
  const asked = [];
  for (let i = 0; i < 8; i++) {
    // More than there are connections, and than share a transaction.
    for (let n = i === 0 ? 100 : 3; n > 0; n--) asked.push(timed(quote()), timed(orders()));
    await delay(250);
  }
  const answers = await Promise.all(asked);
  expect(new Set(answers.map(({ said }) => said))).toEqual(new Set([UNAVAILABLE]));
  expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(SOON_MS);
});

test("once that is known it is said at once, readiness too, until the database is back", async () => {
  gate.silence();
  await quote();
  for (let i = 0; i < 3; i++) {
    const answers = await Promise.all([quote(), orders()].map(timed));
    for (const { said, ms } of answers) {
      expect(said).toBe(UNAVAILABLE);
      expect(ms).toBeLessThan(AT_ONCE_MS);
    }
    const began = performance.now();
    expect((await send(there, "/readyz")).status).toBe(503);
    expect(performance.now() - began).toBeLessThan(AT_ONCE_MS);
    await delay(500);
  }
  gate.mend();
  const began = performance.now();
  await ready();
  expect(performance.now() - began).toBeLessThan(SOON_MS);
  expect((await timed(quote())).said).toBe("201 ");
});

test("a database whose every answer takes a second is slow, and not dead", async () => {
  gate.slow(500);
  const answers = await Promise.all([quote(), orders(), quote(), orders()].map(timed));
  expect(answers.map(({ said }) => said)).toEqual(["201 ", "200 ", "201 ", "200 "]);
  expect(Math.max(...answers.map(({ ms }) => ms))).toBeGreaterThan(2000);
  expect((await send(there, "/readyz")).status).toBe(200);
});

test("an instance that was itself busy for seconds does not take its database for dead", async () => {
  // Reads: a transaction that stands still for so long is ended by the server.
  const asked = [orders(), orders(), orders()].map(timed);
  await delay(2);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4000);
  for (const { said } of await Promise.all(asked)) expect(said).toBe("200 ");
  expect((await timed(quote())).said).toBe("201 ");
});

test("commands that wait for a row of somebody else's hold up only themselves", async () => {
  const other = await rival(
    fleet.instances[0]!.config.databaseUrl,
    "select * from agents for update",
  );
  const waiting = Array.from({ length: 4 }, quote).map(timed);
  for (let i = 0; i < 10; i++) {
    const { said, ms } = await timed(orders());
    expect(said).toBe("200 ");
    expect(ms).toBeLessThan(1000);
    await delay(250);
  }
  await other.query("rollback");
  for (const { said } of await Promise.all(waiting)) expect(said).toBe("201 ");
});

test.each([
  ["with somebody waiting", 1],
  ["with nothing listening", 0],
])(
  "told to stop while its database says nothing, %s, it ends within ten seconds",
  async (_, count) => {
    const leaving = await startProcess({ PORT: await freePort(), DATABASE_URL: gate.url });
    // Its log says that it is open a moment before it minds signals.
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
