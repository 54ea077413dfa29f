import { expect, it } from "vitest";
import { STOCKED, WAITLISTED } from "../support/catalog.ts";
import { eventsOf, orderedIn, typesOf, WHY } from "../support/ordered.ts";
import type { OrderSettings } from "../support/shop.ts";
import { describeEveryStore } from "../support/stores.ts";

describeEveryStore("an order undone by the merchant", (open) => {
  const ordered = (wanted: Partial<OrderSettings> = {}) => orderedIn(open, wanted);

  it("a refund is recorded, made at the provider and has an event", async () => {
    const { shop, orderId, refund } = await ordered();
    const order = await refund(500);
    expect(shop.provider.refunds).toMatchObject([{ amountMinor: 500 }]);
    expect(order).toMatchObject({
      payment: { status: "PAID", refunded_minor: 500 },
      refunds: [{ amount_minor: 500, reason: "MERCHANT", status: "DONE" }],
    });
    expect((await typesOf(shop, orderId)).at(-1)).toBe("payment.refunded");
  });

  it("is refunded in parts, each with its own status, and never more than was paid", async () => {
    const { shop, refund } = await ordered();
    await refund(500);
    shop.clock.advance(1);
    await refund(500);
    shop.clock.advance(1);
    await expect(refund(2201)).rejects.toMatchObject({
      code: "ILLEGAL_STEP",
      message: expect.stringContaining("$22.00 of this order can be refunded"),
    });
    const order = await refund();
    expect(order.payment).toMatchObject({ status: "REFUNDED", refunded_minor: 3200 });
    expect(order.payment.refunds).toMatchObject(
      [500, 500, 2200].map((amount_minor) => ({ amount_minor, status: "DONE" })),
    );
    expect(shop.provider.refunds.map(({ amountMinor }) => amountMinor)).toEqual([500, 500, 2200]);
    await expect(refund()).rejects.toMatchObject({
      code: "ILLEGAL_STEP",
    });
  });

  it("a refund that the provider did not take is retried as the same one", async () => {
    const { shop, show, refund } = await ordered();
    shop.provider.up = false;
    const { refunds } = await refund();
    expect(refunds).toMatchObject([{ status: "PENDING", to_be_made: true }]);
    await expect(refund()).rejects.toMatchObject({ code: "ILLEGAL_STEP" });
    shop.provider.up = true;
    await shop.admin.refunds.retry({ refund_id: refunds[0]!.id });
    const order = await show();
    expect(order.refunds).toMatchObject([{ status: "DONE", amount_minor: 3200 }]);
    expect(order.payment).toMatchObject({ status: "REFUNDED", refunded_minor: 3200 });
    expect(shop.provider.refunds).toHaveLength(1);
  });

  it("a refund that the provider refuses for good is an incident, and can be made again", async () => {
    const { shop, orderId, refund } = await ordered();
    shop.provider.refusing = true;
    expect((await refund()).refunds).toMatchObject([{ status: "FAILED" }]);
    expect(await shop.admin.incidents.list()).toMatchObject([{ kind: "REFUND_FAILED" }]);
    expect((await typesOf(shop, orderId)).at(-1)).toBe("payment.refund_failed");
    await shop.merchant.reconciler.run();
    expect(shop.provider.refunds).toEqual([]);
    const { agent_id } = (await shop.store.queries.order(orderId))!;
    const told = async () =>
      JSON.stringify((await shop.merchant.orders.get(orderId, agent_id!)).next);
    expect(await told()).toContain("$32.00 could not be refunded yet");
    shop.provider.refusing = false;
    shop.clock.advance(1);
    const order = await refund();
    expect(await told()).not.toContain("$32.00 could not be refunded yet");
    expect(order.refunds.map(({ status }) => status).toSorted()).toEqual(["DONE", "FAILED"]);
    expect(order.payment.status).toBe("REFUNDED");
  });

  it("a canceled order puts unroasted bags back into stock", async () => {
    const { shop, orderId, cancel } = await ordered({
      shipments: [{ [WAITLISTED]: 3, [STOCKED]: 1 }],
    });
    const waitlisted = async () =>
      (await shop.admin.stock.list()).find((row) => row.product_id === WAITLISTED)!;
    expect(await waitlisted()).toMatchObject({ on_hand: 37, held: 0 });
    const order = await cancel();
    expect(order).toMatchObject({ status: "CANCELED", shipments: [{ status: "CANCELED" }] });
    expect(await waitlisted()).toMatchObject({ on_hand: 40, held: 0 });
    expect((await eventsOf(shop, orderId)).at(-1)).toMatchObject({
      type: "order.canceled",
      order_status: "CANCELED",
      data: { reason: WHY },
    });
  });

  it("bags in the roaster do not return to stock", async () => {
    const { shop, cancel, roast } = await ordered({
      shipments: [{ [WAITLISTED]: 3 }],
    });
    await roast();
    await cancel();
    expect(await shop.admin.stock.list()).toContainEqual(
      expect.objectContaining({ product_id: WAITLISTED, on_hand: 37 }),
    );
  });
});
