/** The merchant's steps and their corrections (contract §5). Cancellations are in cancellations.test.ts. */
import { describe, expect, it, test } from "vitest";
import type { ShipmentStatus } from "../../src/core/records.ts";
import { nextShipmentSteps } from "../../src/orders/order-steps.ts";
import { standingSteps } from "../../src/orders/shipment-steps.ts";
import {
  BY_POST,
  eventsOf,
  ILLEGAL,
  orderedIn,
  pageToken,
  TWO_SHIPMENTS,
  typesOf,
} from "../support/ordered.ts";
import type { OrderSettings } from "../support/shop.ts";
import { ADDRESS } from "../support/shopper.ts";
import { openUsual } from "../support/stores.ts";

const ordered = (wanted: Partial<OrderSettings> = {}) => orderedIn(openUsual, wanted);
const inTwo = () => ordered({ shipments: TWO_SHIPMENTS });
type Ordered = Awaited<ReturnType<typeof ordered>>;

/** Acts of the script: "ship:2", "DELIVERED:2", … of the second shipment; "!" for a refused one. */
async function play(at: Ordered, script: string): Promise<void> {
  for (const word of script.split(" ")) {
    const [act = "", which = "1", label = `9400 ${which}000`] = word.replace("!", "").split(":");
    const id = which === "2" ? at.second : at.first;
    at.shop.clock.advance(1);
    const acting = {
      roast: () => at.roast(),
      cancel: () => at.cancel(),
      ship: () => at.ship(id, { ...BY_POST, number: label.replace("-", " ") }),
      undo: () => at.undo(id),
      correct: () => at.correct(id, { ...BY_POST, number: label.replace("-", " ") }),
      address: () => at.changeAddress(id, { ...ADDRESS, line1: label }),
    }[act];
    const done = acting?.() ?? at.move(act as Parameters<Ordered["move"]>[0], id);
    if (word.startsWith("!")) await expect(done).rejects.toMatchObject(ILLEGAL);
    else await done;
  }
}

const SHIP = "shipment.updated";
const SHIPPED = [SHIP, "order.shipped"];

