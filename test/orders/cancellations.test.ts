/**
 * Cancellations with their requests, bags and refunds (contract §5). Which of them the rules accept, and their
 * events, are tables in cancel-order.test.ts and cancel-step.test.ts; races are in at-once.test.ts.
 */
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../src/core/policy.ts";
import { CancelWish } from "../../src/orders/cancel-request.ts";
import { STOCKED, WAITLISTED } from "../support/catalog.ts";
import {
  actsOn,
  BY_POST,
  eventsOf,
  ILLEGAL,
  orderedIn,
  pageOf,
  pageToken,
  shownToBuyer,
  TWO_SHIPMENTS,
  typesOf,
  WHY,
  WISH,
} from "../support/ordered.ts";
import { newAgent, type OrderSettings, paidOrder, quoteFor } from "../support/shop.ts";
import { openUsual } from "../support/stores.ts";

async function ordered(wanted: Partial<OrderSettings> = {}) {
  const found = await orderedIn(openUsual, wanted);
  const { shop, orderId } = found;
  const newest = async () => (await eventsOf(shop, orderId)).at(-1)!;
  const toRefund = async () => (await shop.admin.tasks.waiting()).refunds;
  const waitlisted = async () =>
    (await shop.admin.stock.list()).find((row) => row.product_id === WAITLISTED)!.on_hand;
  return { ...found, newest, toRefund, waitlisted };
}

describe("a request to cancel", () => {
  it("is confirmed with an explanation and its shipments, and is an event", async () => {
    const { orderId, ask, read, newest } = await ordered({ shipments: TWO_SHIPMENTS });
    const asked = await ask();
    const { shipments, cancel_request } = await read();
    expect(asked).toMatchObject({
      ...{ order_id: orderId, status: "REQUESTED", message: WISH.message },
      shipment_ids: shipments.map(({ id }) => id),
      policy_note: expect.stringContaining("The merchant decides"),
    });
    expect(cancel_request).toMatchObject({ id: asked.id, status: "REQUESTED" });
    const received = { type: "cancel_request.received", order_status: "CONFIRMED" };
    expect(await newest()).toMatchObject(received);
    await expect(ask()).rejects.toMatchObject({ code: "CANCEL_REQUEST_OPEN" });
  });

  it("that is accepted cancels the order, without words of ours as the merchant's", async () => {
    const { shop, orderId, ask, accept } = await ordered();
    const { id } = await ask();
    expect(await accept(id)).toMatchObject({
      ...{ status: "CANCELED", cancel_request: { status: "ACCEPTED" } },
      ...{ shipments: [{ status: "CANCELED" }], estimated_delivery: null },
    });
    expect(await shownToBuyer(shop, orderId)).toEqual({ byBuyer: true, reason: null });
    await expect(accept(id)).rejects.toMatchObject(ILLEGAL);
  });

  it("that is declined leaves the order as it is, and another can be made", async () => {
    const { ask, withdraw, decline, newest, show } = await ordered();
    const { version: seen } = await show();
    const { id } = await ask();
    await expect(decline(id, { seen })).rejects.toMatchObject(ILLEGAL);
    const cancel_request = { status: "DECLINED", decision: WHY };
    expect(await decline(id)).toMatchObject({ status: "CONFIRMED", cancel_request });
    expect((await newest()).type).toBe("cancel_request.declined");
    await expect(withdraw()).rejects.toMatchObject(ILLEGAL);
    expect(await ask()).toMatchObject({ status: "REQUESTED" });
  });

  it("is withdrawn for good before the decision, and another can be made", async () => {
    const { shop, orderId, ask, withdraw, accept, newest } = await ordered();
    await expect(withdraw()).rejects.toMatchObject(ILLEGAL);
    const { id } = await ask();
    expect(await withdraw()).toMatchObject({ id, status: "WITHDRAWN" });
    expect((await newest()).type).toBe("cancel_request.withdrawn");
    expect((await withdraw()).status).toBe("WITHDRAWN");
    expect(await typesOf(shop, orderId)).toHaveLength(4);
    await expect(accept(id)).rejects.toMatchObject(ILLEGAL);
    expect(await ask()).toMatchObject({ status: "REQUESTED" });
  });

  it("made after the clock was set back is the newest, is shown and can be withdrawn", async () => {
    const { shop, ask, withdraw, read } = await ordered();
    const first = await ask();
    await withdraw();
    shop.clock.advance(-3_600_000);
    const { id } = await ask();
    expect(id).not.toBe(first.id);
    expect((await read()).cancel_request).toMatchObject({ id, status: "REQUESTED" });
    expect(await withdraw()).toMatchObject({ id });
  });

  it("that is refused names what can still be canceled, or leads to the merchant", async () => {
    const { second, roast, ship, ask, accept, decline } = await ordered({
      shipments: TWO_SHIPMENTS,
    });
    await roast();
    await ship();
    const message = expect.stringContaining(second);
    await expect(ask()).rejects.toMatchObject({ ...ILLEGAL, message });
    const { id } = await ask([second]);
    await ship(second, { ...BY_POST, number: "9400 2000" });
    await expect(accept(id)).rejects.toMatchObject(ILLEGAL);
    await decline(id);
    const next = [/^send_feedback/, /^get_order/].map((tool) => ({
      action: expect.stringMatching(tool),
    }));
    await expect(ask()).rejects.toMatchObject({ ...ILLEGAL, next });
  });

  it("names a shipment by its id or recipient_ref, and an unknown one gets the right names", async () => {
    const { first, ask } = await ordered();
    await expect(ask(["shp_none"])).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
      problems: [{ pointer: "/shipment_ids/0", detail: expect.stringMatching(/shp_\w+\)/) }],
    });
    expect((await ask(["shipment 1"])).shipment_ids).toEqual([first]);
  });

  it("of another key's order is not found", async () => {
    const found = await ordered();
    const { ask, withdraw } = actsOn({ ...found, agentId: await newAgent(found.shop) });
    for (const act of [ask, withdraw]) {
      await expect(act()).rejects.toMatchObject({ code: "NOT_FOUND" });
    }
  });

  it("with a card number in its message is refused", () => {
    const message = "charge it back to 4242 4242 4242 4242 please";
    const parsed = CancelWish.safeParse({ reason_code: "OTHER", message });
    expect(parsed.error?.issues).toMatchObject([{ params: { code: "SECRET_IN_MESSAGE" } }]);
  });
});

