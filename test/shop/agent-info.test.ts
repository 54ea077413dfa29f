import { afterAll, describe, expect, test } from "vitest";
import { FIRST_ORDER, LIMITS, RETENTION_DAYS, SPEND } from "../../src/core/policy.ts";
import { LIMIT_TABLE } from "../../src/core/rate-limits.ts";
import { DEFAULT_SHOP } from "../../src/core/shop.ts";
import { startService } from "../support/service.ts";
import { send } from "../support/shopper.ts";

const shop = await startService({ SUPPORT_EMAIL: "help@coffee.example", RATE_LIMITS: "on" });
afterAll(() => shop.stop());

const info = async () => (await send(shop.baseUrl, "/agent-info")).body;
const llms = async () => (await send(shop.baseUrl, "/llms.txt")).text;
const dollars = (minor: number) => `$${(minor / 100).toFixed(2)}`;

describe("has every key of contract §18:", () => {
  test("all keys", async () => {
    expect(await info()).toMatchObject({
      merchant: { name: expect.any(String), sells: expect.stringContaining("8 oz") },
      contract_version: "opc/0.1",
      support: { email: "help@coffee.example" },
      ...{ currency: "usd", ship_to: ["US"] },
      approval_policy: { rule: expect.stringContaining("nothing is ordered before") },
      gifting: { how: expect.stringContaining("gift_notes") },
      brewing: expect.arrayContaining([{ product_id: "kenya-nyeri", advice: expect.anything() }]),
      choosing_guide: expect.arrayContaining([
        expect.objectContaining({ choose_if: expect.any(String) }),
      ]),
      policy: { policy_version: "policy_v1", substitutions: "none" },
      offers: expect.arrayContaining([expect.objectContaining({ kind: "SPEND" })]),
      waitlist: { join: "POST /v1/waitlist", eta: null },
      feedback: { how: expect.stringContaining("POST /v1/feedback") },
      bulk_leads: { how: expect.stringContaining("POST /v1/bulk-leads") },
    });
  });

  test("and its links answer", async () => {
    const { catalog, openapi, errors, mcp } = await info();
    for (const url of [catalog, openapi, errors]) {
      expect((await send(shop.baseUrl, url)).status).toBe(200);
    }
    expect(mcp).toBe(`${shop.baseUrl}/mcp`);
  });
});

describe("promises what the rules do:", () => {
  test("shipping, delivery and the free threshold", async () => {
    const { policy } = await info();
    expect(policy.shipping).toMatchObject({
      per_address_minor: DEFAULT_SHOP.shipping_per_address_minor,
      free_from_minor: DEFAULT_SHOP.free_shipping_from_minor,
    });
    expect(policy.shipping.rule).toContain(dollars(DEFAULT_SHOP.shipping_per_address_minor));
    expect(policy.shipping.rule).toContain(dollars(DEFAULT_SHOP.free_shipping_from_minor));
    expect(policy.delivery).toContain("5 to 14 days");
  });

  test("both courtesies", async () => {
    const [first, spend] = (await info()).offers;
    expect(first).toMatchObject({ code: FIRST_ORDER.code, active: true });
    expect(first.rule).toContain(`${FIRST_ORDER.percent}%`);
    expect(first.rule).toContain(dollars(FIRST_ORDER.cap_minor));
    expect(spend.rule).toContain(dollars(SPEND.off_minor));
    expect(spend.rule).toContain(dollars(SPEND.per_minor));
    const front = (await send(shop.baseUrl, "/")).text;
    const cap = FIRST_ORDER.cap_minor / 100;
    expect(front).toContain(`${FIRST_ORDER.percent}% off the coffee, at most $${cap}`);
    const [off, per] = [SPEND.off_minor / 100, SPEND.per_minor / 100];
    expect(front).toContain(`$${off} off for every full $${per}`);
  });

  test("every limit and every rate limit", async () => {
    const { limits, rate_limits, gifting, feedback } = await info();
    expect(limits).toEqual(LIMITS);
    expect(Object.keys(rate_limits)).toEqual(Object.keys(LIMIT_TABLE));
    expect(rate_limits.buyers).toBe("32 buyers per day per key, 512 per address, 2048 per network");
    const { retention } = await info();
    expect(retention).toMatchObject({ days: RETENTION_DAYS, idempotency_hours: 48 });
    for (const kept of ["the audit log", "incidents", "unpaid quotes and keys"])
      expect(retention.rule).toContain(kept);
    expect(gifting.rule).toContain(`${LIMITS.gift_note_characters} characters`);
    expect(feedback.how).toContain(`${LIMITS.feedback_characters} characters`);
  });

  test("every bean at the catalog's price", async () => {
    const catalog = (await send(shop.baseUrl, "/v1/catalog")).body;
    expect(catalog.products).toMatchObject((await info()).beans);
    const text = await llms();
    for (const { product_id, price_minor } of catalog.products) {
      expect(text).toMatch(new RegExp(`- ${product_id}: .*\\${dollars(price_minor)}`));
    }
  });

  test("the first-order offer disappears everywhere as soon as the merchant ends it", async () => {
    const admin = shop.service.merchant.admin("cli");
    const front = async () => (await send(shop.baseUrl, "/")).text;
    expect(await front()).toContain("First order: 20% off");
    expect(await llms()).toContain('"discount_code"');
    await admin.courtesy.firstOrder({ on: false });
    const [ended, page, guide] = [await info(), await front(), await llms()];
    await admin.courtesy.firstOrder({ on: true });
    expect(guide).not.toContain('"discount_code"');
    expect(ended.offers[0]).toMatchObject({ kind: "FIRST_ORDER", active: false });
    expect(page).not.toContain("First order: 20% off");
    expect((await info()).offers[0].active).toBe(true);
  });
});

test("nothing public reveals altitude, producer or other buyers", async () => {
  for (const path of ["/", "/agent-info", "/llms.txt", "/v1/catalog", "/errors"]) {
    const { text } = await send(shop.baseUrl, path);
    expect(text).not.toMatch(/masl|m\.a\.s\.l|elevation|\bfarm\b|\bestate\b|\bhacienda\b/i);
  }
  const shown = JSON.stringify((await info()).beans);
  expect(shown).not.toMatch(/altitude|producer/i);
});

test("llms.txt leads through a purchase and to every other document", async () => {
  const text = await llms();
  expect(text.startsWith("# Coffee Merchant\n")).toBe(true);
  const documents = ["/agent-info", "/openapi.json", "/errors", "/.well-known/ucp"];
  for (const path of [...documents, "/mcp)", "/mcp/shop", "/v1/quick-checkout?"]) {
    expect(text).toContain(`${shop.baseUrl}${path}`);
  }
  for (const word of ["POST /v1/quote-requests", "Idempotency-Key", "quote_hash", "review_url"]) {
    expect(text).toContain(word);
  }
});
