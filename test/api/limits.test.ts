/** What each door charges to whom, and how a caller reads a limit (contract §14). */
import { afterAll, describe, expect, it, onTestFinished, test, vi } from "vitest";
import { clientNetwork } from "../../src/core/network.ts";
import { LIMITS } from "../../src/core/policy.ts";
import { cartPage, FIELDS } from "../shop/quick-checkout/checkout.ts";
import { dump, lastingDatabase } from "../support/lasting-database.ts";
import { form, readyQuote } from "../support/purchase.ts";
import { DAY, startService } from "../support/service.ts";
import { type Answer, DECLINED, quoteRequest, type Send, send } from "../support/shopper.ts";

const RATE_LIMITS = "requests=20,bytes=524288,buyers=5,messages=3,presses=10";
const service = await startService({ RATE_LIMITS, TRUST_PROXY: "1" });
afterAll(() => service.stop());
const { baseUrl } = service;
// A bean that has a waitlist now.
await service.service.merchant.admin("cli").stock.set({ product_id: "rwanda-huye", on_hand: 0 });

let networks = 0;
/** A client address in a network of its own, in the header of a proxy. */
const newAddress = () => `2001:db8:${(++networks).toString(16)}:1::1`;
const from = (address: string) => ({ "x-forwarded-for": address });

/** The next minute begins, so that only limits of a day still count. */
const aMinuteLater = () => service.clock.advance(60_000);

type Ask = (path: string, options?: Send) => Promise<Answer>;

/** Somebody at an address, who gets JSON where people get a page. */
const somebody =
  (address = newAddress(), key?: string): Ask =>
  (path, options = {}) =>
    send(baseUrl, path, {
      ...(key !== undefined && { key }),
      ...options,
      headers: { accept: "application/json", ...from(address), ...options.headers },
    });

const AGENT = { name: "Test agent", contact_email: "agent@example.com" };
const agentAt = async (address = newAddress()): Promise<Ask> => {
  const joined = await somebody(address)("/v1/agents/register", { body: AGENT });
  return somebody(address, joined.body.api_key);
};

/** What a request costs, by limit: points of the caller's key, link or page (own), and of its address. */
async function charges(address: string, ask: () => Promise<Answer>) {
  aMinuteLater();
  const charge = vi.spyOn(service.service.limits, "charge");
  expect((await ask()).status).toBeLessThan(500);
  const told: Record<string, number | boolean> = {};
  for (const [cost, who] of charge.mock.calls) {
    // Work of earlier requests ends late.
    if (who.address !== clientNetwork(address)) continue;
    for (const [name, points] of Object.entries(cost)) {
      const at = who.own === undefined ? name : `own ${name}`;
      if (name === "bytes") told[at] = points > 50;
      else if (points > 0) told[at] = Number(told[at] ?? 0) + points;
    }
  }
  charge.mockRestore();
  return told;
}

const UCP = { "ucp-agent": 'profile="https://agent.example/profile.json"' };
const MCP = {
  accept: "application/json, text/event-stream",
  "mcp-protocol-version": "2025-03-26",
};
const rpc = (method: string, params: object = {}) => ({ jsonrpc: "2.0", id: 1, method, params });
const BAGS = { items: [{ product_id: "kenya-nyeri", quantity: 1 }] };
const MAKE_PAGE = rpc("tools/call", { name: "build_quick_checkout_link", arguments: BAGS });
const LIST = rpc("tools/list");
const CALL = rpc("tools/call", { name: "ask", arguments: { q: "decaf" } });
const READ = rpc("resources/read", { uri: "coffee://catalog" });
const batch = (length: number, message: object = LIST) =>
  Array.from({ length }, (_, id) => ({ ...message, id }));
