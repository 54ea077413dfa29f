/** Bank debits, refunds and disputes found by checks and reported once (contract §5). */
import { describe, expect, it } from "vitest";
import type { PaymentProvider } from "../../src/payments/provider.ts";
import { readBooks } from "../support/books.ts";
import { held, paidPage, shop, standingOf } from "./steps.ts";

describe("a bank debit", () => {
  it("keeps its bags while it is processing, and becomes an order days later", async () => {
    const world = await shop({ bankDebitDelayMs: 5 * 86_400_000 });
    const review = await world.quote({ quantity: 4, discount_code: "FIRSTBAG" });
    await paidPage(world, review, "bank_debit");
    expect(await held(world)).toBe(0);
    for (let day = 0; day < 4; day++) {
      world.clock.advance(86_400_000);
      await world.process().reconciler.run();
      expect(await held(world)).toBe(4);
      expect((await world.again(review)).state.status).toBe("PROCESSING");
      expect(await world.process().payments.pay(review)).toEqual({ kind: "look" });
    }
    world.clock.advance(86_400_000);
    await world.process().reconciler.run();
    expect((await world.again(review)).state.status).toBe("PAID");
    expect(await world.problems()).toEqual([]);
  });

  it("that fails releases everything, and the quote can be paid by card", async () => {
    const world = await shop();
    const review = await world.quote({ discount_code: "FIRSTBAG" });
    const sessionId = await paidPage(world, review, "bank_debit");
    await world.process().reconciler.first();
    await world.control.settleBankDebit(sessionId, false);
    await world.process().reconciler.first();
    expect(await held(world)).toBe(0);
    await paidPage(world, review);
    await world.process().reconciler.first();
    expect((await readBooks(world.store)).customers).toMatchObject([{ courtesy: "REDEEMED" }]);
    expect(await world.problems()).toEqual([]);
  });
});

it("a debit whose bags were sold before it was noticed is refunded, with an incident", async () => {
  const world = await shop();
  const decaf = { product_id: "peru-cajamarca-decaf", quantity: 3 };
  await world.process().admin("cli").stock.set({ product_id: decaf.product_id, on_hand: 4 });
  const [late, other] = await Promise.all([world.quote(decaf), world.quote(decaf)]);
  const page = await paidPage(world, late, "bank_debit");
  await world.process().settlements.settleSession(await paidPage(world, other));
  await world.process().settlements.settleSession(page);
  expect((await world.again(late)).state.status).toBe("PROCESSING");
  await world.control.settleBankDebit(page, true);
  await world.process().settlements.settleSession(page);
  await world.process().reconciler.first();
  const stock = await world.store.queries.stock();
  expect(stock.find((row) => row.product_id === decaf.product_id)?.on_hand).toBe(1);
  expect(await world.incidents()).toEqual(["PAID_TOO_LATE"]);
  const lost = { status: "INVALIDATED", reason: "PAID_TOO_LATE" };
  expect(await standingOf(world, late)).toMatchObject(lost);
  const { refunds } = await readBooks(world.store);
  expect(refunds).toMatchObject([{ status: "DONE", amount_minor: late.quote.total_minor }]);
});

describe("after the order", () => {
  const ordered = async () => {
    const world = await shop();
    const review = await world.quote();
    const page = await paidPage(world, review);
    await world.process().reconciler.first();
    const order = async () => world.store.queries.orderOfQuote(review.quote.id);
    return { world, page, order };
  };

  it("an older answer does not reopen a closed dispute", async () => {
    const { world, page, order } = await ordered();
    await world.control.dispute(page);
    await world.process().settlements.settleSession(page);
    const gate = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const provider: PaymentProvider = {
      ...world.provider,
      async getCheckout(id) {
        const answer = await world.provider.getCheckout(id);
        asked.resolve();
        await gate.promise;
        return answer;
      },
    };
    const slow = world.process({ provider }).settlements.settleSession(page);
    await asked.promise;
    await world.control.closeDispute(page, "won");
    await world.process().settlements.settleSession(page);
    gate.resolve();
    await slow;
    expect(await order()).toMatchObject({ payment_status: "PAID", last_sequence: 4 });
    expect(await world.problems()).toEqual([]);
  });

  it("the provider is asked less and less often, and never after four months", async () => {
    const { world, order } = await ordered();
    let questions = 0;
    world.control.faults.api = () => {
      questions++;
      return null;
    };
    for (let day = 0; day < 50; day++) {
      world.clock.advance(4 * 86_400_000);
      await world.process().reconciler.run();
    }
    expect(questions).toBeGreaterThan(4);
    expect(questions).toBeLessThan(12);
    const attempt = await world.store.queries.attempt((await order())!.attempt_id);
    expect(attempt?.check_at).toBeNull();
  });

  it("a payment refunded before the first check becomes a refunded order", async () => {
    const world = await shop();
    const review = await world.quote();
    const page = await paidPage(world, review);
    await world.control.captureOutside(page);
    await world.control.refundOutside(page);
    await world.process().reconciler.first();
    const order = await world.store.queries.orderOfQuote(review.quote.id);
    expect(order).toMatchObject({ payment_status: "REFUNDED", refunded_minor: 3200 });
    expect(await world.problems()).toEqual([]);
  });
});
