/** The desk's first page: what waits, each with the button that ends the waiting. */
import { afterAll, expect, it, onTestFinished } from "vitest";
import { TIMES } from "../../src/core/policy.ts";
import { purchase } from "../support/purchase.ts";
import { startService } from "../support/service.ts";
import { type Answer, register, send } from "../support/shopper.ts";
import { merchantAt, orderAt, SECRET, text } from "./visitor.ts";

const service = await startService({ MERCHANT_SECRET: SECRET });
afterAll(() => service.stop());
const merchant = await merchantAt(service.baseUrl);

const today = async () => text(await merchant.get("/desk"));
const press = (path: string, act: string, fields: Record<string, string>) =>
  merchant.post(path, { act, ...fields });
const waiting = () => service.service.merchant.admin("cli").tasks.waiting();

it("an empty shop shows first steps until the first order", async () => {
  const { baseUrl, stop } = await startService({ MERCHANT_SECRET: SECRET });
  onTestFinished(stop);
  const owner = await merchantAt(baseUrl);
  expect(text(await owner.get("/desk"))).toContain("First steps");
  expect(text(await owner.get("/desk"))).not.toContain("Buyers get no letters.");
  await orderAt(baseUrl, owner);
  const page = text(await owner.get("/desk"));
  expect(page).not.toContain("First steps");
  expect(page).toContain("Buyers get no letters. No mail server is set up");
});

it("orders to roast, to ship and on the way are counted on Today, each beside its list", async () => {
  const { baseUrl, stop } = await startService({ MERCHANT_SECRET: SECRET });
  onTestFinished(stop);
  const owner = await merchantAt(baseUrl);
  const counted = async () => {
    const { text: page } = await owner.get("/desk");
    expect(page).not.toMatch(/<ul[^>]*>\s*<\/ul>/);
    const trays = page.matchAll(/class="tray" href="([^"]+)"><span>[^<]*<b>([^<]+)<\/b>/g);
    return [...trays].map(([, list, count]) => `${list} ${count}`);
  };
  expect(await counted()).toEqual([]);
  const { press, shipment } = await orderAt(baseUrl, owner);
  const other = await orderAt(baseUrl, owner);
  expect(await counted()).toEqual(["/desk/roast 2"]);
  await press("orders.roast");
  expect(await counted()).toEqual(["/desk/roast 1", "/desk/ship 1"]);
  const byHand = { carrier: "USPS", number: "by hand" };
  await press("shipments.ship", { shipment_id: shipment, ...byHand });
  expect(await counted()).toEqual(["/desk/roast 1", "/desk/deliver 1"]);
  await press("shipments.move", { to: "DELIVERED", shipment_id: shipment });
  await other.press("orders.cancel", { reason: "The roaster is broken.", confirmed: "on" });
  expect(await counted()).toEqual([]);
});

it("a message waits on Today until it is answered, and keeps who answered it", async () => {
  const key = await register(service.baseUrl);
  const body = { message: "Could you <b>grind</b> it?" };
  await send(service.baseUrl, "/v1/feedback", { key, body });
  expect(await today()).toContain("Could you &lt;b&gt;grind&lt;/b&gt; it?");
  const row = (await waiting()).messages.rows.find(({ text }) => text.includes("grind"));
  expect((await press("/desk", "tasks.handle", { task_id: row!.id })).status).toBe(303);
  expect(await today()).not.toContain("grind");
  expect(text(await merchant.get("/desk/messages"))).toMatch(/grind.* Answered at the desk, Mar 2/);
  const place = "/desk/messages?leads=5.a&feedback=9.b";
  await send(service.baseUrl, "/v1/feedback", { key, body: { message: "On an old page." } });
  const old = (await waiting()).messages.rows.find(({ text }) => text.includes("old page"));
  const handled = await press(place, "tasks.handle", { task_id: old!.id });
  expect(handled.headers.get("location")).toBe(place);
  const again = await press("/desk/messages", "tasks.handle", { task_id: row!.id });
  expect([again.status, text(again).includes("handled already")]).toEqual([409, true]);
});

