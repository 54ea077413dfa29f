import { afterAll, describe, expect, it, test } from "vitest";
import { sharedLimiter } from "../../src/agents/limits.ts";
import { openStore } from "../../src/app/compose.ts";
import { LIMITS } from "../../src/core/policy.ts";
import {
  LIMIT_TABLE,
  type Limit,
  type LimitName,
  readRateLimits,
} from "../../src/core/rate-limits.ts";
import { FIELDS } from "../shop/quick-checkout/checkout.ts";
import { dump, lastingDatabase } from "../support/lasting-database.ts";
import { form } from "../support/purchase.ts";
import { startService } from "../support/service.ts";
import { type Answer, quoteRequest, type Send, send } from "../support/shopper.ts";

const PUBLISHED = {
  register_hour: "60 per hour per address",
  register_network: "600 per hour per network",
  register_attempts: "120 per minute per address",
  key: "120 per minute per key",
  quotes: "30 per minute per key",
  quote_bytes: "4194304 bytes per day per key",
  courtesy_buyers: "50 buyers per day per key",
  checkout: "10 per minute per key",
  ucp: "120 per minute per address",
  waitlist: "10 per hour per key",
  changes: "120 per hour per key",
  feedback: "5 per hour per key",
  find_order: "10 per hour per address",
  find_order_email: "20 per day per recipient",
  leads: "5 per hour per key",
  messages_address: "30 per hour per address",
  messages_network: "120 per hour per network",
  cards: "20 per hour per link",
  cards_address: "200 per hour per address",
  ask: "30 per minute per address",
  quick_checkout: "20 per minute per address",
  catalog: "120 per minute per address",
  requests: "1200 per minute per address",
  mcp: "240 per minute per address",
  pages: "120 per minute per address",
  pay: "10 per minute per link",
  pay_day: "60 per day per link",
  pay_address: "30 per minute per address",
  letters: "100 per day per recipient",
  free_letters: "10 per day per recipient",
  desk_sign_in: "5 per minute per address",
  desk_sign_in_total: "30 per minute in all",
};

/** This shop lowers limits that would need hundreds of requests. All numbers are counted alike. */
const RATE_LIMITS =
  "pages=20,register_hour=5,register_network=12,register_attempts=60,key=40,changes=20,catalog=20,mcp=60,courtesy_buyers=10,quote_bytes=524288";
const { limits } = readRateLimits(RATE_LIMITS) as { limits: Record<LimitName, Limit> };

const service = await startService({ RATE_LIMITS, TRUST_PROXY: "1" });
afterAll(() => service.stop());

let networks = 0;
/** A client address in a network of its own, in the header of a proxy. Random ones would meet now and then. */
const newAddress = () => `2001:db8:${(++networks).toString(16)}:1::1`;
const from = (address: string) => ({ "x-forwarded-for": address });
const registration = { name: "Test agent", contact_email: "agent@example.com" };
const join = (address = newAddress()) =>
  send(service.baseUrl, "/v1/agents/register", { body: registration, headers: from(address) });

/** The review link of a new quote. */
async function reviewLink(): Promise<string> {
  const key = await agent();
  const quote = await send(service.baseUrl, "/v1/quote-requests", { key, body: quoteRequest() });
  const { id, quote_hash } = quote.body;
  const path = `/v1/quotes/${id}/checkout`;
  return (await send(service.baseUrl, path, { key, body: { quote_hash } })).body.review_url;
}

async function agent(): Promise<string> {
  return (await join()).body.api_key;
}

/** Sends until it is refused, at most once more than the limit. */
async function exhaust(name: LimitName, request: () => Promise<Answer>): Promise<Answer> {
  const { points, seconds } = limits[name];
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
  expect(PUBLISHED).toHaveProperty(name);
  const { points, seconds } = limits[name];
  expect(answer.status).toBe(429);
  expect(answer.body).toMatchObject({ code: "RATE_LIMITED", retryable: true });
  const wait = Number(answer.headers.get("retry-after"));
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(seconds);
  expect(answer.body.retry_after).toBe(wait);
  expect(answer.headers.get("ratelimit")).toBe(`"${name}";r=0;t=${wait}`);
  expect(answer.headers.get("ratelimit-policy")).toBe(`"${name}";q=${points};w=${seconds}`);
}

/** Headers of a client that gets JSON where people get a page. */
const PROGRAM = { accept: "application/json" };