describe("on the buyer's page", () => {
  it("the same form twice is one request and one event, whose shipment alone is canceled", async () => {
    const { shop, orderId, second, accept, newest } = await ordered({
      agentId: null,
      shipments: TWO_SHIPMENTS,
    });
    const wish = { reason_code: "DUPLICATE", shipment_ids: [second] };
    for (let sent = 0; sent < 2; sent++) {
      await shop.merchant.cancellations.requestAsBuyer(await pageOf(shop, orderId), wish, "first");
    }
    const asked = { asked_by: "BUYER", shipment_ids: [second] };
    const [request, ...others] = await shop.admin.cancellations.list();
    expect([request, others]).toEqual([expect.objectContaining(asked), []]);
    expect(await newest()).toMatchObject({ sequence: 3, data: asked });
    const { requests } = await shop.admin.views.waiting();
    expect(requests).toMatchObject([{ id: request!.id, ...asked }]);
    const { shipments } = await accept(request!.id);
    expect(shipments.map(({ status }) => status)).toEqual(["PENDING", "CANCELED"]);
  });

  it("buyer and agent see each other's request, and each can withdraw it", async () => {
    const { shop, orderId, first, ask, withdraw, read, newest } = await ordered();
    const { cancellations } = shop.merchant;
    const wish = { reason_code: "OTHER", shipment_ids: [first] };
    await cancellations.requestAsBuyer(await pageOf(shop, orderId), wish, "first");
    const asked = { status: "REQUESTED", asked_by: "BUYER" };
    expect((await read()).cancel_request).toMatchObject(asked);
    await expect(ask()).rejects.toMatchObject({ code: "CANCEL_REQUEST_OPEN" });
    await withdraw();
    expect((await newest()).data).toMatchObject({ asked_by: "BUYER", withdrawn_by: "AGENT" });
    const { id, asked_by } = await ask();
    expect(asked_by).toBe("AGENT");
    await cancellations.withdrawAsBuyer(await pageOf(shop, orderId), id);
    expect((await newest()).data).toMatchObject({ asked_by: "AGENT", withdrawn_by: "BUYER" });
  });

  it("a stale form neither makes a request nor withdraws a newer one", async () => {
    const { shop, orderId, first, read } = await ordered();
    const { cancellations } = shop.merchant;
    const wish = { reason_code: "OTHER", shipment_ids: [first] };
    const ofOrder = await pageOf(shop, orderId);
    const now = async () => (await read()).cancel_request!;
    await cancellations.requestAsBuyer(ofOrder, wish, "first");
    const { id: old } = await now();
    await cancellations.withdrawAsBuyer(ofOrder, old);
    await cancellations.requestAsBuyer(ofOrder, wish, "first");
    expect(await now()).toMatchObject({ id: old, status: "WITHDRAWN" });
    await cancellations.requestAsBuyer(ofOrder, wish, old);
    await cancellations.withdrawAsBuyer(ofOrder, old);
    expect(await now()).toMatchObject({ status: "REQUESTED" });
    expect((await now()).id).not.toBe(old);
    await expect(cancellations.withdrawAsBuyer(ofOrder, "cr_none")).rejects.toMatchObject(ILLEGAL);
  });

  it("an unpaid quote has nothing to cancel", async () => {
    const { shop } = await ordered();
    const { id } = await quoteFor(shop, { agentId: null });
    const token = shop.merchant.quotes.reviewUrl(id).split("/").at(-1)!;
    const found = await shop.merchant.reviews.find(token);
    const { cancellations } = shop.merchant;
    const asking = cancellations.requestAsBuyer(found, { reason_code: "OTHER" }, "first");
    await expect(asking).rejects.toMatchObject(ILLEGAL);
    await expect(cancellations.withdrawAsBuyer(found, "cr_none")).rejects.toMatchObject(ILLEGAL);
  });
});

