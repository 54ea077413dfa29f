/** Buyers who change their minds: a newer press, a canceled page, an abandoned page. */
import { describe, expect, it, onTestFinished } from "vitest";
import type { ReviewedQuote } from "../../src/payments/checkout-request.ts";
import { ProviderUnavailable } from "../../src/payments/provider.ts";
import { readBooks } from "../support/books.ts";
import { engine, usualStore } from "../support/stores.ts";
import { attempts, held, paidPage, sessionOf, shop, unlessKilled } from "./steps.ts";
import { MINUTE, mortal, openWorld, VISA, type World } from "./world.ts";

const FIRSTBAG = { email: "first.bag@example.com", discount_code: "FIRSTBAG" };

/** The hosted page that a press of pay leads to. */
async function page(world: World, review: ReviewedQuote, network: string | null = null) {
  const paying = await world.process().payments.pay(review, { network });
  if (paying.kind !== "redirect") throw new Error(`pay led to ${paying.kind}`);
  return sessionOf(paying.url);
}

const statusOf = async (world: World, sessionId: string) =>
  (await world.provider.getCheckout(sessionId)).status;

const paidOf = async (world: World, { quote }: ReviewedQuote) =>
  (await world.store.queries.orderOfQuote(quote.id)) !== undefined;

describe("a buyer goes back and takes two bags instead, with the first-order courtesy", () => {
  it("with the same key, the older page closes and the newer one gets courtesy and bags", async () => {
    const world = await shop();
    const agentId = await world.agent();
    const one = await world.quote({ ...FIRSTBAG }, { agentId });
    const two = await world.quote({ ...FIRSTBAG, quantity: 2 }, { agentId });
    const first = await page(world, one);
    const second = await page(world, two);
    expect(await statusOf(world, first)).toBe("expired");
    expect(await attempts(world, one)).toEqual([["ENDED", "REPLACED"]]);
    expect(await held(world)).toBe(2);
    await world.sandbox.buyer.pay(second, VISA);
    await world.process().settlements.settleSession(second);
    expect(await paidOf(world, two)).toBe(true);
    const again = await world.process().payments.pay(one);
    expect(again).toEqual({ kind: "look" });
    expect((await world.again(one)).state).toMatchObject({ reason: "COURTESY_USED" });
    expect(await world.problems()).toEqual([]);
    expect(await world.incidents()).toEqual([]);
  });

  it("from the same cart, even with a corrected email", async () => {
    const world = await shop();
    const one = await world.quote({ discount_code: "FIRSTBAG" }, { cart: "page" });
    const two = await world.quote({ discount_code: "FIRSTBAG" }, { cart: "page" });
    const first = await page(world, one);
    await page(world, two);
    expect(await statusOf(world, first)).toBe("expired");
    expect(await held(world)).toBe(1);
    expect(await world.problems()).toEqual([]);
  });

  it("with the same email alone, nothing is taken over and the quote does not change", async () => {
    const world = await shop();
    const [agentId, other] = [await world.agent(), await world.agent()];
    const one = await world.quote({ ...FIRSTBAG }, { agentId });
    const first = await page(world, one);
    for (const by of [{ agentId: other }, { cart: "page" }, {}]) {
      const two = await world.quote({ ...FIRSTBAG, quantity: 2 }, by);
      const before = two.state;
      const until = world.clock.now() + 20 * MINUTE;
      expect(await world.process().payments.pay(two)).toEqual({
        kind: "taken",
        what: "COURTESY",
        until,
      });
      expect((await world.again(two)).state).toEqual(before);
    }
    expect(await statusOf(world, first)).toBe("open");
    expect(await held(world)).toBe(1);
  });

  it("if the older page is paid meanwhile, it becomes the order and the newer quote ends", async () => {
    const world = await shop();
    const agentId = await world.agent();
    const one = await world.quote({ ...FIRSTBAG }, { agentId });
    const two = await world.quote({ ...FIRSTBAG, quantity: 2 }, { agentId });
    await paidPage(world, one);
    expect(await world.process().payments.pay(two)).toEqual({ kind: "look" });
    expect([await paidOf(world, one), await paidOf(world, two)]).toEqual([true, false]);
    expect((await world.again(two)).state).toMatchObject({ reason: "COURTESY_USED" });
    expect(await world.problems()).toEqual([]);
  });

  it("during a provider outage nothing is taken over", async () => {
    const world = await shop();
    const agentId = await world.agent();
    const one = await world.quote({ ...FIRSTBAG }, { agentId });
    const two = await world.quote({ ...FIRSTBAG, quantity: 2 }, { agentId });
    await page(world, one);
    world.control.faults.api = () => ({ kind: "error", status: 503 });
    expect(await world.process().payments.pay(two)).toEqual({ kind: "unavailable" });
    expect(await attempts(world, one)).toEqual([["OPEN", null]]);
    expect(await held(world)).toBe(1);
  });

  it("of two presses at once, one gets the courtesy and nothing is held twice", async () => {
    const world = await shop();
    const agentId = await world.agent();
    const quotes = await Promise.all(
      [1, 2, 3].map((quantity) => world.quote({ ...FIRSTBAG, quantity }, { agentId })),
    );
    await Promise.all(quotes.map((review) => world.process().payments.pay(review)));
    const { attempts: rows, customers } = await readBooks(world.store);
    const live = rows.filter(({ status }) => status !== "ENDED");
    expect(live).toHaveLength(1);
    expect(customers).toMatchObject([{ courtesy: "RESERVED", courtesy_attempt: live[0]!.id }]);
    expect(await world.problems()).toEqual([]);
  });

  it("an older press whose page was still being made does not return", async () => {
    const world = await shop();
    const agentId = await world.agent();
    const one = await world.quote({ ...FIRSTBAG }, { agentId });
    const two = await world.quote({ ...FIRSTBAG, quantity: 2 }, { agentId });
    const { provider } = world;
    const createCheckout: typeof provider.createCheckout = async (request) => {
      const made = await provider.createCheckout(request);
      await page(world, two);
      return made;
    };
    const slow = world.process({ provider: { ...provider, createCheckout } });
    expect(await slow.payments.pay(one)).toEqual({ kind: "look" });
    expect(await attempts(world, one)).toEqual([["ENDED", "REPLACED"]]);
    expect(await attempts(world, two)).toEqual([["OPEN", null]]);
    const open = (await world.sessions()).filter(({ status }) => status === "open");
    expect(open.map(({ quoteHash }) => quoteHash)).toEqual([two.quote.quote_hash]);
  });
});

