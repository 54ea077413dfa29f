import { expect, it } from "vitest";
import { LIMITS } from "../../src/core/policy.ts";
import { CancelWish } from "../../src/orders/cancel-request.ts";
import { STOCKED, WAITLISTED } from "../support/catalog.ts";
import { BY_POST, pageOf, shownToBuyer, TWO_SHIPMENTS } from "../support/ordered.ts";
import { paidOrder, quoteFor } from "../support/paid-order.ts";
import { after, intent, newAgent, openShop, type Shop } from "../support/shop.ts";
import { describeEveryStore } from "../support/stores.ts";

const WISH = { reason_code: "CHANGED_MIND" as const, message: "The buyer found a bag at home." };

const ask = async ({ merchant }: Shop, orderId: string, agentId: string, key?: string) =>
  merchant.cancellations.request(orderId, WISH, agentId, intent(key));

const withdraw = ({ merchant }: Shop, orderId: string, agentId: string, key?: string) =>
  merchant.cancellations.withdraw(orderId, agentId, intent(key));

/** The page's form with every box ticked. */
const all = async ({ admin }: Shop, orderId: string) => ({
  reason_code: "OTHER",
  shipment_ids: (await admin.orders.show({ order_id: orderId })).shipments.map(({ id }) => id),
});

describeEveryStore("cancel requests", (open) => {
  async function ordered(shipments: Record<string, number>[] = [{ [STOCKED]: 1 }]) {
    const { store, other } = await open();
    const shop = await openShop(store);
    const agentId = await newAgent(shop);
    const orderId = await paidOrder(shop, { agentId, shipments });
    const newest = async () => (await store.queries.events(orderId, 0, 100)).at(-1);
    return { shop, other, agentId, orderId, newest };
  }

  it("a request is accepted with an explanation, and has an event", async () => {
    const { shop, agentId, orderId, newest } = await ordered();
    const { body } = await ask(shop, orderId, agentId);
    expect(body).toMatchObject({
      order_id: orderId,
      status: "REQUESTED",
      policy_note: expect.stringContaining("The merchant decides"),
    });
    expect(await newest()).toMatchObject({
      type: "cancel_request.received",
      order_status: "CONFIRMED",
    });
    const order = await shop.merchant.orders.get(orderId, agentId);
    expect(order.cancel_request).toMatchObject({ id: body.id, status: "REQUESTED" });
  });

  it("one request is open per order, even if two are made at once", async () => {
    const { shop, other, agentId, orderId } = await ordered();
    const beside = await openShop(other, shop.clock);
    const tries = await Promise.allSettled([
      ask(shop, orderId, agentId),
      ask(beside, orderId, agentId),
    ]);
    expect(tries.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    await expect(ask(shop, orderId, agentId)).rejects.toMatchObject({
      code: "CANCEL_REQUEST_OPEN",
    });
  });

  it("a retry with the same key has the same answer and one event", async () => {
    const { shop, agentId, orderId } = await ordered();
    const first = await ask(shop, orderId, agentId, "retried");
    const again = await ask(shop, orderId, agentId, "retried");
    expect(again).toEqual({ body: first.body, replayed: true });
    expect(await shop.store.queries.events(orderId, 2, 100)).toHaveLength(1);
  });

  it("the same key at two instances at once makes one request, returned to both", async () => {
    const { shop, other, agentId, orderId } = await ordered();
    const beside = await openShop(other, shop.clock);
    const [first, second] = await Promise.all([
      ask(shop, orderId, agentId, "at once"),
      ask(beside, orderId, agentId, "at once"),
    ]);
    expect(second.body).toEqual(first.body);
    expect([first.replayed, second.replayed].sort()).toEqual([false, true]);
  });

  it("an accepted request cancels the order: two events, bags back in stock, no delivery estimate", async () => {
    const { shop, agentId, orderId } = await ordered([{ [WAITLISTED]: 4 }]);
    const { body } = await ask(shop, orderId, agentId);
    const order = await after(shop, shop.admin.cancellations.accept({ request_id: body.id }));
    expect(order).toMatchObject({
      status: "CANCELED",
      cancel_request: { status: "ACCEPTED" },
      shipments: [{ status: "CANCELED" }],
      estimated_delivery: null,
    });
    const events = await shop.store.queries.events(orderId, 3, 100);
    expect(events.map(({ type, sequence }) => [sequence, type])).toEqual([
      [4, "cancel_request.accepted"],
      [5, "order.canceled"],
    ]);
    expect(await shop.admin.stock.list()).toContainEqual(
      expect.objectContaining({ product_id: WAITLISTED, on_hand: 40, held: 0 }),
    );
    await expect(shop.admin.cancellations.accept({ request_id: body.id })).rejects.toMatchObject({
      code: "ILLEGAL_STEP",
    });
  });

  it("the buyer reads the merchant's own words, if any, and never ours as theirs", async () => {
    for (const [act, told] of [
      ["accept", { byBuyer: true, reason: null }],
      ["cancel", { byBuyer: true, reason: "The roaster broke down." }],
    ] as const) {
      const { shop, agentId, orderId } = await ordered();
      const { body } = await ask(shop, orderId, agentId);
      if (act === "accept") await shop.admin.cancellations.accept({ request_id: body.id });
      else await shop.admin.orders.cancel({ order_id: orderId, reason: "The roaster broke down." });
      expect(await shownToBuyer(shop, orderId)).toEqual(told);
    }
  });

  it("a cancellation without a request is not shown as the buyer's earlier one", async () => {
    const { shop, agentId, orderId } = await ordered([{ [WAITLISTED]: 1 }, { [WAITLISTED]: 1 }]);
    const { shipments } = await shop.merchant.orders.get(orderId, agentId);
    const wish = { ...WISH, shipment_ids: [shipments[0]!.id] };
    const { body } = await shop.merchant.cancellations.request(orderId, wish, agentId, intent());
    await shop.admin.cancellations.accept({ request_id: body.id });
    await shop.admin.orders.cancel({ order_id: orderId, reason: "The roaster broke down." });
    const told = { byBuyer: false, reason: "The roaster broke down." };
    expect(await shownToBuyer(shop, orderId)).toEqual(told);
  });

  it("a declined request leaves the order as it is, and another can be made", async () => {
    const { shop, agentId, orderId, newest } = await ordered();
    const { body } = await ask(shop, orderId, agentId);
    const order = await after(
      shop,
      shop.admin.cancellations.decline({ request_id: body.id, reason: "It is in the roaster." }),
    );
    expect(order).toMatchObject({
      status: "CONFIRMED",
      cancel_request: { status: "DECLINED", decision: "It is in the roaster." },
    });
    expect(await newest()).toMatchObject({ type: "cancel_request.declined" });
    await expect(ask(shop, orderId, agentId)).resolves.toMatchObject({
      body: { status: "REQUESTED" },
    });
  });

  it("an order has a limit of requests, because each one sends the merchant a letter", async () => {
    const { shop, agentId, orderId } = await ordered();
    const mayAsk = async () => {
      const { next } = await shop.merchant.orders.get(orderId, agentId);
      return JSON.stringify(next).includes("request_cancellation");
    };
    for (let asked = 0; asked < LIMITS.cancel_requests_per_order; asked++) {
      expect(await mayAsk()).toBe(true);
      await ask(shop, orderId, agentId);
      await withdraw(shop, orderId, agentId);
    }
    expect(await mayAsk()).toBe(false);
    const before = await shop.store.queries.events(orderId, 0, 1000);
    await expect(ask(shop, orderId, agentId)).rejects.toMatchObject({ code: "ILLEGAL_STEP" });
    expect(await shop.store.queries.events(orderId, 0, 1000)).toEqual(before);
  });

  it("a request made after the clock was set back is the newest, is shown and can be withdrawn", async () => {
    const { shop, agentId, orderId } = await ordered();
    const first = await ask(shop, orderId, agentId);
    await withdraw(shop, orderId, agentId);
    shop.clock.advance(-3_600_000);
    const { body } = await ask(shop, orderId, agentId);
    expect(body.id).not.toBe(first.body.id);
    const order = await shop.merchant.orders.get(orderId, agentId);
    expect(order.cancel_request).toMatchObject({ id: body.id, status: "REQUESTED" });
    expect(await withdraw(shop, orderId, agentId)).toMatchObject({ body: { id: body.id } });
  });

  it("a cancellation by the merchant also settles the open request", async () => {
    const { shop, agentId, orderId } = await ordered();
    await ask(shop, orderId, agentId);
    const order = await after(
      shop,
      shop.admin.orders.cancel({ order_id: orderId, reason: "Sold out after all." }),
    );
    expect(order.cancel_request).toMatchObject({
      status: "ACCEPTED",
      decision: "Sold out after all.",
    });
  });

  it("an order that was shipped, completed or canceled is not canceled, and the error says why", async () => {
    const { shop, agentId, orderId } = await ordered();
    const [shipment] = (await after(shop, shop.admin.orders.roast({ order_id: orderId })))
      .shipments;
    await ask(shop, orderId, agentId);
    await shop.admin.shipments.ship({
      shipment_id: shipment!.id,
      tracking: { carrier: "USPS", number: "1" },
    });
    const request = (await shop.admin.cancellations.list())[0]!;
    await expect(shop.admin.cancellations.accept({ request_id: request.id })).rejects.toMatchObject(
      {
        code: "ILLEGAL_STEP",
        // No other shipment could be canceled.
        message: expect.stringMatching(/Decline a cancel request, or refund the order\.$/),
      },
    );
    await shop.admin.cancellations.decline({ request_id: request.id, reason: "It is on its way." });
    // The agent is sent to the merchant about a refund or return.
    const next = [/^send_feedback/, /^get_order/].map((tool) => ({
      action: expect.stringMatching(tool),
    }));
    await expect(ask(shop, orderId, agentId)).rejects.toMatchObject({
      code: "ILLEGAL_STEP",
      message: expect.stringMatching(/SHIPPED: .* on its way cannot be called back\.$/),
      next,
    });
    await shop.admin.shipments.move({ shipment_id: shipment!.id, to: "DELIVERED" });
    await expect(ask(shop, orderId, agentId)).rejects.toMatchObject({
      message: expect.stringContaining("COMPLETED"),
      next,
    });
    const canceled = await paidOrder(shop, { agentId });
    await shop.admin.orders.cancel({ order_id: canceled, reason: "No." });
    await expect(ask(shop, canceled, agentId)).rejects.toMatchObject({
      message: expect.stringContaining("canceled already"),
    });
  });

  it("a request names its shipments and contains the buyer's words", async () => {
    const { shop, agentId, orderId } = await ordered(TWO_SHIPMENTS);
    const { shipments } = await shop.merchant.orders.get(orderId, agentId);
    const { body } = await ask(shop, orderId, agentId);
    expect(body).toMatchObject({
      shipment_ids: shipments.map(({ id }) => id),
      message: WISH.message,
      policy_note: expect.stringContaining("every shipment in shipment_ids is canceled"),
    });
  });

  it("one of two shipments is canceled alone, and the order continues with the other", async () => {
    const { shop, agentId, orderId } = await ordered([{ [STOCKED]: 1 }, { [WAITLISTED]: 4 }]);
    const [first, second] = (await shop.merchant.orders.get(orderId, agentId)).shipments;
    const wish = { ...WISH, shipment_ids: [second!.id] };
    const { body } = await shop.merchant.cancellations.request(orderId, wish, agentId, intent());
    expect(body.shipment_ids).toEqual([second!.id]);
    const order = await after(shop, shop.admin.cancellations.accept({ request_id: body.id }));
    expect(order.status).toBe("CONFIRMED");
    expect(order.shipments.map(({ status }) => status)).toEqual(["PENDING", "CANCELED"]);
    expect(order.estimated_delivery).not.toBeNull();
    const types = (await shop.store.queries.events(orderId, 3, 100)).map(({ type }) => type);
    expect(types).toEqual(["cancel_request.accepted"]);
    expect(await shop.admin.stock.list()).toContainEqual(
      expect.objectContaining({ product_id: WAITLISTED, on_hand: 40, held: 0 }),
    );
    await shop.admin.orders.roast({ order_id: orderId });
    await shop.admin.shipments.ship({ shipment_id: first!.id, tracking: BY_POST });
    expect((await shop.merchant.orders.get(orderId, agentId)).status).toBe("SHIPPED");
  });

  it("a shipment that has left is refused, and the error names those that can be canceled", async () => {
    const { shop, agentId, orderId } = await ordered(TWO_SHIPMENTS);
    const [first, second] = (await after(shop, shop.admin.orders.roast({ order_id: orderId })))
      .shipments;
    await shop.admin.shipments.ship({ shipment_id: first!.id, tracking: BY_POST });
    await expect(ask(shop, orderId, agentId)).rejects.toMatchObject({
      code: "ILLEGAL_STEP",
      message: expect.stringContaining(second!.id),
    });
    const wish = { ...WISH, shipment_ids: [second!.id] };
    const { body } = await shop.merchant.cancellations.request(orderId, wish, agentId, intent());
    expect(
      (await after(shop, shop.admin.cancellations.accept({ request_id: body.id }))).status,
    ).toBe("SHIPPED");
  });

  it("an order's next steps match its state", async () => {
    const { shop, agentId, orderId } = await ordered(TWO_SHIPMENTS);
    const actions = async () => {
      const { next, shipments } = await shop.merchant.orders.get(orderId, agentId);
      return [next.map(({ action }) => action.split(" ")[0]).slice(1), shipments] as const;
    };
    expect((await actions())[0]).toEqual(["request_cancellation"]);
    await ask(shop, orderId, agentId);
    expect((await actions())[0]).toEqual(["withdraw_cancellation"]);
    await withdraw(shop, orderId, agentId);
    await shop.admin.orders.roast({ order_id: orderId });
    const [first, second] = (await actions())[1];
    await shop.admin.shipments.ship({ shipment_id: first!.id, tracking: BY_POST });
    expect((await actions())[0]).toEqual(["send_feedback", "request_cancellation"]);
    await shop.admin.shipments.ship({
      shipment_id: second!.id,
      tracking: { ...BY_POST, number: "9400 2000" },
    });
    expect((await actions())[0]).toEqual(["send_feedback"]);
  });

  it("a shipment can be named by its recipient_ref", async () => {
    const { shop, agentId, orderId } = await ordered();
    const wish = { ...WISH, shipment_ids: ["shipment 1"] };
    const asked = await shop.merchant.cancellations.request(orderId, wish, agentId, intent());
    const order = await shop.merchant.orders.get(orderId, agentId);
    expect(asked.body.shipment_ids).toEqual([order.shipments[0]!.id]);
  });

  it("a shipment of another order is unknown, and the error names the right ones", async () => {
    const { shop, agentId, orderId } = await ordered();
    const wish = { ...WISH, shipment_ids: ["shp_none"] };
    await expect(
      shop.merchant.cancellations.request(orderId, wish, agentId, intent()),
    ).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
      problems: [{ pointer: "/shipment_ids/0", detail: expect.stringMatching(/shp_\w+\)/) }],
    });
  });

  it("is withdrawn for good before the decision, and another can be made", async () => {
    const { shop, agentId, orderId, newest } = await ordered();
    await expect(withdraw(shop, orderId, agentId)).rejects.toMatchObject({ code: "ILLEGAL_STEP" });
    const { body: asked } = await ask(shop, orderId, agentId);
    const first = await withdraw(shop, orderId, agentId, "changed-again");
    expect(first.body).toMatchObject({ id: asked.id, status: "WITHDRAWN" });
    expect(await newest()).toMatchObject({ type: "cancel_request.withdrawn" });
    expect(await withdraw(shop, orderId, agentId, "changed-again")).toEqual({
      body: first.body,
      replayed: true,
    });
    expect((await withdraw(shop, orderId, agentId)).body.status).toBe("WITHDRAWN");
    expect(await shop.store.queries.events(orderId, 4, 100)).toHaveLength(0);
    await expect(shop.admin.cancellations.accept({ request_id: asked.id })).rejects.toMatchObject({
      code: "ILLEGAL_STEP",
    });
    await expect(ask(shop, orderId, agentId)).resolves.toMatchObject({
      body: { status: "REQUESTED" },
    });
  });

  it("cannot be withdrawn once it is decided", async () => {
    const { shop, agentId, orderId } = await ordered();
    const { body } = await ask(shop, orderId, agentId);
    await shop.admin.cancellations.decline({
      request_id: body.id,
      reason: "It is in the roaster.",
    });
    await expect(withdraw(shop, orderId, agentId)).rejects.toMatchObject({
      code: "ILLEGAL_STEP",
      message: expect.stringContaining("DECLINED"),
    });
  });

  it("a buyer without an agent makes a request; the same form twice is one request and one event", async () => {
    const { store } = await open();
    const shop = await openShop(store);
    const orderId = await paidOrder(shop, { agentId: null, shipments: TWO_SHIPMENTS });
    const newest = async () => (await store.queries.events(orderId, 0, 100)).at(-1);
    const { shipments } = await shop.admin.orders.show({ order_id: orderId });
    const wish = { reason_code: "DUPLICATE", shipment_ids: [shipments[1]!.id] };
    for (let sent = 0; sent < 2; sent++) {
      await shop.merchant.cancellations.requestAsBuyer(await pageOf(shop, orderId), wish, "first");
    }
    const asked = { asked_by: "BUYER", shipment_ids: wish.shipment_ids };
    const [request, ...others] = await shop.admin.cancellations.list();
    expect([request, others]).toEqual([expect.objectContaining(asked), []]);
    expect(await newest()).toMatchObject({ sequence: 3, type: "cancel_request.received" });
    expect(JSON.parse((await newest())!.data)).toMatchObject(asked);
    const waiting = await shop.admin.views.waiting();
    expect(waiting.requests).toMatchObject([{ id: request!.id, ...asked }]);
    await after(shop, shop.admin.cancellations.accept({ request_id: request!.id }));
    expect(
      (await shop.admin.orders.show({ order_id: orderId })).shipments.map(({ status }) => status),
    ).toEqual(["PENDING", "CANCELED"]);
  });

  it("buyer and agent see each other's request, and each can withdraw it", async () => {
    const { shop, agentId, orderId, newest } = await ordered();
    const { cancellations, orders } = shop.merchant;
    await cancellations.requestAsBuyer(
      await pageOf(shop, orderId),
      await all(shop, orderId),
      "first",
    );
    const { cancel_request: asked } = await orders.get(orderId, agentId);
    expect(asked).toMatchObject({ status: "REQUESTED", asked_by: "BUYER" });
    await expect(ask(shop, orderId, agentId)).rejects.toMatchObject({
      code: "CANCEL_REQUEST_OPEN",
      message: expect.stringContaining("asked by the buyer on the order's page"),
    });
    await withdraw(shop, orderId, agentId);
    const of = async () => JSON.parse((await newest())!.data);
    expect(await of()).toMatchObject({ asked_by: "BUYER", withdrawn_by: "AGENT" });
    const { body } = await ask(shop, orderId, agentId);
    expect(body.asked_by).toBe("AGENT");
    await cancellations.withdrawAsBuyer(await pageOf(shop, orderId), body.id);
    expect(await of()).toMatchObject({ asked_by: "AGENT", withdrawn_by: "BUYER" });
  });

  it("a stale page neither makes a request nor withdraws a newer one", async () => {
    const { shop, agentId, orderId } = await ordered();
    const { cancellations, orders } = shop.merchant;
    const wish = await all(shop, orderId);
    const ofOrder = await pageOf(shop, orderId);
    await cancellations.requestAsBuyer(ofOrder, wish, "first");
    const { id: old } = (await orders.get(orderId, agentId)).cancel_request!;
    await cancellations.withdrawAsBuyer(ofOrder, old);
    await cancellations.requestAsBuyer(ofOrder, wish, "first");
    const now = async () => (await orders.get(orderId, agentId)).cancel_request!;
    expect(await now()).toMatchObject({ id: old, status: "WITHDRAWN" });
    await cancellations.requestAsBuyer(ofOrder, wish, old);
    await cancellations.withdrawAsBuyer(ofOrder, old);
    expect(await now()).toMatchObject({ status: "REQUESTED" });
    expect((await now()).id).not.toBe(old);
    await expect(cancellations.withdrawAsBuyer(ofOrder, "cr_none")).rejects.toMatchObject({
      code: "ILLEGAL_STEP",
    });
  });

  it("the page of an unpaid quote has nothing to cancel", async () => {
    const { store } = await open();
    const shop = await openShop(store);
    const { id } = await quoteFor(shop, { agentId: null });
    const token = shop.merchant.quotes.reviewUrl(id).split("/").at(-1)!;
    const found = await shop.merchant.reviews.find(token);
    const { cancellations } = shop.merchant;
    const illegal = { code: "ILLEGAL_STEP" };
    const asking = cancellations.requestAsBuyer(found, { reason_code: "OTHER" }, "first");
    await expect(asking).rejects.toMatchObject(illegal);
    const takingBack = cancellations.withdrawAsBuyer(found, "cr_none");
    await expect(takingBack).rejects.toMatchObject(illegal);
  });

  it("another key's order is not found", async () => {
    const { shop, orderId } = await ordered();
    const stranger = await newAgent(shop);
    for (const act of [ask, withdraw]) {
      await expect(act(shop, orderId, stranger)).rejects.toMatchObject({ code: "NOT_FOUND" });
    }
  });
});

it("a message with a card number is refused", () => {
  const message = "charge it back to 4242 4242 4242 4242 please";
  const parsed = CancelWish.safeParse({ reason_code: "OTHER", message });
  expect(parsed.error?.issues).toMatchObject([{ params: { code: "SECRET_IN_MESSAGE" } }]);
});
