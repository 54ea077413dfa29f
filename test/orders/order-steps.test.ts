import { expect, it } from "vitest";
import type { ShipmentStatus } from "../../src/core/records.ts";
import { nextShipmentSteps } from "../../src/orders/order-steps.ts";
import { BY_POST, eventsOf, orderedIn, TWO_SHIPMENTS, typesOf } from "../support/ordered.ts";
import { type OrderSettings, openShop } from "../support/shop.ts";
import { describeEveryStore } from "../support/stores.ts";

describeEveryStore("the merchant's steps", (open) => {
  const ordered = (wanted: Partial<OrderSettings> = {}) => orderedIn(open, wanted);

  it("roasting an order takes all its shipments and is one event", async () => {
    const { shop, orderId, roast } = await ordered({ shipments: TWO_SHIPMENTS });
    const order = await roast();
    expect(order.status).toBe("ROASTING");
    expect(order.shipments.map(({ status }) => status)).toEqual(["ROASTING", "ROASTING"]);
    expect(await eventsOf(shop, orderId)).toMatchObject([
      { sequence: 1, type: "order.confirmed" },
      { sequence: 2, type: "payment.verified" },
      { sequence: 3, type: "order.roasting", order_status: "ROASTING" },
    ]);
  });

  it("an order goes from roasting to delivered, with an event for each step", async () => {
    const { shop, orderId, agentId, roast, ship, read, move } = await ordered();
    await roast();
    const shipped = await ship();
    expect(shipped).toMatchObject({ status: "SHIPPED", shipments: [{ tracking: BY_POST }] });
    for (const to of ["IN_TRANSIT", "OUT_FOR_DELIVERY", "DELIVERED"] as const) {
      shop.clock.advance(1000);
      await move(to);
    }
    const page = { after: 2, limit: 50, waitMs: 0 };
    const { events } = await shop.merchant.orders.events(orderId, agentId, page);
    expect(events.map(({ type }) => type)).toEqual([
      "order.roasting",
      "shipment.updated",
      "order.shipped",
      "shipment.updated",
      "shipment.updated",
      "shipment.updated",
      "order.completed",
    ]);
    expect(events.map(({ sequence }) => sequence)).toEqual([3, 4, 5, 6, 7, 8, 9]);
    const order = await read();
    expect(order).toMatchObject({ status: "COMPLETED", shipments: [{ status: "DELIVERED" }] });
    expect(order.shipments[0]?.delivered_at).not.toBeNull();
  });

  it("an order is partially shipped until its last shipment has gone", async () => {
    const { shop, orderId, second, roast, ship, move } = await ordered({
      shipments: TWO_SHIPMENTS,
    });
    await roast();
    expect((await ship()).status).toBe("PARTIALLY_SHIPPED");
    expect(await typesOf(shop, orderId)).not.toContain("order.shipped");
    const last = { ...BY_POST, number: "9400 2000" };
    expect((await ship(second, last)).status).toBe("SHIPPED");
    await move("DELIVERED");
    expect(await typesOf(shop, orderId)).not.toContain("order.completed");
    expect((await move("RETURNED", second)).status).toBe("COMPLETED");
    const types = await typesOf(shop, orderId);
    expect(types.filter((type) => type === "order.shipped")).toHaveLength(1);
    expect(types.at(-1)).toBe("order.completed");
  });

  it("a failed delivery can be in transit again, arrive or be returned", async () => {
    const { roast, ship, move } = await ordered();
    await roast();
    await ship();
    await move("FAILED");
    await move("IN_TRANSIT");
    await move("FAILED");
    await expect(move("OUT_FOR_DELIVERY")).rejects.toMatchObject({
      code: "ILLEGAL_STEP",
      message: expect.stringMatching(
        /is FAILED and cannot become OUT_FOR_DELIVERY.*IN_TRANSIT, DELIVERED, RETURNED/,
      ),
    });
    expect((await move("RETURNED")).status).toBe("COMPLETED");
    const other = await ordered();
    await other.roast();
    await other.ship();
    await other.move("FAILED");
    expect((await other.move("DELIVERED")).status).toBe("COMPLETED");
  });

  it("nothing ships before it is roasted, and the error names the possible steps", async () => {
    const { shop, orderId, ship } = await ordered();
    await expect(ship()).rejects.toMatchObject({
      code: "ILLEGAL_STEP",
      message: expect.stringContaining("its order must be roasted first"),
    });
    expect(await typesOf(shop, orderId)).toEqual(["order.confirmed", "payment.verified"]);
  });

  it("a repeated step is refused and writes nothing", async () => {
    const { shop, orderId, roast, ship } = await ordered();
    await roast();
    await expect(roast()).rejects.toMatchObject({
      code: "ILLEGAL_STEP",
    });
    await ship();
    await expect(ship()).rejects.toMatchObject({
      code: "ILLEGAL_STEP",
    });
    expect(await typesOf(shop, orderId)).toHaveLength(5);
    expect((await shop.admin.audit.list()).map(({ act }) => act).sort()).toEqual([
      "orders.roast",
      "shipments.ship",
    ]);
  });

  it("two forms at once ship a shipment once", async () => {
    const { shop, other, orderId, first, roast, ship } = await ordered();
    const beside = await openShop(other, shop.clock);
    await roast();
    const tries = await Promise.allSettled([
      ship(),
      beside.admin.shipments.ship({ shipment_id: first, tracking: BY_POST }),
    ]);
    expect(tries.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const sequences = (await eventsOf(shop, orderId)).map(({ sequence }) => sequence);
    expect(sequences).toEqual([1, 2, 3, 4, 5]);
  });

  it("a number of another address is accepted when it is sent again", async () => {
    const { shop, orderId, first, second } = await ordered({ shipments: TWO_SHIPMENTS });
    const { orders, shipments } = shop.admin;
    await orders.roast({ order_id: orderId });
    await shipments.ship({ shipment_id: first, tracking: BY_POST });
    const used = {
      code: "VALIDATION_FAILED",
      message: "9400 1000 is also on #1001-1; add --again to keep it.",
      problems: [{ pointer: "/tracking/number", code: "USED" }],
    };
    await expect(shipments.ship({ shipment_id: second, tracking: BY_POST })).rejects.toMatchObject(
      used,
    );
    // However it is typed: a scanner leaves out what stands on the label between its groups.
    const scanned = { ...BY_POST, number: "94001000" };
    await expect(shipments.ship({ shipment_id: second, tracking: scanned })).rejects.toThrow(
      "94001000 is also on #1001-1",
    );
    await shipments.ship({ shipment_id: second, tracking: scanned, again: true });
    // Only its carrier changes.
    await shipments.correct({ shipment_id: second, tracking: { ...scanned, carrier: "Us" } });
    await shipments.correct({
      shipment_id: second,
      tracking: { ...BY_POST, number: "1Z 2000" },
    });
    expect(await shop.admin.views.search({ words: "1z2000" })).toMatchObject([{ id: orderId }]);
    await expect(
      shipments.correct({ shipment_id: second, tracking: BY_POST }),
    ).rejects.toMatchObject(used);
    await shipments.correct({ shipment_id: second, tracking: BY_POST, again: true });
  });

  it("shipments to one address share a number, and a text without digits is none", async () => {
    const { shop, orderId, first, second } = await ordered({ shipments: TWO_SHIPMENTS });
    const { orders, shipments } = shop.admin;
    await orders.roast({ order_id: orderId });
    const { address } = (await orders.show({ order_id: orderId })).shipments[1]!;
    const byHand = { carrier: "Us", number: "by hand" };
    await shipments.ship({ shipment_id: first, tracking: byHand });
    await shipments.ship({ shipment_id: second, tracking: byHand });
    await shipments.undo({ shipment_id: first });
    await shipments.correct({ shipment_id: second, tracking: BY_POST });
    await shipments.changeAddress({
      shipment_id: first,
      address: { ...address, name: "Charles Babbage" },
    });
    await shipments.ship({ shipment_id: first, tracking: BY_POST });
  });

  it("a tracking link is https, and carrier and number are required", async () => {
    const { shop, first, roast, ship } = await ordered();
    await roast();
    const wrong = { carrier: " ", number: "1", url: "http://x.example" };
    await expect(ship(first, wrong)).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
      problems: [{ pointer: "/tracking/carrier" }, { pointer: "/tracking/url" }],
    });
    const links = [
      "javascript:alert(1)",
      "https://me:secret@post.example/1",
      "https://post.example/\u001b[31m",
      "https://post.example/\u0000",
      "//post.example/1",
    ];
    for (const url of links) {
      const tracking = { carrier: "USPS", number: "1", url };
      await expect(
        shop.admin.shipments.ship({ shipment_id: first, tracking }),
      ).rejects.toMatchObject({
        problems: [{ pointer: "/tracking/url" }],
      });
    }
  });

  it.each(["\u0000", "\ud800", "\u001b[31m"])(
    "what no text has is refused in the merchant's fields too: %j",
    async (odd) => {
      const { shop, orderId, first, roast } = await ordered();
      await roast();
      const refused = { code: "VALIDATION_FAILED" };
      const { orders, shipments } = shop.admin;
      await expect(orders.cancel({ order_id: orderId, reason: `No${odd}` })).rejects.toMatchObject(
        refused,
      );
      const tracking = { carrier: `Post${odd}`, number: "1" };
      await expect(shipments.ship({ shipment_id: first, tracking })).rejects.toMatchObject(refused);
    },
  );

  it("an unknown order, shipment or request is not found", async () => {
    const { shop } = await ordered();
    const { orders, shipments, cancellations } = shop.admin;
    for (const act of [
      () => orders.show({ order_id: "ord_none" }),
      () => orders.roast({ order_id: "ord_none" }),
      () => orders.cancel({ order_id: "ord_none", reason: "No." }),
      () => shipments.move({ shipment_id: "shp_none", to: "DELIVERED" }),
      () => cancellations.accept({ request_id: "cr_none" }),
    ])
      await expect(act()).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

it("no step leads back, except that a returned shipment can ship again", () => {
  const order: ShipmentStatus[] = ["PENDING", "ROASTING", "SHIPPED", "IN_TRANSIT"];
  for (const [i, status] of order.entries()) {
    for (const earlier of order.slice(0, i + 1)) {
      expect(nextShipmentSteps(status)).not.toContain(earlier);
    }
  }
  for (const end of ["DELIVERED", "CANCELED"] as const) expect(nextShipmentSteps(end)).toEqual([]);
  expect(nextShipmentSteps("RETURNED")).toEqual(["SHIPPED"]);
});
