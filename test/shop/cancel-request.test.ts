/** A buyer asks to cancel on the order page, in a browser without JavaScript (contract §5). */
import { afterAll, describe, expect, it } from "vitest";
import { STOCKED } from "../support/catalog.ts";
import { type FormFields, form, newEmail, orderOf, purchase } from "../support/purchase.ts";
import { startService } from "../support/service.ts";
import { eventually, payAsBuyer, send } from "../support/shopper.ts";
import { BROWSER, cartPage, submit } from "./quick-checkout/checkout.ts";

const shop = await startService();
afterAll(() => shop.stop());

const admin = () => shop.service.merchant.admin("cli");

const open = (url: string) => send(shop.baseUrl, url, { headers: BROWSER });

function press(url: string, fields: FormFields, more: Record<string, string> = {}) {
  const sent = form(fields);
  return send(shop.baseUrl, url, { ...sent, headers: { ...BROWSER, ...sent.headers, ...more } });
}

/** Values of the form's hidden fields and boxes. */
const carried = (text: string, name: string): string[] =>
  [...text.matchAll(new RegExp(`name="${name}" value="([^"]+)"`, "g"))].map(([, value]) => value!);

/** An order without an agent. */
async function ownOrder() {
  const email = newEmail();
  const cart = await cartPage(shop.baseUrl, `items=${STOCKED}:1`);
  const sent = await submit(shop.baseUrl, cart, { email });
  const url = sent.headers.get("location") ?? "";
  await payAsBuyer(shop.baseUrl, url);
  const page = await eventually(async () => {
    const opened = await open(url);
    return opened.text.includes("Ask to cancel") && opened.text;
  });
  const [shipment = ""] = carried(page, "shipment");
  const [name = ""] = carried(page, "form");
  const ask = (message = "") =>
    press(`${url}/cancel-request`, { form: name, shipment, reason: "DUPLICATE", message });
  return { url, email, page, shipment, ask };
}

describe("a buyer without an agent", () => {
  it("asks to cancel, sees the request, withdraws it, asks again and gets an answer", async () => {
    const { url, page, ask } = await ownOrder();
    expect(page).toContain(
      "We’ll review this and answer on this page. Until then your order goes on.",
    );
    const asked = await ask("Ordered <twice>.");
    expect([asked.status, asked.headers.get("location")]).toEqual([303, new URL(url).pathname]);
    const told = (await open(url)).text;
    expect(told).toContain("You asked us to cancel this order.");
    expect(told).toContain("Ordered &lt;twice&gt;.");
    expect(told).not.toContain("Ask to cancel");
    const follow = async () =>
      (await open(`/v1/link-orders?checkout_url=${encodeURIComponent(url)}`)).text;
    const followed = await follow();
    expect(followed).toContain("The shop has yet to decide about the cancel request.");
    expect(followed).toContain("To withdraw the request or to ask something");
    const [request = ""] = carried(told, "request");
    expect((await press(`${url}/cancel-request/withdraw`, { request })).status).toBe(303);
    expect(await follow()).toContain("To cancel or to ask something");
    const back = (await open(url)).text;
    expect(back).toContain("You withdrew the cancellation request");
    const [name, shipment] = ["form", "shipment"].map((field) => carried(back, field)[0]!);
    // The same words again are another request.
    const fields = {
      form: name!,
      shipment: shipment!,
      reason: "DUPLICATE",
      message: "Ordered <twice>.",
    };
    expect((await press(`${url}/cancel-request`, fields)).status).toBe(303);
    const [again = ""] = carried((await open(url)).text, "request");
    expect(again).not.toBe(request);
    await admin().cancellations.decline({ request_id: again, reason: "It is in the roaster." });
    const declined = (await open(url)).text;
    expect(declined).toContain("We declined the cancellation.");
    expect(declined).toContain("It is in the roaster.");
    expect(declined).toContain("Cancellation request withdrawn");
  });

  it("sees all problems with the typed values, and nothing is requested", async () => {
    const { url, shipment } = await ownOrder();
    const message = "My card is 4242 4242 4242 4242 ".repeat(17);
    const wrong = await press(`${url}/cancel-request`, { shipment, reason: "BORED", message });
    expect(wrong.status).toBe(422);
    expect(wrong.text).toContain('<details class="careful" open>');
    expect(wrong.text).toContain(message);
    for (const field of ["reason", "message"]) expect(wrong.text).toContain(`href="#${field}"`);
    const secret = await press(`${url}/cancel-request`, {
      shipment,
      message: message.slice(0, 31),
    });
    expect(secret.status).toBe(422);
    const huge = await press(`${url}/cancel-request`, { shipment, message: "x".repeat(17_000) });
    expect(huge.status).toBe(413);
    const many = Array.from({ length: 61 }, (): [string, string] => ["shipment", shipment]);
    expect((await press(`${url}/cancel-request`, many)).status).toBe(413);
    expect((await open(url)).text).toContain("Ask to cancel");
  });
});

describe("an order of several shipments", () => {
  it("can be canceled in part before shipping; the agent reads which part, and who asked", async () => {
    const parcels = ["One", "Second", "Third"].map((name) => ({
      name: `${name} Person`,
      line1: name,
    }));
    const { key, quote, order, reviewUrl: url } = await purchase(shop.baseUrl, { parcels });
    const ids: string[] = order.shipments.map(({ id }: { id: string }) => id);
    await admin().orders.roast({ order_id: order.id });
    const tracking = { carrier: "USPS", number: "9400" };
    await admin().shipments.ship({ shipment_id: ids[0]!, tracking });
    const page = (await open(url)).text;
    expect(carried(page, "shipment")).toEqual(ids.slice(1));
    const none = await press(`${url}/cancel-request`, { form: "first" });
    expect(none.status).toBe(422);
    expect(none.text).toContain("Choose what you want to cancel.");
    const gone = await press(`${url}/cancel-request`, { form: "first", shipment: ids[0]! });
    expect(gone.status).toBe(409);
    const foreign = await press(`${url}/cancel-request`, { form: "first", shipment: "shp_none" });
    expect(foreign.status).toBe(422);
    await press(`${url}/cancel-request`, { form: "first", shipment: ids[2]! });
    const { cancel_request, next } = await orderOf(shop.baseUrl, key, quote.id);
    expect(cancel_request).toMatchObject({
      shipment_ids: [ids[2]],
      asked_by: "BUYER",
      status: "REQUESTED",
    });
    expect(JSON.stringify(next)).toContain("DELETE /v1/orders");
    const told = (await open(url)).text;
    expect(told).toContain("part of this order");
    expect(told).toContain("Third Person");
  });
});

describe("after a revoked key, a refund or an erasure", () => {
  it("a buyer can ask although their agent's key is revoked", async () => {
    const { reviewUrl, order } = await purchase(shop.baseUrl);
    const { agent_id } = await admin().orders.show({ order_id: order.id });
    await admin().keys.revoke({ agent_id: agent_id! });
    const fields = { form: "first", shipment: order.shipments[0].id };
    expect((await press(`${reviewUrl}/cancel-request`, fields)).status).toBe(303);
    expect((await open(reviewUrl)).text).toContain("You asked us to cancel this order.");
  });

  it("an erased buyer's page has no form, and an older form is refused", async () => {
    const { url, email, ask } = await ownOrder();
    const [order] = await admin().views.search({ words: email });
    await admin().orders.cancel({ order_id: order!.id, reason: "Sold out." });
    await admin().customers.erase({ email });
    expect((await open(url)).text).not.toContain("Ask to cancel");
    expect((await ask("After all.")).status).toBe(409);
  });
});
