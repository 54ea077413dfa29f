/** Cost of a purchase for a model, in calls and bytes of context. */
import { afterAll, describe, expect, it } from "vitest";
import { SHIPPED_CATALOG_FILE } from "../support/catalog.ts";
import { rpcTool } from "../support/mcp-call.ts";
import { startService } from "../support/service.ts";
import { payAsBuyer, quoteRequest, send } from "../support/shopper.ts";

const service = await startService({ CATALOG_FILE: SHIPPED_CATALOG_FILE });
afterAll(() => service.stop());

describe("a model that knows tools/list and nothing else", () => {
  it("has its buyer's review link after four calls, and the order after one more", async () => {
    let calls = 0;
    const call = (name: string, args: object = {}) => {
      calls += 1;
      return rpcTool(service.baseUrl, name, args);
    };
    const { structuredContent: catalog } = await call("get_catalog");
    const { product_id } = catalog.products[0];
    const { structuredContent: registered } = await call("register_agent", {
      name: "Kitchen agent",
      contact_email: "agent@example.com",
      idempotency_key: "k1",
    });
    const { api_key } = registered;
    const { content, structuredContent: quote } = await call("request_quote", {
      ...quoteRequest({ product_id }),
      idempotency_key: "k2",
      api_key,
    });
    const { structuredContent: checkout } = await call("create_checkout", {
      quote_id: quote.id,
      quote_hash: quote.quote_hash,
      idempotency_key: "k3",
      api_key,
    });
    expect(checkout.review_url).toContain("/review/");
    expect(calls).toBe(4);
    expect(content[0].text).toContain(quote.quote_hash);
    expect(Buffer.byteLength(content[0].text)).toBeLessThanOrEqual(750);

    await payAsBuyer(service.baseUrl, checkout.review_url);
    const order = await call("get_quote_order", { quote_id: quote.id, wait: 25, api_key });
    expect(order.structuredContent).toMatchObject({ status: "CONFIRMED", quote_id: quote.id });
  });
});

it("the text of an order to two recipients says which bags go to whom", async () => {
  const { api_key } = (
    await send(service.baseUrl, "/v1/agents/register", {
      body: { name: "Gift agent", contact_email: "agent@example.com" },
    })
  ).body;
  const tool = (name: string, args: object) =>
    rpcTool(service.baseUrl, name, { ...args, api_key, idempotency_key: name });
  const [mom] = quoteRequest({ product_id: "colombia-huila", quantity: 2 }).shipments;
  const items = [{ product_id: "mexico-chiapas-decaf", quantity: 1 }];
  const dad = { ...mom, recipient_ref: "dad", items };
  const { structuredContent: quote } = await tool("request_quote", {
    buyer: { email: "gifts@example.com" },
    shipments: [{ ...mom, recipient_ref: "mom" }, dad],
  });
  const { structuredContent: checkout } = await tool("create_checkout", {
    quote_id: quote.id,
    quote_hash: quote.quote_hash,
  });
  await payAsBuyer(service.baseUrl, checkout.review_url);
  const { content } = await tool("get_quote_order", { quote_id: quote.id, wait: 25 });
  expect(content[0].text).toMatch(/mom, PENDING, 2 × colombia-huila$/m);
  expect(content[0].text).toMatch(/dad, PENDING, 1 × mexico-chiapas-decaf$/m);
});

describe("the quote of one bag", () => {
  it("is at most 1,400 bytes over HTTP, with everything a buyer needs before paying", async () => {
    const { body: agent } = await send(service.baseUrl, "/v1/agents/register", {
      body: { name: "Kitchen agent", contact_email: "agent@example.com" },
    });
    const { text, body } = await send(service.baseUrl, "/v1/quote-requests", {
      body: quoteRequest({ product_id: "colombia-huila" }),
      key: agent.api_key,
    });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1400);
    expect(body).toMatchObject({
      mode: "sandbox",
      notice: "Demo shop: nothing is charged or shipped.",
      delivery: "in 5 to 14 days, not promised",
      estimated_delivery: { earliest: expect.any(String), latest: expect.any(String) },
      messages: [
        { text: "$18.00 more to this address ships free." },
        { code: "FIRST_ORDER", text: expect.stringContaining("FIRSTBAG") },
      ],
    });
  });
});
