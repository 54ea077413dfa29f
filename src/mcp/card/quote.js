import {
  addressBlock,
  el,
  itemRow,
  moment,
  money,
  noteCards,
  playMoney,
  pricingSums,
  sum,
} from "./words.js";

/**
 * Every address with its bags and shipping, then the sums.
 * @param {HTMLElement | null} pay the buyer's next step
 */
export function quoteCard(quote, pay) {
  const { shipments, pricing, expires_at } = quote.terms;
  return el(
    "article",
    playMoney(quote.mode),
    el("h1", "Your coffee order"),
    el("p.soft", "Nothing is ordered until you pay. You'll see it all once more first."),
    ...shipments.map(shipmentPart),
    el("section.sums", ...pricingSums(pricing, "Total")),
    ...quote.messages.map(({ text }) => el("p.message", text)),
    el("p.soft", `Arrives ${quote.delivery}. This price holds until ${moment(expires_at)}.`),
    pay,
  );
}

function shipmentPart({ address, items, gift_notes, shipping_minor }) {
  const shipping = shipping_minor === 0 ? "Free" : money(shipping_minor);
  return el(
    "section.shipment",
    addressBlock(address),
    el("ul", ...items.map(itemRow)),
    ...noteCards(gift_notes),
    sum("Shipping to this address", shipping, "div.sum.soft"),
  );
}

/** Why a quote cannot be paid now, in the buyer's words; null if it can. */
export const unpayable = ({ status }) => UNPAYABLE.get(status) ?? null;

const UNPAYABLE = new Map([
  ["EXPIRED", "This quote has expired. Ask for a new one."],
  ["INVALIDATED", "This quote can no longer be paid. Ask for a new one."],
  ["PROCESSING", "Your payment is on its way. Your order follows."],
  ["PAID", "This is paid. Thank you."],
  ["WAITLIST_OFFERED", "Not enough bags right now. Ask for fewer, or join the waitlist."],
]);
