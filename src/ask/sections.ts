/**
 * The published policy in sections, for `ask`, `get_policy`, the policy resource and the guide
 * (contract §17). Every number comes from the rules.
 */
import type { PaymentMode } from "../core/answer.ts";
import { display } from "../core/money.ts";
import { DAY_MS, FIRST_ORDER, LIMITS, RETENTION_DAYS, SPEND, span, TIMES } from "../core/policy.ts";
import { promises, type Shop, waitingRule } from "../core/shop.ts";

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
  /** Letters are sent. */
  hasMail: boolean;
  quoteTtlMs: number;
  /** "30 per minute per key", by the name of the limit. */
  rateLimits: Readonly<Record<string, string>>;
  supportEmail: string | undefined;
  /** For /mcp/shop, UCP and people: without keys and what only agents with a key can do. */
  keyless: boolean;
}

export interface PolicySection {
  topic: string;
  text: string;
}

/** Sections that apply, in the order of a purchase. */
export function sections(live: Live): PolicySection[] {
  const { baseUrl, exclusive, firstOrderRuns, hasMail, keyless, mode, shop } = live;
  const said = promises(shop);
  const contact = live.supportEmail ?? `${baseUrl}/contact`;
  const texts: Record<string, string | null> = {
    "What we sell":
      `${said.sells} Single origins only: no blends, samplers, pods or instant coffee, and no other goods. Nothing is substituted. ` +
      `An order has 1 to ${LIMITS.bags_per_order} bags, at most ${LIMITS.quantity_per_line} of one coffee. For more, ` +
      `${keyless ? `write to ${contact}` : "send a bulk request"}; no price or time is promised.`,

    "Prices and discounts":
      "Prices are final, in US dollars, and the same for everybody and any quantity. No tax is added, only shipping. " +
      "One discount per order, on coffee, not on shipping. " +
      `${firstOrderRuns ? `Code ${FIRST_ORDER.code}: ${said.first_order}` : "The first-order discount is not running now."} Larger orders: ${said.spend} ` +
      "No other codes, sales, samples, free bags, points, referrals or price matching.",

    "Ordering and payment":
      (keyless
        ? `An agent makes a checkout link, valid for ${span(DAY_MS)}, where the buyer enters email and address and pays. `
        : `An agent requests a quote, valid for ${span(live.quoteTtlMs)} and never changed, and gives the buyer its review link; or it makes a checkout link, which takes one address. `) +
      `People can use the cart at ${baseUrl}. One checkout link is one purchase: until it is paid, the buyer can change bags, code, note, email and address on its page. ` +
      `A second link is a second purchase. ${said.approval} No account is needed. The total is paid at once, by card on the payment ` +
      `provider's page, which shows any other method; the shop never sees card numbers. ${said.charge} After a declined card, try again on the same page. ` +
      (mode === "live"
        ? "This is a real shop."
        : `Demo shop (mode "${mode}"): no real money moves, nothing is shipped.`),

    "Shipping and delivery":
      `${said.shipping} ` +
      (keyless
        ? "A link takes one address; make one for each recipient. "
        : `A quote takes up to ${LIMITS.shipments_per_order} addresses, a link or cart one. `) +
      `${said.delivery} This is an estimate: no day is promised or can be chosen, and nothing is faster. Ships within the US only: all states, ` +
      "DC, Puerto Rico, Guam and other territories, and military addresses (APO, FPO, DPO).",

    Gifts:
      `Gift notes: ${keyless ? said.one_gift_note : said.gift_notes} ` +
      (keyless
        ? ""
        : "They go with the bags in the order listed, so list the bag with the note first. A link takes one note, for its first bag. ") +
      "The address is the recipient's, the email the buyer's.",

    "Stock and waitlist":
      `Bags can't be reserved${keyless ? "" : ", not even by a quote"}. When a coffee with a waitlist runs short, a buyer can join, free, for up to ${LIMITS.waitlist_bags} ` +
      `bags: ${baseUrl}/waitlist?bean=<product_id>${keyless ? "" : ", or through an agent"}. ${waitingRule(hasMail)} ` +
      "The waitlist page shows the place, sells the held bags and lets the buyer leave.",

    "The exclusive coffee":
      exclusive &&
      (keyless
        ? `${exclusive} is listed but not sold here, and has no waitlist. Only agents at ${baseUrl}/mcp can earn it.`
        : `${exclusive} is listed but locked: quote and checkout need a finder key. An agent earns it with its own key by three good questions at ask, over two coffees and three kinds of facts, one about ${exclusive}. It lasts ${span(TIMES.finder_key_ms)} and is shown again on asking. Links and carts never sell this coffee, and it has no waitlist.`),

    "After the order":
      "After payment, the order page opens in the browser that paid: status, tracking of each parcel, delivery estimate, receipt, cancellation, and Order again, " +
      `which fills a cart with the same bags. Elsewhere, ${baseUrl}/find-order ` +
      (hasMail
        ? "emails its link to the order's address. Confirmation and news come by email. "
        : "opens it by order number, email and ZIP code. ") +
      (keyless
        ? "An agent reads status and tracking by the checkout link. "
        : "The agent that quoted reads the same, any agent status and tracking by an old link. ") +
      "Bags and notes of a paid order stay. A wrong address can be corrected until its parcel is shipped: tell the shop.",

    "Cancellation and refunds":
      `Cancellation: ${said.cancellation} Ask on the order page${keyless ? "" : " or through the agent"}, for all or some parcels, and withdraw the request until it is decided. ` +
      `One parcel gives back its coffee, less its share of the discount, plus its shipping; the others keep their share, even below ${display(SPEND.per_minor)}. ${said.refunds} ` +
      "For a single bag, or a parcel that is lost, late, stolen, damaged, incomplete or wrong, tell the shop: the merchant decides.",

    "Agents and links": keyless
      ? null
      : `An assistant such as Claude or ChatGPT connects to ${baseUrl}/mcp/shop, or with a key to ${baseUrl}/mcp; HTTP is at ${baseUrl}/v1. Catalog, policy, ask and links need no key. ` +
        "Registration is free, with a name and an email. The key is shown once; a new one doesn't list the old one's orders. There are no webhooks: agents wait for events. " +
        `Rate limits: ${Object.entries(live.rateLimits)
          .map(([name, limit]) => `${name} ${limit}`)
          .join("; ")}.`,

    "Contact and privacy":
      `Tell the shop: ${contact}${keyless ? "" : ", or send feedback"}. The merchant answers by email; there is no phone or chat. A program answers ask. ${keyless ? `Assistants such as Claude connect to ${baseUrl}/mcp/shop. ` : ""}` +
      `Orders are kept for the books, unpaid quotes for ${RETENTION_DAYS.unpaid_quotes} days, sent emails for ${RETENTION_DAYS.sent_letters}. No ads, no tracking: ` +
      `${baseUrl}/privacy. Personal data is deleted on request, except what the books need.`,

    "Not stated":
      "The shop states nothing about these, so don't guess: caffeine, health, allergens (tasting notes are flavors, not ingredients); roast dates, freshness, storage, harvest; " +
      "pairings, cups per bag, grinder settings, brewing beyond the recipes; subscriptions, reviews, bestsellers, coffees to come, future prices; " +
      "who roasts and where, a store, pickup, hours, the company; organic, fair trade or other certificates, pay, the environment; packaging, gift wrapping, prices inside " +
      "a parcel, gift cards; PayPal, cash, invoices, installments; carriers, insurance, signatures, PO boxes.",
  };
  return Object.entries(texts).flatMap(([topic, text]) => (text === null ? [] : { topic, text }));
}
