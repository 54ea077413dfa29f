/** The owner's settings, and a break of the shop. */
import { expect, it, onTestFinished } from "vitest";
import { DAY_MS } from "../../src/core/policy.ts";
import { purchase, readyQuote } from "../support/purchase.ts";
import { startService } from "../support/service.ts";
import { quoteRequest, send } from "../support/shopper.ts";
import { merchantAt, SECRET, text } from "./visitor.ts";

async function ownShop() {
  const open = await startService({ MERCHANT_SECRET: SECRET });
  onTestFinished(open.stop);
  return { open, desk: await merchantAt(open.baseUrl), admin: open.service.merchant.admin("desk") };
}

const SETTINGS = {
  act: "shop.change",
  name: "Ada's Beans",
  contact_email: "ada@example.com",
  shipping_per_address: "6.50",
  free_shipping_from: "80",
  earliest_days: "2",
  latest_days: "4",
  privacy_url: "https://example.com/privacy",
  terms_url: "",
};

it("settings apply to pages, policy and new quotes at once, and open quotes keep their terms", async () => {
  const { open, desk } = await ownShop();
  const { baseUrl } = open;
  const before = await readyQuote(baseUrl);
  const saved = await desk.post("/desk/shop", SETTINGS);
  expect(saved.headers.get("location")).toBe("/desk/shop");
  const front = await send(baseUrl, "/", { headers: { accept: "text/html" } });
  expect(text(front)).toContain("Ada&#39;s Beans");
  expect(front.text).toContain('href="https://example.com/privacy"');
  const { quote } = await readyQuote(baseUrl);
  expect(quote.terms.pricing.shipping_minor).toBe(650);
  const { body: old } = await send(baseUrl, `/v1/quotes/${before.quote.id}`, { key: before.key });
  expect(old.terms).toEqual(before.quote.terms);
  const { body: policy } = await send(baseUrl, "/agent-info");
  expect(policy.support.email).toBe("ada@example.com");
  expect(text(await desk.get("/desk/log"))).toContain("Changed the shop’s settings: name,");
});

it("names the setting whose value an empty field has", async () => {
  const given = {
    SUPPORT_EMAIL: "help@coffee.example",
    PRIVACY_URL: "https://coffee.example/privacy",
    TERMS_URL: "https://coffee.example/terms",
  };
  const open = await startService({ MERCHANT_SECRET: SECRET, ...given });
  onTestFinished(open.stop);
  const desk = await merchantAt(open.baseUrl);
  const told = async () => {
    const shown = text(await desk.get("/desk/shop"));
    return Object.entries(given).filter(([name, value]) =>
      shown.includes(`Empty: ${value}, from ${name}.`),
    ).length;
  };
  expect(await told()).toBe(3);
  await desk.post("/desk/shop", SETTINGS);
  expect(await told()).toBe(1);
});

it("wrong settings are refused beside their fields, and change nothing", async () => {
  const { open, desk } = await ownShop();
  const wrong = { ...SETTINGS, shipping_per_address: "ten", latest_days: "1" };
  const refused = await desk.post("/desk/shop", { ...wrong, privacy_url: "javascript:alert(1)" });
  expect(refused.status).toBe(422);
  expect(refused.text).toContain('id="shop-change-shipping_per_address-error"');
  expect(refused.text).toContain('id="shop-change-privacy_url-error"');
  const days = await desk.post("/desk/shop", { ...SETTINGS, latest_days: "1" });
  expect(days.text).toContain('id="shop-change-latest_days-error"');
  expect(open.service.merchant.shop.name).not.toBe(SETTINGS.name);
});

it("two tabs of settings lose nothing: each writes what was changed in it, and the same field once", async () => {
  const { desk, admin } = await ownShop();
  const shown = await desk.get("/desk/shop");
  const page: Record<string, string> = { act: "shop.change" };
  for (const [, name = "", value = ""] of shown.text.matchAll(
    /name="was\.(\w+)" value="([^"]*)"/g,
  )) {
    Object.assign(page, { [name]: value, [`was.${name}`]: value });
  }
  const save = (changes: Record<string, string>) =>
    desk.post("/desk/shop", { ...page, ...changes });
  expect((await save({ shipping_per_address: "12" })).status).toBe(303);
  expect((await save({ contact_email: "ada@example.com" })).status).toBe(303);
  const now = () => admin.shop.settings();
  expect(await now()).toMatchObject({
    shipping_per_address_minor: 1200,
    contact_email: "ada@example.com",
  });
  const stale = await save({ shipping_per_address: "9", name: "Ada's Beans" });
  expect(stale.status).toBe(409);
  expect(text(stale)).toContain("It is “12.00” now.");
  expect(stale.text).toContain('value="9"');
  // What was not typed on the old page is shown as it is now.
  expect(stale.text).toContain('value="ada@example.com"');
  expect((await now()).name).toBe(page.name);
});

