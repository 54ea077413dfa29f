import { expect, test } from "vitest";
import { beanRow } from "../../src/catalog/bean-rows.ts";
import { expireAndOffer, offerAnew } from "../../src/catalog/offer-free-stock.ts";
import { stateOf } from "../../src/core/command.ts";
import type { BeanRow } from "../../src/core/records.ts";
import { CATALOG, WAITLISTED } from "../support/catalog.ts";
import { NOW, stock, waitlistOffer, written } from "../support/rows.ts";

const BEAN = CATALOG.find(WAITLISTED)!;

const bean = (availability: "STOCKED" | "WAITLIST" | "EXCLUSIVE", on_sale = 1): BeanRow => ({
  ...beanRow({ ...BEAN, availability } as typeof BEAN, 0),
  on_sale,
  changed_at: 0,
});

test.each<[string, BeanRow[], string[]]>([
  ["with a waitlist", [bean("WAITLIST")], ["OFFERED"]],
  ["that is in stock by now", [bean("STOCKED")], ["OFFERED"]],
  ["that became exclusive", [bean("EXCLUSIVE")], []],
  ["off sale", [bean("WAITLIST", 0)], []],
  ["that was never published", [], []],
])("free bags of a bean %s are offered to its queue: %#", (_, beans, statuses) => {
  const waits = waitlistOffer({
    ...{ product_id: WAITLISTED, status: "WAITING", offer_expires_at: null, created_at: NOW },
  });
  const free = stock({ product_id: WAITLISTED, on_hand: 2, held: 0 });
  const command = { now: NOW, productId: WAITLISTED, over: [], heads: [waits.id], paused: false };
  const { writes } = expireAndOffer.decide(
    command,
    stateOf({ beans, stock: [free], waitlist: [waits] }),
  );
  expect(written(writes, "waitlist").map(({ status }) => status)).toEqual(statuses);
});

test("bags that are free are not offered to an address that nobody confirmed", () => {
  const entry = { product_id: WAITLISTED, status: "WAITING", offer_expires_at: null } as const;
  const waits = waitlistOffer({ ...entry, created_at: NOW, confirmed_at: null });
  const free = stock({ product_id: WAITLISTED, on_hand: 2, held: 0 });
  const rows = stateOf({ beans: [bean("WAITLIST")], stock: [free], waitlist: [waits] });
  const command = { now: NOW, productId: WAITLISTED, over: [], heads: [waits.id], paused: false };
  expect(expireAndOffer.decide(command, rows)).toMatchObject({ reply: { offered: 0 }, writes: [] });
});

test.each([
  [null, ["OFFERED"]],
  ["pay_1", []],
])("an offer that payment %s has taken starts anew: %j", (attempt_id, statuses) => {
  const waitlist = [waitlistOffer({ product_id: WAITLISTED, attempt_id })];
  const writes = offerAnew({ waitlist }, [WAITLISTED], { now: NOW });
  expect(written(writes, "waitlist").map(({ status }) => status)).toEqual(statuses);
  expect(written(writes, "outbox")).toHaveLength(statuses.length);
});