it("a message about an order links to the order", async () => {
  const { key, order, path } = await orderAt(service.baseUrl, merchant);
  const body = { message: "Please ring twice.", order_id: `#${order.number}` };
  await send(service.baseUrl, "/v1/feedback", { key, body });
  const page = (await merchant.get("/desk")).text;
  const row = page.split("<tr>").find((one) => one.includes("ring twice"));
  expect(row).toContain(`<a href="${path}">#${order.number}</a>`);
  expect(text(await merchant.get("/desk/messages"))).toContain(`Order #${order.number}`);
  // The answer goes to the buyer, and stands on the order with who gave it.
  for (const at of ["/desk", "/desk/messages", path]) {
    expect((await merchant.get(at)).text).toContain(`href="mailto:${order.buyer_email}?subject=`);
  }
  const asked = (await waiting()).messages.rows.find(({ text }) => text.includes("ring twice"));
  await press(path, "tasks.handle", { task_id: asked!.id });
  expect(text(await merchant.get(path))).toMatch(/Please ring twice\. .* Answered at the desk/);
});

it("cancel requests are accepted with their refund, or declined, on Today", async () => {
  const [kept, canceled] = [
    await orderAt(service.baseUrl, merchant),
    await orderAt(service.baseUrl, merchant),
  ];
  for (const { asked } of [kept, canceled]) await asked();
  const formOf = async ({ order }: typeof kept) => {
    const row = (await merchant.get("/desk")).text
      .split("<tr>")
      .find((one) => one.includes(order.id) && one.includes("Accept"));
    const field = (name: string) => new RegExp(`name="${name}" value="(\\w+)"`).exec(row!)![1]!;
    return { request_id: field("request_id"), seen: field("seen"), order_id: field("order_id") };
  };
  const fields = { ...(await formOf(canceled)), refund: "on" };
  const asking = await press("/desk", "cancellations.accept", fields);
  expect(text(asking)).toContain("A cancellation is final, and its refund is sent at once.");
  const done = await press("/desk", "cancellations.accept", { ...fields, confirmed: "on" });
  expect(done.headers.get("location")).toBe("/desk");
  expect(await canceled.now()).toMatchObject({
    status: "CANCELED",
    payment: { status: "REFUNDED" },
  });
  await press("/desk", "cancellations.decline", {
    ...(await formOf(kept)),
    reason: "It is in the roaster.",
  });
  expect(await kept.now()).toMatchObject({ cancel_request: { status: "DECLINED" } });
  const decided = text(await merchant.get(kept.path));
  expect(decided).toMatch(/The cancel request was declined on .*No &lt;\/blockquote&gt; more/);
});

it("a cancel request names its parcel, person and bags, and the buyer by email", async () => {
  const { order, key, path } = await orderAt(service.baseUrl, merchant, 2);
  const [, second] = order.shipments;
  const body = { reason_code: "CHANGED_MIND", shipment_ids: [second.id] };
  await send(service.baseUrl, `/v1/orders/${order.id}/cancel-requests`, { key, body });
  const row = (await merchant.get("/desk")).text
    .split("<tr>")
    .find((one) => one.includes(`#${order.number}<`) && one.includes("Decline"))!;
  const words = text({ text: row } as Answer);
  expect(words).toContain(`Shipment 2, to ${second.address.name} : 1 bag of`);
  expect(words).toContain(order.buyer_email);
  const facts = text(await merchant.get(path));
  expect(facts).toContain(`Buyer ${order.buyer_email}`);
  await merchant.post(path, {
    act: "cancellations.decline",
    request_id: /cr_\w+/.exec(row)![0],
    reason: "No.",
  });
});