const LINE = { line_items: [{ item: { id: "kenya-nyeri" }, quantity: 1 }] };
const PLACE = { bean: "rwanda-huye", bags: "20", email: "place@example.com" };
const WAITING = { product_id: "rwanda-huye", quantity: 20, buyer: { email: "a@example.com" } };
const MESSAGE = { email: "writer@example.com", message: "Good coffee." };
const MESSAGE_BODY = { message: "Good coffee." };
const CODED = quoteRequest({ discount_code: "FIRSTBAG" });
const SOUGHT = { number: "1", email: "a@example.com", postal_code: "78701" };
const LEAD = { email: "a@example.com", purpose: "An office." };

const OWN = { requests: 1, "own requests": 4 };
const STORED = { ...OWN, "own bytes": true };
test.each<[string, string, Send, object]>([
  ["a read", "/v1/orders", {}, { requests: 1, "own requests": 1 }],
  ["a write, whatever the answer", "/v1/waitlist/wl_none", { method: "DELETE" }, OWN],
  ["a question", "/v1/ask?q=How+does+the+decaf+taste", {}, STORED],
  ["a quote", "/v1/quote-requests", { body: quoteRequest() }, STORED],
  ["a quote with a code", "/v1/quote-requests", { body: CODED }, { ...STORED, "own buyers": 1 }],
  ["a message", "/v1/feedback", { body: MESSAGE_BODY }, { ...STORED, "own messages": 1 }],
  ["a refused message", "/v1/feedback", { body: {} }, OWN],
  ["a lead", "/v1/bulk-leads", { body: LEAD }, { ...STORED, "own messages": 1 }],
  ["a place", "/v1/waitlist", { body: WAITING }, { ...STORED, "own messages": 1 }],
])("%s with a key costs", async (_, path, options, cost) => {
  const address = newAddress();
  const ask = await agentAt(address);
  // A key's first call is recorded.
  await ask("/v1/orders");
  expect(await charges(address, () => ask(path, options))).toEqual(cost);
});

/** Pages of a buyer elsewhere, made as late as they are used: they end with the clock. */
const review = async () => (await readyQuote(baseUrl)).reviewUrl;
const cart = () => cartPage(baseUrl, "items=kenya-nyeri:1&discount_code=FIRSTBAG");
const followed = async () =>
  `/v1/link-orders?${new URLSearchParams({ checkout_url: await cart() })}`;
const card = async () =>
  `${(await send(baseUrl, await review(), form({}))).headers.get("location")}/pay`;
const PAGE = { requests: 5 };
const PRESS = { ...PAGE, "own presses": 1 };
test.each<[string, string | (() => Promise<string>), Send, object]>([
  ["a document", "/v1/catalog", {}, { requests: 1 }],
  ["a page", "/waitlist?product_id=kenya-nyeri", {}, PAGE],
  ["a page in capitals", "/WAITLIST?product_id=kenya-nyeri", {}, PAGE],
  ["a link", "/v1/quick-checkout?items=kenya-nyeri:1", {}, { ...PAGE, bytes: true }],
  ["a registration", "/v1/agents/register", { body: AGENT }, { ...PAGE, bytes: true }],
  ["a follower", followed, {}, { requests: 1, "own requests": 1 }],
  [
    "a cart's form",
    cart,
    form({ ...FIELDS, email: "f@example.com" }),
    { ...PAGE, bytes: true, buyers: 1 },
  ],
  ["a review", review, {}, PAGE],
  ["pay", review, form({}), { ...PRESS, bytes: true }],
  ["a cancel request", async () => `${await review()}/cancel-request`, form({}), PRESS],
  ["its withdrawal", async () => `${await review()}/cancel-request/withdraw`, form({}), PRESS],
  ["a card", card, form({ card: DECLINED }), { ...PRESS, bytes: true }],
  ["a message", "/contact", form(MESSAGE), { requests: 1, bytes: true, messages: 1 }],
  ["a refused message", "/contact", form({}), { requests: 1 }],
  ["a place", "/waitlist", form(PLACE), { ...PAGE, bytes: true, messages: 1 }],
  ["a search", "/find-order", form(SOUGHT), { ...PAGE, find_order: 1 }],
  ["a wrong secret", "/desk/sign-in", form({ secret: "no" }), { requests: 1, sign_in: 1 }],
  ["a cart of UCP", "/ucp/carts", { body: LINE, headers: UCP }, { ...PAGE, bytes: true }],
  ["UCP's JSON-RPC", "/ucp/mcp", { body: rpc("ping"), headers: UCP }, { requests: 1 }],
  ["a list of MCP", "/mcp", { body: LIST, headers: MCP }, { requests: 1 }],
  ["a batch", "/mcp", { body: batch(20), headers: MCP }, { requests: 20 }],
  ["a call", "/mcp", { body: CALL, headers: MCP }, PAGE],
  ["a resource", "/mcp", { body: READ, headers: MCP }, { requests: 2 }],
  ["a page over MCP", "/mcp/shop", { body: MAKE_PAGE, headers: MCP }, { ...PAGE, bytes: true }],
])("%s without a key costs", async (_, path, options, cost) => {
  const address = newAddress();
  const at = typeof path === "string" ? path : await path();
  expect(await charges(address, () => somebody(address)(at, options))).toEqual(cost);
});