describe("limits", () => {
  it("are published with their numbers", async () => {
    const usual = await startService({ RATE_LIMITS: "on" });
    const { rate_limits } = (await send(usual.baseUrl, "/agent-info")).body;
    await usual.stop();
    expect(rate_limits).toEqual(PUBLISHED);
    const published = Object.entries(LIMIT_TABLE).map(
      ([name, { points, seconds, by, ...limit }]) => {
        const word = { 60: "minute", 3600: "hour", 86400: "day" }[seconds];
        const counted = Object.values(limit).find((one) => one === "bytes" || one === "buyers");
        const what = counted ? `${points} ${counted}` : points;
        return [name, `${what} per ${word} ${by === "all" ? "in all" : `per ${by}`}`];
      },
    );
    expect(Object.fromEntries(published)).toEqual(rate_limits);
  });

  test.each<[LimitName, string, (key: string) => Send]>([
    ["quotes", "/v1/quote-requests", () => ({ body: quoteRequest() })],
    ["checkout", "/v1/quotes/qte_none/checkout", () => ({ body: { quote_hash: "x" } })],
    ["key", "/v1/orders", () => ({})],
    ["changes", "/v1/waitlist/wl_none", () => ({ method: "DELETE" })],
  ])("%s: counted by key, whatever the answer", async (name, path, options) => {
    const key = await agent();
    const ask = () => send(service.baseUrl, path, { key, ...options(key) });
    expectLimited(await exhaust(name, ask), name);
    const other = await send(service.baseUrl, path, { key: await agent(), ...options(key) });
    expect(other.status).not.toBe(429);
  });

  test.each<[LimitName, string, object]>([
    ["feedback", "/v1/feedback", { message: "Good coffee." }],
    ["leads", "/v1/bulk-leads", { email: "a@example.com", purpose: "An office." }],
  ])("%s: counts accepted requests by key, not refusals or retries", async (name, path, body) => {
    const key = await agent();
    const post = (options: Send = { body }) => send(service.baseUrl, path, { key, ...options });
    const { points } = limits[name];
    for (let i = 0; i <= points; i++) expect((await post({ body: {} })).status).toBe(422);
    const retried = { body, idempotencyKey: "one" };
    expect((await post(retried)).status).toBe(201);
    expect((await post(retried)).status).toBe(201);
    for (let i = 1; i < points; i++) expect((await post()).status).toBe(201);
    expectLimited(await post(), name);
    const other = await send(service.baseUrl, path, { key: await agent(), body });
    expect(other.status).toBe(201);
  });

  it("count letters to the merchant by address and network, because keys are free", async () => {
    const network = newAddress().split(":").slice(0, 3).join(":");
    const write = async (address: string) =>
      send(service.baseUrl, "/v1/feedback", {
        key: await agent(),
        body: { message: "Good coffee." },
        headers: from(address),
      });
    const wrote = (subnet: number) => write(`${network}:${subnet}::1`);
    const { messages_address, messages_network } = limits;
    for (let i = 0; i < messages_address.points; i++) expect((await wrote(1)).status).toBe(201);
    expectLimited(await wrote(1), "messages_address");
    for (let i = messages_address.points; i < messages_network.points; i++) {
      expect((await wrote(i)).status).toBe(201);
    }
    expectLimited(await wrote(999), "messages_network");
    expect((await write(newAddress())).status).toBe(201);
  });

  test("waitlist: counts entries by key, and refusals that reveal another agent's buyer", async () => {
    const { stock } = service.service.merchant.admin("cli");
    await stock.set({ product_id: "rwanda-huye", on_hand: 1 });
    const { points } = limits.waitlist;
    const join = async (key: string, email: string, quantity = 2) => {
      const body = { product_id: "rwanda-huye", quantity, buyer: { email } };
      return send(service.baseUrl, "/v1/waitlist", { key, body });
    };
    const [key, other] = [await agent(), await agent()];
    expect((await join(other, "theirs@example.com")).status).toBe(201);
    for (let i = 0; i < points; i++) {
      expect((await join(key, "mine@example.com", 1)).body.code).toBe("IN_STOCK");
      expect((await join(key, "mine@example.com", 21)).body.code).toBe("LIMIT_EXCEEDED");
    }
    for (let i = 1; i < points; i++) {
      expect((await join(key, "theirs@example.com")).body.code).toBe("ALREADY_WAITING");
    }
    expect((await join(key, "mine@example.com")).status).toBe(201);
    expectLimited(await join(key, "more@example.com"), "waitlist");
  });

  test.each<[LimitName, string]>([
    ["catalog", "/v1/catalog"],
    ["ask", "/v1/ask?q=decaf"],
    ["quick_checkout", "/v1/quick-checkout?items=kenya-nyeri:1&format=json"],
    ["pages", "/waitlist?product_id=kenya-nyeri"],
  ])("%s: counted by address", async (name, path) => {
    const [mine, other] = [newAddress(), newAddress()];
    const ask = (address: string) =>
      send(service.baseUrl, path, { headers: { ...from(address), ...PROGRAM } });
    expectLimited(await exhaust(name, () => ask(mine)), name);
    expect((await ask(other)).status).toBeLessThan(400);
  });

  describe("courtesy_buyers: limits the different buyers quoted with a code", () => {
    const { points } = limits.courtesy_buyers;
    const names = (count: number) => Array.from({ length: count }, (_, i) => `b${i}@example.com`);

    it("by key; the same buyer or a quote without a code does not count", async () => {
      const key = await agent();
      const ask = (email: string, discount_code?: string) => {
        service.clock.advance(3000);
        const body = quoteRequest({ email, ...(discount_code && { discount_code }) });
        return send(service.baseUrl, "/v1/quote-requests", { key, body });
      };
      for (const email of names(points)) expect((await ask(email, "FIRSTBAG")).status).toBe(201);
      expect((await ask("b0@example.com", "firstbag ")).status).toBe(201);
      expect((await ask("another@example.com")).status).toBe(201);
      expectLimited(await ask("another@example.com", "FIRSTBAG"), "courtesy_buyers");
    });

    it("by address, on the form of a link", async () => {
      const address = from(newAddress());
      const link = "/v1/quick-checkout?items=kenya-nyeri:1&discount_code=FIRSTBAG";
      const page = (await send(service.baseUrl, link, { headers: address })).headers.get(
        "location",
      )!;
      const fill = (email: string) => {
        service.clock.advance(3000);
        const sent = form({ ...FIELDS, email });
        const headers = { ...sent.headers, ...address, ...PROGRAM };
        return send(service.baseUrl, page, { ...sent, headers });
      };
      for (const email of names(points)) expect((await fill(email)).status).toBe(303);
      expect((await fill("b0@example.com")).status).toBe(303);
      expectLimited(await fill("another@example.com"), "courtesy_buyers");
    });
  });

  it("quote_bytes: limits the bytes of a key's quotes in a day, not of other keys", async () => {
    const [key, other] = [await agent(), await agent()];
    const [shipment] = quoteRequest({ quantity: 5, gift_notes: Array(5).fill("a".repeat(200)) })
      .shipments as [object];
    const body = { ...quoteRequest(), shipments: Array(50).fill(shipment) };
    const most = Math.floor(limits.quote_bytes.points / JSON.stringify(body).length);
    const ask = (by: string) => {
      service.clock.advance(3000);
      return send(service.baseUrl, "/v1/quote-requests", { key: by, body });
    };
    for (let i = 0; i < most; i++) expect((await ask(key)).status).toBe(201);
    expectLimited(await ask(key), "quote_bytes");
    expect((await ask(other)).status).toBe(201);
    service.clock.advance(86_400_000);
    expect((await ask(key)).status).toBe(201);
  });

  it("quote_bytes: counts the forms of an address too", async () => {
    const limited = await startService({ RATE_LIMITS: "quote_bytes=131072", TRUST_PROXY: "1" });
    const address = from(newAddress());
    const link = `/v1/quick-checkout?${new URLSearchParams({
      items: "kenya-nyeri:1",
      gift_note: `a${"\u{1f331}".repeat(199)}`,
    })}`;
    const opened = await send(limited.baseUrl, link, { headers: address });
    const page = opened.headers.get("location")!;
    const fill = (email: string, headers: Record<string, string>) => {
      limited.clock.advance(3000);
      const sent = form({
        ...FIELDS,
        email,
        city: "\u{10400}".repeat(80),
        line1: "\u{10400}".repeat(120),
      });
      return send(limited.baseUrl, page, { ...sent, headers: { ...sent.headers, ...headers } });
    };
    let made = 0;
    let last = await fill("b0@example.com", address);
    for (; last.status === 303 && made < 131; made++) {
      last = await fill(`b${made}@example.com`, address);
    }
    const other = await fill("other@example.com", from(newAddress()));
    await limited.stop();
    expect([last.status, last.headers.get("ratelimit")]).toEqual([
      429,
      expect.stringContaining("quote_bytes"),
    ]);
    expect(made).toBeGreaterThan(60);
    expect(other.status).toBe(303);
  });

  it("registration: limited per hour and address, and the refusal names tools without a key", async () => {
    const address = newAddress();
    const refused = await exhaust("register_hour", () => join(address));
    expectLimited(refused, "register_hour");
    const actions = refused.body.next.map(({ action }: { action: string }) => action);
    expect(actions[0]).toBe("GET /v1/quick-checkout");
    expect(actions).toContain("GET /v1/ask");
  });

  it("registration: limited per hour and /48, across its addresses", async () => {
    const network = newAddress().split(":").slice(0, 3).join(":");
    const each = (i: number) => join(`${network}:${i}::1`);
    for (let i = 1; i <= limits.register_network.points; i++) {
      expect((await each(i)).status).toBe(201);
    }
    expectLimited(await each(99), "register_network");
  });

  it("registration: failures do not count, except sixty tries a minute", async () => {
    const address = newAddress();
    const asked = (options: Send) =>
      send(service.baseUrl, "/v1/agents/register", { headers: from(address), ...options });
    const one = { body: registration, idempotencyKey: "one" };
    expect((await asked(one)).status).toBe(201);
    for (let i = 0; i < 10; i++) {
      expect((await asked({ body: { name: "" } })).status).toBe(422);
      const otherBody = { ...one, body: { ...registration, name: "Other" } };
      expect((await asked(otherBody)).body.code).toBe("IDEMPOTENCY_CONFLICT");
      expect((await asked(one)).status).not.toBe(429);
    }
    for (let i = 0; i < 4; i++) expect((await join(address)).status).toBe(201);
    expectLimited(await join(address), "register_hour");
    // A lost response can be requested again, also at the limit.
    expect((await asked(one)).status).not.toBe(429);
    for (let i = 37; i < 60; i++) expect((await asked({ body: {} })).status).toBe(422);
    expectLimited(await asked({ body: {} }), "register_attempts");
  });

  it("registration: the limit holds for simultaneous requests", async () => {
    const database = await lastingDatabase();
    const store = await openStore(database.url);
    const context = { store, secret: Buffer.from("s"), clock: Date.now };
    const { points } = limits.register_hour;
    const limiter = sharedLimiter("register_hour", limits.register_hour, context);
    const tries = Array.from({ length: 4 * points }, () => limiter.consume("203.0.113.7", 1));
    const allowed = (await Promise.all(tries)).filter((tally) => tally.allowed);
    await limiter.undo("203.0.113.7");
    expect((await limiter.consume("203.0.113.7", 1)).allowed).toBe(true);
    expect((await limiter.consume("203.0.113.7", 1)).allowed).toBe(false);
    await store.close();
    await database.remove();
    expect(allowed).toHaveLength(points);
  });

  it("pressing pay: ten a minute for one link, from any address", async () => {
    const link = await reviewLink();
    const press = (path = link) =>
      send(service.baseUrl, path, {
        method: "POST",
        headers: { ...from(newAddress()), ...PROGRAM },
      });
    for (let i = 0; i < 10; i++) expect((await press()).status).toBe(303);
    const refused = await press();
    expectLimited(refused, "pay");
    // A cancel request is a press on the same page.
    for (const path of ["cancel-request", "cancel-request/withdraw"]) {
      expectLimited(await press(`${link}/${path}`), "pay");
    }
    expect((await press(await reviewLink())).status).toBe(303);
  });

  it("pressing pay: sixty a day for one link", async () => {
    const link = await reviewLink();
    const press = () => {
      service.clock.advance(60_000);
      return send(service.baseUrl, link, { method: "POST", headers: PROGRAM });
    };
    for (let i = 0; i < LIMIT_TABLE.pay_day.points; i++) expect((await press()).status).toBe(303);
    expectLimited(await press(), "pay_day");
    const page = await send(service.baseUrl, link, {
      method: "POST",
      headers: { accept: "text/html" },
    });
    expect(page.status).toBe(429);
    expect(page.text).toContain("Please wait 23 hours, then try again.");
    service.clock.advance(86_400_000);
    expect((await press()).status).toBe(303);
  });

  it("the desk: five tries a minute from one address, thirty from all", async () => {
    const tried = (address: string) =>
      send(service.baseUrl, "/desk/sign-in", {
        method: "POST",
        raw: "secret=no",
        headers: {
          "content-type": "application/x-www-form-urlencoded",
          ...from(address),
          ...PROGRAM,
        },
      });
    const address = newAddress();
    expectLimited(await exhaust("desk_sign_in", () => tried(address)), "desk_sign_in");
    for (let i = 0; i < 25; i++) expect((await tried(newAddress())).status).toBe(403);
    expectLimited(await tried(newAddress()), "desk_sign_in_total");
  });
});

