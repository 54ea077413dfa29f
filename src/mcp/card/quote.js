import { addressBlock, el, itemRow, moment, money, noteCards, playMoney, sum } from "./words.js";

/**
 * What is quoted: every address with its bags and its shipping, then the sums.
 * @param {HTMLElement | null} pay what the buyer can do with it now
 */
export function quoteCard(quote, pay) {
  const { shipments, pricing, expires_at } = quote.terms;
  return el(
    "article",
    playMoney(quote.mode),
    el("h1", "Your coffee order"),
    el("p.soft", "Nothing is ordered until you have seen it all again and paid."),
    ...shipments.map(shipmentPart),
    el("section.sums", ...sums(pricing)),
    ...quote.messages.map(({ text }) => el("p.message", text)),
    el("p.soft", `Arrives ${quote.delivery}. This price holds until ${moment(expires_at)}.`),
    pay,
  );
}

function shipmentPart({ address, items, gift_notes, shipping_minor }) {
  const shipping = shipping_minor === 0 ? "free" : money(shipping_minor);
  return el(
    "section.shipment",
    addressBlock(address),
    el("ul", ...items.map(itemRow)),
    ...noteCards(gift_notes),
    sum("Shipping to this address", shipping, "div.sum.soft"),
  );
}

function sums({ subtotal_minor, courtesy, shipping_minor, total_display }) {
  return [
    sum("Coffee", money(subtotal_minor)),
    courtesy && sum(courtesyName(courtesy), money(-courtesy.amount_minor)),
    sum("Shipping", shipping_minor === 0 ? "free" : money(shipping_minor)),
    sum("Total", total_display, "div.sum.total"),
  ];
}

/** @param {{ kind: string, code?: string }} courtesy */
export const courtesyName = ({ kind, code }) =>
  kind === "FIRST_ORDER" ? `First-order courtesy ${code ?? ""}`.trim() : "Courtesy";

/** Why a quote cannot be paid now, in the buyer's words; null where it can be. */
export const unpayable = ({ status, messages }) =>
  UNPAYABLE.get(status) ??
  (messages.some(({ code }) => code === "TOO_MANY_AT_ONCE")
    ? "Ask in the chat for fewer bags now."
    : null);

const UNPAYABLE = new Map([
  ["EXPIRED", "This price has run out. Ask for a new quote."],
  ["INVALIDATED", "This quote can no longer be paid. Ask for a new one."],
  ["PROCESSING", "Your payment is on its way. The order is made as soon as it has arrived."],
  ["PAID", "This is paid. Thank you."],
  ["WAITLIST_OFFERED", "There are too few bags for this now. Take fewer, or wait for more."],
]);
