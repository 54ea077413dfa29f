/**
 * An instance whose process is frozen for a minute during its work, by the shop's faster clock,
 * which also shortens all time limits of the product.
 */

import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { problemsOf, readBooks } from "../support/books.ts";
import { STOCKED } from "../support/catalog.ts";
import { type Fleet, startFleet } from "../support/fleet.ts";
import type { Process } from "../support/process.ts";
import * as buy from "../support/purchase.ts";
import { scratchFolder } from "../support/scratch-folder.ts";
import type { TestService } from "../support/service.ts";
import { type Answer, payAt, persist, quoteRequest, register, send } from "../support/shopper.ts";
import { FAST_INSTANCE, fastClock, SPEED } from "./fast-clock.ts";
import { type Begun, freeze, readersAt } from "./freeze.ts";

const OPENING_STOCK = {
  [STOCKED]: 1000,
  "rwanda-huye": 0,
  "peru-cajamarca-decaf": 5,
  "yemen-haraz": 0,
};

/** A minute of the shop. */
const FROZEN_MS = 60_000 / SPEED;

/** Purchases from the others during the freeze. */
const SOLD = 8;

/**
 * The server ends an idle transaction after three seconds, and clients retry a second later.
 */
const FREE_WITHIN_MS = 6000;

const BACK_WITHIN_MS = 10_000;

/** Limit of a purchase, which is eight requests. */
const SLOW_MS = 5000;

/** The other instances. */
let fleet: Fleet;
let still: Process;
let shop: string;
let key: string;
beforeAll(async () => {
  const env = { CATALOG_FILE: await buy.catalogWith(await scratchFolder("beans"), OPENING_STOCK) };
  const begun = Date.now();
  fleet = await startFleet(2, env, { now: fastClock(begun), advance: () => {} });
  shop = fleet.balancer.url;
  still = await fleet.spawn({ CLOCK_BEGUN: String(begun) }, { command: [FAST_INSTANCE] });
  // Its own address is used instead.
  fleet.balancer.targets.pop();
  key = await register(shop);
});
afterAll(async () => {
  await fleet?.stop();
});

const press = (base: string, reviewUrl: string) =>
  send("", base + new URL(reviewUrl).pathname, buy.form({}));

const asked = Array.from({ length: 6 }, (_, i) => ({
  idempotencyKey: `before-the-minute-${i}`,
  body: quoteRequest({ email: buy.newEmail() }),
}));

const ask = (base: string, i: number) => send(base, "/v1/quote-requests", { key, ...asked[i]! });

/** Lets the others write the rows it had locked, and returns the payment pages. */
const pressElsewhere = (reviewUrls: readonly string[]) =>
  Promise.all(
    reviewUrls.map(async (reviewUrl, i) => {
      const opened = await persist(() => press(fleet.at(i), reviewUrl), FREE_WITHIN_MS);
      expect(opened.headers.get("location")).toContain("/sandbox/");
      return opened.headers.get("location") ?? "";
    }),
  );

/**
 * Buys from the others until that moment, and at least SOLD times. Returns the duration of the slowest
 * purchase, and their number.
 */
async function sellOn(until: number) {
  let slowest = 0;
  let sold = 0;
  for (; sold < SOLD || performance.now() < until; sold++) {
    const began = performance.now();
    const { order } = await buy.purchase(shop, {}, key);
    expect(order.payment).toMatchObject({ status: "PAID", refunded_minor: 0 });
    slowest = Math.max(slowest, performance.now() - began);
    await delay(Math.max(0, Math.min(5000 / SPEED, until - performance.now())));
  }
  return { slowest, sold };
}