describe("a canceled order", () => {
  it.each([
    ["puts unroasted bags back into stock", false, 40],
    ["keeps bags in the roaster out of stock", true, 37],
  ])("%s", async (_, roasted, on_hand) => {
    const { newest, waitlisted, roast, cancel } = await ordered({
      shipments: [{ [WAITLISTED]: 3, [STOCKED]: 1 }],
    });
    expect(await waitlisted()).toBe(37);
    if (roasted) await roast();
    expect((await cancel()).shipments).toMatchObject([{ status: "CANCELED" }]);
    expect(await waitlisted()).toBe(on_hand);
    expect(await newest()).toMatchObject({ type: "order.canceled", data: { reason: WHY } });
  });
});

describe("a part that the merchant cancels without a request", () => {
  const inTwo = () => ordered({ shipments: [{ [STOCKED]: 1 }, { [WAITLISTED]: 2 }] });

  it("leaves the order's items, returns its bags and waits to be refunded; the rest continues", async () => {
    const { shop, orderId, agentId, second, cancelPart, read, toRefund, waitlisted, newest } =
      await inTwo();
    const before = await waitlisted();
    const order = await cancelPart([second]);
    const shipments = [{ status: "PENDING" }, { status: "CANCELED" }];
    expect(order).toMatchObject({ status: "CONFIRMED", shipments, undoable: [] });
    expect(order.estimated_delivery).not.toBeNull();
    expect(await newest()).toMatchObject({
      ...{ sequence: 3, type: "shipment.updated", order_status: "CONFIRMED" },
      data: { shipment_id: second, status: "CANCELED", previous_status: "PENDING", reason: WHY },
    });
    expect(await waitlisted()).toBe(before + 2);
    expect(await shownToBuyer(shop, orderId)).toEqual({ byBuyer: false, reason: WHY });
    expect(await toRefund()).toMatchObject({ count: 1, rows: [{ order_id: orderId }] });
    const detail = { reason: WHY, shipment_ids: [second] };
    const act = expect.objectContaining({ act: "orders.cancel", subject: orderId, detail });
    expect(await shop.admin.audit.list()).toContainEqual(act);
    await expect(shop.admin.shipments.undo({ shipment_id: second })).rejects.toMatchObject(ILLEGAL);
    expect(await read()).toMatchObject({
      items: [{ product_id: STOCKED }],
      shipments: [{}, { items: [{ product_id: WAITLISTED, quantity: 2 }] }],
    });
    const page = { after: 2, limit: 50, waitMs: 0 };
    const { events } = await shop.merchant.orders.events(orderId, agentId, page);
    expect(events.map(({ data }) => data.recipient_ref)).toEqual(["shipment 2"]);
  });

  it("states first that nothing was refunded for it, then how much", async () => {
    const { shop, second, refund, cancelPart, read, show } = await inTwo();
    const letter = async () =>
      (await shop.merchant.mail.list()).find(({ kind }) => kind === "CANCELED_IN_PART")?.letter
        ?.text;
    const unpaid = "Nothing was refunded since the cancellation so far.";
    const told = async () => JSON.stringify(await read()).includes(unpaid);
    await refund(500);
    shop.clock.advance(1000);
    await cancelPart([second]);
    expect(await letter()).toContain("$5.00 of your $81.00 was refunded earlier.");
    expect(await told()).toBe(true);
    const { canceled_refund_minor: suggested } = await show();
    shop.clock.advance(1000);
    await refund(suggested);
    expect(await letter()).toContain(`$${(suggested! / 100).toFixed(2)} of your $81.00`);
    expect([await told(), (await show()).canceled_refund_minor]).toEqual([false, 0]);
  });

  it("is refunded in the same act, share by share and never more than was paid", async () => {
    const { shop, orderId, first, second, show, ask, cancelPart, toRefund } = await inTwo();
    const { shipments, refundable_minor: paid, version: seen } = await show();
    const [one, other] = shipments.map(({ paid_minor }) => paid_minor);
    expect(one! + other!).toBe(paid);
    await ask([second]);
    expect((await show()).request_refund_minor).toBe(other);
    expect(await cancelPart([second], { refund: true, seen: seen + 1 })).toMatchObject({
      payment: { status: "PAID", refunded_minor: other },
      refundable_minor: one,
      cancel_request: { status: "ACCEPTED", decision: WHY },
    });
    expect(await shownToBuyer(shop, orderId)).toEqual({ byBuyer: true, reason: WHY });
    expect((await toRefund()).count).toBe(0);
    shop.clock.advance(1);
    expect(await cancelPart([first], { refund: true })).toMatchObject({
      status: "CANCELED",
      payment: { status: "REFUNDED", refunded_minor: paid },
    });
    // The buyer's request was about another part.
    expect(await shownToBuyer(shop, orderId)).toEqual({ byBuyer: false, reason: WHY });
    const { timeline } = (await shop.merchant.reviews.open(await pageToken(shop, orderId)))
      .ordered!;
    const canceled = timeline.filter(({ kind }) => kind.startsWith("CANCELED"));
    expect(canceled.map(({ kind, shipmentId }) => [kind, shipmentId])).toEqual([
      ["CANCELED_IN_PART", second],
      ["CANCELED", null],
    ]);
  });

  it("is told as asked for when the shop cancels all of an open request by itself", async () => {
    const { shop, orderId, first, second, ask, cancelPart } = await ordered({
      shipments: [...TWO_SHIPMENTS, { [STOCKED]: 1 }],
    });
    await ask([first, second]);
    await cancelPart([first, second]);
    expect(await shownToBuyer(shop, orderId)).toEqual({ byBuyer: true, reason: WHY });
  });

  it("on request, is canceled and refunded in one act, at most with what is left", async () => {
    const { shop, first, second, refund, ask, accept, show, toRefund } = await inTwo();
    shop.provider.up = false;
    await refund(4400);
    shop.provider.up = true;
    shop.clock.advance(1000);
    const { id } = await ask([first]);
    expect(await accept(id, { refund: true, seen: (await show()).version })).toMatchObject({
      shipments: [{ status: "CANCELED" }, { status: "PENDING" }],
      refunds: [{ amount_minor: 4400 }, { amount_minor: 3200 }],
      request_refund_minor: null,
    });
    expect((await toRefund()).count).toBe(0);
    shop.clock.advance(1000);
    await ask([second]);
    expect((await show()).request_refund_minor).toBe(500);
  });

  it("is still to decide after another part was canceled with its refund", async () => {
    const { orderId, first, second, cancelPart, refund, show, toRefund } = await inTwo();
    await cancelPart([first]);
    await cancelPart([second], { refund: true });
    const { shipments } = await show();
    const money = { order_id: orderId, refundable_minor: shipments[0]!.paid_minor };
    expect((await toRefund()).rows).toMatchObject([money]);
    await refund();
    expect((await toRefund()).count).toBe(0);
  });

  it("is refused as a whole on a stale page, after a full refund, and for an unknown shipment", async () => {
    const { shop, agentId, first, second, show, cancelPart, refund } = await inTwo();
    const other = { order_id: await paidOrder(shop, { agentId }) };
    const [foreign] = (await shop.admin.orders.show(other)).shipments;
    const before = await show();
    const invalid = { code: "VALIDATION_FAILED" };
    const many = Array.from({ length: LIMITS.shipments_per_order + 1 }, (_, i) => `shp_${i}`);
    for (const ids of [[], many]) await expect(cancelPart(ids)).rejects.toMatchObject(invalid);
    const silent = shop.admin.shipments.cancel({ shipment_ids: [first], reason: " " });
    await expect(silent).rejects.toMatchObject(invalid);
    for (const ids of [["shp_none"], [first, foreign!.id]]) {
      await expect(cancelPart(ids)).rejects.toMatchObject({ code: "NOT_FOUND" });
    }
    expect(await show()).toEqual(before);
    await refund(100);
    const stale = { refund: true, seen: before.version };
    await expect(cancelPart([second], stale)).rejects.toMatchObject(ILLEGAL);
    await refund();
    await expect(cancelPart([second], { refund: true })).rejects.toMatchObject(ILLEGAL);
    expect((await cancelPart([second])).status).toBe("CONFIRMED");
  });
});
