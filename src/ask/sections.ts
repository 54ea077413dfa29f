/**
 * The published policy in sections, for `ask`, `get_policy`, the policy resource and the guide
 * (contract §17). Every number comes from the rules.
 */
import { isExclusive, type Product } from "../catalog/catalog.ts";
import type { PaymentMode } from "../core/answer.ts";
import type { ToolName } from "../core/next-step.ts";
import {
  DAY_MS,
  FIRST_ORDER,
  HOUR_MS,
  LIMITS,
  RETENTION_DAYS,
  span,
  TIMES,
} from "../core/policy.ts";
import { DEFAULT_SHOP, promises, type Shop } from "../core/shop.ts";

/** Current facts that sections and bean lines state. */
export interface Live {
  firstOrderRuns: boolean;
  /** Bags free to sell, by product_id. */
  free: ReadonlyMap<string, number>;
  /** Name of the exclusive coffee; null if there is none. */
  exclusive: string | null;
  mode: PaymentMode;
  shop: Shop;
  quoteTtlMs: number;
  /** "30 per minute per key", by the name of the limit. */
  rateLimits: Readonly<Record<string, string>>;
  supportEmail: string | undefined;
  /** For /mcp/shop, UCP and people: without keys and what only agents with a key can do. */
  keyless: boolean;
}

export type Step = readonly [tool: ToolName, why: string];

interface Section {
  title: string;
  /** Other words that people use for it, at most twelve. */
  synonyms: string;
  /** Null where the section does not apply. */
  text: (live: Live, said: ReturnType<typeof promises>) => string | null;
  steps?: readonly Step[];
}

const FEEDBACK: Step = [
  "send_feedback",
  "Write to the merchant, with the order_id if there is one.",
];

