/**
 * The reconciler checks everything open, in any number of processes, and never gets stuck.
 */

import { expect, it, onTestFinished } from "vitest";
import { prepareDatabase } from "../../src/merchant/installation.ts";
import { ProviderUnavailable } from "../../src/payments/provider.ts";
import { countRows } from "../support/all-rows.ts";
import { CATALOG } from "../support/catalog.ts";
import { VISA } from "../support/shopper.ts";
import { usualStore } from "../support/stores.ts";
import {
  attempts,
  losing,
  paidPage,
  questions,
  sessionOf,
  shop,
  standingOf,
  webhook,
} from "./steps.ts";
import { MINUTE } from "./world.ts";

it("at its start a process checks everything open, due or not", async () => {
  const world = await shop();
  const pages = [];
  for (let i = 0; i < 5; i++) pages.push(await paidPage(world, await world.quote()));
  await world.process().reconciler.run();
  expect(await countRows(world.store, "orders")).toBe(0);
  // One page holds fewer than there are.
  await world.process().reconciler.first({ limit: 2 });
  expect(await countRows(world.store, "orders")).toBe(5);
  expect(await world.problems()).toEqual([]);
});

it("after the clock jumped ahead and was set back, everything open is checked", async () => {
  const world = await shop();
  const { reconciler } = world.process();
  await reconciler.run();
  world.clock.advance(2 * 60 * MINUTE);
  const page = await paidPage(world, await world.quote());
  await reconciler.run();
  const told = world.process().webhooks;
  const received = await told.receive(...webhook(world, page));
  expect(received?.fresh).toBe(true);
  world.clock.advance(-2 * 60 * MINUTE);
  await reconciler.run();
  expect(await countRows(world.store, "orders")).toBe(1);
  expect(await world.store.queries.dueWebhooks(Number.MAX_SAFE_INTEGER, 10)).toEqual([]);
});

it("a payment that a restored database does not know is one incident", async () => {
  const world = await shop();
  await paidPage(world, await world.quote());
  const { store: copy } = await usualStore();
  onTestFinished(() => copy.close());
  await prepareDatabase(copy, () => CATALOG, { mode: "sandbox", now: world.clock.now() });
  const another = world.process({ store: copy, secret: Buffer.alloc(32, 1) });
  await another.reconciler.sweep();
  expect(await copy.queries.allIncidents()).toEqual([]);
  const older = world.process({ store: copy });
  for (let round = 0; round < 2; round++) expect(await older.reconciler.sweep()).toBe(0);
  expect(await copy.queries.allIncidents()).toMatchObject([
    { kind: "PAYMENT_UNKNOWN", detail: expect.stringContaining("$32.00 was paid") },
  ]);
});

it("an open page is checked less and less often, and closed at its end", async () => {
  const world = await shop();
  const paying = await world.process().payments.pay(await world.quote());
  if (paying.kind !== "redirect") throw new Error(paying.kind);
  const { asked, provider } = questions(world);
  const { reconciler } = world.process({ provider });
  for (let half = 0; half < 78; half++) {
    world.clock.advance(MINUTE / 2);
    await reconciler.run();
  }
  expect(asked.get(sessionOf(paying.url))).toBeLessThan(12);
  expect(await world.sessions()).toMatchObject([{ status: "open" }]);
  world.clock.advance(MINUTE);
  for (let more = 0; more < 5; more++) {
    await reconciler.run();
    world.clock.advance(MINUTE);
  }
  expect(await world.sessions()).toMatchObject([{ status: "expired" }]);
  expect(await world.problems()).toEqual([]);
});

it("an open page is closed once its bags are sold", async () => {
  const world = await shop();
  const review = await world.quote();
  const paying = await world.process().payments.pay(review);
  await world.process().admin("cli").stock.set({ product_id: "kenya-nyeri", on_hand: 0 });
  world.clock.advance(MINUTE);
  await world.process().reconciler.run();
  expect(paying.kind).toBe("redirect");
  expect(await world.sessions()).toMatchObject([{ status: "expired" }]);
  const sold = { status: "INVALIDATED", reason: "OUT_OF_STOCK" };
  expect(await standingOf(world, review)).toMatchObject(sold);
});

