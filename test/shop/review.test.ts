import { afterAll, describe, expect, it } from "vitest";
import type { Mailer } from "../../src/core/letter.ts";
import { dump, lastingDatabase } from "../support/lasting-database.ts";
import { form, newEmail, orderOf, purchase, readyQuote } from "../support/purchase.ts";
import { keptLog, startService, testClock } from "../support/service.ts";
import { ADDRESS, eventually, payAsBuyer, register, send } from "../support/shopper.ts";

const database = await lastingDatabase();
const { log, lines } = keptLog();
const service = await startService({ DATABASE_URL: database.url }, testClock(), { log });
afterAll(() => service.stop());

describe("the review page", () => {
  it("tells the buyer of a newer quote by the same agent only", async () => {
    const email = newEmail();
    const key = await register(service.baseUrl);
    const quoteBy = async (key: string, buyer = email) =>
      (await readyQuote(service.baseUrl, { email: buyer }, key)).reviewUrl;
    const page = async (url: string) =>
      (await fetch(url, { headers: { Accept: "text/html" } })).text();
    const first = await quoteBy(key);
    await quoteBy(await register(service.baseUrl));
    await quoteBy(key, newEmail());
    expect(await page(first)).not.toContain("prepared a newer quote");
    service.clock.advance(1);
    const second = await quoteBy(key);
    expect(await page(first)).toContain("Your agent prepared a newer quote.");
    expect(await page(second)).not.toContain("prepared a newer quote");
    await payAsBuyer(service.baseUrl, second);
    await eventually(async () => !(await page(first)).includes("prepared a newer quote"));
  });

  it("shows a timeline whose amounts add up to the final payment", async () => {
    const { order, reviewUrl } = await purchase(service.baseUrl);
    const { merchant } = service.service;
    const admin = merchant.admin("cli");
    await admin.orders.refund({ order_id: order.id, amount_minor: 500 });
    await admin.orders.roast({ order_id: order.id });
    const tracking = { carrier: "USPS", number: "9400" };
    const shipment_id = order.shipments[0].id;
    await admin.shipments.ship({ shipment_id, tracking });
    await admin.shipments.move({ shipment_id, to: "DELIVERED" });
    await admin.shipments.undo({ shipment_id });
    await merchant.mail.sendDue({ send: async () => {} } as unknown as Mailer);
    const { ordered } = await merchant.reviews.open(reviewUrl.split("/").at(-1)!);
    const { payment, timeline } = ordered!;
    expect(timeline.map(({ kind }) => kind)).toEqual(["PAID", "ROASTING", "SHIPPED", "REFUNDED"]);
    const emailed = timeline.filter(({ emailedAt }) => emailedAt !== null);
    expect(emailed.map(({ kind }) => kind)).toEqual(["PAID", "REFUNDED"]);
    const left = timeline.reduce((sum, { amountMinor }) => sum + (amountMinor ?? 0), 0);
    expect(left).toBe(payment.amount_minor - payment.refunded_minor);
    const page = await (await fetch(reviewUrl, { headers: { Accept: "text/html" } })).text();
    expect(page).toMatch(/Refunded <b class="amount">−\$5\.00<\/b>[\s\S]*email sent/);
  });

  it("says once that the buyer's data was erased, without tracking number", async () => {
    const other = { name: "Second Person", line1: "2 Side Road" };
    const email = newEmail();
    const { order, reviewUrl } = await purchase(service.baseUrl, { email, parcels: [{}, other] });
    const admin = service.service.merchant.admin("cli");
    await admin.orders.roast({ order_id: order.id });
    for (const [i, { id: shipment_id }] of order.shipments.entries()) {
      await admin.shipments.ship({ shipment_id, tracking: { carrier: "Bike", number: `77-${i}` } });
      await admin.shipments.move({ shipment_id, to: "DELIVERED" });
    }
    const page = async () => (await fetch(reviewUrl, { headers: { Accept: "text/html" } })).text();
    expect(await page()).toContain("77-0");
    await admin.customers.erase({ email });
    const erased = await page();
    expect(erased.match(/erased/gi)).toHaveLength(1);
    expect(erased).toContain("2 shipments to TX");
    expect(erased).not.toMatch(/77-0|00000|Second Person|Your email/);
  });

  it("shows every line, address, note, discount, total and the start of the hash", async () => {
    const other = { name: "Second Person", line1: "2 Side Road", line2: "Apt <4>" };
    const wanted = {
      discount_code: "FIRSTBAG",
      quantity: 2,
      parcels: [{ note: "For <you> & yours" }, other],
    };
    const { quote, reviewUrl } = await readyQuote(service.baseUrl, wanted);
    const { text } = await send(service.baseUrl, reviewUrl);
    const shown = [
      quote.terms.shipments[0].items[0].name,
      "1 Main Street",
      "2 Side Road",
      "Apt &lt;4&gt;",
      "Second Person",
      "For &lt;you&gt; &amp; yours",
      "FIRSTBAG",
      "$10.00",
      quote.terms.pricing.total_display,
      quote.quote_hash.slice(0, "sha256:".length + 12),
      "don’t promise a refund",
    ];
    expect(shown.filter((part) => !text.includes(part))).toEqual([]);
    expect(text).not.toContain(quote.quote_hash);
  });
});

