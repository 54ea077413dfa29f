/** Both UCP releases, and the order that an agent without a key follows (contract §20). */

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DAY_MS } from "../../src/core/policy.ts";
import { RELEASES } from "../../src/ucp/envelope.ts";
import { allRows } from "../support/all-rows.ts";
import { startService, type TestService } from "../support/service.ts";
import { ADDRESS, eventually, send } from "../support/shopper.ts";
import { codes, PROFILE, ucpClient } from "./client.ts";

const KENYA = { item: { id: "kenya-nyeri" }, quantity: 2 };

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const client = ucpClient(() => service);
const { pay, becomes } = client;
const rest = async (...ask: Parameters<typeof client.rest>) => (await client.rest(...ask)).body;

const newCheckout = async () => rest("/checkout-sessions", { body: { line_items: [KENYA] } });

async function paidCheckout() {
  const { id, continue_url } = await newCheckout();
  const { email } = await pay(continue_url);
  return { email, checkout: await becomes(id, "completed") };
}

const admin = () => service.service.merchant.admin("cli");

async function shipmentOf(order_id: string): Promise<string> {
  const { shipments } = await admin().orders.show({ order_id });
  return shipments[0]!.id;
}

/** Every string of an answer. */
const strings = (value: unknown): string[] =>
  typeof value === "string"
    ? [value]
    : Object.values((value ?? {}) as object).flatMap((one) => strings(one));

describe.each(RELEASES)("UCP $version", (release) => {
  const { rest, call } = ucpClient(() => service, release.endpoint);
  const ask = async (...words: Parameters<typeof rest>) => (await rest(...words)).body;

  it("has a profile of its own, whose entries all have its version", async () => {
    const { body } = await send(service.baseUrl, release.profile);
    const { services, capabilities } = body.ucp;
    const entries = Object.values({ ...services, ...capabilities }).flat() as { version: string }[];
    expect(new Set(entries.map(({ version }) => version))).toEqual(new Set([release.version]));
    expect(body.ucp.version).toBe(release.version);
    const endpoints = services["dev.ucp.shopping"].map((one: { endpoint: string }) => one.endpoint);
    expect(endpoints).toEqual(
      ["", "/mcp"].map((path) => `${service.baseUrl}${release.endpoint}${path}`),
    );
  });

  it("answers with its version and capabilities, over REST and JSON-RPC", async () => {
    const cart = await ask("/carts", { body: { line_items: [KENYA] } });
    const answers = [
      cart,
      await ask("/catalog/search", { body: { query: "*" } }),
      await ask("/carts/crt_none"),
      await call("get_cart", { id: cart.id }),
      await call("get_order", { id: cart.id }),
    ];
    const found = answers.map(({ ucp }) => [
      ucp.version,
      ucp.status,
      Object.values(ucp.capabilities ?? {}).flat(),
    ]);
    const { version } = release;
    expect(found).toEqual([
      [version, "success", [{ version }, { version }]],
      [version, "success", [{ version }]],
      [version, "error", []],
      [version, "success", [{ version }, { version }]],
      [version, "error", []],
    ]);
  });

  it("tells an order from the hand-off to delivery and refund, without a key", async () => {
    const { email, checkout } = await paidCheckout();
    const { id, label, permalink_url } = checkout.order;
    const read = () => ask(`/orders/${id}`);
    const bags = [{ id: "li_1", quantity: 2 }];

    const ordered = await read();
    expect(ordered).toMatchObject({
      ucp: { capabilities: { "dev.ucp.shopping.order": [{ version: release.version }] } },
      ...{ id, label, permalink_url, currency: "USD", checkout_id: checkout.id },
      line_items: [
        { quantity: { original: 2, total: 2, fulfilled: 0 }, status: "processing", id: "li_1" },
      ],
      fulfillment: {
        expectations: [{ line_items: bags, destination: { address_country: "US" } }],
        events: [],
      },
      adjustments: [],
      totals: checkout.totals,
    });
    expect(await call("get_order", { id })).toEqual(ordered);

    const shipment_id = await shipmentOf(label);
    await admin().orders.roast({ order_id: label });
    const tracking = { carrier: "USPS", number: "9400111899223197428404" };
    await admin().shipments.ship({ shipment_id, tracking });
    await admin().shipments.move({ shipment_id, to: "DELIVERED" });
    await admin().orders.refund({ order_id: label, amount_minor: 1500 });
    const delivered = await eventually(async () => {
      const order = await read();
      return order.adjustments[0]?.status === "completed" && order;
    });
    const label2 = {
      carrier: "USPS",
      tracking_number: tracking.number,
      tracking_url: expect.stringContaining(tracking.number),
    };
    expect(delivered).toMatchObject({
      line_items: [{ quantity: { original: 2, total: 2, fulfilled: 2 }, status: "fulfilled" }],
      adjustments: [{ type: "refund", totals: [{ type: "total", amount: -1500 }] }],
      totals: checkout.totals,
    });
    expect(delivered.fulfillment.events).toMatchObject([
      { type: "processing", line_items: bags },
      { type: "shipped", line_items: bags, ...label2 },
      { type: "delivered", line_items: bags, ...label2 },
    ]);
    const all = ` ${strings(delivered).join(" ")} `;
    for (const typed of [email, ...Object.values(ADDRESS)]) {
      if (typed !== "US") expect(all).not.toContain(` ${typed} `);
    }
  });
});