it("an open page is closed once its discount is used", async () => {
  const world = await shop();
  const wanted = { email: "twice@example.com", discount_code: "FIRSTBAG" };
  const [first, second] = [await world.quote(wanted), await world.quote(wanted)];
  const { payments, settlements, reconciler } = world.process();
  const open = await payments.pay(first);
  if (open.kind !== "redirect") throw new Error(open.kind);
  await settlements.settleSession(await paidPage(world, second));
  expect(await attempts(world, second)).toEqual([["PAID", null]]);
  world.clock.advance(MINUTE);
  await reconciler.run();
  expect(await world.provider.getCheckout(sessionOf(open.url))).toMatchObject({
    status: "expired",
  });
  const used = { status: "INVALIDATED", reason: "COURTESY_USED" };
  expect(await standingOf(world, first)).toMatchObject(used);
});

it("a payment that cannot be captured is an incident after ten minutes, then one a day", async () => {
  const world = await shop();
  const page = await paidPage(world, await world.quote());
  world.control.faults.api = ({ path }) =>
    path.endsWith("/capture") ? { kind: "error", status: 503 } : null;
  const { settlements, reconciler } = world.process();
  await settlements.settleSession(page);
  const stuck = async (minutes: number) => {
    world.clock.advance(minutes * MINUTE);
    await reconciler.run();
    return (await world.incidents()).filter((kind) => kind === "PAYMENT_STUCK").length;
  };
  const DAY = 24 * 60;
  const told = [];
  for (const wait of [9, 1, 1, 60, DAY - 72, 1, 1, DAY - 1]) told.push(await stuck(wait));
  expect(told).toEqual([0, 1, 1, 1, 1, 2, 2, 3]);
  world.control.faults.api = undefined;
  await stuck(1);
  expect(await countRows(world.store, "orders")).toBe(1);
  expect(await world.problems()).toEqual([]);
});

it("a payment captured by a process that died is ordered by its own webhook", async () => {
  const world = await shop();
  const page = await paidPage(world, await world.quote());
  const deaf = world.process({ provider: losing(world, "captureCheckout") });
  await deaf.settlements.settleSession(page);
  expect(await countRows(world.store, "orders")).toBe(0);
  const { payment_ref: id } = (await world.store.queries.attemptBySession(page))!;
  const data = { object: { id, object: "payment_intent" } };
  const { webhooks } = world.process();
  const event = webhook(world, page, { type: "payment_intent.succeeded", data });
  await webhooks.process((await webhooks.receive(...event))!.event);
  expect(await countRows(world.store, "orders")).toBe(1);
});

it("a buyer who checks again asks the provider, at most once in ten seconds", async () => {
  const world = await shop();
  const review = await world.quote();
  const { payments } = world.process();
  await payments.pay(review);
  let calls = 0;
  world.control.faults.api = () => {
    calls++;
    return null;
  };
  for (let i = 0; i < 3; i++) await payments.checkAgain(review);
  expect(calls).toBe(1);
  await paidPage(world, review);
  world.clock.advance(10_000);
  await payments.checkAgain(review);
  expect(await countRows(world.store, "orders")).toBe(1);
});

it("a buyer who checks a settling debit again and again asks the provider once", async () => {
  const world = await shop({ bankDebitDelayMs: 5 * 24 * 60 * MINUTE });
  const review = await world.quote();
  await paidPage(world, review, "bank_debit");
  const { payments } = world.process();
  await payments.checkAgain(review);
  let calls = 0;
  world.control.faults.api = () => {
    calls++;
    return null;
  };
  await Promise.all(Array.from({ length: 100 }, () => payments.checkAgain(review)));
  expect(calls).toBe(0);
  world.clock.advance(10_000);
  await Promise.all(Array.from({ length: 100 }, () => payments.checkAgain(review)));
  // One look among the buyers' calls, one to settle what it found.
  expect(calls).toBeLessThanOrEqual(2);
});

it("a debit is read every few hours, not every minute", async () => {
  const world = await shop({ bankDebitDelayMs: 5 * 24 * 60 * MINUTE });
  const page = await paidPage(world, await world.quote(), "bank_debit");
  const { asked, provider } = questions(world);
  const { reconciler } = world.process({ provider });
  for (let minutes = 0; minutes < 4 * 24 * 60; minutes += 10) {
    world.clock.advance(10 * MINUTE);
    await reconciler.run();
  }
  expect(asked.get(page)).toBeLessThan(50);
  world.clock.advance(2 * 24 * 60 * MINUTE);
  await world.sandbox.tick();
  await reconciler.run();
  expect(await countRows(world.store, "orders")).toBe(1);
});