it("a paused shop says so, refuses quotes with the day, and reopens by itself", async () => {
  const { open, desk, admin } = await ownShop();
  const { baseUrl, clock } = open;
  const { order, key } = await purchase(baseUrl);
  const stock = await admin.stock.list();
  const { key: asker, quote: before, reviewUrl } = await readyQuote(baseUrl);
  const review = new URL(reviewUrl).pathname;
  expect((await desk.post("/desk/shop", { act: "shop.pause", until: "2026-03-02" })).status).toBe(
    422,
  );
  await desk.post("/desk/shop", {
    act: "shop.pause",
    until: "2026-03-16",
    message: "At the harvest.",
  });

  const words = "We’re on a break until Monday, March 16. At the harvest.";
  expect(text(await send(baseUrl, "/", { headers: { accept: "text/html" } }))).toContain(words);
  const front = await send(baseUrl, "/", { headers: { accept: "text/html" } });
  expect(text(front)).toContain("Back on Monday, March 16");
  expect(front.text).not.toMatch(/name="add"|Arrives in/);
  const cart = await send(baseUrl, "/v1/quick-checkout?items=kenya-nyeri:1");
  const opened = await send(baseUrl, new URL(cart.headers.get("location")!, baseUrl).href);
  expect(text(opened)).toContain("Back on Monday, March 16");
  expect(opened.text).not.toContain('name="line1"');
  const pause = { reopens_on: "2026-03-16", message: "At the harvest." };
  expect((await send(baseUrl, "/v1/catalog")).body.pause).toMatchObject(pause);
  const request = quoteRequest({ email: "ada@example.com" });
  const quote = () =>
    send(baseUrl, "/v1/quote-requests", {
      key,
      body: request,
      headers: { "idempotency-key": `${clock.now()}` },
    });
  const refused = await quote();
  expect([refused.status, refused.body.code, refused.body.reopens_on]).toEqual([
    409,
    "SHOP_PAUSED",
    "2026-03-16",
  ]);
  // Whoever has or makes something to pay reads of the break, and whether it lasts until then.
  const later = "It takes orders again from Monday, March 16 (2026-03-16).";
  const ends = "This offer ends before that; a new one can be made then.";
  const link = await send(baseUrl, "/v1/quick-checkout?items=kenya-nyeri:1&format=json");
  expect(link.body.message_for_buyer).toContain(later);
  expect(link.body.message_for_buyer).toContain(ends);
  const path = `/v1/quotes/${before.id}`;
  const checkout = { key: asker, body: { quote_hash: before.quote_hash } };
  const again = await send(baseUrl, `${path}/checkout`, checkout);
  expect(again.body.message_for_buyer).toContain(later);
  const read = await send(baseUrl, path, { key: asker });
  expect(read.body.messages[0]).toMatchObject({ code: "SHOP_PAUSED" });
  expect((await send(baseUrl, `${path}/order`, { key: asker })).body.detail).toContain(later);
  const asked = await send(baseUrl, "/v1/ask?q=When+do+you+ship%3F");
  expect(JSON.stringify(asked.body)).toContain(later);
  const session = await send(baseUrl, "/ucp/checkout-sessions", {
    body: { line_items: [{ item: { id: "kenya-nyeri" }, quantity: 1 }] },
    headers: { "ucp-agent": 'profile="https://agent.example/profile"' },
  });
  expect(JSON.stringify(session.body.messages)).toContain(later);
  // A quote from before can't be paid, and its page says why.
  const page = await send(baseUrl, review, { headers: { accept: "text/html" } });
  expect(text(page)).toContain(words);
  expect(page.text).not.toContain(">Pay $");
  const pressed = await send(baseUrl, review, {
    method: "POST",
    headers: { accept: "application/json" },
  });
  expect([pressed.status, pressed.body.code]).toEqual([409, "SHOP_PAUSED"]);
  // The order waits for the reopening, and so does its estimate.
  const { body: waiting } = await send(baseUrl, `/v1/orders/${order.id}`, { key });
  expect(waiting.estimated_delivery.earliest).toBe("2026-03-21");
  expect(await admin.stock.list()).toEqual(stock);

  clock.advance(14 * DAY_MS);
  expect((await quote()).status).toBe(201);
  expect((await send(baseUrl, "/v1/catalog")).body.pause).toBeUndefined();
});

it("a break can be ended early, and then estimates count from that day", async () => {
  const { open, desk, admin } = await ownShop();
  const { order, key } = await purchase(open.baseUrl);
  await desk.post("/desk/shop", { act: "shop.pause", until: "2026-04-01" });
  open.clock.advance(3 * DAY_MS);
  await admin.shop.reopen();
  expect(open.service.merchant.pause).toBeNull();
  const { body } = await send(open.baseUrl, `/v1/orders/${order.id}`, { key });
  expect(body.estimated_delivery.earliest).toBe("2026-03-10");
});
