/** Slips of the merchant: a step taken back, a tracking number corrected, another address. */
import { expect, it } from "vitest";
import { TIMES } from "../../src/core/policy.ts";
import { standingSteps } from "../../src/orders/shipment-steps.ts";
import { BY_POST, eventsOf, orderedIn, TWO_SHIPMENTS, typesOf } from "../support/ordered.ts";
import { after, type OrderSettings, openShop } from "../support/shop.ts";
import { ADDRESS } from "../support/shopper.ts";
import { describeEveryStore } from "../support/stores.ts";

const ILLEGAL = { code: "ILLEGAL_STEP" };
const ELSEWHERE = {
  name: "Another Buyer",
  line1: "7 Elm Street",
  city: "Dallas",
  region: "TX",
  postal_code: "75201",
  country: "US",
} as const;

describeEveryStore("the merchant's corrections", (open) => {
  const ordered = (wanted: Partial<OrderSettings> = {}) => orderedIn(open, wanted);

  it("a shipment that was shipped by mistake is roasting again, without its tracking number", async () => {
    const { shop, orderId, first, roast, ship, undo } = await ordered();
    await roast();
    await ship();
    shop.clock.advance(1);
    const order = await undo();
    expect(order).toMatchObject({
      status: "ROASTING",
      shipments: [{ status: "ROASTING", tracking: null, shipped_at: null }],
    });
    expect((await eventsOf(shop, orderId)).slice(3)).toMatchObject([
      { sequence: 4, type: "shipment.updated" },
      { sequence: 5, type: "order.shipped" },
      {
        sequence: 6,
        type: "shipment.step_undone",
        order_status: "ROASTING",
        data: { shipment_id: first, status: "ROASTING", previous_status: "SHIPPED" },
      },
    ]);
    expect((await shop.admin.audit.list())[0]).toMatchObject({
      act: "shipments.undo",
      subject: first,
      detail: { order_id: orderId, was: "SHIPPED", is: "ROASTING" },
    });
  });

  it.each(["DELIVERED", "FAILED", "RETURNED", "IN_TRANSIT", "OUT_FOR_DELIVERY"] as const)(
    "%s by mistake is shipped again, and can become what it is",
    async (to) => {
      const { shop, first, show, roast, ship, move } = await ordered();
      await roast();
      await ship();
      await move(to);
      const { version: seen } = await show();
      const order = await after(shop, shop.admin.shipments.undo({ shipment_id: first, seen }));
      expect(order).toMatchObject({
        status: "SHIPPED",
        shipments: [{ status: "SHIPPED", delivered_at: null, tracking: BY_POST }],
      });
      expect((await move("DELIVERED")).status).toBe("COMPLETED");
    },
  );

  it("roasting is undone for all its shipments, after later steps", async () => {
    const { shop, orderId, first, second, roast, ship, undo } = await ordered({
      shipments: TWO_SHIPMENTS,
    });
    await roast();
    await ship(second);
    await undo(second);
    const order = await undo();
    expect(order).toMatchObject({
      status: "CONFIRMED",
      shipments: [{ status: "PENDING" }, { status: "PENDING" }],
      undoable: [],
    });
    expect((await eventsOf(shop, orderId)).at(-1)).toMatchObject({
      type: "order.roasting_undone",
      order_status: "CONFIRMED",
      data: { shipments: [first, second].map((id) => ({ shipment_id: id, status: "PENDING" })) },
    });
    await expect(undo()).rejects.toMatchObject(ILLEGAL);
    expect((await roast()).status).toBe("ROASTING");
  });

  it("a step can be undone for exactly ten minutes", async () => {
    const { shop, first, show, roast, undo } = await ordered();
    await roast();
    shop.clock.advance(TIMES.undo_ms - 1);
    expect((await show()).undoable).toMatchObject([
      { shipment_id: first, was: "ROASTING", back_to: "PENDING" },
    ]);
    shop.clock.advance(1);
    expect((await show()).undoable).toEqual([]);
    await expect(undo()).rejects.toMatchObject(ILLEGAL);
  });

  it("a stale page undoes nothing, and of two at once one does", async () => {
    const { shop, other, orderId, first, show, roast, ship } = await ordered();
    const beside = await openShop(other, shop.clock);
    await roast();
    await ship();
    const { version: seen } = await show();
    await expect(
      shop.admin.shipments.undo({ shipment_id: first, seen: seen - 1 }),
    ).rejects.toMatchObject(ILLEGAL);
    const tries = await Promise.allSettled([
      shop.admin.shipments.undo({ shipment_id: first, seen }),
      beside.admin.shipments.undo({ shipment_id: first, seen }),
    ]);
    expect(tries.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect((await eventsOf(shop, orderId)).map(({ sequence }) => sequence)).toEqual([
      1, 2, 3, 4, 5, 6,
    ]);
  });

  it("recent steps are listed with their undo until it is over", async () => {
    const { shop, orderId, first, roast, ship } = await ordered();
    await roast();
    expect(await shop.admin.views.justDone({ view: "roast" })).toMatchObject([
      { order_id: orderId },
    ]);
    expect(await shop.admin.views.justDone({ view: "ship" })).toEqual([]);
    await ship();
    expect(await shop.admin.views.justDone({ view: "roast" })).toEqual([]);
    expect(await shop.admin.views.justDone({ view: "ship" })).toMatchObject([
      { shipment_id: first },
    ]);
    shop.clock.advance(TIMES.undo_ms);
    expect(await shop.admin.views.justDone({ view: "ship" })).toEqual([]);
  });

  it("recent steps name their shipments, and roasting together is one act", async () => {
    const { shop, first, second, roast, ship } = await ordered({ shipments: TWO_SHIPMENTS });
    await roast();
    expect(await shop.admin.views.justDone({ view: "roast" })).toMatchObject([
      { shipments: [{ id: first }, { id: second }] },
    ]);
    await ship();
    await ship(second, { ...BY_POST, number: "9400 2000" });
    const address = { line1: expect.stringMatching(/^\d Main Street$/) };
    expect(await shop.admin.views.justDone({ view: "ship" })).toMatchObject([
      { shipment_id: first, shipments: [{ id: first, address }] },
      { shipment_id: second, shipments: [{ id: second, address }] },
    ]);
  });

  it("a canceled order is not brought back by an undo", async () => {
    const { shop, orderId, roast, undo } = await ordered();
    await roast();
    await shop.admin.orders.cancel({ order_id: orderId, reason: "Spoiled." });
    await expect(undo()).rejects.toMatchObject(ILLEGAL);
  });

  it("a tracking number is corrected after the shipment has left, and the event has both", async () => {
    const { shop, orderId, first, roast, ship } = await ordered();
    const right = { carrier: "UPS", number: "1Z 999" };
    await roast();
    await expect(
      shop.admin.shipments.correct({ shipment_id: first, tracking: right }),
    ).rejects.toMatchObject(ILLEGAL);
    await ship();
    const order = await after(
      shop,
      shop.admin.shipments.correct({ shipment_id: first, tracking: right }),
    );
    expect(order).toMatchObject({
      status: "SHIPPED",
      shipments: [{ status: "SHIPPED", tracking: { ...right, url: null } }],
    });
    expect((await eventsOf(shop, orderId)).at(-1)).toMatchObject({
      type: "shipment.tracking_corrected",
      data: { shipment_id: first, tracking: right, previous_tracking: BY_POST },
    });
    await expect(
      shop.admin.shipments.correct({ shipment_id: first, tracking: right }),
    ).rejects.toMatchObject(ILLEGAL);
  });

  it("an address is changed until its shipment has left; price and terms stay", async () => {
    const { shop, first, second, roast, ship, read } = await ordered({ shipments: TWO_SHIPMENTS });
    const before = await read();
    await roast();
    await shop.admin.shipments.changeAddress({ shipment_id: first, address: ELSEWHERE });
    const order = await read();
    expect(order.shipments[0]?.address).toEqual(ELSEWHERE);
    expect(order.shipments[1]?.address).toEqual({ ...ADDRESS, line1: "2 Main Street" });
    expect(order.pricing).toEqual(before.pricing);
    expect(order.quote_hash).toBe(before.quote_hash);
    await ship(second);
    await expect(
      shop.admin.shipments.changeAddress({ shipment_id: second, address: ELSEWHERE }),
    ).rejects.toMatchObject(ILLEGAL);
  });

  it("events and audit log record a change of address without the address", async () => {
    const { shop, orderId, first } = await ordered();
    await shop.admin.shipments.changeAddress({ shipment_id: first, address: ELSEWHERE });
    const told = JSON.stringify([await eventsOf(shop, orderId), await shop.admin.audit.list()]);
    expect(told).toContain("shipment.address_changed");
    expect(told).toContain("shipments.address");
    for (const word of ["Another Buyer", "7 Elm Street", "Dallas", "75201"]) {
      expect(told).not.toContain(word);
    }
  });

  it("an address follows the rules of a quote: only states that we ship to, with their ZIP codes", async () => {
    const { shop, orderId, first } = await ordered();
    const wrong = { ...ELSEWHERE, region: "Bavaria", name: " " };
    await expect(
      shop.admin.shipments.changeAddress({ shipment_id: first, address: wrong }),
    ).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
      problems: [{ pointer: "/address/name" }, { pointer: "/address/region" }],
    });
    const away = { ...ELSEWHERE, postal_code: "94107" };
    await expect(
      shop.admin.shipments.changeAddress({ shipment_id: first, address: away }),
    ).rejects.toMatchObject({
      problems: [{ pointer: "/address/postal_code" }],
    });
    expect(await typesOf(shop, orderId)).toHaveLength(2);
  });
});