it("links every other release from the profile at the root, and from none of those", async () => {
  const [root, ...others] = RELEASES;
  const profileAt = async (path: string) => (await send(service.baseUrl, path)).body.ucp;
  expect((await profileAt(root.profile)).supported_versions).toEqual(
    Object.fromEntries(
      others.map(({ version, profile }) => [version, `${service.baseUrl}${profile}`]),
    ),
  );
  for (const { profile } of others) {
    expect(await profileAt(profile)).not.toHaveProperty("supported_versions");
  }
});

describe("an order", () => {
  it("can be read by the id of its cart, of its checkout, or of the order", async () => {
    const cart = await rest("/carts", { body: { line_items: [KENYA] } });
    const { body } = await send(service.baseUrl, "/ucp/checkout-sessions", {
      body: { cart_id: cart.id },
      headers: { "ucp-agent": `profile="${PROFILE}"` },
    });
    await pay(cart.continue_url);
    const checkout = await becomes(body.id, "completed");
    const order = await rest(`/orders/${checkout.order.id}`);
    expect(order.checkout_id).toBe(checkout.id);
    for (const id of [cart.id, checkout.id]) expect(await rest(`/orders/${id}`)).toEqual(order);
  });

  it("is not found before payment, and for ids of another kind", async () => {
    const { id } = await newCheckout();
    const { checkout } = await paidCheckout();
    const [row] = await allRows(service.store, "orders");
    for (const one of [id, checkout.order.label, row!.id, `chk_${"A".repeat(22)}`]) {
      expect(codes(await rest(`/orders/${one}`))).toEqual(["not_found"]);
    }
  });

  it("outlives its session: it can be read, and its page opened", async () => {
    const { checkout } = await paidCheckout();
    const { id, label, permalink_url } = checkout.order;
    const before = await rest(`/orders/${id}`);
    service.clock.advance(40 * DAY_MS);
    await service.service.merchant.retention.sweep();
    expect((await rest(`/checkout-sessions/${checkout.id}`)).status).toBe("completed");
    expect(await rest(`/orders/${id}`)).toEqual(before);
    const page = await send(service.baseUrl, permalink_url, { headers: { accept: "text/html" } });
    expect([page.status, page.text.includes(`Order ${label}`)]).toEqual([200, true]);
  });

  it("names a cancellation and its refund as adjustments, with reductions below zero", async () => {
    const { checkout } = await paidCheckout();
    const { id, label } = checkout.order;
    await admin().orders.cancel({ order_id: label, reason: "Out of beans", refund: true });
    service.clock.advance(DAY_MS);
    await service.service.merchant.reconciler.sweep();
    const order = await rest(`/orders/${id}`);
    expect(order.line_items).toMatchObject([
      { quantity: { original: 2, total: 0, fulfilled: 0 }, status: "removed" },
    ]);
    expect(order.fulfillment.expectations).toEqual([]);
    expect(order.adjustments).toMatchObject([
      { type: "cancellation", status: "completed", line_items: [{ id: "li_1", quantity: -2 }] },
      { type: "refund", totals: [{ type: "total", amount: -4400 }] },
    ]);
    expect(strings(order)).not.toContain("Out of beans");
  });

  it("keeps the label with which it came back, and the corrected one that it has now", async () => {
    const { checkout } = await paidCheckout();
    const { id, label } = checkout.order;
    const shipment_id = await shipmentOf(label);
    const { orders, shipments } = admin();
    const labelled = (number: string) => ({ shipment_id, tracking: { carrier: "USPS", number } });
    await orders.roast({ order_id: label });
    await shipments.ship(labelled("9400111899223197428015"));
    await shipments.move({ shipment_id, to: "RETURNED" });
    const back = await rest(`/orders/${id}`);
    expect(back.line_items[0]).toMatchObject({ status: "processing", quantity: { fulfilled: 0 } });
    await shipments.ship(labelled("9400111899223197428022"));
    await shipments.correct(labelled("9400111899223197428039"));
    const { fulfillment } = await rest(`/orders/${id}`);
    type Event = { type: string; tracking_number?: string };
    const events = fulfillment.events as Event[];
    expect(events.map((one) => [one.type, one.tracking_number?.slice(-3)])).toEqual([
      ["processing", undefined],
      ["shipped", "015"],
      ["returned_to_sender", "015"],
      ["shipped", "039"],
    ]);
  });
});