describe("secrets", () => {
  it("of a purchase and of refusals are in no log line", async () => {
    const email = newEmail();
    const bought = await purchase(service.baseUrl, { email, gift_notes: ["Sweet nothings"] });
    const { key, reviewUrl } = bought;
    const token = new URL(reviewUrl).pathname.split("/").at(-1) ?? "";
    await send(service.baseUrl, `${reviewUrl}?from=checkout&q=hidden-query`);
    await send(service.baseUrl, `${reviewUrl}/unknown-${token}`, form({ a: "form-words" }));
    await send(service.baseUrl, `/v1/orders?buyer_email=${encodeURIComponent(email)}&x=1`, { key });
    await send(service.baseUrl, "/v1/quote-requests", {
      key,
      method: "POST",
      raw: `{"buyer": "${email}" broken`,
      headers: { "content-type": "application/json" },
    });
    await send(service.baseUrl, "/v1/orders", { key: "cma_wrong-key-wrong-key" });
    const log = lines.join("");
    expect(log).toContain("/review/:token");
    const secrets = [key, token, email, ADDRESS.line1, ADDRESS.name, "Sweet nothings"];
    const words = ["hidden-query", "form-words", "wrong-key", "FIRSTBAG", "whsec_"];
    expect([...secrets, ...words].filter((word) => log.includes(word))).toEqual([]);
  });

  it("are in the database as hashes only", async () => {
    const { key, reviewUrl } = await readyQuote(service.baseUrl);
    const token = new URL(reviewUrl).pathname.split("/").at(-1) ?? "";
    const text = JSON.stringify(await dump(database.url));
    expect(text).not.toContain(key);
    expect(text).not.toContain(token);
  });
});

describe("a program that reads a review link", () => {
  const accept = "application/json, text/html;q=0.9";
  const read = (url: string) => send(service.baseUrl, url, { headers: { accept } });

  it("gets the quote and its order as data, without a way to pay", async () => {
    const { key, quote, reviewUrl } = await readyQuote(service.baseUrl);
    const before = await read(reviewUrl);
    const { checkout, next, ...asked } = (
      await send(service.baseUrl, `/v1/quotes/${quote.id}`, { key })
    ).body;
    expect(checkout.review_url).toBe(reviewUrl);
    expect(next.length).toBeGreaterThan(0);
    expect(before.body).toEqual({
      ...asked,
      // Only the agent that made the quote is told of the offer.
      messages: asked.messages.filter(({ code }: { code: string }) => code !== "FIRST_ORDER"),
      order: null,
      next: [
        {
          action: "open this address in a browser",
          why: expect.any(String),
        },
        { action: `GET /v1/quotes/${quote.id}`, why: expect.any(String) },
      ],
    });
    expect([before.status, before.headers.get("vary")]).toEqual([
      200,
      expect.stringMatching(/\bAccept\b/),
    ]);
    expect(before.headers.get("cache-control")).toBe("no-store");
    expect(before.headers.get("x-robots-tag")).toBe("noindex, nofollow");
    await send(service.baseUrl, reviewUrl, { method: "POST" });
    const begun = await read(reviewUrl);
    const codes = begun.body.messages.map(({ code }: { code: string }) => code);
    expect(codes).toContain("PAYMENT_BEGUN");
    expect(begun.text).not.toMatch(/sandbox\/checkout|\/review\//);
    await payAsBuyer(service.baseUrl, reviewUrl);
    await eventually(async () => (await read(reviewUrl)).body.order !== null);
    const order = await orderOf(service.baseUrl, key, quote.id);
    const { next: _, ...told } = order;
    expect((await read(reviewUrl)).body).toMatchObject({ status: "PAID", order: told });
  });
});
