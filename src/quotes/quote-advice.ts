import { addressKey } from "../core/address.ts";
import { display, type Minor, sum } from "../core/money.ts";
import { iso, SHIPPING, SPEND } from "../core/policy.ts";
import type { Quote, Terms } from "./quote-answer.ts";

/** So many addresses are named, those nearest to free shipping first. */
const MOST_ADDRESSES = 3;

/** What a little more would bring, for the buyer to hear before paying. Of the terms alone (contract §4). */
export const advice = (terms: Terms): Quote["messages"] => [
  ...freeShipping(terms),
  ...nextCourtesy(terms.pricing.subtotal_minor),
];

function freeShipping({ shipments }: Terms): Quote["messages"] {
  const addresses = [...Map.groupBy(shipments, ({ address }) => addressKey(address)).values()];
  const missing = addresses
    .map((shipments) => ({
      ref: shipments[0]!.recipient_ref,
      minor: SHIPPING.free_from_minor - sum(shipments.map((one) => one.subtotal_minor)),
    }))
    .filter(({ minor }) => minor > 0)
    .sort((a, b) => a.minor - b.minor);
  const [nearest] = missing;
  if (!nearest) return [];
  const text =
    addresses.length === 1
      ? `${display(nearest.minor)} more to this address ships free.`
      : `Free shipping needs ${missing.slice(0, MOST_ADDRESSES).map(more).join(", ")}.`;
  return [{ code: "FREE_SHIPPING", text }];
}

const more = ({ ref, minor }: { ref: string; minor: Minor }): string =>
  `${display(minor)} more to ${ref}`;

/** Without the bags that the waitlist holds for this buyer it cannot be paid (contract §7). */
export const offerMessage = (ends: number): Quote["messages"][number] => ({
  code: "OFFER_ENDS",
  text: `The waitlist holds bags of this quote until ${iso(ends)}: the buyer pays before that.`,
});

/** Where it takes at most as much coffee again. */
function nextCourtesy(subtotal: Minor): Quote["messages"] {
  const missing = SPEND.per_minor - (subtotal % SPEND.per_minor);
  if (missing > subtotal) return [];
  const off = (Math.floor(subtotal / SPEND.per_minor) + 1) * SPEND.off_minor;
  const text = `${display(missing)} more of coffee takes ${display(off)} off.`;
  return [{ code: "SPEND_COURTESY", text }];
}
