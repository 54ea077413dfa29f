/** The owner's letters about new orders, feedback and bulk leads. */
import { expect, test } from "vitest";
import { HOUR_MS } from "../../src/core/policy.ts";
import { DEFAULT_SHOP } from "../../src/core/shop.ts";
import type { createMerchant } from "../../src/merchant/merchant.ts";
import { intent, merchantOver, paidOrder } from "../support/shop.ts";
import { about, BUYER, mailedOrder, mailShop, OWNER, postbox } from "./postbox.ts";

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

test("an answer to a letter reaches the person that it is about", async () => {
  const { shop, agentId, orderId, told } = await mailedOrder();
  await shop.merchant.messages.fromBuyer(
    { email: "asks@example.com", message: "Do you grind?", orderId },
    "form",
  );
  await shop.merchant.messages.feedback({ message: "A slow page." }, agentId, intent());
  const lead = { email: "office@example.com", purpose: "Coffee for 80 people." };
  await shop.merchant.messages.lead(lead, agentId, intent());
  await shop.merchant.cancellations.request(orderId, { reason_code: "OTHER" }, agentId, intent());
  const answered = (await told(OWNER)).map(({ subject, replyTo }) => [
    subject.replace(/ .*/, ""),
    replyTo,
  ]);
  expect(answered.sort()).toEqual([
    ["A", "office@example.com"],
    ["Cancel", BUYER],
    ["Feedback", null],
    ["Feedback", "asks@example.com"],
  ]);
});

test("a buyer's answer to a letter reaches the support address", async () => {
  const { shop, agentId, told } = await mailShop({ supportEmail: "help@coffee.example" });
  await paidOrder(shop, { agentId });
  expect((await told()).map(({ replyTo }) => replyTo)).toEqual(["help@coffee.example"]);
  const without = await mailShop({ supportEmail: undefined });
  await paidOrder(without.shop, { agentId: without.agentId });
  expect((await without.told()).map(({ replyTo }) => replyTo)).toEqual([null]);
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