describe("an order follows its shipments, with an event for each step", () => {
  test.each<[shipments: 1 | 2, script: string, ends: string, events: string[]]>([
    [1, "!ship !undo", "CONFIRMED: PENDING", []],
    [1, "roast !roast", "ROASTING: ROASTING", ["order.roasting"]],
    [2, "roast", "ROASTING: ROASTING, ROASTING", ["order.roasting"]],
    [1, "roast ship !ship", "SHIPPED: SHIPPED 9400 1000", ["order.roasting", ...SHIPPED]],
    [
      1,
      "roast ship IN_TRANSIT OUT_FOR_DELIVERY DELIVERED",
      "COMPLETED: DELIVERED 9400 1000",
      ["order.roasting", ...SHIPPED, SHIP, SHIP, SHIP, "order.completed"],
    ],
    [2, "roast ship", "PARTIALLY_SHIPPED: SHIPPED 9400 1000, ROASTING", ["order.roasting", SHIP]],
    [
      2,
      "roast ship ship:2 DELIVERED",
      "SHIPPED: DELIVERED 9400 1000, SHIPPED 9400 2000",
      ["order.roasting", SHIP, ...SHIPPED, SHIP],
    ],
    [
      2,
      "roast ship ship:2 DELIVERED RETURNED:2",
      "COMPLETED: DELIVERED 9400 1000, RETURNED 9400 2000",
      ["order.roasting", SHIP, ...SHIPPED, SHIP, SHIP, "order.completed"],
    ],
    [
      1,
      "roast ship FAILED IN_TRANSIT FAILED !OUT_FOR_DELIVERY RETURNED",
      "COMPLETED: RETURNED 9400 1000",
      ["order.roasting", ...SHIPPED, SHIP, SHIP, SHIP, SHIP, "order.completed"],
    ],
    // Corrections.
    [
      1,
      "roast ship undo",
      "ROASTING: ROASTING",
      ["order.roasting", ...SHIPPED, "shipment.step_undone"],
    ],
    [
      2,
      "roast ship:2 undo:2 undo:1 !undo:1",
      "CONFIRMED: PENDING, PENDING",
      ["order.roasting", SHIP, "shipment.step_undone", "order.roasting_undone"],
    ],
    [2, "roast undo roast", "ROASTING: ROASTING, ROASTING", expect.any(Array)],
    [1, "roast cancel !undo !ship !roast", "CANCELED: CANCELED", expect.any(Array)],
    ...(["DELIVERED", "FAILED", "RETURNED", "IN_TRANSIT", "OUT_FOR_DELIVERY"] as const).map(
      (slip): [1, string, string, string[]] => [
        1,
        `roast ship ${slip} undo`,
        "SHIPPED: SHIPPED 9400 1000",
        expect.arrayContaining(["shipment.step_undone"]),
      ],
    ),
    // What came back.
    [
      1,
      "roast ship RETURNED ship:1:9400-9 DELIVERED",
      "COMPLETED: DELIVERED 9400 9",
      ["order.roasting", ...SHIPPED, SHIP, "order.completed", ...SHIPPED, SHIP, "order.completed"],
    ],
    [
      1,
      "roast ship RETURNED ship:1:9400-9 undo",
      "COMPLETED: RETURNED 9400 1000",
      expect.any(Array),
    ],
  ])("%i, %s: %s", async (count, script, ends, events) => {
    const at = count === 2 ? await inTwo() : await ordered();
    await play(at, script);
    const { status, shipments } = await at.show();
    const each = shipments.map((one) =>
      [one.status, one.tracking?.number].filter(Boolean).join(" "),
    );
    expect(`${status}: ${each.join(", ")}`).toBe(ends);
    expect((await typesOf(at.shop, at.orderId)).slice(2)).toEqual(events);
    for (const { status: is, delivered_at, shipped_at, tracking } of shipments) {
      expect([delivered_at !== null, shipped_at !== null]).toEqual([
        is === "DELIVERED",
        tracking !== null,
      ]);
    }
  });

  it("tells in an event's data what was and is", async () => {
    const { shop, orderId, first, roast, ship, undo } = await ordered();
    for (const act of [roast, ship, undo]) {
      shop.clock.advance(1);
      await act();
    }
    expect((await eventsOf(shop, orderId)).slice(3)).toMatchObject([
      { sequence: 4, data: { status: "SHIPPED", previous_status: "ROASTING", tracking: BY_POST } },
      { sequence: 5 },
      {
        ...{ sequence: 6, order_status: "ROASTING" },
        data: { shipment_id: first, status: "ROASTING", previous_status: "SHIPPED" },
      },
    ]);
    const detail = { order_id: orderId, was: "SHIPPED", is: "ROASTING" };
    expect(await shop.admin.audit.list()).toMatchObject([
      { act: "shipments.undo", subject: first, detail },
      { act: "shipments.ship" },
      { act: "orders.roast" },
    ]);
  });
});

describe("an undo", () => {
  it("is offered and possible for exactly ten minutes, and not from a stale page", async () => {
    const { shop, first, show, roast, undo } = await ordered();
    await roast();
    shop.clock.advance(10 * 60_000 - 1);
    const undoable = [{ shipment_id: first, was: "ROASTING", back_to: "PENDING" }];
    expect(await show()).toMatchObject({ undoable });
    await expect(undo(first, (await show()).version - 1)).rejects.toMatchObject(ILLEGAL);
    shop.clock.advance(1);
    expect((await show()).undoable).toEqual([]);
    await expect(undo()).rejects.toMatchObject(ILLEGAL);
  });

  it("is listed with its step, one for roasting together, until it is over", async () => {
    const { shop, first, second, roast, ship } = await inTwo();
    const done = async (view: "roast" | "ship") =>
      (await shop.admin.views.justDone({ view })).map(({ shipments }) =>
        shipments.map(({ id }) => id),
      );
    await roast();
    expect([await done("roast"), await done("ship")]).toEqual([[[first, second]], []]);
    await ship();
    await ship(second, { ...BY_POST, number: "9400 2000" });
    expect([await done("roast"), await done("ship")]).toEqual([[], [[first], [second]]]);
    shop.clock.advance(10 * 60_000);
    expect(await done("ship")).toEqual([]);
  });

  it("takes back the standing step of the log, with any undone steps in between", () => {
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
      ...{ eventId: "evt_2", to: "ROASTING" },
      shipmentIds: ["shp_1", "shp_2"],
    });
    expect(standingStep(log.slice(0, 1))).toBeUndefined();
  });
});