/** In the order of a purchase. */
export const SECTIONS: readonly Section[] = [
  {
    title: "What we sell",
    synonyms: "many most largest limit size weight pound grind keurig wedding instead different",
    text: ({ keyless }, said) =>
      `${said.sells} One size. Each is a single origin: no blends, samplers, pods, K-cups, raw or instant coffee, and no ` +
      "equipment, filters, mugs or other goods. No substitutions: nothing is sent in place of the coffee ordered. An order takes from one bag " +
      `(the minimum) to ${LIMITS.quantity_per_line} bags a line and ${LIMITS.bags_per_order} in all (the maximum); a parcel can mix coffees. For more, such as wholesale for a cafe, an ` +
      `office or a conference, ${keyless ? "write to the shop" : "leave a bulk request; the merchant answers by email"}, with no promise of price or time.`,
    steps: [["send_bulk_lead", "For more bags than an order takes, leave a bulk request."]],
  },
  {
    title: "Prices and discounts",
    synonyms: "cost cheap expensive coupon promo save deal fee dollar extra reward spend",
    text: ({ firstOrderRuns }, said) =>
      `Prices are in US dollars (no euros), the same for everybody and at any quantity, and not negotiable. ${said.tax} The only other charge is ` +
      "shipping: no sales tax, VAT, customs duties, fees or tips. " +
      `${firstOrderRuns ? `Code ${FIRST_ORDER.code}: ${said.first_order}` : "The first-order discount is not running now."} Larger orders: ${said.spend} ` +
      `${said.courtesies} Discounts apply to the coffee, never to shipping. No other codes, sales, samples, loyalty points, referrals, student or ` +
      "military discounts or price matching. Nothing is stated about future prices.",
  },
  {
    title: "Ordering and payment",
    synonyms: "buy checkout visa amex accept safe legit reject charge quote sign deposit",
    text: ({ keyless, quoteTtlMs, mode }, said) =>
      (keyless
        ? "The buyer opens the checkout page, enters email and address and pays. "
        : `An agent requests a quote and gives its buyer the review link; people can use the shop's cart. A quote never changes and is valid for ${span(quoteTtlMs)}; once expired, request a new one. `) +
      `The buyer needs no account. ${said.approval} The whole total is paid at once by card on the payment provider's page, ` +
      "which shows any other method; nobody here sees card numbers. Nothing is stated about PayPal, Venmo, cash, checks, bitcoin, invoices or " +
      `installments. ${said.charge} After a declined payment, try the page again, also with another card. ` +
      (mode === "live"
        ? "This is a real shop with real payments."
        : `Demo shop (mode "${mode}"): no real money moves, nothing is shipped.`),
    steps: [["request_quote", "Get an exact price for a buyer."]],
  },
  {
    title: "Shipping and delivery",
    synonyms: "arrive send mail day reach fast soon courier abroad country house door",
    text: ({ keyless }, said) =>
      `Shipping costs (postage): ${said.shipping} ` +
      (keyless
        ? "An order goes to one address; for several people, make one checkout page for each. "
        : `One order can go to up to ${LIMITS.shipments_per_order} addresses; shipping is counted for each. A checkout link or cart takes one: make one for each. `) +
      `${said.delivery} That is an estimate: no day is promised, and there is no express service. Ships to US addresses only (no other ` +
      "country, such as Canada): all states (Alaska and Hawaii, too), DC, territories (such as Puerto Rico and Guam), military addresses (APO, FPO, DPO). Nothing is " +
      "stated about carriers (UPS, FedEx, USPS), where parcels start, insurance, hours, pickup, signing, neighbors, PO boxes or lockers.",
  },
  {
    title: "Gifts",
    synonyms:
      "present birthday message wrap ribbon bow surprise handwriting greeting mother friend sister",
    text: ({ keyless }, said) =>
      `Gift notes: ${keyless ? said.one_gift_note : said.gift_notes} They are free. ` +
      (keyless
        ? "Each recipient has a checkout page: the address there is the recipient's, the email the buyer's. "
        : "Address a shipment to its recipient; the email is the buyer's. One order can send gifts to several people. A checkout link takes one recipient, and one note for one bag. ") +
      "Nothing is stated about gift wrapping or boxes, prices or receipts in the parcel (box), gift cards or vouchers.",
  },
  {
    title: "Stock and waitlist",
    synonyms: "available restock hold reserve queue wait line left notify gone turn list",
    text: ({ keyless }, said) =>
      `Bags can't be reserved or set aside: ${keyless ? "" : "a quote keeps none, and "}an open payment page keeps none. When a coffee with a ` +
      `waitlist is out of stock (sold out) or short, a buyer can join the waitlist for free, for up to ${LIMITS.waitlist_bags} bags: on the shop's ` +
      `page${keyless ? "" : ", or through an agent"}. The buyer's waitlist page shows the position and lets them leave. ${said.waiting} No restock date ` +
      "is known. Other coffees can be bought again once back in stock.",
    steps: [["join_waitlist", "Join the waitlist for the buyer when bags are short."]],
  },
  {
    title: "The exclusive coffee",
    synonyms: "locked unlock rare secret hidden special finder fk header",
    text: ({ exclusive, keyless }) => {
      if (exclusive === null) return null;
      return keyless
        ? `${exclusive} is listed and can be asked about, but not sold here: no checkout page or cart takes it, and it has no waitlist. It is sold only through agents that connect to the shop's full interface and have earned access to it.`
        : `${exclusive} is listed but locked: quote and checkout need a finder key, sent as a header over HTTP or an argument over MCP. An agent earns one by three good questions at ask, with its own key: about at least two coffees and three kinds of facts, one about ${exclusive}. It belongs to that agent and lasts ${span(TIMES.finder_key_ms)}; asking again shows it again. Checkout links and carts never sell this coffee, and it has no waitlist.`;
    },
    steps: [
      ["ask", "Ask good questions about the coffees with your key to earn a {finder_key}."],
      ["request_quote", "Send the finder key as {finder_key}."],
    ],
  },
  {
    title: "After the order",
    synonyms: "return money track package swap move fix twice broken received came typo",
    text: ({ keyless, supportEmail }, said) => {
      const shop = supportEmail
        ? `write to ${supportEmail}`
        : "write to the shop from the order page";
      const feedback = `send feedback with the order id${supportEmail ? ` or ${shop}` : ""}`;
      return (
        `The paid link leads to the order page: status, tracking, arrival estimate, receipt. Lost it? /find-order takes order number and email.${keyless ? "" : " The agent that quoted reads the same."} ` +
        "If the shop has a mail server, the buyer gets a confirmation and news by email; nothing is stated about texts or calls. " +
        `Cancellation: ${said.cancellation} Ask on the order page${keyless ? "" : " or through the agent"}, for all or some shipments; until the decision ` +
        "the request can be withdrawn. Bags and notes of a paid order can't be changed. The merchant can correct a wrong address until its " +
        `parcel has left. Refunds and returns: ${said.refunds} If a parcel is lost, late, stolen, damaged, missing or wrong, ` +
        `${keyless ? shop : feedback}; the merchant decides. Nothing is stated about replacements.`
      );
    },
    steps: [
      ["list_orders", "Find the order: its status, tracking and cancellation."],
      ["get_link_order", "Read what became of a checkout link: paid or not, tracking, refunds."],
      FEEDBACK,
    ],
  },
  {
    title: "Agents and links",
    synonyms: "api account connect claude chatgpt url bot web post mcp server token",
    text: ({ keyless, rateLimits }) =>
      keyless
        ? `No account is needed. A checkout page is made with the bags, and a discount code or gift note if wanted; give the buyer its link as plain text. It takes one US address and ends after ${DAY_MS / HOUR_MS} hours. The same link tells later whether it was paid, and the order's status and tracking. Everything else about an order, such as cancellation, is done on the order page.`
        : "An assistant such as Claude or ChatGPT connects to this site's address with /mcp/shop, or /mcp with a key; HTTP is at /v1. Catalog, policy, questions and checkout links need no key. For the rest an agent registers, free, with a name and an email, over HTTP or MCP. Its key is shown once; who loses it registers again, and the new key doesn't show the old one's orders. " +
          "A quick-checkout link carries bags for clients that can only open addresses (GET): the person enters email and one US address, sees the exact total and pays. Agents read an order's events and can wait for the next one; there are no webhooks. " +
          `Rate limits: ${Object.entries(rateLimits)
            .map(([name, limit]) => `${name} ${limit}`)
            .join("; ")}.`,
    steps: [
      ["register_agent", "Register to get a key; it is free.{send_key}"],
      ["build_quick_checkout_link", "Make the link that the buyer opens."],
      ["list_orders", "Find the order to follow its events."],
    ],
  },
  {
    title: "Contact and privacy",
    synonyms:
      "support talk speak personal information share erase forget newsletter language human",
    text: ({ keyless, supportEmail }) =>
      `Contact: write to ${supportEmail ?? "the shop at /contact or from the order page"}${keyless ? "" : "; agents send feedback"}. There is no phone number or chat. Questions are ` +
      "answered by a program (bot), without a language model, from the catalog's facts and this policy, in English. Orders are " +
      `kept for the books; unpaid quotes are deleted ${RETENTION_DAYS.unpaid_quotes} days after their end, sent emails after ${RETENTION_DAYS.sent_letters}. The ` +
      "merchant deletes a person's data on request (CCPA, GDPR), except what the books need. Nothing else is stated about who sees data, its use or sale.",
    steps: [FEEDBACK],
  },
  {
    title: "What the shop does not say",
    synonyms:
      "caffeine monthly subscribe healthy allergic popular located hire explain fresh serve eat",
    text: () =>
      "Nothing is stated about: caffeine, health, pregnancy, diets, allergies or ingredients (tasting notes are flavors, not ingredients); " +
      "roast dates, freshness, shelf life, storage, harvest or crop year; food pairings, cups or servings per bag, coffee terms, water, " +
      "grinder settings, or brewing beyond the recipes given; subscriptions or repeat orders, reviews, bestsellers; who roasts and where, a " +
      "store or cafe to visit, opening hours, the company, its owners or jobs; organic, fair trade, kosher or other certificates, fair pay, " +
      "the environment; packaging, recycling; new or seasonal coffees to come.",
  },
];

export interface PolicySection {
  topic: string;
  text: string;
}

/** Current text of all sections that apply. */
export const sections = (live: Live): PolicySection[] =>
  SECTIONS.flatMap(({ title, text }) => {
    const said = text(live, promises(live.shop));
    return said === null ? [] : { topic: title, text: said };
  });

/** What the search reads: the usual texts, and the names of the exclusive coffee. */
export const sectionDocuments = (products: readonly Product[]) => {
  const exclusive = products.find(isExclusive)?.name_to_use_with_humans ?? null;
  const usual: Live = {
    ...{ firstOrderRuns: true, free: new Map(), exclusive, mode: "sandbox", shop: DEFAULT_SHOP },
    ...{
      quoteTtlMs: 7 * DAY_MS,
      rateLimits: { ask: "30 per minute" },
      supportEmail: undefined,
      keyless: false,
    },
  };
  return SECTIONS.flatMap(({ title, synonyms, text }) => {
    const said = text(usual, promises(DEFAULT_SHOP));
    return said === null ? [] : { id: title, title, synonyms, text: said };
  });
};