/** Sends until it is refused with 429, and returns the number before. */
async function until429(ask: (i: number) => Promise<Answer>, most = 400) {
  for (let i = 0; i < most; i++) {
    const answer = await ask(i);
    if (answer.status === 429) return { taken: i, answer };
  }
  throw new Error("never refused");
}

function expectLimited(answer: Answer, name: string, points: number, seconds: number) {
  expect(answer.status).toBe(429);
  expect(answer.body).toMatchObject({ code: "RATE_LIMITED", retryable: true });
  const wait = Number(answer.headers.get("retry-after"));
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(seconds);
  expect(answer.body.retry_after).toBe(wait);
  expect(answer.headers.get("ratelimit")).toBe(`"${name}";r=0;t=${wait}`);
  expect(answer.headers.get("ratelimit-policy")).toBe(`"${name}";q=${points};w=${seconds}`);
}

it("limits are published with their numbers", async () => {
  const usual = await startService({ RATE_LIMITS: "on" });
  const { rate_limits } = (await send(usual.baseUrl, "/agent-info")).body;
  await usual.stop();
  expect(rate_limits).toEqual({
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
  });
});

it("a key that used up its minute reads what is left, and others of its address go on", async () => {
  const address = newAddress();
  const ask = await agentAt(address);
  for (let left = 16; left >= 0; left -= 4) {
    const { headers } = await ask("/v1/quote-requests", { body: quoteRequest() });
    expect(headers.get("ratelimit")).toMatch(new RegExp(`^"requests";r=${left};t=\\d+$`));
  }
  expectLimited(await ask("/v1/orders"), "requests", 20, 60);
  expect((await (await agentAt(address))("/v1/orders")).status).toBe(200);
  aMinuteLater();
  expect((await ask("/v1/orders")).status).toBe(200);
});

it("an agent's id in place of a page's link spends no points of the agent", async () => {
  const address = newAddress();
  const { body } = await somebody(address)("/v1/agents/register", { body: AGENT });
  const { agent_id: checkout_url, api_key } = body;
  const stranger = somebody();
  await until429(() => stranger(`/v1/link-orders?${new URLSearchParams({ checkout_url })}`));
  const { headers } = await somebody(address, api_key)("/v1/orders");
  expect(headers.get("ratelimit")).toMatch(/^"requests";r=19;/);
});