describe("the buyer's page", () => {
  test.each([
    ["roast ship DELIVERED undo", ["STEP_UNDONE DELIVERED"], "PAID ROASTING SHIPPED"],
    ["roast ship undo", ["STEP_UNDONE SHIPPED"], "PAID ROASTING"],
    ["roast ship undo ship:1:9400-9", [], "PAID ROASTING SHIPPED"],
    ["roast ship undo ship:1:9400-9 undo", ["STEP_UNDONE SHIPPED"], "PAID ROASTING"],
    ["roast ship FAILED undo DELIVERED", ["STEP_UNDONE FAILED"], "PAID ROASTING SHIPPED DELIVERED"],
    ["roast ship correct:1:9400-8", ["TRACKING_CORRECTED"], "PAID ROASTING SHIPPED"],
    [
      "roast ship correct:1:9400-8 correct:1:9400-9",
      ["TRACKING_CORRECTED"],
      "PAID ROASTING SHIPPED",
    ],
    ["roast ship correct:1:9400-8 undo", ["STEP_UNDONE SHIPPED"], "PAID ROASTING"],
    [
      "roast ship correct:1:9400-8 RETURNED ship:1:9400-9",
      [],
      "PAID ROASTING SHIPPED RETURNED SHIPPED",
    ],
    ["address:1:Two address:1:Three roast", ["ADDRESS_CHANGED"], "PAID ROASTING"],
  ])("after %s tells of %j", async (script, corrections, timeline) => {
    const at = await ordered();
    await play(at, script);
    const token = await pageToken(at.shop, at.orderId);
    const page = (await at.shop.merchant.reviews.open(token)).ordered!;
    const told = page.corrections.map(({ kind, was }) => (was === null ? kind : `${kind} ${was}`));
    expect(told).toEqual(corrections);
    expect(page.timeline.map(({ kind }) => kind).join(" ")).toBe(timeline);
  });

  it("keeps a shipment's correction when the step of another follows", async () => {
    const at = await inTwo();
    await play(at, "roast ship undo ship:2");
    const token = await pageToken(at.shop, at.orderId);
    const page = (await at.shop.merchant.reviews.open(token)).ordered!;
    expect(page.corrections).toMatchObject([{ shipmentId: at.first, was: "SHIPPED" }]);
  });
});

describe("a tracking number", () => {
  it("is corrected after the shipment has left, once, and the event has both", async () => {
    const { shop, orderId, first: shipment_id, roast, ship, show } = await ordered();
    const tracking = { carrier: "UPS", number: "1Z 999" };
    const correct = () => shop.admin.shipments.correct({ shipment_id, tracking });
    await roast();
    await expect(correct()).rejects.toMatchObject(ILLEGAL);
    await ship();
    await correct();
    const shipments = [{ status: "SHIPPED", tracking: { ...tracking, url: null } }];
    expect(await show()).toMatchObject({ status: "SHIPPED", shipments });
    expect((await eventsOf(shop, orderId)).at(-1)).toMatchObject({
      type: "shipment.tracking_corrected",
      data: { shipment_id, tracking, previous_tracking: BY_POST },
    });
    await expect(correct()).rejects.toMatchObject(ILLEGAL);
  });

  it("of another address is accepted when it is sent again, however it is typed", async () => {
    const { shop, orderId, second: shipment_id, roast, ship } = await inTwo();
    const { shipments, views } = shop.admin;
    await roast();
    await ship();
    const used = {
      ...{
        code: "VALIDATION_FAILED",
        message: expect.stringContaining("9400 1000 is also on #1001-1"),
      },
      problems: [{ pointer: "/tracking/number", code: "USED" }],
    };
    await expect(ship(shipment_id)).rejects.toMatchObject(used);
    const scanned = { ...BY_POST, number: "94001000" };
    const { message: _, ...usedToo } = used;
    await expect(ship(shipment_id, scanned)).rejects.toMatchObject(usedToo);
    await shipments.ship({ shipment_id, tracking: scanned, again: true });
    // Only its carrier changes.
    await shipments.correct({ shipment_id, tracking: { ...scanned, carrier: "Us" } });
    await shipments.correct({ shipment_id, tracking: { ...BY_POST, number: "1Z 2000" } });
    expect(await views.search({ words: "1z2000" })).toMatchObject([{ id: orderId }]);
    const correct = (again: boolean) =>
      shipments.correct({ shipment_id, tracking: BY_POST, ...(again && { again }) });
    await expect(correct(false)).rejects.toMatchObject(used);
    await correct(true);
  });

  it("is shared by shipments to one address, and a text without digits is none", async () => {
    const { shop, first, second, roast, ship, undo, show } = await inTwo();
    const { shipments } = shop.admin;
    await roast();
    const { address } = (await show()).shipments[1]!;
    const byHand = { ...BY_POST, number: "by hand" };
    await ship(first, byHand);
    await ship(second, byHand);
    await undo(first);
    await shipments.correct({ shipment_id: second, tracking: BY_POST });
    const other = { ...address, name: "Charles Babbage" };
    await shipments.changeAddress({ shipment_id: first, address: other });
    await ship(first);
  });
});