describe("MCP", () => {
  const LIST = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
  const ask = (address: string, body: unknown = LIST, path = "/mcp") =>
    send(service.baseUrl, path, {
      body,
      headers: {
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2025-03-26",
        ...from(address),
      },
    });

  it("counts every message of an address, including lists", async () => {
    const address = newAddress();
    for (let i = 0; i < limits.mcp.points / 4; i++) {
      for (const method of ["tools/list", "resources/list", "prompts/list", "ping"]) {
        expect((await ask(address, { ...LIST, method })).status).toBe(200);
      }
    }
    expectLimited(await ask(address), "mcp");
    expect((await ask(newAddress())).status).toBe(200);
  });

  const batch = (length: number, message: object = LIST) =>
    Array.from({ length }, (_, id) => ({ ...message, id }));

  it("counts the entries of a batch", async () => {
    const address = newAddress();
    for (let i = 0; i < 2; i++) expect((await ask(address, batch(20))).status).toBe(200);
    expect((await ask(address, batch(15))).status).toBe(200);
    expectLimited(await ask(address, batch(10)), "mcp");
    expect((await ask(address, batch(4))).status).toBe(200);
  });

  it("counts each call of a batch toward its operation", async () => {
    const address = newAddress();
    const params = { name: "ask", arguments: { q: "decaf" } };
    const calls = batch(20, { ...LIST, method: "tools/call", params });
    const answers = [await ask(address, calls), await ask(address, calls)];
    const text = answers.map((answer) => answer.text).join();
    expect(text.match(/"code":"RATE_LIMITED"/g)).toHaveLength(10);
  });

  it("refuses what a batch asks for once its results are long, and answers it alone", async () => {
    const address = newAddress();
    const read = { ...LIST, method: "resources/read", params: { uri: "ui://coffee/card" } };
    const answer = await ask(address, batch(20, read));
    const count = (part: RegExp) => answer.text.match(part)?.length ?? 0;
    expect(count(/"code":413/g)).toBeGreaterThan(0);
    expect(count(/"contents":/g)).toBe(20 - count(/"code":413/g));
    expect(answer.text).not.toContain("Send compact JSON");
    const one = await ask(newAddress(), { ...read, id: 1 });
    expect(one.text).toContain('"contents":');
    expect(answer.text.length).toBeLessThan(LIMITS.mcp_batch_text * 1.1 + one.text.length);
  });

  it.each(["/mcp", "/mcp/shop"])("refuses a batch of more than 20 messages at %s", async (path) => {
    const address = newAddress();
    const refused = await ask(address, batch(21), path);
    expect(refused.status).toBe(413);
    expect(JSON.parse(refused.text)).toMatchObject({
      id: null,
      error: { code: -32600, message: expect.stringContaining("at most 20 messages") },
    });
    expect((await ask(address, batch(20), path)).status).toBe(200);
  });
});

