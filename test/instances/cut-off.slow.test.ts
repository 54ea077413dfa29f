/** An instance that loses its database reports it at once, others go on, and it recovers by itself. */

import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { type Fleet, startFleet } from "../support/fleet.ts";
import { type Gate, openGate } from "../support/loopback.ts";
import { call, overHttp } from "../support/mcp-clients.ts";
import { purchase, readyQuote } from "../support/purchase.ts";
import type { TestService } from "../support/service.ts";
import { REAL_CLOCK } from "../support/service.ts";
import { type Answer, eventually, quoteRequest, register, send } from "../support/shopper.ts";

let fleet: Fleet;
let gate: Gate;
let behind: TestService;
let there: string;
beforeAll(async () => {
  fleet = await startFleet(1, { RATE_LIMITS: "on" }, REAL_CLOCK);
  gate = await openGate(fleet.databaseUrl);
  behind = await fleet.join({ DATABASE_URL: gate.url });
  // The balancer sends webhooks to the healthy one, as it would after the first /readyz.
  fleet.balancer.targets.splice(0, 2, fleet.at(0));
  there = `http://127.0.0.1:${behind.port}`;
});
afterEach(async () => {
  gate.mend();
  await ready();
});
afterAll(async () => {
  await fleet?.stop();
  await gate?.close();
});

const ready = () => eventually(async () => (await send(there, "/readyz")).status === 200);

let clients = 0;

/** A new client address, so that rate limits don't interfere. */
const stranger = () => ({ "x-forwarded-for": `203.0.113.${++clients}` });

const newKey = async () => {
  const body = { name: "Test agent", contact_email: "agent@example.com" };
  const headers = stranger();
  const answer = await send(fleet.at(0), "/v1/agents/register", { body, headers });
  return answer.body.api_key as string;
};

/** Response and duration. */
async function timed(asked: Promise<Answer>) {
  const began = performance.now();
  const answer = await asked;
  return { answer, ms: performance.now() - began };
}

function expectUnavailable({ status, body, headers }: Answer) {
  expect([status, body.code, body.retryable]).toEqual([503, "STORE_UNAVAILABLE", true]);
  expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
}

const registration = { name: "Test agent", contact_email: "agent@example.com" };

describe.each([
  { how: "cut", withinMs: 1500 },
  { how: "silence", withinMs: 12_000 },
] as const)("cut off by $how", ({ how, withinMs }) => {
  test("reads, writes and registrations get a 503 with Retry-After soon", async () => {
    const key = await newKey();
    const { quote } = await readyQuote(fleet.at(0), {}, key);
    gate[how]();
    const asked = [
      send(there, "/v1/quote-requests", { key, body: quoteRequest() }),
      send(there, `/v1/quotes/${quote.id}`, { key }),
      send(there, "/v1/orders", { key }),
      send(there, "/v1/agents/register", { body: registration, headers: stranger() }),
    ];
    for (const { answer, ms } of await Promise.all(asked.map(timed))) {
      expectUnavailable(answer);
      expect(ms).toBeLessThan(withinMs);
    }
  });

  test("it is alive but not ready, and serves responses that need no database", async () => {
    gate[how]();
    const { answer, ms } = await timed(send(there, "/readyz"));
    expect([answer.status, answer.body.checks.database]).toEqual([503, false]);
    expect(ms).toBeLessThan(7500);
    expect((await send(there, "/healthz")).status).toBe(200);
    expect((await send(there, "/v1/catalog")).status).toBe(200);
  });

  test("the others sell on, and it sees their orders after its recovery", async () => {
    gate[how]();
    const key = await newKey();
    const { quote, order } = await purchase(fleet.at(0), {}, key);
    gate.mend();
    await ready();
    const [read, bought] = await Promise.all([
      send(there, `/v1/orders/${order.id}`, { key }),
      send(there, "/v1/quote-requests", { key, body: quoteRequest() }),
    ]);
    expect([read.status, bought.status]).toEqual([200, 201]);
    expect(read.body.quote_id).toBe(quote.id);
  });

  test("a reader that waits there still gets the new event", async () => {
    const key = await newKey();
    const { order } = await purchase(fleet.at(0), {}, key);
    const path = `/v1/orders/${order.id}/events?after=2&wait=25`;
    const listens = vi.spyOn(behind.store, "onNews");
    const waiting = send(there, path, { key });
    await eventually(async () => listens.mock.calls.length > 0);
    gate[how]();
    await fleet.instances[0]!.service.merchant.admin("desk").orders.roast({ order_id: order.id });
    gate.mend();
    const { body } = await waiting;
    expect(body.events.map(({ type }: { type: string }) => type)).toContain("order.roasting");
  });
});

test("over MCP it is a retryable tool error", async () => {
  const key = await newKey();
  const client = await overHttp(there, "auto", { key: undefined });
  gate.cut();
  const result = await call(client, "list_orders", { api_key: key });
  expect(result.isError).toBe(true);
  expect(JSON.stringify(result._meta)).toContain("STORE_UNAVAILABLE");
});

test("a person who opens a page gets a readable page", async () => {
  const { reviewUrl } = await readyQuote(fleet.at(0), {}, await newKey());
  gate.cut();
  const headers = { accept: "text/html" };
  const page = await send(there, new URL(reviewUrl).pathname, { headers });
  expect(page.status).toBe(503);
  expect(page.headers.get("content-type")).toContain("text/html");
  expect(page.headers.get("retry-after")).not.toBeNull();
});

test("an instance without its database does not start", async () => {
  gate.cut();
  await expect(fleet.join({ DATABASE_URL: gate.url })).rejects.toMatchObject({
    code: "STORE_UNAVAILABLE",
  });
});

test("the shared limiter counts again once the database is back", async () => {
  const late = await fleet.join({ DATABASE_URL: gate.url });
  fleet.balancer.targets.splice(1);
  const base = `http://127.0.0.1:${late.port}`;
  gate.cut();
  const headers = stranger();
  expectUnavailable(await send(base, "/v1/agents/register", { body: registration, headers }));
  gate.mend();
  await eventually(async () => (await send(base, "/readyz")).status === 200);
  const answer = await send(base, "/v1/agents/register", { body: registration, headers });
  expect(answer.status).toBe(201);
  expect(await register(base)).toMatch(/^cma_/);
});