it("retries and refusals store nothing, so a key whose bytes are used up may retry", async () => {
  const ask = await agentAt();
  const notes = quoteRequest({ quantity: 5, gift_notes: Array(5).fill("a".repeat(200)) });
  const body = { ...notes, shipments: Array(40).fill(notes.shipments[0]) };
  const quote = (options: Send = {}) => {
    aMinuteLater();
    return ask("/v1/quote-requests", { body, ...options });
  };
  const first = { idempotencyKey: "first" };
  expect((await quote(first)).status).toBe(201);
  const { taken, answer } = await until429(() => quote());
  expect(taken).toBeGreaterThan(3);
  expectLimited(answer, "bytes", 524_288, 86_400);
  const retried = await quote(first);
  expect([retried.status, retried.headers.get("idempotent-replayed")]).toEqual([201, "true"]);
  service.clock.advance(DAY);
  expect((await quote()).status).toBe(201);
});

it("letters that nobody paid for: a retry, a double click and a known buyer cost nothing", async () => {
  const address = newAddress();
  const ask = await agentAt(address);
  const post = (path: string, body: object, idempotencyKey: string) =>
    charges(address, () => ask(path, { body, idempotencyKey }));
  for (const [path, body] of [
    ["/v1/feedback", MESSAGE_BODY],
    ["/v1/bulk-leads", LEAD],
    ["/v1/waitlist", { ...WAITING, buyer: { email: "retry@example.com" } }],
  ] as const) {
    expect(await post(path, body, "once")).toMatchObject({ "own messages": 1 });
    expect(await post(path, body, "once")).not.toHaveProperty("own messages");
  }
  expect((await ask("/v1/feedback", { body: MESSAGE_BODY })).status).toBe(429);
  for (const [path, fields] of [
    ["/contact", { ...MESSAGE, form: "a-form" }],
    ["/waitlist", { ...PLACE, email: "double@example.com", form: "another-form" }],
  ] as const) {
    const at = newAddress();
    const press = () => charges(at, () => somebody(at)(path, form(fields)));
    expect(await press()).toHaveProperty("messages", 1);
    expect(await press()).not.toHaveProperty("messages");
  }
});

it("a buyer counts once, in any spelling; without a code nobody is counted", async () => {
  const ask = await agentAt();
  const quote = (email: string, discount_code = "FIRSTBAG") => {
    aMinuteLater();
    return ask("/v1/quote-requests", {
      body: quoteRequest({ email, ...(discount_code && { discount_code }) }),
    });
  };
  for (let i = 0; i < 5; i++) expect((await quote(`b${i}@example.com`)).status).toBe(201);
  expect((await quote("B0+tea@example.com", "firstbag ")).status).toBe(201);
  expect((await quote("another@example.com", "")).status).toBe(201);
  expectLimited(await quote("another@example.com"), "buyers", 5, 86_400);
});

it("presses are counted by page, from any address; the page says when it goes on", async () => {
  const link = await review();
  const press = (path = link, accept = "application/json") =>
    send(baseUrl, path, { method: "POST", headers: { accept, ...from(newAddress()) } });
  for (let i = 0; i < 10; i++) expect((await press()).status).toBe(303);
  expectLimited(await press(`${link}/cancel-request`), "presses", 10, 86_400);
  expect((await press(await review())).status).toBe(303);
  const page = await press(link, "text/html");
  expect([page.status, page.text.includes("Please wait 24 hours, then try again.")]).toEqual([
    429,
    true,
  ]);
  service.clock.advance(DAY);
  expect((await press()).status).toBe(303);
});

it("a form refused before it was read offers no button to try again", async () => {
  const ask = somebody(newAddress());
  const refused = form(MESSAGE);
  await until429(() => ask("/waitlist?product_id=kenya-nyeri"));
  const headers = { ...refused.headers, accept: "text/html" };
  const answer = await ask("/contact", { ...refused, headers });
  expect(answer.headers.get("content-type")).toContain("text/html");
  expect(answer.text).not.toContain("<form");
});

