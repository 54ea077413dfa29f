/** Payments that must not be kept are refunded in full, once, automatically (contract §5). */
import { describe, expect, it, test } from "vitest";
import type { ReviewedQuote } from "../../src/payments/checkout-request.ts";
import {
  type ProviderRefund,
  ProviderUnavailable,
  RefundRefused,
} from "../../src/payments/provider.ts";
import { allRows } from "../support/all-rows.ts";
import { readBooks } from "../support/books.ts";
import { intent } from "../support/shop.ts";
import { held, paidPage, sessionOf, shop } from "./steps.ts";
import { MINUTE, type World } from "./world.ts";

describe("a full refund", () => {
  /** A payment of the wrong amount: somebody has captured a part of it in the provider's dashboard. */
  async function wrong(world: World): Promise<{ review: ReviewedQuote; page: string }> {
    const review = await world.quote();
    const page = await paidPage(world, review);
    await world.control.captureOutside(page, 3100);
    return { review, page };
  }

  const refunds = async ({ store }: World) =>
    (await readBooks(store)).refunds.map(({ reason, status }) => [reason, status]);

  it("of a wrong amount is made once, with an incident and no order", async () => {
    const world = await shop();
    const { review } = await wrong(world);
    for (let i = 0; i < 3; i++) await world.process().reconciler.first();
    expect(await refunds(world)).toEqual([["WRONG_AMOUNT", "DONE"]]);
    expect(await world.incidents()).toEqual(["WRONG_AMOUNT"]);
    const { state } = await world.again(review);
    expect(state).toMatchObject({ status: "INVALIDATED", reason: "WRONG_AMOUNT" });
    expect(await world.problems()).toEqual([]);
    expect(await held(world)).toBe(0);
  });

  it("is looked up before a repeat when the provider has forgotten its key", async () => {
    const world = await shop();
    const { page } = await wrong(world);
    const { provider } = world;
    const refund: typeof provider.refund = async (ref, options) => {
      await provider.refund(ref, { ...options, amountMinor: 3000 });
      throw new ProviderUnavailable("lost");
    };
    const deaf = { provider: { ...provider, refund } };
    await world.process(deaf).reconciler.first();
    await world.control.refundOutside(page);
    world.clock.advance(25 * 60 * MINUTE);
    const never = () => Promise.reject(new Error("asked again"));
    await world.process({ provider: { ...provider, refund: never } }).reconciler.run();
    expect((await refunds(world)).toSorted()).toEqual([
      ["OUTSIDE", "DONE"],
      ["WRONG_AMOUNT", "DONE"],
    ]);
    expect(await world.problems()).toEqual([]);
  });

  const madeOf = (status: ProviderRefund["status"]): ProviderRefund => ({
    id: "re_1",
    refundId: "whatever",
    amountMinor: 3100,
    status,
    problem: null,
    createdAt: 0,
  });

  test.each<[string, () => Promise<ProviderRefund>, string, string[]]>([
    [
      "was made by somebody else before",
      () => Promise.reject(new RefundRefused("NOTHING_LEFT", "done", "charge_already_refunded")),
      "CANCELED",
      [],
    ],
    [
      "is refused for good",
      () => Promise.reject(new RefundRefused("OTHER", "no", "charge_not_refundable")),
      "FAILED",
      ["REFUND_FAILED"],
    ],
    ["comes to nothing", async () => madeOf("failed"), "FAILED", ["REFUND_FAILED"]],
  ])("that %s: %#", async (_, refund, status, incidents) => {
    const world = await shop();
    const { review } = await wrong(world);
    const asked = async (...[, request]: Parameters<typeof world.provider.refund>) => {
      const made = await refund();
      return { ...made, refundId: request.refundId };
    };
    const process = world.process({ provider: { ...world.provider, refund: asked } });
    for (let i = 0; i < 3; i++) await process.reconciler.first();
    expect(await refunds(world)).toEqual([["WRONG_AMOUNT", status]]);
    expect(new Set(await world.incidents())).toEqual(new Set([...incidents, "WRONG_AMOUNT"]));
    expect(await world.incidents()).toHaveLength(incidents.length + 1);
    const told = await allRows(world.store, "incidents");
    expect(new Set(told.map(({ subject }) => subject))).toEqual(new Set([review.quote.id]));
  });

  it("of a total of zero is no payment: an incident and nothing to refund", async () => {
    const world = await shop();
    const review = await world.quote();
    const paying = await world.process().payments.pay(review);
    if (paying.kind !== "redirect") throw new Error(paying.kind);
    const { provider } = world;
    const getCheckout: typeof provider.getCheckout = async (id) => ({
      ...(await provider.getCheckout(id)),
      status: "complete",
      payment: "paid",
      totalMinor: 0,
      amountMinor: null,
      paymentRef: null,
    });
    const process = world.process({ provider: { ...provider, getCheckout } });
    for (let i = 0; i < 3; i++) await process.settlements.settleSession(sessionOf(paying.url));
    expect(await refunds(world)).toEqual([]);
    expect(await world.incidents()).toEqual(["WRONG_AMOUNT"]);
  });

  it("that fails is reported to buyer and agent, whatever is tried after it", async () => {
    const world = await shop();
    const { merchant, late, agentId, page } = await lateUnreturned(world);
    const { id, quote_hash } = late.quote;
    const still = "$61.50 could not be refunded yet";
    const told = async () => {
      const { messages } = await merchant.quotes.get(id, agentId);
      expect(await merchant.reviews.open(page)).toMatchObject({ standing: { owedMinor: 6150 } });
      return messages.filter(({ text }) => text.includes(still)).map(({ code }) => code);
    };
    const order = () => merchant.orders.ofQuote(id, agentId, 0);
    const link = () =>
      merchant.quotes.checkout(
        { quote_id: id, quote_hash },
        { agentId, finderKey: null },
        intent(),
      );
    expect(await told()).toEqual(["REFUND_FAILED"]);
    await expect(order()).rejects.toThrow(still);
    const again = await paidPage(world, late, "bank_debit");
    expect(await told()).toEqual(["REFUND_FAILED"]);
    await expect(order()).rejects.toThrow(still);
    await world.process().settlements.settleSession(again);
    expect(await told()).toEqual(["REFUND_FAILED"]);
    for (const answer of [order, link]) await expect(answer()).rejects.toThrow(still);
    await world.control.settleBankDebit(again, true);
    await world.process().settlements.settleSession(again);
    expect(await told()).toEqual(["REFUND_FAILED"]);
    const { payment, next } = await order();
    expect(payment).toMatchObject({ refunded_minor: 0, owed_minor: 6150, refunds: [] });
    expect(next.find(({ action }) => action.includes("send_feedback"))?.why).toContain(still);
  });

  /** Paid by a debit while another payment had taken its bags, which are free again; no refund succeeds. */
  async function lateUnreturned(world: World) {
    const merchant = world.process();
    const agentId = await world.agent();
    const decaf = { product_id: "peru-cajamarca-decaf", quantity: 3 };
    await merchant.admin("cli").stock.set({ product_id: decaf.product_id, on_hand: 4 });
    const late = await world.quote(decaf, { agentId });
    const page = merchant.quotes.reviewUrl(late.quote.id).split("/").at(-1) ?? "";
    const session = await paidPage(world, late, "bank_debit");
    const other = await paidPage(world, await world.quote(decaf));
    world.control.faults.api = ({ path }) =>
      path.endsWith("/capture") ? { kind: "error", status: 503 } : null;
    await merchant.settlements.settleSession(other);
    await world.control.settleBankDebit(session, true);
    const refund = () => Promise.reject(new RefundRefused("OTHER", "no", "charge_not_refundable"));
    const refusing = world.process({ provider: { ...world.provider, refund } });
    await refusing.settlements.settleSession(session);
    await world.control.cancelOutside(other);
    world.control.faults.api = undefined;
    await merchant.settlements.settleSession(other);
    expect(await held(world)).toBe(0);
    expect(await refunds(world)).toEqual([["PAID_TOO_LATE", "FAILED"]]);
    return { merchant, late, agentId, page };
  }
});
