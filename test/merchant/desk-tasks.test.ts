/** Tasks that wait until a person handles them, and the merchant's internal notes. */
import { describe, expect, it } from "vitest";
import { insert } from "../../src/core/command.ts";
import { write } from "../db/rules.ts";
import { WAITLISTED } from "../support/catalog.ts";
import { eventsOf, orderedIn } from "../support/ordered.ts";
import { dispute, NOW } from "../support/rows.ts";
import { intent, openShop } from "../support/shop.ts";
import { openUsual } from "../support/stores.ts";

const ILLEGAL = { code: "ILLEGAL_STEP" };

describe("a task of the merchant", () => {
  it("an incident waits until it is handled once, and keeps who handled it and when", async () => {
    const { shop, refund } = await orderedIn(openUsual);
    shop.provider.refusing = true;
    await refund();
    shop.clock.advance(30 * 86_400_000);
    const { incidents } = await shop.admin.tasks.waiting();
    expect(incidents).toMatchObject({ count: 1, rows: [{ kind: "REFUND_FAILED", number: 1001 }] });
    expect(await shop.admin.views.counts()).toMatchObject({ messages: 0, incidents: 1 });
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
    const { shop, agentId, orderId: order_id } = await orderedIn(openUsual);
    const { messages } = shop.merchant;
    await messages.feedback({ message: "Ground, please." }, agentId, intent());
    shop.clock.advance(1000);
    await messages.feedback({ message: "Where is it?", order_id }, agentId, intent());
    shop.clock.advance(1000);
    await messages.lead({ email: "cafe@example.com", purpose: "A café" }, agentId, intent());
    const waiting = await shop.admin.tasks.waiting();
    expect(waiting.messages).toMatchObject({
      count: 3,
      rows: [
        { text: "Ground, please.", email: "agent@example.com" },
        { text: "Where is it?", email: "buyer@example.com", number: 1001 },
        { email: "cafe@example.com" },
      ],
    });
    expect(await shop.admin.views.counts()).toMatchObject({ messages: 3, incidents: 0 });
    await shop.admin.tasks.handle({ task_id: waiting.messages.rows[0]!.id });
    expect((await shop.admin.tasks.waiting()).messages.count).toBe(2);
    expect(await shop.admin.views.counts()).toMatchObject({ messages: 2 });
    const handled = [{ handled_by: null }, { handled_by: "cli" }];
    expect(await shop.admin.feedback.list()).toMatchObject(handled);
    expect(await shop.admin.leads.list()).toMatchObject([{ handled_by: null }]);
  });

  it("every note about an order is shown, however many there are", async () => {
    const { shop, orderId, show } = await orderedIn(openUsual);
    const texts = Array.from({ length: 120 }, (_, i) => `Note ${i}`);
    await Promise.all(texts.map((text) => shop.admin.orders.note({ order_id: orderId, text })));
    const { notes } = await show();
    expect(notes.map(({ text }) => text).sort()).toEqual(texts.sort());
  });

  it("disputes are sorted by deadline, those without one last", async () => {
    const { shop } = await orderedIn(openUsual);
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
    const { shop, orderId, refund } = await orderedIn(openUsual);
    await shop.admin.orders.cancel({ order_id: orderId, reason: "The roaster is broken." });
    expect((await shop.admin.tasks.waiting()).refunds).toMatchObject({
      count: 1,
      rows: [{ order_id: orderId, number: 1001, refundable_minor: 3200 }],
    });
    await refund(1000);
    expect((await shop.admin.tasks.waiting()).refunds).toEqual({ count: 0, rows: [] });

    const other = await orderedIn(openUsual);
    await other.shop.admin.orders.cancel({
      order_id: other.orderId,
      reason: "As the policy says: no refund.",
    });
    const [row] = (await other.shop.admin.tasks.waiting()).refunds.rows;
    await other.shop.admin.tasks.handle({ task_id: row!.id });
    expect((await other.shop.admin.tasks.waiting()).refunds.count).toBe(0);
  });

  it("a note about an order is the merchant's alone", async () => {
    const { shop, orderId, show, read } = await orderedIn(openUsual);
    await shop.admin.orders.note({ order_id: orderId, text: "Rang twice, call first." });
    const order = await show();
    expect(order.notes).toMatchObject([{ text: "Rang twice, call first.", written_by: "cli" }]);
    const told = JSON.stringify([
      await read(),
      await eventsOf(shop, orderId),
      await shop.admin.audit.list(),
    ]);
    expect(told).not.toContain("Rang twice");
    await expect(shop.admin.orders.note({ order_id: orderId, text: " " })).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
    });
  });

  it("received bags add up, from two people at once and beside a count", async () => {
    const { shop, other } = await orderedIn(openUsual);
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
    const { shop, other, orderId, show } = await orderedIn(openUsual);
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
    expect((await show()).notes).toHaveLength(1);
  });

  it("each bean has its own low-stock number", async () => {
    const { shop } = await orderedIn(openUsual);
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
