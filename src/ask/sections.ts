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
  const [linkTtl, quoteTtl] = [span(DAY_MS), span(live.quoteTtlMs)];
  const contact = live.supportEmail ?? `${baseUrl}/contact`;
  const texts: Record<string, string | null> = {
    "What we sell":
      `${said.sells} Single origins only: no blends, samplers, pods, instant coffee, other goods or substitutes. ` +
      `An order has 1 to ${LIMITS.bags_per_order} bags, at most ${LIMITS.quantity_per_line} of one coffee. For more, ` +
      `${keyless ? `write to ${contact}` : "send a bulk request"}: no price or time is promised.`,

    "Prices and discounts":
      "Prices are final, in US dollars, the same for everybody and any quantity. No tax is added, only shipping. " +
      "One discount per order, on coffee, not on shipping. " +
      `${firstOrderRuns ? `Code ${FIRST_ORDER.code}: ${said.first_order}` : "The first-order discount is not running now."} Larger orders: ${said.spend} ` +
      "No other codes, group discounts, sales, samples, free bags, points, referrals or price matching.",

    "Ordering and payment":
      (keyless
        ? `An agent makes a checkout link, valid for ${linkTtl}; the buyer enters email and address there and pays. It needs no key. With a free key, at ${baseUrl}/mcp, agents also make quotes, valid for ${quoteTtl}. `
        : `An agent requests a quote, whose prices stay for ${quoteTtl}, and gives the buyer its review link; or it makes a checkout link for one address, valid for ${linkTtl}. `) +
      `People can buy by themselves at ${baseUrl}, without an account. Until a link is paid, the buyer can change bags, code, note, email and address on its page. ` +
      "A lost unpaid link charged nothing: make a new one. After payment, a second link is a second purchase. " +
      `${said.approval} The total is paid at once, by card on the payment ` +
      `provider's page, which shows any other method; the shop never sees the card. ${said.charge} After a declined card, try again on the same page. ` +
      (mode === "live"
        ? "This is a real shop."
        : `Demo shop (mode "${mode}"): no real money moves, nothing is shipped.`),

    "Shipping and delivery":
      `${said.shipping} ` +
      (keyless
        ? "A link takes one address; make one for each recipient. "
        : `A quote takes up to ${LIMITS.shipments_per_order} addresses, a link or cart one. `) +
      `${said.delivery} No day is promised or can be chosen, and nothing is faster. Ships within the US only: all states, ` +
      "DC, territories (Puerto Rico, Guam), military addresses (APO, FPO, DPO).",

    Gifts:
      `Gift notes: ${keyless ? said.one_gift_note : said.gift_notes} ` +
      (keyless
        ? ""
        : "The first note goes with the first bag listed, and so on. A link takes one note, for its first bag. ") +
      "The address is the recipient's, the email the buyer's.",

    "Stock and waitlist":
      `Bags can't be reserved${keyless ? "" : ", not even by a quote"}. When a coffee with a waitlist runs short, a buyer can join, free, for up to ${LIMITS.waitlist_bags} ` +
      `bags: ${baseUrl}/waitlist?bean=<product_id>${keyless ? "" : ", or through an agent"}. ${waitingRule(hasMail)} ` +
      "The page that joining opens sells the bags and has a button to leave.",

    "The exclusive coffee":
      exclusive &&
      (keyless
        ? `${exclusive} is listed but not sold here. Only agents at ${baseUrl}/mcp can earn it.`
        : `${exclusive} is listed but locked: quote and checkout need a finder key. An agent earns it with its own API key by three good questions at ask, over two coffees and three kinds of facts, one about this coffee. The key lasts ${span(TIMES.finder_key_ms)}; ask shows it again. Links and carts never sell it; it has no waitlist.`),

    "After the order":
      "After payment, the order page opens in the browser that paid: status, tracking, estimate, receipt, cancellation, and Order again " +
      `with the same bags, note and address. Elsewhere, ${baseUrl}/find-order ${hasMail ? "mails its link to the order's email" : "opens it by order number, email and the ZIP code of a shipment"}. ` +
      (hasMail
        ? "Confirmation and each step come by email. "
        : "No emails are sent automatically. ") +
      (keyless
        ? "An agent reads status and tracking by the checkout link. "
        : "The agent that quoted reads the same, any agent status and tracking by an old link. ") +
      "Bags and notes can't be changed after payment. A wrong address can be corrected until its parcel is shipped: tell the shop.",

    "Cancellation and refunds":
      `Cancellation: ${said.cancellation} Ask on the order page${keyless ? "" : " or through the agent"}, for all or some parcels; the request can be withdrawn until decided. ` +
      `One parcel gives back its coffee, less its share of the discount, plus its shipping; the others keep their share, even below ${display(SPEND.per_minor)}. ${said.refunds} ` +
      "For a single bag, or a shipped parcel that is lost, late, stolen, damaged, incomplete or wrong, tell the shop: the merchant decides.",

    "Agents and links": keyless
      ? null
      : `Assistants such as Claude connect to ${baseUrl}/mcp/shop, with an API key to ${baseUrl}/mcp. Catalog, policy, ask and links need no key. ` +
        "A key is free: register with a name and an email. It is shown once. If it is lost, register again; the new one doesn't list the old one's orders. No webhooks: agents wait for events.",

    "Contact and privacy":
      `Tell the shop: ${contact}${keyless ? "" : ", or send feedback"}. The merchant answers in person, by email; no phone or chat. ${keyless ? `Assistants such as Claude connect to ${baseUrl}/mcp/shop. ` : ""}Rate limits: ${baseUrl}/agent-info. ` +
      `No ads or tracking: ${baseUrl}/privacy. Personal data is deleted on request, except orders, which the books need; ` +
      `unpaid quotes after ${RETENTION_DAYS.unpaid_quotes} days${hasMail ? `, sent emails after ${RETENTION_DAYS.sent_letters}` : ""}.`,

    "Not stated":
      "Don't guess these; the shop states nothing about them: caffeine, health, allergens (tasting notes are flavors, not ingredients); roast dates, freshness, storage, harvest; " +
      "pairings, cups per bag, other ways to brew; subscriptions, reviews, future coffees and prices; " +
      "who roasts and where, a store, pickup, hours, the company; certificates (organic, fair trade), the environment; packaging, gift wrapping, prices inside " +
      "a parcel, gift cards; PayPal, cash, invoices, installments; carriers, insurance, signatures, PO boxes, the time of a refund.",
  };
  return Object.entries(texts).flatMap(([topic, text]) => (text === null ? [] : { topic, text }));
}
