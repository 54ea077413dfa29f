/**
 * The published policy in sections, for `ask`, `get_policy`, the policy resource and the guide
 * (contract §17). Every number comes from the rules.
 */
import type { PaymentMode } from "../core/answer.ts";
import { display } from "../core/money.ts";
import { DAY_MS, FIRST_ORDER, LIMITS, RETENTION_DAYS, SPEND, span, TIMES } from "../core/policy.ts";
import {
  GRANTED,
  type Pause,
  type PolicyAnswer,
  pauseText,
  pauseView,
  promises,
  type Shop,
  waitingRule,
} from "../core/shop.ts";

/** Current facts that sections and bean lines state. */
export interface Live {
  baseUrl: string;
  firstOrderRuns: boolean;
  /** Bags free to sell, by product_id. */
  free: ReadonlyMap<string, number>;
  /** Name of the exclusive coffee; null if there is none. */
  exclusive: string | null;
  mode: PaymentMode;
  shop: Shop;
  /** The running break. */
  pause: Pause | null;
  /** Letters are sent. */
  hasMail: boolean;
  quoteTtlMs: number;
  supportEmail: string | undefined;
  /** For /mcp/shop, UCP and people: without keys and what only agents with a key can do. */
  keyless: boolean;
}

/** Sections that apply, in the order of a purchase. */
export function sections(live: Live): PolicyAnswer["passages"] {
  const { baseUrl, exclusive, firstOrderRuns, hasMail, keyless, mode, shop } = live;
  const said = promises(shop);
  const contact = live.supportEmail ?? `${baseUrl}/contact`;
  const texts: Record<string, string | null> = {
    "A break": live.pause && `${pauseText(live.pause)} ${pauseView(live.pause).rule}`,

    "What we sell":
      `${said.sells} Single origins only: no blends, samplers, pods, instant coffee, other goods or substitutes. ` +
      `An order has 1 to ${LIMITS.bags_per_order} bags, at most ${LIMITS.quantity_per_line} ${keyless ? "of one coffee" : "in one line"}. For more, ` +
      `${keyless ? `write to ${contact}` : "send a bulk request"}: no price or time is promised.`,

    "Prices and discounts":
      "Bag prices are final, in US dollars, the same for everybody and any quantity; only shipping is added, no tax. " +
      "One discount per order, on coffee, not on shipping. " +
      `${firstOrderRuns ? `Code ${FIRST_ORDER.code}: ${said.first_order}` : "The first-order discount is not running now."} Larger orders: ${said.spend} ` +
      "No other codes, group discounts, sales, samples, free bags, points, referrals or price matching.",

    "Ordering and payment":
      `Without a key an agent makes a checkout link for one address, valid for ${span(DAY_MS)}: on its page the buyer can change bags, code, note, email and address, and pays. ` +
      `With a free key it makes a fixed quote for up to ${LIMITS.shipments_per_order} addresses, valid for ${span(live.quoteTtlMs)}; a newer one replaces it. People buy by themselves at ${baseUrl}, without an account. ` +
      "A lost unpaid link charged nothing: make a new one. After payment, a second link is a second purchase. " +
      `${said.approval} The total is paid at once, by card on the payment provider's page, which shows any other method; ` +
      `the shop never sees the card. ${said.charge} After a declined card, try again on the same page. ` +
      (mode === "live"
        ? "This is a real shop."
        : `Demo shop (mode "${mode}"): no real money moves, nothing is shipped.`),

    "Shipping and delivery":
      `${said.shipping} ${said.delivery} No day is promised or can be chosen; no express. Ships within the US only: all states, ` +
      "DC, territories (Puerto Rico, Guam), military addresses (APO, FPO, DPO).",

    Gifts:
      `Notes: ${keyless ? said.one_gift_note : `${said.gift_notes} A quote's first note goes with its first bag, and so on; a link takes one.`} ` +
      "The address is the recipient's, the email the buyer's.",

    "Stock and waitlist":
      `Bags can't be reserved, not even by a quote. When a coffee with a waitlist runs short, a buyer can join, free, for up to ${LIMITS.waitlist_bags} bags, ` +
      `at ${baseUrl}/waitlist?bean=<product_id> or through an agent with a key. ${waitingRule(hasMail)} ` +
      "Its page then sells the bags and has a button to leave.",

    "The exclusive coffee":
      exclusive &&
      (keyless
        ? `${exclusive} is listed but not sold here. Only agents with a key can earn it.`
        : `${exclusive} is listed but locked: quote and checkout need a finder key. An agent with an API key earns one by three good questions at ask: over two coffees and three kinds of facts, one about this coffee. It lasts ${span(TIMES.finder_key_ms)}; ask shows it again. Links and carts never sell this coffee; it has no waitlist.`),

    "After the order":
      "After payment, the order page opens in the browser that paid: status, tracking, estimate, receipt, cancellation, and Order again " +
      `with the same bags, note and address. Elsewhere, ${baseUrl}/find-order ${hasMail ? "mails its link to the order's email" : "opens it by order number, email and the ZIP code of a shipment"}. ` +
      (hasMail ? "Confirmation and each step come by email. " : "") +
      "Agents read status and tracking by a link of the purchase. " +
      `Bags and notes can't be changed after payment. ${GRANTED.wrong_address}: tell the shop.`,

    "Cancellation and refunds":
      `Cancellation: ${said.cancellation} Ask on the order page or through the agent that quoted, for all or some parcels; the request can be withdrawn until decided. ` +
      `One parcel gives back its coffee, less its share of the discount, plus its shipping; the others keep their share, even below ${display(SPEND.per_minor)}. ${said.refunds} ` +
      "For a single bag, or a shipped parcel that is lost, late, stolen, damaged, incomplete or wrong, tell the shop: the merchant decides.",

    Agents:
      `Assistants such as Claude connect to ${baseUrl}/mcp/shop without a key, agents to ${baseUrl}/mcp with one.` +
      (keyless
        ? ""
        : " A key is free: register with a name and an email. It is shown once; another one doesn't list its orders. No webhooks: agents wait for events."),

    "Contact and privacy":
      `Tell the shop: ${contact}. The merchant answers in person, by email; no phone or chat. Rate limits: ${baseUrl}/agent-info. ` +
      `No ads or tracking: ${baseUrl}/privacy. Personal data is deleted on request once orders end; the books need bags, amounts and dates; ` +
      `unpaid quotes after ${RETENTION_DAYS.unpaid_quotes} days${hasMail ? `, sent emails after ${RETENTION_DAYS.sent_letters}` : ""}.`,

    "Not stated":
      "The shop states nothing about caffeine (how much a decaf keeps), health, allergens (tasting notes are flavors, not ingredients); roast dates, freshness, storage, harvest; " +
      "pairings, cups per bag, other ways to brew; subscriptions, reviews, future coffees and prices; " +
      "who roasts and where, a store, pickup, hours, the company; certificates (organic, fair trade); packaging, gift wrapping, prices inside " +
      "a parcel, gift cards; PayPal, cash, invoices; carriers, insurance, PO boxes, the time of a refund.",
  };
  return Object.entries(texts).flatMap(([topic, text]) => (text === null ? [] : { topic, text }));
}