describe("a batch over MCP", () => {
  const ask = (body: unknown, path = "/mcp", address = newAddress()) =>
    somebody(address)(path, { body, headers: MCP });

  it("is limited by its entries, each toward its operation", async () => {
    const address = newAddress();
    for (let i = 0; i < 15; i++) expect((await ask(batch(20), "/mcp", address)).status).toBe(200);
    expect((await ask(batch(15), "/mcp", address)).status).toBe(200);
    expectLimited(await ask(batch(10), "/mcp", address), "requests", 320, 60);
    expect((await ask(batch(4), "/mcp", address)).status).toBe(200);
    const other = newAddress();
    const refused = [];
    for (let i = 0; i < 4; i++) {
      const { text } = await ask(batch(20, CALL), "/mcp", other);
      refused.push(text.match(/"code":"RATE_LIMITED"/g)?.length ?? 0);
    }
    expect(refused).toEqual([0, 0, 0, 20]);
  });

  it("gets no more once its results are long, and each alone", async () => {
    const card = rpc("resources/read", { uri: "ui://coffee/card" });
    const answer = await ask(batch(20, card));
    const count = (part: RegExp) => answer.text.match(part)?.length ?? 0;
    expect(count(/"code":413/g)).toBeGreaterThan(0);
    expect(count(/"contents":/g)).toBe(20 - count(/"code":413/g));
    expect(answer.text).not.toContain("Send compact JSON");
    const one = await ask(card);
    expect(one.text).toContain('"contents":');
    expect(answer.text.length).toBeLessThan(LIMITS.mcp_batch_text * 1.1 + one.text.length);
  });

  it.each(["/mcp", "/mcp/shop"])("of more than 20 messages is refused at %s", async (path) => {
    const refused = await ask(batch(21), path);
    expect(refused.status).toBe(413);
    expect(JSON.parse(refused.text)).toMatchObject({
      id: null,
      error: { code: -32600, message: expect.stringContaining("at most 20 messages") },
    });
    expect((await ask(batch(20), path)).status).toBe(200);
  });
});

describe("a client's address", () => {
  const ask = (address: string, url = baseUrl) =>
    send(url, "/waitlist?product_id=kenya-nyeri", { headers: from(address) });

  it.each<[string, (i: number) => string]>([
    ["the /64 of an IPv6 caller", (i) => `2001:db8:ff01:1:${i.toString(16)}:2:3:4`],
    ["IPv4 for a mapped address", (i) => (i % 2 ? "198.51.100.7" : "::ffff:198.51.100.7")],
    ["the last one that our proxy saw", (i) => `2001:db8:fe${i % 90}::1, 2001:db8:ff02::1`],
  ])("is %s", async (_, spelled) => {
    expect((await until429((i) => ask(spelled(i)))).taken).toBe(64);
  });

  it("is the connection's without a trusted proxy", async () => {
    const bare = await startService({ RATE_LIMITS });
    onTestFinished(bare.stop);
    expect((await until429(() => ask(newAddress(), bare.baseUrl))).taken).toBe(64);
  });

  it("is not stored", async () => {
    const database = await lastingDatabase();
    const env = { RATE_LIMITS: "on", TRUST_PROXY: "1", DATABASE_URL: database.url };
    const shop = await startService(env);
    await send(shop.baseUrl, "/v1/agents/register", { body: AGENT, headers: from("203.0.113.77") });
    const stored = await dump(database.url);
    await shop.stop();
    expect(stored.agents).toHaveLength(1);
    expect(JSON.stringify(stored)).not.toContain("203.0.113");
  });

  it("scopes registration's Idempotency-Key", async () => {
    const idempotencyKey = crypto.randomUUID();
    const join = async (address: string, name: string) =>
      somebody(address)("/v1/agents/register", { body: { ...AGENT, name }, idempotencyKey });
    const [one, two] = [newAddress(), newAddress()];
    expect((await join(one, "A")).status).toBe(201);
    expect((await join(two, "B")).status).toBe(201);
    expect((await join(one, "B")).body.code).toBe("IDEMPOTENCY_CONFLICT");
  });
});