describe("a client's address", () => {
  it("is the /64 of an IPv6 caller, and IPv4 for a mapped address", async () => {
    const network = newAddress().split("::")[0];
    for (let i = 1; i <= 5; i++) expect((await join(`${network}:${i}:2:3:4`)).status).toBe(201);
    expectLimited(await join(`${network}:ffff::`), "register_hour");
    for (let i = 0; i < 5; i++) expect((await join("198.51.100.7")).status).toBe(201);
    expectLimited(await join("::ffff:198.51.100.7"), "register_hour");
  });

  it("is stored unreadably", async () => {
    const database = await lastingDatabase();
    const env = { RATE_LIMITS: "on", TRUST_PROXY: "1", DATABASE_URL: database.url };
    const shop = await startService(env);
    const headers = from("203.0.113.77");
    await send(shop.baseUrl, "/v1/agents/register", { body: registration, headers });
    const stored = await dump(database.url);
    await shop.stop();
    await database.remove();
    expect(stored.rate_limits).toHaveLength(2);
    expect(JSON.stringify(stored)).not.toContain("203.0.113");
  });

  it("is the last one that our proxy saw, not the client's claim", async () => {
    const proxied = newAddress();
    const claiming = () => join(`${newAddress()}, ${proxied}`);
    expectLimited(await exhaust("register_hour", claiming), "register_hour");
  });

  it("is the connection's without a trusted proxy", async () => {
    const bare = await startService({ RATE_LIMITS: "register_hour=5" });
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
    expect((await register(one, "B")).body.code).toBe("IDEMPOTENCY_CONFLICT");
  });
});

it("without limits there are no RateLimit headers", async () => {
  const free = await startService();
  const answer = await send(free.baseUrl, "/v1/catalog");
  expect(answer.headers.get("ratelimit")).toBeNull();
  await free.stop();
});
