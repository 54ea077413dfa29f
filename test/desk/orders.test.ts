/** The merchant's buttons, pressed over HTTP as a browser without JavaScript presses them. */

import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { DAY_MS, TIMES } from "../../src/core/policy.ts";
import { hiddenFields } from "../shop/pages/reading.ts";
import { submit } from "../shop/quick-checkout/checkout.ts";
import { countRows } from "../support/all-rows.ts";
import { STOCKED } from "../support/catalog.ts";
import { newEmail, orderOf, purchase, readyQuote } from "../support/purchase.ts";
import { startService } from "../support/service.ts";
import { ADDRESS, eventually, payAsBuyer, register } from "../support/shopper.ts";
import { merchantAt, orderAt, SECRET, text } from "./visitor.ts";

const service = await startService({ MERCHANT_SECRET: SECRET });
afterAll(() => service.stop());
const merchant = await merchantAt(service.baseUrl);

/** Refunds that can no longer be undone are sent. */
async function sent(): Promise<void> {
  service.clock.advance(TIMES.undo_ms);
  await service.service.merchant.reconciler.run();
}

const ordered = () => orderAt(service.baseUrl, merchant);

describe("an order", () => {
  it("shows what to pack, and escapes strangers' words", async () => {
    const { path } = await ordered();
    const page = await merchant.get(path);
    expect(page.status).toBe(200);
    expect(text(page)).toContain("1 Main Street Austin, TX 78701");
    expect(text(page)).toContain("&lt;b&gt;For&lt;/b&gt; you");
    expect(page.text).not.toContain("<b>For");
  });

  it("shows the delivery estimate and payment method of the buyer's page", async () => {
    const { key, quote, reviewUrl } = await readyQuote(service.baseUrl);
    const { session } = await payAsBuyer(service.baseUrl, reviewUrl, "bank_debit");
    await service.control.settleBankDebit(session, true);
    const { id } = await orderOf(service.baseUrl, key, quote.id);
    const page = text(await merchant.get(`/desk/orders/${id}`));
    expect(page).toContain("Paid by bank debit on");
    const [expected = "?"] = /Estimated delivery [^.]*?, \d{4}/.exec(page) ?? [];
    expect(text(await merchant.get(reviewUrl))).toContain(expected);
  });

  it("names the shipment of each event if there are several", async () => {
    const { press, path, order } = await orderAt(service.baseUrl, merchant, 2);
    await press("orders.roast");
    const [, second] = order.shipments;
    await press("shipments.ship", { shipment_id: second.id, carrier: "USPS", number: "9400 77" });
    expect(text(await merchant.get(path))).toContain("Shipment 2: Shipped with USPS 9400 77");
    const one = await ordered();
    await one.press("shipments.changeAddress", {
      ...ADDRESS,
      shipment_id: one.shipment,
      city: "Dallas",
    });
    expect(text(await merchant.get(one.path))).toMatch(/[^:] Address changed /);
  });

  it("undoes a step, corrects a tracking number and changes an address", async () => {
    const { press, path, shipment, now, seen } = await ordered();
    const address = { name: "Grandma", line1: "7 Elm Street", line2: "", city: "Dallas" };
    const where = { shipment_id: shipment, ...address, region: "TX", postal_code: "75201" };
    expect(
      (await press("shipments.changeAddress", { ...where, postal_code: "94107" })).status,
    ).toBe(422);
    expect((await press("shipments.changeAddress", where)).status).toBe(303);
    await press("orders.roast");
    await press("shipments.ship", { shipment_id: shipment, carrier: "USPS", number: "9400 7" });
    expect(text(await merchant.get(path))).toContain("Undo “Shipped”");
    await press("shipments.correct", { shipment_id: shipment, carrier: "UPS", number: "1Z 1" });
    expect(await now()).toMatchObject({
      shipments: [{ tracking: { number: "1Z 1" }, address: { line1: "7 Elm Street" } }],
    });
    const log = text(await merchant.get(path));
    expect(log).toContain("Shipped with");
    expect(log).toContain("Address changed");
    const left = await seen();
    expect((await press("shipments.undo", { shipment_id: shipment, seen: left })).status).toBe(303);
    expect((await press("shipments.undo", { shipment_id: shipment, seen: left })).status).toBe(409);
    expect(await now()).toMatchObject({ status: "ROASTING", shipments: [{ tracking: null }] });
    expect(text(await merchant.get(path))).toContain("Sets it back to “To roast”");
  });

  it("answers the same form sent twice as done, and does it once", async () => {
    const { press, order, seen } = await ordered();
    const roast = { seen: await seen(), form: "a click" };
    const clicks = await Promise.all([press("orders.roast", roast), press("orders.roast", roast)]);
    expect(clicks.map(({ status }) => status)).toEqual([303, 303]);
    const refund = { amount: "5", seen: await seen(), form: "another click" };
    const both = [await press("orders.refund", refund), await press("orders.refund", refund)];
    expect(both.map(({ status }) => status)).toEqual([303, 303]);
    const refunds = await service.store.queries.refundsOfOrders([order.id]);
    expect(refunds).toMatchObject([{ amount_minor: 500, status: "DONE" }]);
    // Typed anew on the same page, it is another act: the page is old by now.
    expect((await press("orders.refund", { ...refund, amount: "6" })).status).toBe(409);
    const events = await service.store.queries.events(order.id, 0, 100);
    expect(events.filter(({ type }) => type === "order.roasting")).toHaveLength(1);
    service.clock.advance(61_000);
    expect((await press("orders.roast", roast)).status).toBe(409);
  });

  it("focuses the wrong field, says the problem, and keeps typed values", async () => {
    const { press, shipment } = await ordered();
    await press("orders.roast");
    const url = "http://not-encrypted.example";
    const answer = await press("shipments.ship", {
      shipment_id: shipment,
      carrier: "Mule & Sons",
      number: "",
      url,
    });
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('value="Mule &amp; Sons"');
    expect(answer.text).toContain(
      `aria-describedby="shipments-ship-url-${shipment}-hint shipments-ship-url-${shipment}-error" aria-invalid="true"`,
    );
    expect(text(answer)).toContain("The tracking link must be a complete https address.");
    expect(answer.text.match(/id="[\w-]+"[^>]* aria-invalid="true" autofocus/g)).toEqual([
      expect.stringContaining(`id="shipments-ship-number-${shipment}"`),
    ]);
  });

  it("says after a cancellation whether money was refunded", async () => {
    const said = async (act: string, fields: Record<string, string>, refunded = false) => {
      const { press, asked, seen } = await ordered();
      if (refunded) await press("orders.refund", { amount: "" });
      const request = act === "cancellations.accept" ? await asked() : "";
      const pressed = await press(act, {
        request_id: request,
        reason: "No beans.",
        seen: await seen(),
        confirmed: "on",
        ...fields,
      });
      const page = await merchant.get(pressed.headers.get("location") ?? "");
      return /<p class="notice-title">([^<]*)/.exec(page.text)?.[1];
    };
    const nothing = /nothing was refunded/i;
    expect(await said("orders.cancel", {})).toMatch(nothing);
    expect(await said("orders.cancel", {}, true)).toMatch(nothing);
    expect(await said("orders.cancel", { refund: "on" })).toMatch(
      /^Order #\d+ .*refund is on its way/,
    );
    expect(await said("cancellations.accept", {}, true)).toMatch(nothing);
  });

  it("offers to cancel what has not left, as a whole and in part", async () => {
    const offered = async ({ path }: { path: string }) => {
      const acts = (await merchant.get(path)).text.matchAll(/name="act" value="(\w+\.cancel)"/g);
      return [...acts].map(([, act]) => act);
    };
    const byHand = { carrier: "USPS", number: "by hand" };
    const one = await ordered();
    expect(await offered(one)).toEqual(["orders.cancel"]);
    await one.press("orders.roast");
    await one.press("shipments.ship", { shipment_id: one.shipment, ...byHand });
    expect(await offered(one)).toEqual([]);
    const two = await orderAt(service.baseUrl, merchant, 2);
    expect(await offered(two)).toEqual(["orders.cancel", "shipments.cancel"]);
    await two.press("orders.roast");
    await two.press("shipments.ship", { shipment_id: two.shipment, ...byHand });
    expect(await offered(two)).toEqual(["shipments.cancel"]);
  });

  it("is canceled in part by the page that confirms it, and not from an old page", async () => {
    const { path, press, order, seen, now } = await orderAt(service.baseUrl, merchant, 3);
    const [first, second] = order.shipments;
    const typed = { reason: "No such street.", refund: "on", seen: await seen() };
    const asked = await press("shipments.cancel", { ...typed, shipment_ids: first.id });
    expect([asked.status, (await now()).shipments[0].status]).toEqual([200, "PENDING"]);
    expect(text(asked)).toContain("Cancel the shipment and refund $22.00");
    expect((await merchant.post(path, hiddenFields(asked.text))).status).toBe(303);
    const standing = async () =>
      (await now()).shipments.map(({ status }: { status: string }) => status);
    const rest = ["CANCELED", "PENDING", "PENDING"];
    expect(await standing()).toEqual(rest);
    const slips = text(await merchant.get(`/desk/slips?order=${order.id}`));
    expect(slips.match(/Order #\d+-\d/g)).toEqual(
      [2, 3].map((part) => `Order #${order.number}-${part}`),
    );
    const old = await press("shipments.cancel", { ...typed, shipment_ids: second.id });
    expect([old.status, await standing()]).toEqual([409, rest]);
    const unpaid = { ...typed, shipment_ids: second.id, seen: await seen(), confirmed: "on" };
    await press("shipments.cancel", { ...unpaid, refund: "" });
    const page = await merchant.get(path);
    expect(text(page)).toContain("The canceled part cost $22.00.");
    expect(page.text).toMatch(/id="refund-amount"[^>]*value="22\.00"/);
  });

  it("offers no retry of a refund that the bank has taken", async () => {
    const { baseUrl } = service;
    const { key, quote, reviewUrl } = await readyQuote(baseUrl);
    const { session } = await payAsBuyer(baseUrl, reviewUrl);
    const path = `/desk/orders/${(await orderOf(baseUrl, key, quote.id)).id}`;
    service.control.slowRefunds(session);
    expect((await merchant.post(path, { act: "orders.refund", amount: "" })).status).toBe(303);
    expect((await merchant.get(path)).text).not.toContain("Try the refund again");
    await sent();
    const page = text(await merchant.get(path));
    expect(page).toContain("Refund of $32.00: Pending");
    expect(page).not.toContain("Try the refund again");
  });

  it("offers bags that were refunded to no other refund, and not to a page that is still open", async () => {
    const { path, press, order, seen } = await orderAt(service.baseUrl, merchant, 2);
    const [first, second] = order.shipments;
    const offered = async () =>
      [...(await merchant.get(path)).text.matchAll(/name="item" value="([\d-]+)"/g)].map(
        ([, item]) => item,
      );
    expect(await offered()).toEqual(["0-0-1", "1-0-1"]);
    const page = await merchant.get(`${path}/refund?item=0-0-1&amount=64.00`);
    expect(page.text).toContain(`name="shipment_ids" value="${first.id}"`);
    const paid = { amount: "22.00", shipment_ids: first.id, seen: await seen() };
    expect((await merchant.post(`${path}/refund`, { act: "orders.refund", ...paid })).status).toBe(
      303,
    );
    expect(await offered()).toEqual(["1-0-1"]);
    const stale = await merchant.get(`${path}/refund?item=0-0-1&amount=64.00`);
    expect(text(stale)).toContain("Some of these bags were refunded already.");
    expect(stale.text).not.toContain('class="danger"');
    const canceled = { shipment_ids: second.id, reason: "No such street.", refund: "on" };
    await press("shipments.cancel", { ...canceled, confirmed: "on" });
    expect(await offered()).toEqual([]);
  });

  it("a refund of bags of two parcels counts for these, not for a canceled one", async () => {
    const { path, press, order } = await orderAt(service.baseUrl, merchant, 3);
    const ids = order.shipments.map(({ id }: { id: string }) => id);
    await press("shipments.cancel", {
      shipment_ids: ids[2],
      reason: "No street.",
      confirmed: "on",
    });
    const page = await merchant.get(`${path}/refund?item=0-0-1&item=1-0-1&amount=`);
    const hidden = [...page.text.matchAll(/name="(seen|amount|shipment_ids)" value="([^"]*)"/g)];
    const fields = hidden.map(([, name, value]): [string, string] => [name!, value!]);
    await merchant.post(`${path}/refund`, [["act", "orders.refund"], ...fields]);
    const { shipments } = await service.service.merchant.admin("cli").orders.show({
      order_id: order.id,
    });
    expect(shipments.map(({ refunded_minor }) => refunded_minor)).toEqual([2200, 2200, 0]);
  });

  it("an unknown order and an unknown button are refused", async () => {
    const none = await merchant.get("/desk/orders/ord_none");
    const unreadable = await merchant.get("/desk/orders/a%00b");
    expect([unreadable.status, text(unreadable)]).toEqual([
      422,
      expect.stringContaining("Page not found Not an id of this service."),
    ]);
    expect([none.status, text(none)]).toEqual([404, expect.stringContaining("no such order")]);
    expect(text(await merchant.get("/desk/none"))).toContain("The desk has no such page.");
    const { press } = await ordered();
    expect((await press("constructor")).status).toBe(422);
    expect(
      (await press("shipments.move", { to: "DELIVERED", shipment_id: "shp_none" })).status,
    ).toBe(404);
  });
});

describe("orders", () => {
  it("are listed page by page without a gap, even for orders of one instant", async () => {
    const made = [await ordered(), await ordered(), await ordered()].map(({ order }) => order.id);
    const { views } = service.service.merchant.admin("desk");
    const found: string[] = [];
    for (let before: string | null = ""; before !== null; ) {
      const page = await views.page({ limit: 2, ...(before && { before }) });
      found.push(...page.orders.map(({ id }) => id));
      before = page.next_before;
    }
    expect(found).toEqual(expect.arrayContaining(made));
    expect(new Set(found).size).toBe(found.length);
    expect(found).toHaveLength(await countRows(service.store, "orders"));
    const older = await merchant.get(`/desk/orders?before=${found[1]}`);
    expect([older.text.includes(found[1]!), older.text.includes(found[2]!)]).toEqual([false, true]);
  });

  it("are filtered by their next step", async () => {
    const { press, order } = await ordered();
    const at = async (show: string) =>
      (await merchant.get(`/desk/orders?show=${show}`)).text.includes(order.id);
    expect([await at("roast"), await at("ship")]).toEqual([true, false]);
    await press("orders.roast");
    expect([await at("roast"), await at("ship")]).toEqual([false, true]);
  });
});

it("a refund of chosen bags counts their price after the discount, and keeps its reason as a note", async () => {
  const { order } = await purchase(service.baseUrl, { discount_code: "FIRSTBAG" });
  const path = `/desk/orders/${order.id}`;
  const page = await merchant.get(`${path}/refund?amount=&item=0-0-1&reason=Torn+bag`);
  expect(text(page)).toContain("For 1 × Kenya Nyeri: Torn bag");
  expect(text(page)).toContain("Refund $17.60");
  const field = (name: string) =>
    new RegExp(`name="${name}" value="([^"]*)"`).exec(page.text)?.[1] ?? "";
  const fields = ["seen", "note", "amount"].map((name): [string, string] => [name, field(name)]);
  await merchant.post(`${path}/refund`, [["act", "orders.refund"], ...fields]);
  expect(text(await merchant.get(path))).toContain(
    "Refund of $17.60 for 1 × Kenya Nyeri: Torn bag",
  );
});

it("a refund of one of two bags counts its share, and the other is still offered", async () => {
  const { order } = await purchase(service.baseUrl, { quantity: 2, discount_code: "FIRSTBAG" });
  const path = `/desk/orders/${order.id}`;
  const offered = async () =>
    [...(await merchant.get(path)).text.matchAll(/<option value="(0-0-\d)">\s*([^<]*)/g)].map(
      ([, key, label]) => `${key} ${label}`,
    );
  expect(await offered()).toEqual([
    "0-0-1 1 × Kenya Nyeri, $17.60",
    "0-0-2 2 × Kenya Nyeri, $35.20",
  ]);
  const page = await merchant.get(`${path}/refund?amount=35.20&item=&item=0-0-1`);
  expect(text(page)).toContain("Refund $17.60");
  const fields = [...page.text.matchAll(/name="(seen|note|amount|shipment_ids)" value="([^"]*)"/g)];
  await merchant.post(`${path}/refund`, [
    ["act", "orders.refund"],
    ...fields.map(([, name, value]): [string, string] => [name!, value!]),
  ]);
  expect(text(await merchant.get(path))).toContain("Refund of $17.60 for 1 × Kenya Nyeri");
  expect((await merchant.get(path)).text).toMatch(/name="item" value="0-0-1"/);
  expect(text(await merchant.get(`${path}/refund?item=0-0-2`))).toContain("refunded already");
});

it("says by which door an order without an agent's quote came", async () => {
  const { checkouts, admin, agents } = service.service.merchant;
  const cart = { items: [{ product_id: STOCKED, quantity: 1 }] };
  const key = await register(service.baseUrl);
  const { id: agentId } = await agents.authenticate(key);
  const doors = {
    "a link by Test agent": await checkouts.openLink(cart, agentId),
    "a link that was made without a key": await checkouts.openLink(cart, null),
    "the shop’s pages": await checkouts.openShop(cart),
  };
  for (const [words, { id }] of Object.entries(doors)) {
    const email = newEmail();
    const sent = await submit(service.baseUrl, `/checkout/${id}`, { email });
    await payAsBuyer(service.baseUrl, sent.headers.get("location")!);
    const [order] = await eventually(async () => {
      const found = await admin("cli").views.search({ words: email });
      return found.length > 0 && found;
    });
    expect(text(await merchant.get(`/desk/orders/${order!.id}`))).toContain(
      `Ordered through ${words}`,
    );
  }
});

it("prepares the letter that a late order needs", async () => {
  const own = await startService({ MERCHANT_SECRET: SECRET });
  onTestFinished(() => own.stop());
  const { path, order } = await orderAt(own.baseUrl, await merchantAt(own.baseUrl));
  const page = async () => (await (await merchantAt(own.baseUrl)).get(path)).text;
  expect(await page()).not.toContain("Write to the buyer");
  own.clock.advance(20 * DAY_MS);
  const [, body = ""] =
    /href="mailto:[^"]*body=([^"]*)"[^>]*>Write to the buyer/.exec(await page()) ?? [];
  const letter = decodeURIComponent(body);
  expect(letter).toContain("It was expected by ");
  expect(letter).toContain("cancel what has not been sent, for a full refund");
  expect(letter).toContain(order.order_url);

  const merchant = await merchantAt(own.baseUrl);
  const overdue = async () => (await merchant.get("/desk")).text.includes('id="late"');
  expect(await overdue()).toBe(true);
  await merchant.post("/desk", [
    ["act", "tasks.handle"],
    ["task_id", order.id],
  ]);
  expect(await overdue()).toBe(false);
  expect(text(await merchant.get(path))).toMatch(/Written at the desk, Mar 22/);
});
