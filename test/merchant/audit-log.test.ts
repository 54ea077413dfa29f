/** The log of the merchant's acts, in sentences that name what each act was about. */
import { describe, expect, it } from "vitest";
import { insert } from "../../src/core/command.ts";
import { write } from "../db/rules.ts";
import { STOCKED } from "../support/catalog.ts";
import { BY_POST, orderedIn, TWO_SHIPMENTS } from "../support/ordered.ts";
import { intent, paidOrder } from "../support/shop.ts";
import { ADDRESS } from "../support/shopper.ts";
import { openUsual } from "../support/stores.ts";

describe("the log", () => {
  it("says in a sentence what was done to which order, bean or agent", async () => {
    const { shop, orderId, agentId, first, second } = await orderedIn(openUsual, {
      shipments: TWO_SHIPMENTS,
    });
    const { orders, shipments, stock, keys, courtesy, tasks, audit } = shop.admin;
    const said: string[] = [];
    const step = async (act: () => Promise<unknown>) => {
      shop.clock.advance(1000);
      await act();
      said.push((await audit.list({ limit: 1 }))[0]!.sentence);
    };
    const on = { shipment_id: first };
    await step(() => orders.roast({ order_id: orderId }));
    await step(() => shipments.undo(on));
    await step(() => orders.roast({ order_id: orderId }));
    await step(() => shipments.changeAddress({ ...on, address: ADDRESS }));
    await step(() => shipments.ship({ ...on, tracking: BY_POST }));
    await step(() => shipments.correct({ ...on, tracking: { ...BY_POST, number: "9400 2" } }));
    await step(() => shipments.move({ ...on, to: "OUT_FOR_DELIVERY" }));
    await step(() => shipments.move({ ...on, to: "FAILED" }));
    const [failed] = (await tasks.waiting()).failures.rows;
    await step(() => tasks.handle({ task_id: failed!.id }));
    await step(() => orders.note({ order_id: orderId, text: "Rang twice." }));
    await step(() => orders.refund({ order_id: orderId, amount_minor: 1250 }));
    const why = { reason: "Sold out." };
    await step(() => shipments.cancel({ shipment_ids: [second], ...why }));
    const other = await paidOrder(shop, { agentId });
    const wish = { reason_code: "OTHER" as const };
    const { body } = await shop.merchant.cancellations.request(other, wish, agentId, intent());
    await step(() => shop.admin.cancellations.decline({ request_id: body.id, ...why }));
    await step(() => orders.cancel({ order_id: other, ...why }));
    await step(() => stock.set({ product_id: STOCKED, on_hand: 7 }));
    await step(() => stock.receive({ product_id: STOCKED, bags: 1 }));
    await step(() => stock.setLow({ product_id: STOCKED, low_at: 3 }));
    await step(() => courtesy.firstOrder({ on: false }));
    await step(() => keys.revoke({ agent_id: agentId }));
    const bean = (await shop.admin.stock.list()).find((row) => row.product_id === STOCKED)!.name;
    expect(said).toEqual([
      "Started roasting order #1001",
      "Set order #1001 back from “Roasting” to “To roast”",
      "Started roasting order #1001",
      "Changed the address of order #1001",
      "Shipped order #1001 with USPS 9400 1000",
      "Corrected the tracking of order #1001 from USPS 9400 1000 to USPS 9400 2",
      "Marked order #1001 as out for delivery",
      "Marked the delivery of order #1001 as failed",
      "Dismissed the failed delivery of order #1001",
      "Wrote a note on order #1001",
      "Refunded $12.50 of order #1001",
      "Canceled a part of order #1001: Sold out.",
      "Declined the cancel request for order #1002: Sold out.",
      "Canceled order #1002: Sold out.",
      expect.stringMatching(new RegExp(`^Set ${bean} from \\d+ to 7 bags on hand$`)),
      `Added 1 bag of ${bean}`,
      `Set the warning for ${bean} to fewer than 3 bags`,
      "Switched FIRSTBAG off",
      "Revoked the key of Test agent",
    ]);
    const about = (await audit.list()).map((row) => row.about?.kind ?? null);
    expect(new Set(about)).toEqual(new Set(["order", "bean", "agent", null]));
  });

  it("shows an act that it has no sentence for", async () => {
    const { shop, orderId } = await orderedIn(openUsual);
    const at = shop.clock.now();
    const row = { id: "aud_new", actor: "cli", act: "orders.polish", subject: orderId, at };
    await shop.store.run(write, [insert("audit", { ...row, detail: "{}" })]);
    const [entry] = await shop.admin.audit.list();
    expect(entry!.sentence).toBe("orders.polish order #1001");
  });
});
