/** A provider that hangs, refuses or forgets while a page is made (contract §5). */
import { describe, expect, it } from "vitest";
import { ProviderRejected, ProviderUnavailable } from "../../src/payments/provider.ts";
import { intent } from "../support/shop.ts";
import { quoteRequest } from "../support/shopper.ts";
import { attempts, held, losing, paidPage, sessionOf, shop } from "./steps.ts";
import { MINUTE } from "./world.ts";

const unavailable = { kind: "unavailable" };

describe("a page whose answer never came", () => {
  it("is given up after two minutes, and the next click gets another", async () => {
    const world = await shop();
    const review = await world.quote({ quantity: 5, discount_code: "FIRSTBAG" });
    world.control.faults.api = () => ({ kind: "error", status: 503 });
    expect(await world.process().payments.pay(review)).toEqual(unavailable);
    world.clock.advance(1.9 * MINUTE);
    await world.process().reconciler.first();
    expect(await attempts(world, review)).toEqual([["CREATING", null]]);
    world.clock.advance(0.2 * MINUTE);
    await world.process().reconciler.run();
    world.control.faults.api = undefined;
    expect(await world.problems()).toEqual([]);
    expect(await world.process().payments.pay(review)).toMatchObject({ kind: "redirect" });
    expect(await attempts(world, review)).toEqual([
      ["ENDED", "ABANDONED"],
      ["OPEN", null],
    ]);
    expect(await world.incidents()).toEqual([]);
  });

  it.each(["/v1/checkout/sessions", "/v1/coupons"])(
    "is asked for again in the same press where the provider failed at %s: a 500 stands under its key",
    async (path) => {
      const world = await shop();
      const review = await world.quote({ discount_code: "FIRSTBAG" });
      let failures = 0;
      world.control.faults.api = (request) =>
        request.path === path && failures++ === 0
          ? { kind: "error", status: 500, effect: true }
          : null;
      expect(await world.process().payments.pay(review)).toMatchObject({ kind: "redirect" });
      expect((await attempts(world, review)).toSorted()).toEqual([
        ["ENDED", "ABANDONED"],
        ["OPEN", null],
      ]);
      expect(await world.problems()).toEqual([]);
    },
  );

  it("is given up after two such failures: nothing is held and the next press starts anew", async () => {
    const world = await shop();
    const review = await world.quote({ quantity: 5, discount_code: "FIRSTBAG" });
    let asked = 0;
    world.control.faults.api = ({ path }) => {
      if (path.endsWith("/sessions")) asked++;
      return { kind: "error", status: 500, effect: true };
    };
    expect(await world.process().payments.pay(review)).toEqual(unavailable);
    expect(asked).toBeLessThanOrEqual(2);
    expect(await held(world)).toBe(0);
    world.control.faults.api = undefined;
    expect(await world.process().payments.pay(review)).toMatchObject({ kind: "redirect" });
    expect((await attempts(world, review)).toSorted()).toEqual([
      ["ENDED", "ABANDONED"],
      ["ENDED", "ABANDONED"],
      ["OPEN", null],
    ]);
    expect(await world.problems()).toEqual([]);
  });

  it("is never shown if it comes after it was given up", async () => {
    const world = await shop();
    const review = await world.quote();
    const { provider } = world;
    const gate = Promise.withResolvers<void>();
    let calls = 0;
    const slow = world.process({
      provider: {
        ...provider,
        async createCheckout(request) {
          if (calls++ === 0) await gate.promise;
          return provider.createCheckout(request);
        },
      },
    });
    const paying = slow.payments.pay(review);
    await expect.poll(() => calls).toBe(1);
    world.clock.advance(3 * MINUTE);
    await world.process().reconciler.first();
    gate.resolve();
    const paid = await paying;
    if (paid.kind !== "redirect") throw new Error(paid.kind);
    const [first, second] = await world.store.queries.attemptsOfQuote(review.quote.id);
    expect(first).toMatchObject({ status: "ENDED", outcome: "ABANDONED" });
    expect(second).toMatchObject({ status: "OPEN", session_id: sessionOf(paid.url) });
    const sessions = await world.sessions();
    expect(sessions.find((s) => s.attemptId === first?.id)?.status).toBe("expired");
  });

  it("under a changed BASE_URL is requested anew, without an incident", async () => {
    const world = await shop();
    const review = await world.quote();
    await world.process({ provider: losing(world, "createCheckout") }).payments.pay(review);
    world.clock.advance(1000);
    const moved = world.process({ baseUrl: "http://127.0.0.1:4000" });
    expect(await moved.payments.pay(review)).toMatchObject({ kind: "redirect" });
    expect(await attempts(world, review)).toEqual([
      ["ENDED", "REJECTED"],
      ["OPEN", null],
    ]);
    expect(await world.incidents()).toEqual([]);
  });

  it("because the provider refuses every session is one incident a day, not one a press", async () => {
    const world = await shop();
    const createCheckout = () => Promise.reject(new ProviderRejected("no", "account_invalid"));
    const { payments } = world.process({ provider: { ...world.provider, createCheckout } });
    const quotes = [await world.quote(), await world.quote()];
    for (const review of [...quotes, ...quotes]) {
      expect(await payments.pay(review)).toEqual(unavailable);
    }
    expect(await world.incidents()).toEqual(["PROVIDER_REJECTED"]);
    expect(await held(world)).toBe(0);
    expect((await world.again(quotes[0]!)).state.status).toBe("CHECKOUT_READY");
    world.clock.advance(24 * 60 * MINUTE);
    await payments.pay(await world.quote());
    expect(await world.incidents()).toEqual(["PROVIDER_REJECTED", "PROVIDER_REJECTED"]);
  });
});