describe("killed at every step of a take-over", () => {
  const stride = engine() === "postgres" ? 3 : 1;
  it.each([
    ["and the older page is left", false],
    ["and both pages are paid", true],
  ])("%s: one order, one courtesy, the books balance", async (_, both) => {
    const { store } = await usualStore();
    onTestFinished(() => store.close());
    const world = await openWorld(store);
    const agentId = await world.agent();
    for (let at = 0, alive = false; !alive; at += stride) {
      if (at > 60) throw new Error("the story does not end");
      const wanted = { ...FIRSTBAG, email: `mind-${at}@example.com` };
      const one = await world.quote(wanted, { agentId });
      const two = await world.quote({ ...wanted, quantity: 2 }, { agentId });
      const older = await page(world, one);
      const { parts, died } = mortal(world, at);
      await unlessKilled(() => world.process(parts).payments.pay(two));
      // The worst moment to pay: before a new process repeats the newer press.
      if (both) await world.sandbox.buyer.pay(older, VISA);
      const paying = await world.process().payments.pay(await world.again(two));
      if (paying.kind === "redirect") {
        await world.sandbox.buyer.pay(sessionOf(paying.url), VISA);
      }
      await world.rest();
      expect([await paidOf(world, one), await paidOf(world, two)].filter(Boolean)).toHaveLength(1);
      expect(await world.problems()).toEqual([]);
      alive = !died();
    }
    expect(await held(world)).toBe(0);
  });
});

