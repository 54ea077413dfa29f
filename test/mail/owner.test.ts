/** The owner's letters about new orders, feedback and bulk leads. */
import { expect, test } from "vitest";
import { HOUR_MS } from "../../src/core/policy.ts";
import { DEFAULT_SHOP } from "../../src/core/shop.ts";
import type { createMerchant } from "../../src/merchant/merchant.ts";
import { paidOrder } from "../support/paid-order.ts";
import { intent, merchantOver } from "../support/shop.ts";
import { about, mailedOrder, mailShop, OWNER, postbox } from "./postbox.ts";

test("with daily letters, one letter in the morning lists a day's orders by name", async () => {
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
  });
  const { told } = postbox({ ...shop, merchant });
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

test("feedback reaches the merchant with its order", async () => {
  const { shop, agentId, orderId, told } = await mailedOrder();
  const message = "Nothing has come.\nPlease look into it.";
  await shop.merchant.messages.feedback({ message, order_id: orderId }, agentId, intent());
  const letters = await told(OWNER);
  expect(letters).toMatchObject(about("Feedback (#1001)"));
  expect(letters[0]?.text).toContain("> Nothing has come. Please look into it.");
  expect(letters[0]?.text).toMatch(/\/desk\/messages/);
});

test("a bulk lead reaches the merchant with its sender", async () => {
  const { shop, agentId, told } = await mailShop();
  const lead = {
    email: "office@example.com",
    purpose: "Coffee for 80 people.",
    quantity: "60 bags a month",
    organization: "Example Industries",
  };
  await shop.merchant.messages.lead(lead, agentId, intent());
  const letters = await told(OWNER);
  expect(letters).toMatchObject(about("A bulk lead"));
  expect(letters[0]?.text).toContain(
    "> Coffee for 80 people.\n\n> 60 bags a month\n\n> Example Industries\n",
  );
});