describe("an address", () => {
  const ELSEWHERE = {
    ...{ ...ADDRESS, name: "Another Buyer", line1: "7 Elm Street" },
    ...{ city: "Dallas", postal_code: "75201" },
  };

  it("is changed until its shipment has left; price and terms stay, and no log repeats it", async () => {
    const { shop, orderId, first, second, roast, ship, read } = await inTwo();
    const before = await read();
    const change = (shipment_id: string, address = ELSEWHERE) =>
      shop.admin.shipments.changeAddress({ shipment_id, address });
    await roast();
    await change(first);
    const { shipments, pricing, quote_hash } = await read();
    const second_ = { ...ADDRESS, line1: "2 Main Street" };
    expect(shipments.map(({ address }) => address)).toEqual([ELSEWHERE, second_]);
    expect([pricing, quote_hash]).toEqual([before.pricing, before.quote_hash]);
    await ship(second);
    await expect(change(second)).rejects.toMatchObject(ILLEGAL);
    const told = JSON.stringify([await eventsOf(shop, orderId), await shop.admin.audit.list()]);
    expect(told).toMatch(/shipment\.address_changed.*shipments\.address/);
    expect(told).not.toMatch(/Another Buyer|7 Elm Street|Dallas|75201/);
  });

  it("follows the rules of a quote: only states that we ship to, with their ZIP codes", async () => {
    const { shop, orderId, first: shipment_id } = await ordered();
    const wrong = async (change: object) => {
      const address = { ...ELSEWHERE, ...change };
      const refused = await shop.admin.shipments
        .changeAddress({ shipment_id, address })
        .catch(({ problems }) => problems);
      return (refused as { pointer: string }[]).map(({ pointer }) => pointer);
    };
    expect(await wrong({ region: "Bavaria", name: " " })).toEqual([
      "/address/name",
      "/address/region",
    ]);
    expect(await wrong({ postal_code: "94107" })).toEqual(["/address/postal_code"]);
    expect(await typesOf(shop, orderId)).toHaveLength(2);
  });
});

it.each(["\u0000", "\ud800", "\u001b[31m"])("no field of the merchant takes %j", async (odd) => {
  const { roast, ship, first, shop, orderId } = await ordered();
  await roast();
  const refused = { code: "VALIDATION_FAILED" };
  const cancel = shop.admin.orders.cancel({ order_id: orderId, reason: `No${odd}` });
  await expect(cancel).rejects.toMatchObject(refused);
  await expect(ship(first, { ...BY_POST, carrier: `Post${odd}` })).rejects.toMatchObject(refused);
});

it("an unknown order, shipment or request is not found", async () => {
  const { orders, shipments, cancellations } = (await ordered()).shop.admin;
  for (const act of [
    () => orders.show({ order_id: "ord_none" }),
    () => orders.roast({ order_id: "ord_none" }),
    () => orders.cancel({ order_id: "ord_none", reason: "No." }),
    () => shipments.move({ shipment_id: "shp_none", to: "DELIVERED" }),
    () => cancellations.accept({ request_id: "cr_none" }),
  ])
    await expect(act()).rejects.toMatchObject({ code: "NOT_FOUND" });
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
