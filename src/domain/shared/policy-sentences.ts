import { display } from "./money.ts";
import { DELIVERY_DAYS, FIRST_ORDER, hours, LIMITS, SHIPPING, SPEND, TIMES } from "./policy.ts";

/**
 * What the merchant promises, in words made from the very numbers the rules use (contract §17): the one
 * place where policy is prose, for get_policy, /agent-info and `ask`.
 */
export const SENTENCES = {
  substitutions: "none",
  refunds:
    "None. Money taken by mistake, such as a second payment for one quote, is returned by itself.",
  cancellation: "Can be requested before shipping; the merchant decides.",
  delivery: `Roasted to order. Expected ${DELIVERY_DAYS.earliest} to ${DELIVERY_DAYS.latest} days from the order date.`,
  shipping:
    `${display(SHIPPING.per_address_minor)} flat per shipping address; free for an address whose bags ` +
    `come to ${display(SHIPPING.free_from_minor)} or more before any courtesy.`,
  gift_notes: `Handwritten, one per bag ordered, each up to ${LIMITS.gift_note_characters} characters, sent with the shipment.`,
  courtesies:
    "One courtesy per order; they do not stack. There are no other gifts, free bags or perks.",
  first_order:
    `${FIRST_ORDER.percent}% off a customer's first order, at most ${display(FIRST_ORDER.cap_minor)}. ` +
    "Once per customer. A customer is told by the email address alone, without proof that it is " +
    "theirs: it is a welcome, not a right. The offer may end without notice.",
  spend:
    `${display(SPEND.off_minor)} off for every full ${display(SPEND.per_minor)} of coffee before shipping, ` +
    "automatic. It replaces the first-order courtesy.",
  tax: "Prices are final; no tax line is added.",
  approval:
    "The human buyer approves the exact total by paying the quote-bound hosted link. Payment is the " +
    "approval; nothing is ordered before it. Agents never place or pay for an order.",
  waiting: `First come, first served. Bags that arrive are offered to the head of the queue and held for ${hours(TIMES.waitlist_offer_ms)}.`,
  sells: "Roasted whole-bean coffee in 8 oz bags.",
} as const;