/** Its clients get the right response or a retryable error, and then the others' response. */
async function expectAnswered(begun: Begun, given: readonly Answer[]) {
  for (const { status } of await Promise.all(begun.pressed))
    expect([303, 408, 503]).toContain(status);
  for (const [i, answer] of (await Promise.all(begun.quoted)).entries()) {
    // 408: a request that was not read before the freeze has timed out, was not started, and is
    // retried.
    expect([201, 408, 503]).toContain(answer.status);
    if (answer.status === 201) expect(answer.text).toBe(given[i]!.text);
    const replay = await ask(still.baseUrl, i);
    expect(replay.text).toBe(given[i]!.text);
    expect(replay.headers.get("idempotent-replayed")).toBe("true");
  }
}

/** Everything happened once, and completely. */
async function expectBalance() {
  const [one] = fleet.instances as [TestService];
  const sessions = [];
  for await (const session of one.provider.listCheckouts(0)) {
    sessions.push(session);
  }
  expect(problemsOf(await readBooks(one.store), { broughtIn: OPENING_STOCK, sessions })).toEqual(
    [],
  );
  expect(await fleet.rows("refunds")).toBe(0);
  expect(await one.store.queries.allIncidents()).toEqual([]);
}

test("a frozen instance blocks others only briefly, and continues normally after a minute", async () => {
  const before = await buy.purchase(shop, {}, key);
  const ready = await Promise.all(
    Array.from({ length: 3 }, () => buy.readyQuote(shop, { email: buy.newEmail() }, key)),
  );
  const reviews = ready.map(({ reviewUrl }) => reviewUrl);
  const [quotes, attempts] = [await fleet.rows("quotes"), await fleet.rows("attempts")];
  const news = await readersAt(still, key, before.order.id);
  const [first, ...more] = reviews.map((url) => () => press(still.baseUrl, url));
  const quoting = asked.map((_, i) => () => ask(still.baseUrl, i));
  const begun = await freeze(still, fleet.databaseUrl, { first: first!, quotes: quoting, more });

  const retried = () =>
    Promise.all(asked.map((_, i) => persist(() => ask(fleet.at(i), i), FREE_WITHIN_MS)));
  const [hosted, again] = await Promise.all([pressElsewhere(reviews), retried()]);
  expect(performance.now() - begun.at).toBeLessThan(FREE_WITHIN_MS);
  expect(again.map(({ status }) => status)).toEqual(asked.map(() => 201));
  await payAt(hosted[0]!);
  await buy.orderOf(shop, key, ready[0]!.quote.id);
  await fleet.instances[0]!.service.merchant.admin("desk").orders.roast({
    order_id: before.order.id,
  });
  const { slowest, sold } = await sellOn(begun.at + FROZEN_MS);
  expect(sold).toBeGreaterThanOrEqual(SOLD);
  expect(slowest).toBeLessThan(SLOW_MS);
  expect(performance.now() - begun.at).toBeGreaterThanOrEqual(FROZEN_MS);

  still.signal("SIGCONT");
  await vi.waitFor(async () => expect((await send(still.baseUrl, "/readyz")).status).toBe(200), {
    timeout: BACK_WITHIN_MS,
    interval: 100,
  });
  await expectAnswered(begun, again);
  const { body } = await news.polled;
  expect(body.events.map(({ type }: { type: string }) => type)).toContain("order.roasting");
  expect(await news.told).toBe(`coffee://orders/${before.order.id}`);

  // It sells like any other: paid quotes are paid, open ones are open, and new ones work.
  expect((await press(still.baseUrl, reviews[0]!)).headers.get("location")).toContain("/review/");
  expect((await press(still.baseUrl, reviews[1]!)).headers.get("location")).toBe(hosted[1]);
  await payAt(still.baseUrl + new URL(hosted[1]!).pathname);
  await buy.orderOf(still.baseUrl, key, ready[1]!.quote.id);
  await buy.purchase(still.baseUrl, {}, key);
  expect(await fleet.rows("quotes")).toBe(quotes + asked.length + sold + 1);
  expect(await fleet.rows("attempts")).toBe(attempts + ready.length + sold + 1);
  await expectBalance();
});