describe("a page that the provider does not know, after a change of the account", () => {
  const begun = async () => {
    const world = await shop();
    const review = await world.quote({ quantity: 4, discount_code: "FIRSTBAG" });
    await world.process().payments.pay(review);
    const { provider } = await shop();
    world.clock.advance(MINUTE);
    return { world, review, moved: world.process({ provider }) };
  };

  it("ends at the next check: its bags are free, with one incident", async () => {
    const { world, review, moved } = await begun();
    for (let round = 0; round < 2; round++) await moved.reconciler.run();
    expect(await attempts(world, review)).toEqual([["ENDED", "UNKNOWN"]]);
    expect(await held(world)).toBe(0);
    expect(await world.incidents()).toEqual(["PROVIDER_REJECTED"]);
    expect((await world.again(review)).state.status).toBe("CHECKOUT_READY");
  });

  const DAY = 24 * 60 * MINUTE;

  /** The account changes before an authorized payment is captured, or released because its bags are sold. */
  const calling = async (sold: boolean) => {
    const world = await shop();
    const review = await world.quote();
    const page = await paidPage(world, review);
    if (sold)
      await world.process().admin("cli").stock.set({ product_id: "kenya-nyeri", on_hand: 0 });
    const away = () => Promise.reject(new ProviderUnavailable("no answer"));
    const deaf = { ...world.provider, captureCheckout: away, releaseCheckout: away };
    await world.process({ provider: deaf }).settlements.settleSession(page);
    const { provider } = await shop();
    return { world, review, moved: world.process({ provider }).reconciler };
  };

  it("ends while the payment is released, and the buyer is told", async () => {
    const { world, review, moved } = await calling(true);
    expect(await attempts(world, review)).toEqual([["RELEASING", "OUT_OF_STOCK"]]);
    world.clock.advance(MINUTE);
    await moved.run();
    expect(await attempts(world, review)).toEqual([["ENDED", "OUT_OF_STOCK"]]);
    expect(await world.incidents()).toEqual(["PROVIDER_REJECTED"]);
  });

  it("keeps the bags of a captured payment for eight days, then ends with an incident", async () => {
    const { world, review, moved } = await calling(false);
    expect(await attempts(world, review)).toEqual([["CAPTURING", null]]);
    world.clock.advance(8 * DAY - MINUTE);
    await moved.run();
    expect(await attempts(world, review)).toEqual([["CAPTURING", null]]);
    expect(await held(world)).toBe(1);
    world.clock.advance(MINUTE + 1);
    await moved.run();
    expect(await attempts(world, review)).toEqual([["ENDED", "UNKNOWN"]]);
    expect(await held(world)).toBe(0);
    expect((await world.incidents()).sort()).toEqual(["PAYMENT_STUCK", "PROVIDER_REJECTED"]);
  });

  it("does not keep its buyer from paying on another page", async () => {
    const { world, review, moved } = await begun();
    expect(await moved.payments.pay(review)).toMatchObject({ kind: "redirect" });
    expect(await attempts(world, review)).toEqual([
      ["ENDED", "UNKNOWN"],
      ["OPEN", null],
    ]);
  });
});

it("an open page closes as soon as another quote replaces its quote", async () => {
  const world = await shop();
  const origin = { agentId: await world.agent(), finderKey: null };
  const { quotes } = world.process();
  const wanted = quoteRequest({ email: "replaced@example.com" });
  const { body: first } = await quotes.create(wanted, origin, intent());
  await quotes.checkout({ quote_id: first.id, quote_hash: first.quote_hash }, origin, intent());
  const token = quotes.reviewUrl(first.id).split("/").at(-1)!;
  await world.process().payments.pay(await world.process().reviews.find(token));
  const pages = async () => (await world.sessions()).map(({ status }) => status);
  expect(await pages()).toEqual(["open"]);
  await quotes.create({ ...wanted, replaces: first.id }, origin, intent());
  await expect.poll(pages).toEqual(["expired"]);
});

it("a hanging provider does not keep buyers waiting, and the next click finds the page", async () => {
  const world = await shop();
  const review = await world.quote();
  const gate = Promise.withResolvers<void>();
  const done = Promise.withResolvers<void>();
  const { provider } = world;
  const hanging = world.process({
    patienceMs: 10,
    provider: {
      ...provider,
      async createCheckout(request) {
        await gate.promise;
        return provider.createCheckout(request).finally(done.resolve);
      },
    },
  });
  expect(await hanging.payments.pay(review)).toEqual(unavailable);
  gate.resolve();
  await done.promise;
  expect(await world.process().payments.pay(review)).toMatchObject({ kind: "redirect" });
  expect(await world.sessions()).toHaveLength(1);
});
