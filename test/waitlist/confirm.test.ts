/** Which entries a press of the letter's button confirms, and what becomes of the others (contract §7). */
import { expect, test } from "vitest";
import { stateOf } from "../../src/core/command.ts";
import type { WaitlistRow } from "../../src/core/records.ts";
import { confirmPlace } from "../../src/waitlist/waitlist.ts";
import { NOW, waitlistOffer } from "../support/rows.ts";

const PRODUCT = "kenya-nyeri";
const CUSTOMER = "buyer@example.com";

const row = (id: string, change: Partial<WaitlistRow>) =>
  waitlistOffer({ id, status: "WAITING", confirmed_at: null, offer_expires_at: null, ...change });

const ONE = row("own", { created_at: 5 });
const CONFIRMED = { confirmed_at: NOW };

test.each<[what: string, waitlist: WaitlistRow[], set: Record<string, Partial<WaitlistRow>>]>([
  ["the only place", [ONE], { own: { ...CONFIRMED, created_at: 5 } }],
  [
    "one of two places, at the earlier one",
    [row("other", { created_at: 3 }), ONE],
    { other: { status: "LEFT" }, own: { ...CONFIRMED, created_at: 3 } },
  ],
  [
    "a place that replaces a confirmed one",
    [row("other", { created_at: 7, confirmed_at: 8 }), ONE],
    { other: { status: "LEFT" }, own: { ...CONFIRMED, created_at: 5 } },
  ],
  ["nothing twice", [{ ...ONE, confirmed_at: 6 }], {}],
  ["nothing that has ended", [row("other", {})], {}],
  ["nothing beside bags that are held", [row("other", { status: "OFFERED" }), ONE], {}],
])("%s", (_what, waitlist, set) => {
  const command = { now: NOW, id: "own", productId: PRODUCT, customer: CUSTOMER };
  const { writes } = confirmPlace.decide(command, stateOf({ waitlist }));
  const changed = writes.map((write) => (write.op === "update" ? [write.key, write.set] : write));
  expect(changed).toEqual(Object.entries(set).map(([id, values]) => [{ id }, values]));
});
