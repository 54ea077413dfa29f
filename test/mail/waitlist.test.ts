/** Letters to people on the waitlist. */
import { expect, it } from "vitest";
import { TIMES } from "../../src/core/policy.ts";
import { WAITLISTED } from "../support/catalog.ts";
import { WITH_WAITLISTED, WITHOUT_WAITLISTED, waiting } from "../support/queue.ts";
import type { Shop } from "../support/shop.ts";
import { openUsual } from "../support/stores.ts";
import { mailShop, postbox } from "./postbox.ts";

const stock = ({ admin }: Shop, on_hand: number) =>
  admin.stock.set({ product_id: WAITLISTED, on_hand });

it("an offer reaches its buyer unless it has ended", async () => {
  const { shop, queue } = await waiting(openUsual, 2, 3);
  const { told } = postbox(shop);
  await stock(shop, 2);
  const [offer, ...more] = await told();
  expect([offer?.subject, more]).toEqual([expect.stringContaining("Your 2 bags"), []]);
  expect(offer?.text).toContain(`/waitlist/${queue[0]!.id}.`);
  expect(offer?.text).toContain("The offer ends then.");
  await stock(shop, 5);
  shop.clock.advance(TIMES.waitlist_offer_ms);
  await shop.merchant.housekeeping.run();
  expect(await told()).toEqual([]);
});

it.each([
  ["is not sent while the bean is off sale", [WITHOUT_WAITLISTED], 0],
  ["is sent once if it was renewed", [WITHOUT_WAITLISTED, WITH_WAITLISTED], 1],
])("an offer %s", async (_name, files, letters) => {
  const { shop } = await waiting(openUsual, 2);
  await stock(shop, 2);
  for (const file of files) {
    await shop.admin.catalog.import({ file });
    shop.clock.advance(1000);
  }
  expect(await postbox(shop).told()).toHaveLength(letters);
});

it("a buyer who joined gets a letter with the page of their place", async () => {
  const { shop, told } = await mailShop();
  await stock(shop, 0);
  const wish = { product_id: WAITLISTED, quantity: 3, buyer: { email: "waiting@example.com" } };
  const place = await shop.merchant.waitlist.joinAsBuyer(wish, "form");
  const letters = await told("waiting@example.com");
  expect(letters).toMatchObject([
    { subject: expect.stringMatching(/^You’re on the waitlist for /) },
  ]);
  expect(letters[0]?.text).toContain(place);
  expect(letters[0]?.html).toContain(`href="${place}"`);
});
