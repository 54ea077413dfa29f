/** Tasks that wait until a person handles them, and the merchant's internal notes. */
import { expect, it } from "vitest";
import { insert } from "../../src/core/command.ts";
import { write } from "../db/rules.ts";
import { WAITLISTED } from "../support/catalog.ts";
import { eventsOf, orderedIn, TWO_SHIPMENTS } from "../support/ordered.ts";
import { dispute, NOW } from "../support/rows.ts";
import { after, intent, openShop, versionOf } from "../support/shop.ts";
import { describeEveryStore } from "../support/stores.ts";

const ILLEGAL = { code: "ILLEGAL_STEP" };

describeEveryStore("a task of the merchant", (open) => {
  /** A shop with one paid order whose buyer asks to cancel. */
  async function asked() {
    const ordered = await orderedIn(open);
    const { shop, orderId, agentId } = ordered;
    const wish = { reason_code: "CHANGED_MIND" } as const;
    const request = await shop.merchant.cancellations.request(orderId, wish, agentId, intent());
    return { ...ordered, requestId: request.body.id };
  }

  it("an incident waits until it is handled once, and keeps who handled it and when", async () => {
    const { shop, orderId } = await orderedIn(open);
    shop.provider.refusing = true;
    await shop.admin.orders.refund({ order_id: orderId, amount_minor: null, now: true });
    shop.clock.advance(30 * 86_400_000);
    const { incidents } = await shop.admin.tasks.waiting();
    expect(incidents).toMatchObject({ count: 1, rows: [{ kind: "REFUND_FAILED", number: 1001 }] });
    const { id } = incidents.rows[0]!;
    await shop.admin.tasks.handle({ task_id: id });
    await expect(shop.admin.tasks.handle({ task_id: id })).rejects.toMatchObject(ILLEGAL);
    expect((await shop.admin.tasks.waiting()).incidents).toEqual({ count: 0, rows: [] });
    expect(await shop.admin.incidents.list()).toMatchObject([
      { id, number: 1001, handled_by: "cli", handled_at: new Date(shop.clock.now()).toISOString() },
    ]);
    expect(await shop.admin.audit.list()).toContainEqual(
      expect.objectContaining({ act: "tasks.handle", subject: id, detail: { kind: "INCIDENT" } }),
    );
  });

  it("feedback and leads wait for an answer, oldest first", async () => {
    const { shop, agentId } = await orderedIn(open);
    const { messages } = shop.merchant;
    await messages.feedback({ message: "Ground, please." }, agentId, intent());
    shop.clock.advance(1000);
    await messages.lead({ email: "cafe@example.com", purpose: "A café" }, agentId, intent());
    const waiting = await shop.admin.tasks.waiting();
    expect(waiting.messages).toMatchObject({
      count: 2,
      rows: [
        { text: "Ground, please.", email: "agent@example.com" },
        { email: "cafe@example.com" },
      ],
    });
    await shop.admin.tasks.handle({ task_id: waiting.messages.rows[0]!.id });
    expect((await shop.admin.tasks.waiting()).messages.count).toBe(1);
    expect(await shop.admin.feedback.list()).toMatchObject([{ handled_by: "cli" }]);
    expect(await shop.admin.leads.list()).toMatchObject([{ handled_by: null }]);
  });

  it("every note about an order is shown, however many there are", async () => {
    const { shop, orderId } = await orderedIn(open);
    const texts = Array.from({ length: 120 }, (_, i) => `Note ${i}`);
    await Promise.all(texts.map((text) => shop.admin.orders.note({ order_id: orderId, text })));
    const { notes } = await shop.admin.orders.show({ order_id: orderId });
    expect(notes.map(({ text }) => text).sort()).toEqual(texts.sort());
  });

  it("disputes are sorted by deadline, those without one last", async () => {
    const { shop } = await orderedIn(open);
    const deadlines: [string, number | null][] = [
      ["answered", null],
      ["later", NOW + 2],
      ["soon", NOW + 1],
    ];
    const rows = deadlines.map(([id, due_by]) => insert("disputes", dispute({ id, due_by })));
    await shop.store.run(write, rows);
    const { disputes } = await shop.admin.tasks.waiting();
    expect(disputes.map(({ id }) => id)).toEqual(["soon", "later", "answered"]);
  });

  it("a canceled order waits until it is refunded or its money is kept", async () => {
    const { shop, orderId } = await orderedIn(open);
    await shop.admin.orders.cancel({ order_id: orderId, reason: "The roaster is broken." });
    expect((await shop.admin.tasks.waiting()).refunds).toMatchObject({
      count: 1,
      rows: [{ order_id: orderId, number: 1001, refundable_minor: 3200 }],
    });
    await shop.admin.orders.refund({ order_id: orderId, amount_minor: 1000, now: true });
    expect((await shop.admin.tasks.waiting()).refunds).toEqual({ count: 0, rows: [] });

    const other = await orderedIn(open);
    await other.shop.admin.orders.cancel({
      order_id: other.orderId,
      reason: "As the policy says: no refund.",
    });
    const [row] = (await other.shop.admin.tasks.waiting()).refunds.rows;
    await other.shop.admin.tasks.handle({ task_id: row!.id });
    expect((await other.shop.admin.tasks.waiting()).refunds.count).toBe(0);
  });

  it("accepting with a refund is one act and leaves no task", async () => {
    const { shop, orderId, requestId } = await asked();
    const order = await after(
      shop,
      shop.admin.cancellations.accept({
        refund: true,
        request_id: requestId,
        seen: await versionOf(shop, orderId),
      }),
    );
    expect(order).toMatchObject({
      status: "CANCELED",
      cancel_request: { status: "ACCEPTED" },
      payment: { status: "REFUNDED", refunded_minor: 3200 },
    });
    expect((await eventsOf(shop, orderId)).map(({ type }) => type).slice(3)).toEqual([
      "cancel_request.accepted",
      "order.canceled",
      "payment.refunded",
    ]);
    expect((await shop.admin.tasks.waiting()).refunds).toEqual({ count: 0, rows: [] });
  });

  it("a canceled part waits for its refund too", async () => {
    const { shop, orderId, agentId, first } = await orderedIn(open, { shipments: TWO_SHIPMENTS });
    const wish = { reason_code: "CHANGED_MIND" as const, shipment_ids: [first] };
    const { body } = await shop.merchant.cancellations.request(orderId, wish, agentId, intent());
    await shop.admin.cancellations.accept({ request_id: body.id });
    expect((await shop.admin.tasks.waiting()).refunds).toMatchObject({
      count: 1,
      rows: [{ order_id: orderId, status: "CONFIRMED" }],
    });
    const suggested = async () =>
      (await shop.admin.orders.show({ order_id: orderId })).canceled_refund_minor;
    expect(await suggested()).toBe(3200);
    await shop.admin.orders.refund({ order_id: orderId, amount_minor: 3200, now: true });
    expect((await shop.admin.tasks.waiting()).refunds.count).toBe(0);
    expect(await suggested()).toBe(0);
  });

  it("a canceled part is refunded in one act; the rest continues", async () => {
    const { shop, orderId, agentId, first } = await orderedIn(open, { shipments: TWO_SHIPMENTS });
    const wish = { reason_code: "CHANGED_MIND" as const, shipment_ids: [first] };
    const { body } = await shop.merchant.cancellations.request(orderId, wish, agentId, intent());
    expect(await shop.admin.orders.show({ order_id: orderId })).toMatchObject({
      refundable_minor: 7600,
      request_refund_minor: 3200,
    });
    expect(
      await after(
        shop,
        shop.admin.cancellations.accept({
          refund: true,
          request_id: body.id,
          seen: await versionOf(shop, orderId),
        }),
      ),
    ).toMatchObject({
      status: "CONFIRMED",
      shipments: [{ status: "CANCELED" }, { status: "PENDING" }],
      payment: { status: "PAID", refunded_minor: 3200 },
      request_refund_minor: null,
    });
    expect((await shop.admin.tasks.waiting()).refunds).toEqual({ count: 0, rows: [] });
    shop.clock.advance(1000);
    const again = await shop.merchant.cancellations.request(
      orderId,
      { reason_code: "CHANGED_MIND" },
      agentId,
      intent(),
    );
    expect(
      await after(
        shop,
        shop.admin.cancellations.accept({
          refund: true,
          request_id: again.body.id,
          seen: await versionOf(shop, orderId),
        }),
      ),
    ).toMatchObject({
      status: "CANCELED",
      payment: { status: "REFUNDED", refunded_minor: 7600 },
    });
  });

  it("a part is refunded at most what is left, never by another refund", async () => {
    const { shop, orderId, agentId, first, second } = await orderedIn(open, {
      shipments: TWO_SHIPMENTS,
    });
    shop.provider.up = false;
    await shop.admin.orders.refund({ order_id: orderId, amount_minor: 3200, now: true });
    shop.provider.up = true;
    const wish = { reason_code: "CHANGED_MIND" as const, shipment_ids: [first] };
    const { body } = await shop.merchant.cancellations.request(orderId, wish, agentId, intent());
    const order = await after(
      shop,
      shop.admin.cancellations.accept({
        refund: true,
        request_id: body.id,
        seen: await versionOf(shop, orderId),
      }),
    );
    expect(order.refunds.map(({ amount_minor }) => amount_minor)).toEqual([3200, 3200]);
    shop.clock.advance(1000);
    const other = { ...wish, shipment_ids: [second] };
    await shop.merchant.cancellations.request(orderId, other, agentId, intent());
    expect((await shop.admin.orders.show({ order_id: orderId })).request_refund_minor).toBe(1200);
  });

  it("the act is all or nothing: an old page cancels nothing", async () => {
    const { shop, orderId, requestId } = await asked();
    const seen = await versionOf(shop, orderId);
    await shop.admin.orders.refund({ order_id: orderId, amount_minor: 500, now: true });
    await expect(
      shop.admin.cancellations.accept({ refund: true, request_id: requestId, seen }),
    ).rejects.toMatchObject(ILLEGAL);
    expect(await shop.admin.orders.show({ order_id: orderId })).toMatchObject({
      status: "CONFIRMED",
      cancel_request: { status: "REQUESTED" },
      refundable_minor: 2700,
    });
  });

  it("during a provider outage the order is canceled and the refund recorded", async () => {
    const { shop, requestId } = await asked();
    shop.provider.up = false;
    const order = await after(
      shop,
      shop.admin.cancellations.accept({ refund: true, request_id: requestId }),
    );
    expect(order).toMatchObject({ status: "CANCELED", refunds: [{ status: "PENDING" }] });
    expect((await shop.admin.tasks.waiting()).refunds.count).toBe(0);
  });

  it("a note about an order is the merchant's alone", async () => {
    const { shop, orderId, agentId } = await orderedIn(open);
    await shop.admin.orders.note({ order_id: orderId, text: "Rang twice, call first." });
    const order = await shop.admin.orders.show({ order_id: orderId });
    expect(order.notes).toMatchObject([{ text: "Rang twice, call first.", written_by: "cli" }]);
    const told = JSON.stringify([
      await shop.merchant.orders.get(orderId, agentId),
      await eventsOf(shop, orderId),
      await shop.admin.audit.list(),
    ]);
    expect(told).not.toContain("Rang twice");
    await expect(shop.admin.orders.note({ order_id: orderId, text: " " })).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
    });
  });

  it("received bags add up, from two people at once and beside a count", async () => {
    const { shop, other } = await orderedIn(open);
    const beside = await openShop(other, shop.clock);
    const { on_hand } = await shop.admin.stock.receive({ product_id: WAITLISTED, bags: 1 });
    await Promise.all([
      shop.admin.stock.receive({ product_id: WAITLISTED, bags: 40 }),
      beside.admin.stock.receive({ product_id: WAITLISTED, bags: 2 }),
    ]);
    const rows = await shop.admin.stock.list();
    expect(rows.find((row) => row.product_id === WAITLISTED)?.on_hand).toBe(on_hand + 42);
    expect(await shop.admin.audit.list()).toContainEqual(
      expect.objectContaining({
        act: "stock.receive",
        subject: WAITLISTED,
        detail: expect.objectContaining({ bags: 40 }),
      }),
    );
    await expect(
      shop.admin.stock.receive({ product_id: WAITLISTED, bags: 0 }),
    ).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
    });
  });

  it("a form sent twice, to two instances, adds bags and notes once", async () => {
    const { shop, other, orderId } = await orderedIn(open);
    const beside = await openShop(other, shop.clock);
    const { on_hand } = await shop.admin.stock.receive({ product_id: WAITLISTED, bags: 1 });
    const both = [shop, beside, shop];
    await Promise.all(
      both.map(({ merchant }) =>
        merchant.admin("desk", "form_1").stock.receive({ product_id: WAITLISTED, bags: 40 }),
      ),
    );
    await Promise.all(
      both.map(({ merchant }) =>
        merchant.admin("desk", "form_2").orders.note({ order_id: orderId, text: "Ring." }),
      ),
    );
    const rows = await shop.admin.stock.list();
    expect(rows.find((row) => row.product_id === WAITLISTED)?.on_hand).toBe(on_hand + 40);
    expect((await shop.admin.orders.show({ order_id: orderId })).notes).toHaveLength(1);
  });

  it("each bean has its own low-stock number", async () => {
    const { shop } = await orderedIn(open);
    await shop.admin.stock.set({ product_id: WAITLISTED, on_hand: 20 });
    const low = async () =>
      (await shop.admin.stock.list()).find((row) => row.product_id === WAITLISTED)?.low;
    expect(await low()).toBe(false);
    await shop.admin.stock.setLow({ product_id: WAITLISTED, low_at: 21 });
    expect(await low()).toBe(true);
    await shop.admin.stock.setLow({ product_id: WAITLISTED, low_at: 20 });
    expect(await low()).toBe(false);
  });
});
