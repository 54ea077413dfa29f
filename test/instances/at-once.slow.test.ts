/** Several instances that do the same thing at once do it once. */

import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { UNSETTLED } from "../../src/core/records.ts";
import { problemsOf, readBooks } from "../support/books.ts";
import { DECAF, STOCKED, WAITLISTED } from "../support/catalog.ts";
import { type Fleet, startFleet } from "../support/fleet.ts";
import { catalogWith, form, newEmail, orderOf, readyQuote } from "../support/purchase.ts";
import { confirmed } from "../support/queue.ts";
import { scratchFolder } from "../support/scratch-folder.ts";
import { eventually, payAsBuyer, payAt, register, send } from "../support/shopper.ts";

let fleet: Fleet;
let shop: string;
beforeAll(async () => {
  const stock = { [STOCKED]: 1000, [WAITLISTED]: 0, [DECAF]: 5, "yemen-haraz": 0 };
  fleet = await startFleet(3, {
    CATALOG_FILE: await catalogWith(await scratchFolder("beans"), stock),
  });
  shop = fleet.balancer.url;
});
afterAll(async () => {
  await fleet?.stop();
});

/** Bags added since the shop opened. */
let brought = 0;

// After each test the books balance, and no payment had to be refunded.
afterEach(async () => {
  const sessions = [];
  const { provider } = fleet.instances[0]!;
  for await (const session of provider.listCheckouts(0)) sessions.push(session);
  const broughtIn = { [STOCKED]: 1000, [WAITLISTED]: brought, [DECAF]: 5, "yemen-haraz": 0 };
  expect(problemsOf(await readBooks(store()), { broughtIn, sessions })).toEqual([]);
  expect(await fleet.rows("refunds")).toBe(0);
  expect(await store().queries.allIncidents()).toEqual([]);
});

const at = (i: number, link: string) => fleet.at(i) + new URL(link, shop).pathname;
const merchants = () => fleet.instances.map(({ service }) => service.merchant);
const store = () => fleet.instances[0]!.store;

/** Presses pay and returns the payment page. */
async function press(i: number, reviewUrl: string): Promise<string> {
  const pressed = await send("", at(i, reviewUrl), form({}));
  expect(pressed.status).toBe(303);
  return pressed.headers.get("location") ?? "";
}

/** Everybody pays at once, each at another instance. Returns the outcomes once all are settled. */
async function payAtOnce(quotes: Awaited<ReturnType<typeof readyQuote>>[]) {
  const hosted = await Promise.all(quotes.map(({ reviewUrl }, i) => press(i + 1, reviewUrl)));
  await Promise.all(hosted.map((url, i) => payAt(at(i, url))));
  const ids = quotes.map(({ quote }) => quote.id as string);
  const attempts = () => store().queries.attemptsOfQuotes(ids);
  await eventually(async () => (await attempts()).every(({ status }) => !UNSETTLED.has(status)));
  return (await attempts()).map(({ status, outcome }) => outcome ?? status).sort();
}

test("forty clicks on pay, then ten on the card form, make one session and one charge", async () => {
  const { key, quote, reviewUrl } = await readyQuote(shop);
  const before = await fleet.rows("attempts");
  const hosted = await Promise.all(Array.from({ length: 40 }, (_, i) => press(i, reviewUrl)));
  expect(new Set(hosted).size).toBe(1);
  expect(await fleet.rows("attempts")).toBe(before + 1);
  await Promise.all(Array.from({ length: 10 }, (_, i) => payAt(at(i, hosted[0]!))));
  const order = await orderOf(fleet.at(1), key, quote.id);
  const log = await send(fleet.at(2), `/v1/orders/${order.id}/events`, { key });
  expect(log.body.events.map((event: { type: string }) => event.type)).toEqual([
    "order.confirmed",
    "payment.verified",
  ]);
});

test("the first-order courtesy is given once across instances, and nobody else is charged", async () => {
  const email = newEmail();
  // Other bags each, so that none repeats a purchase.
  const wanted = { email, discount_code: "FIRSTBAG" };
  const quotes = await Promise.all(
    [0, 1, 2].map((i) => readyQuote(fleet.at(i), { ...wanted, quantity: i + 1 })),
  );
  expect(await payAtOnce(quotes)).toEqual(["COURTESY_USED", "COURTESY_USED", "PAID"]);
  expect(await store().queries.customer(email)).toMatchObject({ courtesy: "REDEEMED" });
});

test("the last bags are sold to exactly as many buyers, and nobody else is charged", async () => {
  const quotes = await Promise.all(
    Array.from({ length: 9 }, (_, i) => readyQuote(fleet.at(i), { product_id: DECAF })),
  );
  const [none, sold] = [Array(4).fill("OUT_OF_STOCK"), Array(5).fill("PAID")];
  expect(await payAtOnce(quotes)).toEqual([...none, ...sold]);
});

test("housekeeping of all instances offers new bags once", async () => {
  const entries: { id: string; key: string; position: number }[] = [];
  for (const i of [0, 1, 2]) {
    const key = await register(fleet.at(i));
    const body = { product_id: WAITLISTED, quantity: 2, buyer: { email: newEmail() } };
    entries.push({ key, ...(await send(fleet.at(i + 1), "/v1/waitlist", { key, body })).body });
  }
  expect(entries.map(({ position }) => position)).toEqual([1, 2, 3]);
  for (const { id } of entries) await confirmed(fleet.instances[0]!, id);
  brought = 4;
  await merchants()[0]!.admin("cli").stock.set({ product_id: WAITLISTED, on_hand: brought });
  await Promise.all(merchants().map((merchant) => merchant.housekeeping.run()));
  const look = () =>
    Promise.all(
      entries.map(async ({ id, key }, i) => {
        const { body } = await send(fleet.at(i + 2), `/v1/waitlist/${id}`, { key });
        return body.status;
      }),
    );
  expect(await look()).toEqual(["OFFERED", "OFFERED", "WAITING"]);
  fleet.clock.advance(49 * 3_600_000);
  const kept = await Promise.all(merchants().map((merchant) => merchant.housekeeping.run()));
  expect(kept.reduce((n, { expired }) => n + expired, 0)).toBe(2);
  expect(kept.reduce((n, { offered }) => n + offered, 0)).toBe(1);
  expect(await look()).toEqual(["EXPIRED", "EXPIRED", "OFFERED"]);
});

test("a payment without a webhook is found by all reconcilers and makes one order", async () => {
  for (const { control } of fleet.instances) control.faults.webhook = () => "drop";
  // Three in a row would be an incident.
  const bought = await Promise.all([0, 1].map((i) => readyQuote(fleet.at(i))));
  for (const [i, { reviewUrl }] of bought.entries()) await payAsBuyer(shop, at(i, reviewUrl));
  const before = await fleet.rows("orders");
  await Promise.all(merchants().map(({ reconciler }) => reconciler.first()));
  for (const { control } of fleet.instances) control.faults.webhook = undefined;
  expect(await fleet.rows("orders")).toBe(before + 2);
  for (const [i, { key, quote }] of bought.entries()) {
    const order = await orderOf(fleet.at(i + 1), key, quote.id);
    expect(order.payment).toMatchObject({ status: "PAID", refunded_minor: 0 });
  }
});
