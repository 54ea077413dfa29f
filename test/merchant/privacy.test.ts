/** A person is erased (contract §15): nothing names them any more, and the books still add up. */
import { readFileSync } from "node:fs";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, test, vi } from "vitest";
import { openStore } from "../../src/app/compose.ts";
import { TABLE_NAMES } from "../../src/core/records.ts";
import { underWayText } from "../../src/merchant/erase.ts";
import { ProviderRejected, ProviderUnavailable } from "../../src/payments/provider.ts";
import { allRows } from "../support/all-rows.ts";
import { STOCKED, WAITLISTED } from "../support/catalog.ts";
import { strangersQuotes } from "../support/many-quotes.ts";
import { orderOf, purchase, readyQuote } from "../support/purchase.ts";
import { startService, type TestService } from "../support/service.ts";
import {
  after,
  newAgent,
  openShop,
  paidOrder,
  quoteFor,
  type Shop,
  settleAs,
  startPaying,
} from "../support/shop.ts";
import { payAt, register, send } from "../support/shopper.ts";
import { scratchFile, usualStore } from "../support/stores.ts";

/** One person, as the shop meets her under two forms of one mailbox. */
const EMAIL = "ada.lovelace+tea@gmail.com";
const OTHER_FORM = "adalovelace@googlemail.com";
const PERSONAL = [
  EMAIL,
  OTHER_FORM,
  "adalovelace@gmail.com",
  "Ada Lovelace",
  "12 Analytical Row",
  "Flat Byron",
  "Engineville",
  "75201",
  "1 Countess Lane",
  "For the difference engine",
  "Call me at the observatory",
];
const ADDRESS = {
  name: "Ada Lovelace",
  line1: "12 Analytical Row",
  line2: "Flat Byron",
  city: "Engineville",
  region: "TX",
  postal_code: "75201",
  country: "US",
} as const;

let service: TestService;
const logged: string[] = [];
beforeAll(async () => {
  const log = pino({ level: "trace" }, { write: (line: string) => void logged.push(line) });
  service = await startService({}, undefined, { log });
});
afterAll(() => service.stop());

/** Which of these are found, and where; a ZIP code's digits may well stand in the middle of a random id. */
const found = (words: readonly string[], places: Record<string, string>): string[] =>
  Object.entries(places).flatMap(([place, text]) => {
    const told = text.replaceAll(/[0-9a-f]{24,}/g, "");
    return words.filter((one) => told.includes(one)).map((one) => `${place}: ${one}`);
  });

async function tables(): Promise<Record<string, string>> {
  const texts = TABLE_NAMES.map(async (name) => {
    const rows = await allRows(service.store, name);
    return [name, JSON.stringify(rows)];
  });
  return Object.fromEntries(await Promise.all(texts));
}

