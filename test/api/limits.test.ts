import { afterAll, describe, expect, it, onTestFinished, test, vi } from "vitest";
import { clientNetwork } from "../../src/core/network.ts";
import { LIMITS } from "../../src/core/policy.ts";
import {
  type Limit,
  type LimitName,
  pointsAt,
  readRateLimits,
} from "../../src/core/rate-limits.ts";
import { FIELDS } from "../shop/quick-checkout/checkout.ts";
import { dump, lastingDatabase } from "../support/lasting-database.ts";
import { form } from "../support/purchase.ts";
import { startService } from "../support/service.ts";
import { type Answer, quoteRequest, type Send, send } from "../support/shopper.ts";

const PUBLISHED = {
  requests: "120 per minute per key, 1920 per address, 7680 per network",
  bytes: "4194304 bytes per day per key, 67108864 per address, 268435456 per network",
  buyers: "32 buyers per day per key, 512 per address, 2048 per network",
  messages: "10 letters per day per key, 160 per address, 640 per network",
  presses: "60 per day per link, 960 per address, 3840 per network",
  find_order: "20 per day per address, 80 per network",
  sign_in: "5 per minute per address, 20 per network",
  letters: "100 letters per day per mailbox",
  free_letters: "10 letters per day per mailbox",
  confirm_letters: "1 letters per day per mailbox",
};

/** This shop lowers limits that would need hundreds of requests. All numbers are counted alike. */
const RATE_LIMITS = "requests=20,bytes=524288,buyers=5,messages=3,presses=10";
const { limits } = readRateLimits(RATE_LIMITS) as { limits: Record<LimitName, Limit> };

const service = await startService({ RATE_LIMITS, TRUST_PROXY: "1" });
afterAll(() => service.stop());
// A bean that has a waitlist now.
await service.service.merchant.admin("cli").stock.set({ product_id: "rwanda-huye", on_hand: 0 });

let networks = 0;
/** A client address in a network of its own, in the header of a proxy. Random ones would meet now and then. */
const newAddress = () => `2001:db8:${(++networks).toString(16)}:1::1`;
const from = (address: string) => ({ "x-forwarded-for": address });
const registration = { name: "Test agent", contact_email: "agent@example.com" };
const join = (address = newAddress()) =>
  send(service.baseUrl, "/v1/agents/register", { body: registration, headers: from(address) });

/** The next minute begins, so that only limits of a day still count. */
const aMinuteLater = () => service.clock.advance(60_000);

/** A client with a key and an address in a network of its own. */
async function newAgent(address = newAddress(), baseUrl = service.baseUrl) {
  const { body } = await send(baseUrl, "/v1/agents/register", {
    body: registration,
    headers: from(address),
  });
  const key: string = body.api_key;
  return (path: string, options: Send = {}) =>
    send(baseUrl, path, { key, ...options, headers: { ...from(address), ...options.headers } });
}

/** The path of a new quote's review page. */
async function reviewLink(): Promise<string> {
  const ask = await newAgent();
  const { id, quote_hash } = (await ask("/v1/quote-requests", { body: quoteRequest() })).body;
  const checkout = await ask(`/v1/quotes/${id}/checkout`, { body: { quote_hash } });
  return new URL(checkout.body.review_url).pathname;
}