it("an order's page names the buyer, with other orders, and shows no id", async () => {
  const first = await orderAt(service.baseUrl, merchant);
  const { buyer_email: email } = first.order;
  service.clock.advance(1);
  const { order } = await purchase(service.baseUrl, { email });
  const page = await merchant.get(`/desk/orders/${order.id}`);
  expect(page.text).toContain(`<a href="mailto:${email}">`);
  expect(text(page)).toMatch(new RegExp(`Other orders #${first.order.number} \\(Mar`));
  expect(text(page)).not.toContain(order.id);
});

it("a canceled order is on Today until its money is refunded or kept", async () => {
  const { press: onOrder, order } = await orderAt(service.baseUrl, merchant);
  await onOrder("orders.cancel", { reason: "The roaster is broken.", confirmed: "on" });
  expect(await today()).toContain(`#${order.number}`);
  const [row] = (await waiting()).refunds.rows;
  const seen = String(row!.version);
  const confirm = `/desk/orders/${order.id}/refund`;
  expect(text(await merchant.get(confirm))).toContain("Left after it $0.00");
  const old = await press(confirm, "orders.refund", { seen: "1" });
  expect(old.status).toBe(409);
  expect((await press(confirm, "orders.refund", { seen })).status).toBe(303);
  expect(await today()).not.toContain("Refunds to decide");
  const kept = await orderAt(service.baseUrl, merchant);
  await kept.press("orders.cancel", { reason: "The roaster is broken.", confirmed: "on" });
  expect(await today()).toContain("Refunds to decide");
  const [next] = (await waiting()).refunds.rows;
  await press("/desk", "tasks.handle", { task_id: next!.id });
  expect(await today()).not.toContain("Refunds to decide");
});

it("Today shows the oldest failed deliveries and how many more there are", async () => {
  const admin = service.service.merchant.admin("cli");
  for (let i = 0; i < 11; i++) {
    const { order, shipment } = await orderAt(service.baseUrl, merchant);
    await admin.orders.roast({ order_id: order.id });
    await admin.shipments.ship({
      shipment_id: shipment,
      tracking: { carrier: "by hand", number: "by hand" },
    });
    await admin.shipments.move({ shipment_id: shipment, to: "FAILED" });
  }
  const page = (await merchant.get("/desk")).text;
  expect(page).toContain("And 1 more, once some of these are handled.");
  const { rows } = (await waiting()).failures;
  expect(page).toContain(`<a class="button small" href="/desk/orders/${rows[0]!.order_id}">`);
  await press("/desk", "tasks.handle", { task_id: rows[0]!.id });
  expect(await today()).not.toContain("once some of these");
});

it("a returned shipment is refunded on a page, or dismissed", async () => {
  const returned = async () => {
    const at = await orderAt(service.baseUrl, merchant);
    await at.press("orders.roast");
    await at.press("shipments.ship", {
      shipment_id: at.shipment,
      carrier: "USPS",
      number: "by hand",
    });
    await at.press("shipments.move", { to: "RETURNED", shipment_id: at.shipment });
    return at;
  };
  const { path, shipment, now, seen } = await returned();
  await press(`${path}/refund`, "shipments.refund", { shipment_id: shipment, seen: await seen() });
  expect(await today()).not.toContain("Send it again…");
  service.clock.advance(TIMES.undo_ms);
  await service.service.merchant.reconciler.run();
  expect(await now()).toMatchObject({ status: "COMPLETED", payment: { status: "REFUNDED" } });
  const other = await returned();
  expect(await today()).toContain("Send it again…");
  await service.service.merchant.admin("cli").customers.erase({ email: other.order.buyer_email });
  expect(await today()).not.toContain("Send it again…");
  const [row] = (await waiting()).returns.rows;
  expect((await other.press("tasks.handle", { task_id: row!.id })).status).toBe(303);
  expect((await waiting()).returns.rows).toEqual([]);
});
