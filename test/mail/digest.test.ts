/** The owner's letters about new orders: each at once, or one in the morning about the day before. */
import { expect, onTestFinished, test } from "vitest";
import type { Letter } from "../../src/core/letter.ts";
import { HOUR_MS } from "../../src/core/policy.ts";
import { DEFAULT_SHOP } from "../../src/core/shop.ts";
import type { createMerchant } from "../../src/merchant/merchant.ts";
import { paidOrder } from "../support/paid-order.ts";
import { merchantOver, newAgent, openShop } from "../support/shop.ts";
import { usualStore } from "../support/stores.ts";

test("with daily letters, one letter in the morning lists a day's orders by name", async () => {
  const { store } = await usualStore();
  onTestFinished(() => store.close());
  const shop = await openShop(store);
  const merchant = merchantOver({
    store,
    catalog: shop.merchant.catalog as Parameters<typeof createMerchant>[0]["catalog"],
    provider: shop.provider,
    clock: shop.clock.now,
    baseUrl: "https://coffee.test",
    secret: Buffer.alloc(32),
    merchantEmail: "owner@example.com",
    shop: { ...DEFAULT_SHOP, order_mail: "daily" },
  });
  const sent: Letter[] = [];
  const due = async () => {
    const send = async (letter: Letter) => void sent.push(letter);
    await merchant.mail.sendDue({ send, close: () => {} });
    return sent.splice(0).filter(({ to }) => to === "owner@example.com");
  };
  const agentId = await newAgent(shop);
  for (let i = 0; i < 2; i++) {
    await paidOrder(shop, { agentId });
    shop.clock.advance(HOUR_MS);
  }
  expect(await due()).toEqual([]);
  // The orders are of 10 and 11 o'clock UTC, and the letter of 7 o'clock on the next day.
  shop.clock.advance(18 * HOUR_MS);
  expect(await due()).toEqual([]);
  shop.clock.advance(HOUR_MS);
  const letters = await due();
  expect(letters.map(({ subject }) => subject)).toEqual([
    expect.stringMatching(/^2 new orders, \$\d/),
  ]);
  expect(letters[0]!.text).toMatch(/#1001 for Test Buyer: .*\n#1002 for Test Buyer: /);
  expect(await due()).toEqual([]);
});