/** Every text in the database but the emulated provider's copies, also inside of JSON. */
async function storedTexts(): Promise<Set<string>> {
  const texts = new Set<string>();
  const add = (value: unknown): void => {
    if (typeof value === "object") Object.values(value ?? {}).forEach(add);
    else if (typeof value === "string" && /^[[{]/.test(value)) add(JSON.parse(value));
    else if (typeof value === "string") texts.add(value);
  };
  for (const name of TABLE_NAMES) {
    if (name !== "sandbox") add(await allRows(service.store, name));
  }
  return texts;
}

const request = (email: string) => ({
  buyer: { email },
  shipments: [
    {
      recipient_ref: "Ada Lovelace",
      address: ADDRESS,
      items: [{ product_id: STOCKED, quantity: 2 }],
      gift_notes: ["For the difference engine"],
    },
  ],
});

/** Everything that a shop comes to know of somebody. Answers her order. */
async function everything(key: string) {
  const { baseUrl } = service;
  const post = (path: string, body: unknown) => send(baseUrl, path, { key, body });
  await send(baseUrl, "/v1/agents/register", {
    body: { name: "Ada Lovelace", contact_email: EMAIL },
  });
  const quote = (await post("/v1/quote-requests", request(EMAIL))).body;
  const { quote_hash } = quote;
  const checkout = (await post(`/v1/quotes/${quote.id}/checkout`, { quote_hash })).body;
  const hosted = await send(baseUrl, checkout.review_url, { method: "POST" });
  await payAt(hosted.headers.get("location")!);
  const order = await orderOf(baseUrl, key, quote.id);
  await post("/v1/quote-requests", request(OTHER_FORM));
  await service.service.merchant.admin("cli").stock.set({ product_id: WAITLISTED, on_hand: 0 });
  await post("/v1/waitlist", { product_id: WAITLISTED, quantity: 9, buyer: { email: EMAIL } });
  await post("/v1/bulk-leads", { email: EMAIL, purpose: "For the difference engine" });
  const lead = { email: "office@example.com", purpose: "A party" };
  await post("/v1/bulk-leads", { ...lead, quantity: `About 400, as ${EMAIL} knows` });
  await post("/v1/feedback", { message: `Answer ${EMAIL}. Call me at the observatory.` });
  await post("/v1/feedback", { message: "Call me at the observatory.", order_id: order.id });
  const wish = { reason_code: "OTHER", message: "Call me at the observatory." };
  await post(`/v1/orders/${order.id}/cancel-requests`, wish);
  return order;
}

async function deliver(orderId: string): Promise<void> {
  const admin = service.service.merchant.admin("cli");
  const wish = (await admin.cancellations.list()).find(({ status }) => status === "REQUESTED");
  await admin.cancellations.decline({ request_id: wish!.id, reason: "It is in the roaster." });
  const { shipments } = await after({ admin }, admin.orders.roast({ order_id: orderId }));
  const { id } = shipments[0]!;
  await admin.orders.note({ order_id: orderId, text: "Call me at the observatory." });
  await admin.shipments.changeAddress({
    shipment_id: id,
    address: { ...ADDRESS, line1: "1 Countess Lane" },
  });
  await admin.shipments.ship({
    shipment_id: id,
    tracking: { carrier: "USPS", number: "94001000", url: "https://tools.usps.com/9400" },
  });
  for (const to of ["IN_TRANSIT", "OUT_FOR_DELIVERY", "DELIVERED"] as const) {
    await admin.shipments.move({ shipment_id: id, to });
  }
}

describe("erasing a person", () => {
  it("leaves no table or log that names her, and keeps the books", async () => {
    const { baseUrl } = service;
    const { customers } = service.service.merchant.admin("cli");
    const key = await register(baseUrl);
    const order = await everything(key);
    const beside = await purchase(baseUrl, { email: "grace@example.com" }, key);
    expect(found([EMAIL], await tables()).length).toBeGreaterThan(5);

    await deliver(order.id);

    // Everything that will be erased can be given to her before, and no secret with it.
    const data = await customers.export({ email: EMAIL });
    const text = JSON.stringify(data);
    expect(PERSONAL.filter((word) => !text.includes(word))).toEqual([]);
    const { url } = (await send(baseUrl, `/v1/quotes/${order.quote_id}`, { key })).body;
    expect([key, url].filter((secret) => secret && text.includes(secret))).toEqual([]);
    expect([data.orders, data.quotes, data.waitlist_entries].map((rows) => rows.length)).toEqual([
      1, 2, 1,
    ]);
    expect([data.feedback.length + data.leads.length, data.agents.length]).toEqual([4, 1]);
    const nobody = await customers.export({ email: "nobody@example.com" });
    expect(nobody).toMatchObject({ orders: [], quotes: [], leads: [] });

    const before = await storedTexts();
    const erased = await customers.erase({ email: ` ${EMAIL.toUpperCase()} ` });
    const rows = { orders: 1, quotes: 2, waitlist_entries: 1, messages: 4, keys: 1 };
    expect(erased).toEqual({ ...rows, under_way: 0, orders_under_way: [] });

    expect(await allRows(service.store, "waitlist")).toMatchObject([{ status: "LEFT" }]);
    // Whatever is gone or changed was in the export, word for word.
    const kept = await storedTexts();
    // A hash says nothing to the person.
    const isHash = (one: unknown) => /^[0-9a-f]{64}$/.test(String(one));
    const gone = [...before].filter((one) => !kept.has(one) && !isHash(one));
    expect(gone.length).toBeGreaterThan(PERSONAL.length);
    expect(gone.filter((one) => !text.includes(JSON.stringify(one).slice(1, -1)))).toEqual([]);

    expect(found(PERSONAL, await tables())).toEqual([]);
    expect(found(PERSONAL, { log: logged.join("") })).toEqual([]);
    const after = (await send(baseUrl, `/v1/orders/${order.id}`, { key })).body;
    expect(after).toMatchObject({
      quote_hash: order.quote_hash,
      created_at: order.created_at,
      items: order.items,
      pricing: order.pricing,
      payment: order.payment,
      buyer_email: "erased",
      status: "COMPLETED",
      shipments: [{ address: { name: "erased", region: "TX" }, gift_notes: [], tracking: null }],
    });
    const other = await send(baseUrl, `/v1/orders/${beside.order.id}`, { key });
    expect(other.body.buyer_email).toBe("grace@example.com");
    expect(other.body.shipments[0].address.name).toBe("Test Buyer");

    expect(await customers.erase({ email: EMAIL })).toMatchObject({
      orders: 0,
      quotes: 0,
      keys: 0,
    });
    const acts = await service.service.merchant.admin("cli").audit.list();
    const erasures = acts.filter(({ act }) => act === "customers.erase");
    const bySubject = [...Map.groupBy(erasures, ({ subject }) => subject).values()];
    expect(bySubject.filter((same) => same.length === 2)).toHaveLength(1);
  });

  it("closes her unpaid quotes and her open payment page", async () => {
    const { baseUrl } = service;
    const { customers } = service.service.merchant.admin("cli");
    const email = "mary@example.com";
    const { key, quote, reviewUrl } = await readyQuote(baseUrl, { email });
    await customers.erase({ email });
    const closed = await send(baseUrl, `/v1/quotes/${quote.id}`, { key });
    expect(closed.body).toMatchObject({ status: "INVALIDATED", messages: [{ code: "ERASED" }] });
    expect((await send(baseUrl, reviewUrl)).text).not.toContain(email);

    const other = "mary.b@example.com";
    const paying = await readyQuote(baseUrl, { email: other }, key);
    await send(baseUrl, paying.reviewUrl, { method: "POST" });
    await customers.erase({ email: other });
    const ended = await send(baseUrl, `/v1/quotes/${paying.quote.id}`, { key });
    expect(ended.body).toMatchObject({ status: "INVALIDATED", messages: [{ code: "ERASED" }] });
  });

  it("keeps people whose addresses only contain hers", async () => {
    const { baseUrl, service: running } = service;
    const key = await register(baseUrl);
    const others = [
      "joann@erase.example.com",
      "ann@erase.example.com.au",
      "ann-b@erase.example.com",
    ];
    for (const email of others) {
      await send(baseUrl, "/v1/bulk-leads", {
        key,
        body: { email, purpose: `Hello,\nwrite to ${email}.` },
      });
    }
    const purpose = "Write to <Ann@Erase.example.com>.";
    await send(baseUrl, "/v1/bulk-leads", { key, body: { email: "a@example.com", purpose } });
    await running.merchant.admin("cli").customers.erase({ email: "ann@erase.example.com" });
    const leads = JSON.stringify(await allRows(service.store, "leads"));
    expect(leads).not.toMatch(/<ann@/i);
    for (const email of others) expect(leads.split(email)).toHaveLength(3);
  });

  it("accepts only an email", async () => {
    const { customers } = service.service.merchant.admin("cli");
    await expect(customers.erase({ email: "ada" })).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
    });
  });
});