describe("a buyer who turns back", () => {
  it("on the payment page frees bags and courtesy at once and closes the page", async () => {
    const world = await shop();
    const one = await world.quote({ ...FIRSTBAG });
    const first = await page(world, one);
    const [attempt] = await world.store.queries.attemptsOfQuote(one.quote.id);
    await world.process().payments.cancel(one, attempt!.id);
    expect(await statusOf(world, first)).toBe("expired");
    expect(await held(world)).toBe(0);
    await page(world, await world.quote({ ...FIRSTBAG, quantity: 2 }));
    expect(await world.problems()).toEqual([]);
  });

  it("during a provider outage frees them at once, and a payment there counts as late", async () => {
    const world = await shop();
    const one = await world.quote({ ...FIRSTBAG });
    const first = await page(world, one);
    const [attempt] = await world.store.queries.attemptsOfQuote(one.quote.id);
    const { provider } = world;
    const expireCheckout = () => Promise.reject(new ProviderUnavailable("away"));
    const cut = world.process({ provider: { ...provider, expireCheckout } });
    await cut.payments.cancel(one, attempt!.id);
    expect(await held(world)).toBe(0);
    // Everything is still there when the payment comes, so it is an order.
    await world.sandbox.buyer.pay(first, VISA);
    await world.process().settlements.settleSession(first);
    expect(await paidOf(world, one)).toBe(true);
    expect(await world.problems()).toEqual([]);
  });

  it("cannot change another quote's payment or a finished one", async () => {
    const world = await shop();
    const [one, two] = [await world.quote(), await world.quote()];
    const first = await page(world, one);
    const [attempt] = await world.store.queries.attemptsOfQuote(one.quote.id);
    await world.process().payments.cancel(two, attempt!.id);
    await world.process().payments.cancel(two, "pay_none");
    expect(await statusOf(world, first)).toBe("open");
    await world.sandbox.buyer.pay(first, VISA);
    await world.process().settlements.settleSession(first);
    await world.process().payments.cancel(one, attempt!.id);
    expect(await paidOf(world, one)).toBe(true);
  });
});

describe("an unpaid hold lasts 20 minutes", () => {
  it("even if pressed again; then the page is closed and everything is free", async () => {
    const world = await shop();
    const one = await world.quote({ ...FIRSTBAG });
    const first = await page(world, one);
    world.clock.advance(15 * MINUTE);
    expect(await page(world, one)).toBe(first);
    world.clock.advance(5 * MINUTE - 1);
    await world.process().reconciler.run();
    expect(await held(world)).toBe(1);
    world.clock.advance(1);
    await world.process().reconciler.run();
    expect(await held(world)).toBe(0);
    expect(await statusOf(world, first)).toBe("expired");
    // The buyer's next press starts a new attempt.
    expect(await page(world, one)).not.toBe(first);
    expect(await attempts(world, one)).toEqual([
      ["ENDED", "EXPIRED"],
      ["OPEN", null],
    ]);
  });

  it("and a press closes an expired page before the background job does", async () => {
    const world = await shop();
    const one = await world.quote({ ...FIRSTBAG });
    const stranger = await world.quote(
      { ...FIRSTBAG, quantity: 2 },
      { agentId: await world.agent() },
    );
    const first = await page(world, one);
    world.clock.advance(20 * MINUTE);
    await page(world, stranger);
    expect(await statusOf(world, first)).toBe("expired");
    expect(await held(world)).toBe(2);
    expect(await world.problems()).toEqual([]);
  });
});

it("one address with many carts and emails holds at most half of a bean", async () => {
  const world = await shop();
  const kinds: string[] = [];
  for (let i = 0; i < 12; i++) {
    const review = await world.quote({ quantity: 100 }, { cart: `page ${i}` });
    await world.process().admin("cli").stock.set({ product_id: "kenya-nyeri", on_hand: 1000 });
    kinds.push((await world.process().payments.pay(review, { network: "net" })).kind);
  }
  expect(kinds).toEqual([...Array(5).fill("redirect"), ...Array(7).fill("taken")]);
  expect(await held(world)).toBe(500);
  const other = await world.quote({ quantity: 100 });
  expect((await world.process().payments.pay(other, { network: "other" })).kind).toBe("redirect");
});