function expectLimited(answer: Answer, name: LimitName, level: "own" | "address" = "own") {
  const { seconds, per } = limits[name];
  const points = pointsAt(limits[name], per === "address" ? "address" : level);
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

/** Sends until it is refused with 429, and returns the number before. */
async function until429(ask: (i: number) => Promise<Answer>, most = 400) {
  for (let i = 0; i < most; i++) {
    const answer = await ask(i);
    if (answer.status === 429) return { taken: i, answer };
  }
  throw new Error("never refused");
}

it("limits are published with their numbers", async () => {
  const usual = await startService({ RATE_LIMITS: "on" });
  const { rate_limits } = (await send(usual.baseUrl, "/agent-info")).body;
  await usual.stop();
  expect(rate_limits).toEqual(PUBLISHED);
});

describe("requests", () => {
  test.each<[string, number, string, Send]>([
    ["a read takes one point", 1, "/v1/orders", {}],
    ["a write takes four, whatever the answer", 4, "/v1/waitlist/wl_none", { method: "DELETE" }],
    ["a quote takes four", 4, "/v1/quote-requests", { body: quoteRequest() }],
    ["a question takes four", 4, "/v1/ask?q=decaf", {}],
  ])("%s of its key", async (_, points, path, options) => {
    const address = newAddress();
    const ask = await newAgent(address);
    for (let i = 1; i <= limits.requests.points / points; i++) {
      const { status, headers } = await ask(path, options);
      expect(status).not.toBe(429);
      const left = limits.requests.points - i * points;
      expect(headers.get("ratelimit")).toMatch(new RegExp(`^"requests";r=${left};t=\\d+$`));
    }
    expectLimited(await ask(path, options), "requests");
    expect((await (await newAgent(address))(path, options)).status).not.toBe(429);
  });

  it.each<[string, string, number]>([
    ["a document", "/v1/catalog", 1],
    ["a page", "/waitlist?product_id=kenya-nyeri", 5],
    ["a checkout page", "/v1/quick-checkout?items=kenya-nyeri:1&format=json", 5],
  ])("without a key: %s takes points of its address", async (_, path, points) => {
    const [mine, other] = [newAddress(), newAddress()];
    const ask = (address: string) =>
      send(service.baseUrl, path, { headers: { ...from(address), ...PROGRAM } });
    const { taken, answer } = await until429(() => ask(mine));
    expect(taken).toBe(pointsAt(limits.requests, "address") / points);
    expectLimited(answer, "requests", "address");
    expect((await ask(other)).status).not.toBe(429);
  });

  it("followers of a page are counted by page, so that others of their address go on", async () => {
    const address = from(newAddress());
    const open = async () =>
      (
        await send(service.baseUrl, "/v1/quick-checkout?items=kenya-nyeri:1&format=json", {
          headers: address,
        })
      ).body.checkout_url as string;
    const follow = (page: string) =>
      send(service.baseUrl, `/v1/link-orders?${new URLSearchParams({ checkout_url: page })}`, {
        headers: address,
      });
    const [first, second] = [await open(), await open()];
    const { taken, answer } = await until429(() => follow(first));
    expect(taken).toBe(limits.requests.points);
    expectLimited(answer, "requests");
    expect((await follow(second)).status).toBe(200);
    expect(await open()).toContain("/checkout/");
  });

  it("sixty registrations leave the address a key, and an exhausted address waits a minute", async () => {
    const usual = await startService({ RATE_LIMITS: "on", TRUST_PROXY: "1" });
    onTestFinished(usual.stop);
    const headers = from(newAddress());
    const register = () =>
      send(usual.baseUrl, "/v1/agents/register", { body: registration, headers });
    for (let i = 0; i < 61; i++) expect((await register()).status).toBe(201);
    const { answer } = await until429(register);
    expect(answer.body.retry_after).toBeLessThanOrEqual(60);
    usual.clock.advance(60_000);
    expect((await register()).status).toBe(201);
  });
});

describe("bytes: what a caller makes the shop store", () => {
  const [shipment] = quoteRequest({ quantity: 5, gift_notes: Array(5).fill("a".repeat(200)) })
    .shipments as [object];
  const body = { ...quoteRequest(), shipments: Array(40).fill(shipment) };

  it("counts quotes by key and address. Retries and refusals cost nothing", async () => {
    const address = newAddress();
    const ask = await newAgent(address);
    const quote = (options: Send = {}, by = ask) => {
      aMinuteLater();
      return by("/v1/quote-requests", { body, ...options });
    };
    const first = { idempotencyKey: "first" };
    expect((await quote(first)).status).toBe(201);
    const { taken, answer } = await until429(() => quote());
    expect(taken).toBeGreaterThan(3);
    expectLimited(answer, "bytes");
    const retried = await quote(first);
    expect([retried.status, retried.headers.get("idempotent-replayed")]).toEqual([201, "true"]);
    expect((await ask("/v1/orders")).status).toBe(200);
    expect((await quote({}, await newAgent(address))).status).toBe(201);
    service.clock.advance(86_400_000);
    expect((await quote()).status).toBe(201);
  }, 60_000);

  const cart = "/v1/quick-checkout?items=kenya-nyeri:1&format=json";
  const page = async (address: string) =>
    (await send(service.baseUrl, cart, { headers: from(address) })).body.checkout_url as string;
  const post = (address: string, path: string, sent: Send) =>
    send(service.baseUrl, path, { ...sent, headers: { ...sent.headers, ...from(address) } });

  it.each<[string, number, boolean, (address: string) => Promise<Answer>]>([
    ["a registration", 300, false, join],
    ["a cart of UCP", 300, false, (address) => post(address, "/ucp/carts", UCP_CART)],
    ["a checkout page over MCP", 100, false, (address) => post(address, "/mcp/shop", MAKE_PAGE)],
    [
      "the form of a page",
      700,
      false,
      async (address) =>
        post(address, await page(address), form({ ...FIELDS, email: "f@example.com" })),
    ],
    ["a place on a waitlist", 300, false, (address) => post(address, "/waitlist", form(PLACE))],
    ["a message", 300, false, (address) => post(address, "/contact", form(MESSAGE))],
    [
      "a question with a key",
      50,
      true,
      async (address) => (await newAgent(address))("/v1/ask?q=How+does+the+decaf+taste"),
    ],
    [
      "a quote",
      700,
      true,
      async (address) => (await newAgent(address))("/v1/quote-requests", { body: quoteRequest() }),
    ],
  ])("includes %s", async (_, least, hasKey, write) => {
    aMinuteLater();
    const charge = vi.spyOn(service.service.limits, "charge");
    onTestFinished(() => charge.mockRestore());
    const address = newAddress();
    expect((await write(address)).status).toBeLessThan(400);
    const paid = charge.mock.calls.filter(([{ bytes = 0 }]) => bytes > 0);
    const last = paid.at(-1)!;
    expect(last[0].bytes).toBeGreaterThan(least);
    expect(last[1].address).toBe(clientNetwork(address));
    expect(last[1].own !== undefined).toBe(hasKey);
  });
});

const UCP_CART: Send = {
  body: { line_items: [{ item: { id: "kenya-nyeri" }, quantity: 1 }] },
  headers: { "ucp-agent": 'profile="https://agent.example/profile.json"' },
};
const MAKE_PAGE: Send = {
  body: {
    ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
    params: {
      name: "build_quick_checkout_link",
      arguments: { items: [{ product_id: "kenya-nyeri", quantity: 1 }] },
    },
  },
  headers: { accept: "application/json, text/event-stream", "mcp-protocol-version": "2025-03-26" },
};
const PLACE = { bean: "rwanda-huye", bags: "20", email: "place@example.com" };
const MESSAGE = { email: "writer@example.com", message: "Good coffee." };

describe("messages: letters that cost their sender nothing", () => {
  test.each<[string, string, object]>([
    ["feedback", "/v1/feedback", { message: "Good coffee." }],
    ["leads", "/v1/bulk-leads", { email: "a@example.com", purpose: "An office." }],
  ])("%s: counts what is sent, not refusals or retries", async (_, path, body) => {
    const ask = await newAgent();
    const post = (options: Send = { body }) => {
      aMinuteLater();
      return ask(path, options);
    };
    const { points } = limits.messages;
    for (let i = 0; i <= points; i++) expect((await post({ body: {} })).status).toBe(422);
    const retried = { body, idempotencyKey: "one" };
    expect((await post(retried)).status).toBe(201);
    expect((await post(retried)).status).toBe(201);
    for (let i = 1; i < points; i++) expect((await post()).status).toBe(201);
    expectLimited(await post(), "messages");
    expect((await post(retried)).status).toBe(201);
    const other = await newAgent();
    expect((await other(path, { body })).status).toBe(201);
  });

  test("places on a waitlist: by key and by address, whoever they are for", async () => {
    const address = newAddress();
    const join = (ask: Awaited<ReturnType<typeof newAgent>>, i: string) => {
      aMinuteLater();
      const buyer = { email: `waits-${i}@example.com` };
      return ask("/v1/waitlist", { body: { product_id: "rwanda-huye", quantity: 20, buyer } });
    };
    let made = 0;
    for (let i = 0; i < 18; i++) {
      const ask = await newAgent(address);
      const { taken, answer } = await until429((n) => join(ask, `${i}-${n}`));
      expect(answer.body.code).toBe("RATE_LIMITED");
      expect(taken).toBe(i < 16 ? limits.messages.points : 0);
      made += taken;
    }
    expect(made).toBe(pointsAt(limits.messages, "address"));
    const refused = await post(address, "/contact", form(MESSAGE));
    expect(refused.status).toBe(429);
    expect((await post(newAddress(), "/contact", form(MESSAGE))).status).toBe(200);
  }, 60_000);

  test("the forms of pages: a double click and a refusal cost nothing", async () => {
    const address = newAddress();
    const before = messagesOf(address);
    for (const message of ["Good coffee.", "Good coffee.", "My card is 4242 4242 4242 4242."]) {
      await post(address, "/contact", form({ ...MESSAGE, message, form: "a-form-of-the-page" }));
    }
    for (let i = 0; i < 2; i++) {
      const place = { ...PLACE, email: "double@example.com", form: "another-form-of-it" };
      expect((await post(address, "/waitlist", form(place))).status).toBe(303);
    }
    expect(messagesOf(address) - before).toBe(2);
  });

  const post = (address: string, path: string, sent: Send) =>
    send(service.baseUrl, path, {
      ...sent,
      headers: { ...sent.headers, ...from(address), ...PROGRAM },
    });

  /** Letters that this address has caused. */
  function messagesOf(address: string): number {
    const use = service.service.limits.charge(
      { messages: 0 },
      { address: clientNetwork(address) },
    )!;
    return use.limit.points - use.remaining;
  }
});

describe("buyers: limits the different buyers quoted with a code", () => {
  const { points } = limits.buyers;

  it("by key; the same buyer or a quote without a code does not count", async () => {
    const by = await newAgent();
    const ask = (email: string, discount_code?: string) => {
      aMinuteLater();
      const body = quoteRequest({ email, ...(discount_code && { discount_code }) });
      return by("/v1/quote-requests", { body });
    };
    for (let i = 0; i < points; i++) {
      expect((await ask(`b${i}@example.com`, "FIRSTBAG")).status).toBe(201);
    }
    expect((await ask("b0@example.com", "firstbag ")).status).toBe(201);
    expect((await ask("another@example.com")).status).toBe(201);
    expectLimited(await ask("another@example.com", "FIRSTBAG"), "buyers");
  });

  it("by address, on the form of a link", async () => {
    const address = from(newAddress());
    const link = "/v1/quick-checkout?items=kenya-nyeri:1&discount_code=FIRSTBAG";
    const page = (await send(service.baseUrl, link, { headers: address })).headers.get("location")!;
    const fill = (email: string) => {
      aMinuteLater();
      const sent = form({ ...FIELDS, email });
      return send(service.baseUrl, page, {
        ...sent,
        headers: { ...sent.headers, ...address, ...PROGRAM },
      });
    };
    const { taken, answer } = await until429((i) => fill(`f${i}@example.com`));
    expect(taken).toBe(pointsAt(limits.buyers, "address"));
    expectLimited(answer, "buyers", "address");
    expect((await fill("f0@example.com")).status).toBe(303);
  });
});

describe("presses", () => {
  it("of one order's page are counted by page, from any address", async () => {
    const link = await reviewLink();
    const press = (path = link) =>
      send(service.baseUrl, path, {
        method: "POST",
        headers: { ...from(newAddress()), ...PROGRAM },
      });
    for (let i = 0; i < limits.presses.points; i++) expect((await press()).status).toBe(303);
    expectLimited(await press(), "presses");
    // A cancel request is a press on the same page.
    for (const path of ["cancel-request", "cancel-request/withdraw"]) {
      expectLimited(await press(`${link}/${path}`), "presses");
    }
    expect((await press(await reviewLink())).status).toBe(303);
    const page = await send(service.baseUrl, link, {
      method: "POST",
      headers: { accept: "text/html", ...from(newAddress()) },
    });
    expect(page.status).toBe(429);
    expect(page.text).toContain("Please wait 24 hours, then try again.");
    service.clock.advance(86_400_000);
    expect((await press()).status).toBe(303);
  });

  it("refused before their form was read offer no button to try again", async () => {
    const limited = await startService({ RATE_LIMITS: "requests=1", TRUST_PROXY: "1" });
    onTestFinished(limited.stop);
    const headers = { ...from(newAddress()), accept: "text/html" };
    const sent = form({ message: "Good coffee.", email: "a@example.com" });
    const { answer } = await until429(() =>
      send(limited.baseUrl, "/contact", { ...sent, headers: { ...sent.headers, ...headers } }),
    );
    expect(answer.headers.get("content-type")).toContain("text/html");
    expect(answer.text).not.toContain("<form");
  });
});

it("wrong secrets of the desk: five a minute from one address", async () => {
  const address = newAddress();
  const tried = () => {
    const sent = form({ secret: "no" });
    return send(service.baseUrl, "/desk/sign-in", {
      ...sent,
      headers: { ...sent.headers, ...from(address), ...PROGRAM },
    });
  };
  for (let i = 0; i < limits.sign_in.points; i++) expect((await tried()).status).toBe(403);
  expectLimited(await tried(), "sign_in", "address");
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
    const methods = ["tools/list", "resources/list", "prompts/list", "ping"];
    const { taken, answer } = await until429((i) =>
      ask(address, { ...LIST, method: methods[i % 4] }),
    );
    expect(taken).toBe(pointsAt(limits.requests, "address"));
    expectLimited(answer, "requests", "address");
    expect((await ask(newAddress())).status).toBe(200);
  });

  const batch = (length: number, message: object = LIST) =>
    Array.from({ length }, (_, id) => ({ ...message, id }));

  it("counts the entries of a batch", async () => {
    const address = newAddress();
    for (let i = 0; i < 15; i++) expect((await ask(address, batch(20))).status).toBe(200);
    expect((await ask(address, batch(15))).status).toBe(200);
    expectLimited(await ask(address, batch(10)), "requests", "address");
    expect((await ask(address, batch(4))).status).toBe(200);
  });

  it("counts each call of a batch toward its operation", async () => {
    const address = newAddress();
    const params = { name: "ask", arguments: { q: "decaf" } };
    const calls = batch(20, { ...LIST, method: "tools/call", params });
    const texts = [];
    for (let i = 0; i < 4; i++) texts.push((await ask(address, calls)).text);
    const refused = texts.map((text) => text.match(/"code":"RATE_LIMITED"/g)?.length ?? 0);
    expect(refused).toEqual([0, 0, 0, 20]);
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
  const ask = (address: string, baseUrl = service.baseUrl) =>
    send(baseUrl, "/waitlist?product_id=kenya-nyeri", {
      headers: { ...from(address), ...PROGRAM },
    });
  const most = pointsAt(limits.requests, "address") / 5;

  it.each([
    ["2001:db8:ff01:1", (i: number) => `2001:db8:ff01:1:${i.toString(16)}:2:3:4`],
    ["an IPv4 address", (i: number) => (i % 2 ? "198.51.100.7" : "::ffff:198.51.100.7")],
  ])("is the /64 of an IPv6 caller, and IPv4 for a mapped address: %s", async (_, spelled) => {
    expect((await until429((i) => ask(spelled(i)))).taken).toBe(most);
  });

  it("is not stored", async () => {
    const database = await lastingDatabase();
    const env = { RATE_LIMITS: "on", TRUST_PROXY: "1", DATABASE_URL: database.url };
    const shop = await startService(env);
    const headers = from("203.0.113.77");
    await send(shop.baseUrl, "/v1/agents/register", { body: registration, headers });
    const stored = await dump(database.url);
    await shop.stop();
    expect(stored.agents).toHaveLength(1);
    expect(JSON.stringify(stored)).not.toContain("203.0.113");
  });

  it("is the last one that our proxy saw, not the client's claim", async () => {
    const proxied = newAddress();
    const { taken } = await until429(() => ask(`${newAddress()}, ${proxied}`));
    expect(taken).toBe(most);
  });

  it("is the connection's without a trusted proxy", async () => {
    const bare = await startService({ RATE_LIMITS });
    expect((await until429(() => ask(newAddress(), bare.baseUrl))).taken).toBe(most);
    await bare.stop();
  });

  it("scopes registration's Idempotency-Key", async () => {
    const idempotencyKey = crypto.randomUUID();
    const register = (address: string, name: string) =>
      send(service.baseUrl, "/v1/agents/register", {
        body: { ...registration, name },
        headers: from(address),
        idempotencyKey,
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