const MINUTES_MS = 11 * 60_000;

/** What delays the erasure of some rows, and how it ends. */
const UNDER_WAY: Record<string, (shop: Shop) => Promise<() => Promise<unknown>>> = {
  "an order that has not left": async (shop) => {
    const order_id = await paidOrder(shop, { agentId: await newAgent(shop), email: EMAIL });
    return () => shop.admin.orders.cancel({ order_id, reason: "Not wanted." });
  },
  "a payment page that can't be closed": (shop) =>
    unclosed(shop, new ProviderUnavailable("no answer")),
  "a payment page that the provider refuses to close": (shop) =>
    unclosed(shop, new ProviderRejected("expired key", "api_key_expired")),
};

async function unclosed(shop: Shop, error: Error) {
  const quote = await quoteFor(shop, { agentId: await newAgent(shop), email: EMAIL });
  const begun = await startPaying(shop, quote.id);
  shop.provider.expireCheckout = () => Promise.reject(error);
  return () => settleAs(shop, begun, "expired");
}

test.each(Object.keys(UNDER_WAY))("%s is erased once it has ended", async (name) => {
  const { store } = await usualStore();
  onTestFinished(() => store.close());
  const shop = await openShop(store);
  const end = await UNDER_WAY[name]!(shop);
  const { merchant, admin, clock } = shop;
  await quoteFor(shop, { agentId: await newAgent(shop), email: OTHER_FORM });
  const later = async () => {
    clock.advance(MINUTES_MS);
    return (await merchant.retention.sweep()).interrupted_erasures;
  };
  const named = async () =>
    (await allRows(store, "quotes")).filter(({ customer }) => customer !== "erased").length;

  expect(await admin.customers.erase({ email: EMAIL })).toMatchObject({
    ...{ quotes: 1, under_way: 1 },
    orders_under_way: name.startsWith("an order") ? [1001] : [],
  });
  expect([await later(), await named()]).toEqual([0, 1]);
  await end();
  // Whoever comes back after an erasure is a new customer.
  await quoteFor(shop, { agentId: await newAgent(shop), email: EMAIL });
  expect([await later(), await named()]).toEqual([1, 1]);
  expect(await later()).toBe(0);
  const acts = (await admin.audit.list()).filter(({ act }) => act === "customers.erase");
  expect(acts).toMatchObject([{ actor: "cli", detail: { quotes: 2 } }]);
  expect(await allRows(store, "customers")).toEqual([]);
});