it("attempts whose check always fails do not delay others", async () => {
  const world = await shop();
  const stuck = new Set<string>();
  for (let i = 0; i < 6; i++) stuck.add(await paidPage(world, await world.quote()));
  const good = await paidPage(world, await world.quote());
  const { provider } = world;
  const getCheckout: typeof provider.getCheckout = (id) =>
    stuck.has(id) ? Promise.reject(new Error("this one always fails")) : provider.getCheckout(id);
  const { reconciler } = world.process({ provider: { ...provider, getCheckout } });
  world.clock.advance(MINUTE);
  for (let round = 0; round < 3; round++) await reconciler.run({ limit: 3 });
  expect((await world.store.queries.attemptBySession(good))?.status).toBe("PAID");
  expect(await countRows(world.store, "orders")).toBe(1);
});

it("during an outage the provider is not asked a hundred times", async () => {
  const world = await shop();
  for (let i = 0; i < 60; i++) await paidPage(world, await world.quote());
  let calls = 0;
  world.control.faults.api = () => {
    calls++;
    return { kind: "error", status: 503 };
  };
  world.clock.advance(MINUTE);
  await world.process().reconciler.run();
  expect(calls).toBeGreaterThan(0);
  expect(calls).toBeLessThan(30);
  world.control.faults.api = undefined;
  world.clock.advance(MINUTE);
  await world.process().reconciler.run();
  expect(await countRows(world.store, "orders")).toBe(60);
});

it("the sweep releases a payment on a page that was made after its attempt was given up", async () => {
  const world = await shop();
  const review = await world.quote();
  const { provider } = world;
  const createCheckout: typeof provider.createCheckout = async (request) => {
    const made = await provider.createCheckout(request);
    world.clock.advance(3 * MINUTE);
    await world.process().reconciler.first();
    return made;
  };
  // It cannot be closed either, so it stays open at the provider.
  const expireCheckout = () => Promise.reject(new ProviderUnavailable("no answer"));
  const late = world.process({ provider: { ...provider, createCheckout, expireCheckout } });
  expect(await late.payments.pay(review)).toEqual({ kind: "unavailable" });
  const [page] = await world.sessions();
  await world.sandbox.buyer.pay(page!.sessionId, VISA);
  expect(await world.process().reconciler.sweep()).toBe(1);
  expect(await world.sessions()).toMatchObject([{ payment: "canceled" }]);
  expect((await world.again(review)).state.status).toBe("CHECKOUT_READY");
  expect(await world.process().reconciler.sweep()).toBe(0);
  expect(await world.problems()).toEqual([]);
});

it.each([
  ["by card is released", VISA, "canceled", "CHECKOUT_READY"],
  ["by a debit becomes an order", "bank_debit", "paid", "PAID"],
])("what was paid on a page whose address never came, %s", async (_, card, payment, status) => {
  const world = await shop();
  const review = await world.quote({ discount_code: "FIRSTBAG" });
  const deaf = world.process({ provider: losing(world, "createCheckout") });
  expect(await deaf.payments.pay(review)).toEqual({ kind: "unavailable" });
  const [page] = await world.sessions();
  world.clock.advance(3 * MINUTE);
  await world.process().reconciler.first();
  expect(await attempts(world, review)).toEqual([["ENDED", "ABANDONED"]]);
  await world.sandbox.buyer.pay(page!.sessionId, card);
  await world.control.settleBankDebit(page!.sessionId, true);
  expect(await world.process().reconciler.sweep()).toBe(1);
  expect(await world.sessions()).toMatchObject([{ payment }]);
  expect((await world.again(review)).state.status).toBe(status);
  expect(await world.incidents()).toEqual([]);
  expect(await world.problems()).toEqual([]);
});

it("a stopped round starts nothing new", async () => {
  const world = await shop();
  await paidPage(world, await world.quote());
  const { asked, provider } = questions(world);
  world.clock.advance(MINUTE);
  await world.process({ provider }).reconciler.first({ signal: AbortSignal.abort() });
  expect(asked.size).toBe(0);
});