it("a shipment's standing step follows from its log, with any undone steps in between", () => {
  let at = 0;
  const entry = (type: string, data: object) => {
    at += 1;
    return { id: `evt_${at}`, type, data: JSON.stringify(data), occurred_at: at };
  };
  const step = (previous_status: string, status: string) =>
    entry("shipment.updated", { shipment_id: "shp_1", previous_status, status });
  const undone = () => entry("shipment.step_undone", { shipment_id: "shp_1" });
  const log = [
    entry("order.confirmed", {}),
    entry("order.roasting", { shipments: [{ shipment_id: "shp_1" }, { shipment_id: "shp_2" }] }),
    step("ROASTING", "SHIPPED"),
    undone(),
    step("ROASTING", "SHIPPED"),
    entry("shipment.tracking_corrected", { shipment_id: "shp_1" }),
    step("SHIPPED", "FAILED"),
    undone(),
  ];
  const standingStep = (of: typeof log) => standingSteps(of, "shp_1").at(-1);
  expect(standingStep(log)).toMatchObject({ eventId: "evt_5", to: "SHIPPED" });
  expect(standingStep([...log, undone()])).toMatchObject({
    eventId: "evt_2",
    to: "ROASTING",
    shipmentIds: ["shp_1", "shp_2"],
  });
  expect(standingStep(log.slice(0, 1))).toBeUndefined();
});