describe("an ended session", () => {
  it("can be read while a bank debit settles, however long that takes", async () => {
    const { id, continue_url } = await newCheckout();
    await pay(continue_url, "bank_debit");
    const started = await becomes(id, "complete_in_progress");
    const days = (Date.parse(started.expires_at) - service.clock.now()) / DAY_MS;
    expect(days).toBeGreaterThanOrEqual(14);
    service.clock.advance(20 * DAY_MS);
    const later = await rest(`/checkout-sessions/${id}`);
    expect(later.status).toBe("complete_in_progress");
    expect(Date.parse(later.expires_at)).toBeGreaterThan(service.clock.now());
    expect(later).not.toHaveProperty("order");
  });

  it.each([
    ["canceled", "already_canceled", ["complete", "cancel"]],
    ["completed", "already_completed", ["complete", "cancel"]],
    ["complete_in_progress", "already_completed", ["cancel"]],
  ])("that is %s refuses with %s, and does not change", async (status, code, acts) => {
    const { id, continue_url } = await newCheckout();
    if (status === "canceled") await rest(`/checkout-sessions/${id}/cancel`, { method: "POST" });
    else await pay(continue_url, status === "completed" ? undefined : "bank_debit");
    const { messages: _, ...before } = await becomes(id, status);
    for (const act of acts) {
      const answer = await rest(`/checkout-sessions/${id}/${act}`, { method: "POST" });
      expect(answer).toMatchObject(before);
      expect(answer.messages[0]).toMatchObject({ type: "error", severity: "recoverable", code });
    }
  });
});

describe("quantity_unit", () => {
  const line = (quantity_unit: unknown) => ({
    line_items: [KENYA, { item: { id: "rwanda-huye", quantity_unit }, quantity: 1 }],
  });

  it.each([{ unit: "C62" }, { unit: "C62", scale: 0 }, null])("%j is a bag", async (unit) => {
    expect((await rest("/carts", { body: line(unit) })).line_items).toHaveLength(2);
  });

  it.each([
    { unit: "LBR", scale: 2 },
    { unit: "C62", scale: 1 },
  ])("%j is refused by name, and nothing changes", async (unit) => {
    const refusal = {
      type: "error",
      code: "quantity_unit_mismatch",
      severity: "recoverable",
      path: "$.line_items[1].item.quantity_unit",
      content: expect.stringContaining("C62"),
    };
    const refused = await rest("/carts", { body: line(unit) });
    expect([refused.ucp.status, refused.messages]).toEqual(["error", [refusal]]);
    const cart = await rest("/carts", { body: { line_items: [KENYA] } });
    const updated = await rest(`/carts/${cart.id}`, { method: "PUT", body: line(unit) });
    expect(updated).toEqual({ ...cart, messages: [refusal] });
  });
});

it("names the page of each bean", async () => {
  const { products } = await rest("/catalog/lookup", { body: { ids: ["kenya-nyeri"] } });
  const page = await send(service.baseUrl, products[0].url, { headers: { accept: "text/html" } });
  expect([page.status, products[0].url]).toEqual([200, `${service.baseUrl}/beans/kenya-nyeri`]);
});

it("says of the exclusive bean that it is not sold here", async () => {
  const ids = ["kenya-nyeri", "yemen-haraz"];
  const { products } = await rest("/catalog/lookup", { body: { ids } });
  const [usual, exclusive] = products.map(
    (one: { variants: { description: { plain: string } }[] }) => one.variants[0]!.description.plain,
  );
  expect(exclusive).toContain("Not sold here.");
  expect(exclusive).not.toMatch(/finder|free/);
  expect(usual).not.toContain("Not sold here.");
});
