/** The owner's letters about new orders, feedback and bulk leads. */
import { expect, test } from "vitest";
import { HOUR_MS } from "../../src/core/policy.ts";
import { DEFAULT_SHOP } from "../../src/core/shop.ts";
import type { createMerchant } from "../../src/merchant/merchant.ts";
import { merchantOver, paidOrder } from "../support/shop.ts";
import { mailShop, OWNER, postbox } from "./postbox.ts";

/** A shop whose owner gets one letter a day about new orders. */
async function dailyShop(timeZone = "UTC") {
  const { shop, agentId } = await mailShop();
  const merchant = merchantOver({
    store: shop.store,
    catalog: shop.merchant.catalog as Parameters<typeof createMerchant>[0]["catalog"],
    provider: shop.provider,
    clock: shop.clock.now,
    baseUrl: "https://coffee.test",
    secret: Buffer.alloc(32),
    merchantEmail: OWNER,
    shop: { ...DEFAULT_SHOP, order_mail: "daily" },
    timeZone,
  });
  return { shop, agentId, ...postbox({ ...shop, merchant }) };
}

test("with daily letters, one letter in the morning lists a day's orders by name", async () => {
  const { shop, agentId, told } = await dailyShop();
  for (let i = 0; i < 2; i++) {
    await paidOrder(shop, { agentId });
    shop.clock.advance(HOUR_MS);
  }
  expect(await told(OWNER)).toEqual([]);
  // The orders are of 10 and 11 o'clock UTC, and the letter of 7 o'clock on the next day.
  shop.clock.advance(18 * HOUR_MS);
  expect(await told(OWNER)).toEqual([]);
  shop.clock.advance(HOUR_MS);
  const letters = await told(OWNER);
  expect(letters.map(({ subject }) => subject)).toEqual([
    expect.stringMatching(/^2 new orders, \$\d/),
  ]);
  expect(letters[0]!.text).toMatch(/#1001 for Test Buyer: .*\n#1002 for Test Buyer: /);
  expect(await told(OWNER)).toEqual([]);
});

test("the daily letter goes out although the day's last buyer was erased", async () => {
  const { shop, agentId, told } = await dailyShop();
  await paidOrder(shop, { agentId });
  shop.clock.advance(HOUR_MS);
  const order_id = await paidOrder(shop, { agentId });
  await shop.admin.orders.cancel({ order_id, reason: "We are out of boxes." });
  const email = (await shop.store.queries.order(order_id))!.buyer_email;
  await shop.admin.customers.erase({ email });
  shop.clock.advance(24 * HOUR_MS);
  const subjects = (await told(OWNER)).map(({ subject }) => subject);
  expect(subjects).toEqual([expect.stringMatching(/^1 new order, \$\d/)]);
});

test.each([
  ["2026-03-07T18:00:00Z", "2026-03-08T12:00:00Z"],
  ["2026-10-31T18:00:00Z", "2026-11-01T13:00:00Z"],
])("the daily letter about orders of %s is due at 7 by the shop's clock, %s", async (sold, due) => {
  const { shop, agentId, told } = await dailyShop("America/Chicago");
  const until = (time: string) => shop.clock.advance(Date.parse(time) - shop.clock.now());
  until(sold);
  await paidOrder(shop, { agentId });
  expect(await told(OWNER)).toEqual([]);
  until(due);
  shop.clock.advance(-1);
  expect(await told(OWNER)).toEqual([]);
  shop.clock.advance(1);
  expect(await told(OWNER)).toHaveLength(1);
});

test("a buyer's answer to a letter reaches the support address", async () => {
  const { shop, agentId, told } = await mailShop({ supportEmail: "help@coffee.example" });
  await paidOrder(shop, { agentId });
  expect((await told()).map(({ replyTo }) => replyTo)).toEqual(["help@coffee.example"]);
  const without = await mailShop({ supportEmail: undefined });
  await paidOrder(without.shop, { agentId: without.agentId });
  expect((await without.told()).map(({ replyTo }) => replyTo)).toEqual([null]);
});