test.each<[under_way: number, numbers: number[], text: string]>([
  [1, [1001], "order #1001"],
  [2, [1001, 1002], "orders #1001 and #1002"],
  [1, [], "1 payment or waitlist offer"],
  [3, [1001], "order #1001, 2 payments or waitlist offers"],
])("of %i rows under way, orders %j are named", (under_way, orders_under_way, text) => {
  expect(underWayText({ under_way, orders_under_way })).toBe(text);
});

test("an order paid during the search keeps its address", async () => {
  const { store } = await usualStore();
  onTestFinished(() => store.close());
  const shop = await openShop(store);
  const quote = await quoteFor(shop, { agentId: await newAgent(shop), email: EMAIL });
  const { rowsNaming } = store.queries;
  const look = vi.spyOn(store.queries, "rowsNaming").mockImplementationOnce(async (...of) => {
    const begun = await startPaying(shop, quote.id);
    await settleAs(shop, begun, "paid");
    return rowsNaming(...of);
  });
  const erased = await shop.admin.customers.erase({ email: EMAIL });
  expect(erased).toMatchObject({ orders: 0, quotes: 0, under_way: 1 });
  expect(look).toHaveBeenCalledOnce();
  expect(found([EMAIL], { quotes: JSON.stringify(await allRows(store, "quotes")) })).toHaveLength(
    1,
  );
});

test("an erasure continues after a crash", async () => {
  const { store } = await usualStore();
  onTestFinished(() => store.close());
  const shop = await openShop(store);
  const { merchant, admin, clock } = shop;
  await strangersQuotes(shop, 250);
  const { attemptsOfQuotes } = store.queries;
  vi.spyOn(store.queries, "attemptsOfQuotes")
    .mockImplementationOnce(attemptsOfQuotes)
    .mockRejectedValueOnce(new Error("killed"));
  const names = async () =>
    (await allRows(store, "quotes")).filter(({ customer }) => customer !== "erased").length;
  await expect(admin.customers.erase({ email: EMAIL })).rejects.toThrow("killed");
  expect(await names()).toBe(150);
  // The command could still be running.
  expect((await merchant.retention.sweep()).interrupted_erasures).toBe(0);
  clock.advance(MINUTES_MS);
  expect((await merchant.retention.sweep()).interrupted_erasures).toBe(1);
  expect(await names()).toBe(0);
  const acts = (await admin.audit.list()).filter(({ act }) => act === "customers.erase");
  expect(acts).toMatchObject([{ actor: "cli", detail: { quotes: 250 } }]);
});

test("on SQLite the file's free pages don't hold erased data", async () => {
  const file = await scratchFile();
  const store = await openStore(`sqlite:${file}`);
  const shop = await openShop(store);
  const orderId = await paidOrder(shop, { agentId: await newAgent(shop), email: EMAIL });
  onTestFinished(() => store.close());
  await shop.admin.orders.cancel({ order_id: orderId, reason: "Not wanted." });
  await shop.admin.customers.erase({ email: EMAIL });
  await store.close();
  expect(found([EMAIL], { file: readFileSync(file, "latin1") })).toEqual([]);
});
