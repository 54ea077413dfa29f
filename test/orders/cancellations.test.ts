/** Requests to cancel, by the agent or on the buyer's page, and the merchant's answers (contract §5). */
import { expect, it } from "vitest";
import { LIMITS } from "../../src/core/policy.ts";
import { CancelWish } from "../../src/orders/cancel-request.ts";
import {
  actsOn,
  BY_POST,
  eventsOf,
  ILLEGAL,
  orderedIn,
  pageOf,
  shownToBuyer,
  TWO_SHIPMENTS,
  typesOf,
  WHY,
  WISH,
} from "../support/ordered.ts";
import { intent, newAgent, type OrderSettings, openShop, quoteFor } from "../support/shop.ts";
import { describeEveryStore } from "../support/stores.ts";

describeEveryStore("cancel requests", (open) => {
  async function ordered(wanted: Partial<OrderSettings> = {}) {
    const found = await orderedIn(open, wanted);
    const newest = async () => (await eventsOf(found.shop, found.orderId)).at(-1);
    return { ...found, newest };
  }

  it("a request is accepted with an explanation, names its shipments, and has an event", async () => {
    const { orderId, ask, read, newest } = await ordered({ shipments: TWO_SHIPMENTS });
    const asked = await ask();
    const { shipments, cancel_request } = await read();
    expect(asked).toMatchObject({
      order_id: orderId,
      status: "REQUESTED",
      shipment_ids: shipments.map(({ id }) => id),
      message: WISH.message,
      policy_note: expect.stringMatching(
        /^(?=.*The merchant decides)(?=.*every shipment in shipment_ids is canceled)/s,
      ),
    });
    expect(cancel_request).toMatchObject({ id: asked.id, status: "REQUESTED" });
    expect(await newest()).toMatchObject({
      type: "cancel_request.received",
      order_status: "CONFIRMED",
    });
  });

  it("one request is open per order, even if two are made at once", async () => {
    const { shop, other, ask, ...found } = await ordered();
    const beside = actsOn({ ...found, shop: await openShop(other, shop.clock) });
    const tries = await Promise.allSettled([ask(), beside.ask()]);
    expect(tries.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    await expect(ask()).rejects.toMatchObject({ code: "CANCEL_REQUEST_OPEN" });
  });

  it("the same key at two instances at once makes one request, returned to both", async () => {
    const { shop, other, orderId, agentId } = await ordered();
    const beside = await openShop(other, shop.clock);
    const once = intent();
    const [first, second] = await Promise.all(
      [shop, beside].map(({ merchant }) =>
        merchant.cancellations.request(orderId, WISH, agentId, once),
      ),
    );
    expect(second!.body).toEqual(first!.body);
    expect([first!.replayed, second!.replayed].sort()).toEqual([false, true]);
    expect(await typesOf(shop, orderId)).toHaveLength(3);
  });

  it("an accepted request cancels the order: two events, no estimate, and no words of ours as the merchant's", async () => {
    const { shop, orderId, ask, accept } = await ordered();
    const { id } = await ask();
    expect(await accept(id)).toMatchObject({
      status: "CANCELED",
      cancel_request: { status: "ACCEPTED" },
      shipments: [{ status: "CANCELED" }],
      estimated_delivery: null,
    });
    expect((await typesOf(shop, orderId)).slice(3)).toEqual([
      "cancel_request.accepted",
      "order.canceled",
    ]);
    expect(await shownToBuyer(shop, orderId)).toEqual({ byBuyer: true, reason: null });
    await expect(accept(id)).rejects.toMatchObject(ILLEGAL);
  });

  it("a declined request leaves the order as it is, and another can be made", async () => {
    const { ask, withdraw, decline, newest, show } = await ordered();
    const { version: seen } = await show();
    const { id } = await ask();
    await expect(decline(id, { seen })).rejects.toMatchObject(ILLEGAL);
    const order = await decline(id);
    const cancel_request = { status: "DECLINED", decision: WHY };
    expect(order).toMatchObject({ status: "CONFIRMED", cancel_request });
    expect(await newest()).toMatchObject({ type: "cancel_request.declined" });
    await expect(withdraw()).rejects.toThrow("DECLINED");
    expect(await ask()).toMatchObject({ status: "REQUESTED" });
  });

  it("an order has a limit of requests, because each one sends the merchant a letter", async () => {
    const { shop, orderId, ask, withdraw, read } = await ordered();
    const mayAsk = async () => JSON.stringify((await read()).next).includes("request_cancellation");
    for (let asked = 0; asked < LIMITS.cancel_requests_per_order; asked++) {
      expect(await mayAsk()).toBe(true);
      await ask();
      await withdraw();
    }
    expect(await mayAsk()).toBe(false);
    const before = await eventsOf(shop, orderId);
    await expect(ask()).rejects.toMatchObject(ILLEGAL);
    expect(await eventsOf(shop, orderId)).toEqual(before);
  });

  it("a request made after the clock was set back is the newest, is shown and can be withdrawn", async () => {
    const { shop, ask, withdraw, read } = await ordered();
    const first = await ask();
    await withdraw();
    shop.clock.advance(-3_600_000);
    const { id } = await ask();
    expect(id).not.toBe(first.id);
    expect((await read()).cancel_request).toMatchObject({ id, status: "REQUESTED" });
    expect(await withdraw()).toMatchObject({ id });
  });

  it("a refusal says why, names what can still be canceled, and leads to the merchant", async () => {
    const { shop, first, second, roast, ship, ask, accept, decline } = await ordered({
      shipments: TWO_SHIPMENTS,
    });
    await roast();
    await ship();
    await expect(ask()).rejects.toMatchObject({
      ...ILLEGAL,
      message: expect.stringContaining(second),
    });
    const { id } = await ask([second]);
    await ship(second, { ...BY_POST, number: "9400 2000" });
    // No other shipment could be canceled.
    await expect(accept(id)).rejects.toThrow(/Decline a cancel request, or refund the order\.$/);
    await decline(id);
    const next = [/^send_feedback/, /^get_order/].map((tool) => ({
      action: expect.stringMatching(tool),
    }));
    await expect(ask()).rejects.toMatchObject({
      ...ILLEGAL,
      message: expect.stringMatching(/SHIPPED: .* on its way cannot be called back\.$/),
      next,
    });
    for (const shipment_id of [first, second]) {
      await shop.admin.shipments.move({ shipment_id, to: "DELIVERED" });
    }
    await expect(ask()).rejects.toMatchObject({
      message: expect.stringContaining("COMPLETED"),
      next,
    });
    const canceled = await ordered();
    await canceled.cancel();
    await expect(canceled.ask()).rejects.toThrow("canceled already");
  });

  it("an order's next steps match its state", async () => {
    const { second, roast, ship, ask, withdraw, read } = await ordered({
      shipments: TWO_SHIPMENTS,
    });
    const actions = async () =>
      (await read()).next.map(({ action }) => action.split(" ")[0]).slice(1);
    expect(await actions()).toEqual(["request_cancellation"]);
    await ask();
    expect(await actions()).toEqual(["withdraw_cancellation"]);
    await withdraw();
    await roast();
    await ship();
    expect(await actions()).toEqual(["send_feedback", "request_cancellation"]);
    await ship(second, { ...BY_POST, number: "9400 2000" });
    expect(await actions()).toEqual(["send_feedback"]);
  });

  it("a shipment can be named by its recipient_ref; an unknown one is refused with the right names", async () => {
    const { first, ask } = await ordered();
    await expect(ask(["shp_none"])).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
      problems: [{ pointer: "/shipment_ids/0", detail: expect.stringMatching(/shp_\w+\)/) }],
    });
    expect((await ask(["shipment 1"])).shipment_ids).toEqual([first]);
  });

  it("is withdrawn for good before the decision, and another can be made", async () => {
    const { shop, orderId, ask, withdraw, accept, newest } = await ordered();
    await expect(withdraw()).rejects.toMatchObject(ILLEGAL);
    const { id } = await ask();
    expect(await withdraw()).toMatchObject({ id, status: "WITHDRAWN" });
    expect(await newest()).toMatchObject({ type: "cancel_request.withdrawn" });
    expect((await withdraw()).status).toBe("WITHDRAWN");
    expect(await typesOf(shop, orderId)).toHaveLength(4);
    await expect(accept(id)).rejects.toMatchObject(ILLEGAL);
    expect(await ask()).toMatchObject({ status: "REQUESTED" });
  });

  it("a buyer without an agent makes a request; the same form twice is one request and one event", async () => {
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
    expect(await newest()).toMatchObject({
      sequence: 3,
      type: "cancel_request.received",
      data: asked,
    });
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
    await expect(ask()).rejects.toMatchObject({
      code: "CANCEL_REQUEST_OPEN",
      message: expect.stringContaining("asked by the buyer on the order's page"),
    });
    await withdraw();
    expect((await newest())!.data).toMatchObject({ asked_by: "BUYER", withdrawn_by: "AGENT" });
    const { id, asked_by } = await ask();
    expect(asked_by).toBe("AGENT");
    await cancellations.withdrawAsBuyer(await pageOf(shop, orderId), id);
    expect((await newest())!.data).toMatchObject({ asked_by: "AGENT", withdrawn_by: "BUYER" });
  });

  it("a stale page neither makes a request nor withdraws a newer one", async () => {
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
    const unknown = cancellations.withdrawAsBuyer(ofOrder, "cr_none");
    await expect(unknown).rejects.toMatchObject(ILLEGAL);
  });

  it("the page of an unpaid quote has nothing to cancel", async () => {
    const { shop } = await ordered();
    const { id } = await quoteFor(shop, { agentId: null });
    const token = shop.merchant.quotes.reviewUrl(id).split("/").at(-1)!;
    const found = await shop.merchant.reviews.find(token);
    const { cancellations } = shop.merchant;
    const asking = cancellations.requestAsBuyer(found, { reason_code: "OTHER" }, "first");
    await expect(asking).rejects.toMatchObject(ILLEGAL);
    const takingBack = cancellations.withdrawAsBuyer(found, "cr_none");
    await expect(takingBack).rejects.toMatchObject(ILLEGAL);
  });

  it("another key's order is not found", async () => {
    const found = await ordered();
    const { ask, withdraw } = actsOn({ ...found, agentId: await newAgent(found.shop) });
    for (const act of [ask, withdraw]) {
      await expect(act()).rejects.toMatchObject({ code: "NOT_FOUND" });
    }
  });
});

it("a message with a card number is refused", () => {
  const message = "charge it back to 4242 4242 4242 4242 please";
  const parsed = CancelWish.safeParse({ reason_code: "OTHER", message });
  expect(parsed.error?.issues).toMatchObject([{ params: { code: "SECRET_IN_MESSAGE" } }]);
});
