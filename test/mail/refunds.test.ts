/** Letters about refunds, and about payments that made no order. */
import { expect, it } from "vitest";
import { insert, update } from "../../src/core/command.ts";
import { paymentId, sessionIdOf } from "../../src/payments/sandbox/session.ts";
import { write } from "../db/rules.ts";
import { STOCKED } from "../support/catalog.ts";
import { dispute } from "../support/rows.ts";
import { intent, quoteFor, settleAs, startPaying } from "../support/shop.ts";
import { about, BUYER, failRefund, mailedOrder, mailShop } from "./postbox.ts";

/** An order that the merchant refunds in part. */
async function refundable() {
  const mailed = await mailedOrder();
  const { shop, orderId } = mailed;
  const refund = (amount_minor: number) =>
    shop.admin.orders.refund({ order_id: orderId, amount_minor });
  const refunds = () => shop.store.queries.refundsOfOrders([orderId]);
  return { ...mailed, refund, refunds };
}

/** A payment that came after its session had expired, and is refunded because nothing is left. */
async function latePayment() {
  const mailed = await mailShop();
  const { shop, agentId } = mailed;
  const quote = await quoteFor(shop, { agentId });
  const attempt = await startPaying(shop, quote.id);
  await settleAs(shop, attempt, "expired");
  await shop.admin.stock.set({ product_id: STOCKED, on_hand: 0 });
  await settleAs(shop, attempt, "paid");
  const [refund] = await shop.store.queries.refundsOfPayments([
    paymentId({ id: attempt.session_id! }),
  ]);
  /** Makes the letters of one kind due again. */
  const again = async (kind: string) => {
    const letters = (await shop.merchant.mail.list()).filter((one) => one.kind === kind);
    const due = { sent_at: null, try_at: shop.clock.now() };
    const updates = letters.map(({ id }) => update("outbox", { id }, due));
    await shop.store.run(write, updates);
    return letters.length;
  };
  return { ...mailed, quote, refund: refund!, again };
}

it("a refund that failed before its letter left is not announced as made", async () => {
  const { shop, refund, refunds, told } = await refundable();
  await refund(500);
  await refund(700);
  shop.clock.advance(1);
  await failRefund(shop, (await refunds()).find((row) => row.amount_minor === 500)!);
  expect(await told()).toMatchObject(about("$7.00 refunded", "$5.00 could not be refunded yet"));
});

it("a refund that fails after its letter left gets another letter, unless it was repeated", async () => {
  const { shop, orderId, refund, refunds, told } = await refundable();
  const fail = async () => {
    shop.clock.advance(60_000);
    await failRefund(shop, (await refunds()).findLast(({ status }) => status === "DONE")!);
  };
  await refund(500);
  expect(await told()).toMatchObject(about("$5.00 refunded"));
  await fail();
  const letters = await told();
  expect(letters).toMatchObject(about("$5.00 could not be refunded yet"));
  expect(letters[0]?.text).toContain("We still have the money and will sort it out with you.");
  shop.clock.advance(60_000);
  await refund(500);
  await fail();
  await refund(500);
  expect(await told()).toMatchObject(about("$5.00 refunded"));
  // The shop no longer has money that the buyer's bank took back.
  await fail();
  const { payment_ref, amount_minor } = (await shop.store.queries.order(orderId))!;
  const lost = { status: "LOST", closed_at: shop.clock.now() } as const;
  const row = dispute({ ...lost, order_id: orderId, payment_ref, amount_minor });
  await shop.store.run(write, [insert("disputes", row)]);
  expect(await told()).toEqual([]);
});

it("a bank debit that makes no order gets a letter", async () => {
  const { shop, agentId, told } = await mailShop();
  const quote = await quoteFor(shop, { agentId });
  await settleAs(shop, await startPaying(shop, quote.id), "failed");
  const [refused, ...more] = await told();
  expect([refused?.to, more]).toEqual([BUYER, []]);
  expect(refused?.subject).toContain("Your payment didn’t go through");
  expect(refused?.text).toContain("declined the debit of $32.00");
  expect(refused?.text).toContain(`https://coffee.test/review/${quote.id}.`);
  expect(refused?.text).toContain("play money");
  // Declined again, and paid before that letter left.
  await settleAs(shop, await startPaying(shop, quote.id), "failed");
  await settleAs(shop, await startPaying(shop, quote.id), "paid");
  expect(await told()).toMatchObject(about("Thank you"));
});

it("a late payment gets a letter about its refund, unless that failed", async () => {
  const { shop, refund, again, told } = await latePayment();
  await again("NOT_ORDERED");
  const late = await told();
  expect(late).toMatchObject(about("We’re refunding"));
  expect(late[0]?.text).toContain("$32.00");
  await shop.store.run(write, [update("refunds", { id: refund.id }, { status: "FAILED" })]);
  expect([await again("NOT_ORDERED"), await told()]).toEqual([1, []]);
});

it("a failed refund of a payment without an order gets a letter and is on the quote's page", async () => {
  const { shop, agentId, quote, refund, again, told } = await latePayment();
  await told();
  shop.clock.advance(1000);
  await failRefund(shop, refund);
  const [failed, ...more] = await told();
  expect([failed?.to, more]).toEqual([BUYER, []]);
  const owed = "$32.00 could not be refunded yet";
  expect(failed?.subject).toContain(owed);
  expect(failed?.text).toContain("We still have the money and will sort it out with you.");
  const page = failed?.text.match(/\/review\/(\S+)/)?.[1] ?? "";
  expect(await shop.merchant.reviews.open(page)).toMatchObject({ standing: { owedMinor: 3200 } });
  const read = async () =>
    JSON.stringify((await shop.merchant.quotes.get(quote.id, agentId)).messages);
  expect(await read()).toContain(owed);
  const asked = { quote_id: quote.id, quote_hash: quote.quote_hash };
  const link = shop.merchant.quotes.checkout(asked, { agentId, finderKey: null }, intent());
  await expect(link).rejects.toThrow(owed);
  // Refunded by hand at the provider: nothing is owed, and no letter follows.
  shop.clock.advance(1);
  const sessionId = sessionIdOf(refund.payment_ref);
  await shop.control.refundOutside(sessionId);
  shop.clock.advance(999);
  await shop.merchant.settlements.settleSession(sessionId);
  expect(await shop.merchant.reviews.open(page)).toMatchObject({ standing: { owedMinor: 0 } });
  expect(await read()).not.toContain("could not be refunded");
  expect([await again("REFUND_FAILED"), await told()]).toEqual([1, []]);
});

it("a failed refund of a late payment gets a letter even if its quote was ordered later", async () => {
  const { shop, told } = await mailShop();
  const quote = await quoteFor(shop, { agentId: null });
  const late = await startPaying(shop, quote.id);
  await settleAs(shop, late, "expired");
  const ordered = await settleAs(shop, await startPaying(shop, quote.id), "paid");
  expect(ordered.status).toBe("PAID");
  await settleAs(shop, late, "paid");
  const [refund] = await shop.store.queries.refundsOfPayments([
    paymentId({ id: late.session_id! }),
  ]);
  // A refund without an order, because the order came after the late payment.
  await shop.store.run(write, [update("refunds", { id: refund!.id }, { order_id: null })]);
  await told();
  shop.clock.advance(1000);
  await failRefund(shop, refund!);
  expect(await told()).toMatchObject(about("$32.00 could not be refunded yet"));
});
