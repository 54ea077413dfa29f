/** A new key, a wrong id and a lost key lead to the order of another key. */
import { afterAll, describe, expect, test } from "vitest";
import { purchase } from "../support/purchase.ts";
import { startService } from "../support/service.ts";
import { register, send } from "../support/shopper.ts";

const shop = await startService();
afterAll(() => shop.stop());

const bought = await purchase(shop.baseUrl);
const key = await register(shop.baseUrl);
const LOST = `cma_${"0".repeat(49)}`;

const next = async (path: string, using: string): Promise<{ action: string; why: string }[]> => {
  const { body } = await send(shop.baseUrl, path, { key: using });
  return body.next;
};

test.each([
  ["an empty list of orders", "/v1/orders", key],
  ["another key's order", `/v1/orders/${bought.order.id}`, key],
  ["another key's quote", `/v1/orders/${bought.quote.id}`, key],
  ["an unknown number", "/v1/orders/99999", key],
  ["a key cut off", "/v1/orders", LOST],
])("%s names get_link_order and the buyer's page in full", async (_, path, using) => {
  const steps = await next(path, using);
  expect(steps.map(({ action }) => action)).toContain("GET /v1/link-orders");
  expect(JSON.stringify(steps)).toContain(`${shop.baseUrl}/find-order`);
});

describe("the way that it names", () => {
  test("reads the order by its old review link", async () => {
    const query = new URLSearchParams({ checkout_url: bought.reviewUrl });
    const { body } = await send(shop.baseUrl, `/v1/link-orders?${query}`, { key });
    expect(body).toMatchObject({ status: "PAID", number: bought.order.number });
  });
});

test("a list with orders, and the end of a list, have no such advice", async () => {
  expect(await next("/v1/orders", bought.key)).toBeUndefined();
  expect(await next("/v1/orders?before=2020-01-01T00:00:00Z", bought.key)).toBeUndefined();
});
