/** contract §14: what is limited, by whom it is counted, and what the client is told. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { LIMIT_TABLE, type LimitName } from "../../src/domain/shared/rate-limits.ts";
import { type Running, startService } from "../support/service.ts";
import { type Answer, quoteRequest, type Send, send } from "../support/shopper.ts";

let service: Running;
beforeAll(async () => {
  service = await startService({ RATE_LIMITS: "on", TRUST_PROXY: "1" });
});
afterAll(() => service.stop());

/** A client address of its own, as the proxy in front names it. */
const newAddress = () =>
  `2001:db8:${randomUUID().slice(0, 4)}:${randomUUID().slice(0, 4)}::${randomUUID().slice(0, 4)}`;
const from = (address: string) => ({ "x-forwarded-for": address });
const registration = { name: "Test agent", contact_email: "agent@example.com" };
const join = (address = newAddress()) =>
  send(service.baseUrl, "/v1/agents/register", { body: registration, headers: from(address) });

async function agent(): Promise<string> {
  return (await join()).body.api_key;
}

/** Sends until it is told to stop, at most as often as the limit allows and once more. */
async function exhaust(name: LimitName, request: () => Promise<Answer>): Promise<Answer> {
  const { points, seconds } = LIMIT_TABLE[name];
  for (let i = 1; i <= points; i++) {
    const answer = await request();
    expect(answer.status).not.toBe(429);
    expect(answer.headers.get("ratelimit-policy")).toBe(`"${name}";q=${points};w=${seconds}`);
    expect(answer.headers.get("ratelimit")).toMatch(
      new RegExp(`^"${name}";r=${points - i};t=\\d+$`),
    );
  }
  return request();
}

function expectLimited(answer: Answer, name: LimitName) {
  const { points, seconds } = LIMIT_TABLE[name];
  expect(answer.status).toBe(429);
  expect(answer.body).toMatchObject({ code: "RATE_LIMITED", retryable: true });
  const wait = Number(answer.headers.get("retry-after"));
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(seconds);
  expect(answer.body.retry_after).toBe(wait);
  expect(answer.headers.get("ratelimit")).toBe(`"${name}";r=0;t=${wait}`);
  expect(answer.headers.get("ratelimit-policy")).toBe(`"${name}";q=${points};w=${seconds}`);
}

describe("limits", () => {
  it("are the published ones", () => {
    const table = Object.entries(LIMIT_TABLE).map(([name, l]) => [name, l.points, l.seconds, l.by]);
    expect(table).toEqual([
      ["register_hour", 5, 3600, "address"],
      ["register_day", 20, 86_400, "address"],
      ["key", 120, 60, "key"],
      ["quotes", 30, 60, "key"],
      ["checkout", 10, 60, "key"],
      ["feedback", 5, 3600, "key"],
      ["leads", 5, 3600, "key"],
      ["ask", 30, 60, "address"],
      ["quick_checkout", 20, 60, "address"],
      ["catalog", 120, 60, "address"],
      ["desk_sign_in", 5, 60, "address"],
    ]);
  });

  test.each<[LimitName, string, (key: string) => Send]>([
    ["quotes", "/v1/quote-requests", () => ({ body: quoteRequest() })],
    ["checkout", "/v1/quotes/qte_none/checkout", () => ({ body: { quote_hash: "x" } })],
    ["key", "/v1/orders", () => ({})],
    ["feedback", "/v1/feedback", () => ({ body: { message: "Good coffee." } })],
    ["leads", "/v1/bulk-leads", () => ({ body: { email: "a@example.com", purpose: "office" } })],
  ])("%s: counted by key, whatever the answer", async (name, path, options) => {
    const key = await agent();
    const ask = () => send(service.baseUrl, path, { key, ...options(key) });
    expectLimited(await exhaust(name, ask), name);
    const other = await send(service.baseUrl, path, { key: await agent(), ...options(key) });
    expect(other.status).not.toBe(429);
  });

  test.each<[LimitName, string]>([
    ["catalog", "/v1/catalog"],
    ["ask", "/v1/ask?q=decaf"],
    ["quick_checkout", "/v1/quick-checkout?items=colombia-huila:1&format=json"],
  ])("%s: counted by address", async (name, path) => {
    const [mine, other] = [newAddress(), newAddress()];
    const ask = (address: string) => send(service.baseUrl, path, { headers: from(address) });
    expectLimited(await exhaust(name, () => ask(mine)), name);
    expect((await ask(other)).status).toBe(200);
  });

  it("registration: five in an hour from one address", async () => {
    const address = newAddress();
    expectLimited(await exhaust("register_hour", () => join(address)), "register_hour");
  });
});

describe("a client's address", () => {
  it("is the last one that our own proxy saw, not what the client claims", async () => {
    const proxied = newAddress();
    const claiming = () => join(`${newAddress()}, ${proxied}`);
    expectLimited(await exhaust("register_hour", claiming), "register_hour");
  });

  it("is the connection's where no proxy is trusted", async () => {
    const bare = await startService({ RATE_LIMITS: "on" });
    const claiming = () =>
      send(bare.baseUrl, "/v1/agents/register", {
        body: registration,
        headers: from(newAddress()),
      });
    for (let i = 0; i < 5; i++) expect((await claiming()).status).toBe(201);
    expect((await claiming()).status).toBe(429);
    await bare.stop();
  });

  it("scopes registration's Idempotency-Key", async () => {
    const register = (address: string, name: string) =>
      send(service.baseUrl, "/v1/agents/register", {
        body: { ...registration, name },
        headers: from(address),
        idempotencyKey: "first",
      });
    const [one, two] = [newAddress(), newAddress()];
    expect((await register(one, "A")).status).toBe(201);
    expect((await register(two, "B")).status).toBe(201);
    expect((await register(one, "A")).body.code).toBe("API_KEY_ALREADY_ISSUED");
  });
});

it("without limits there are no RateLimit headers", async () => {
  const free = await startService();
  const answer = await send(free.baseUrl, "/v1/catalog");
  expect(answer.headers.get("ratelimit")).toBeNull();
  await free.stop();
});
