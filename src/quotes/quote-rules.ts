import { lockReads, refuseLocked } from "../agents/finder-key.ts";
import type { Product } from "../catalog/catalog.ts";
import { outOfStock, shortBeans } from "../catalog/catalog-answer.ts";
import { noLongerSold, refuseOutdated } from "../catalog/catalog-version.ts";
import { CHECKOUT_MS, isLive, type TypedBuyer } from "../checkouts/checkout.ts";
import { type Bags, type Short, shortOf } from "../core/bags.ts";
import {
  insert,
  lock,
  type Rule,
  readUnlocked,
  type State,
  settingIn,
  update,
  updateEach,
} from "../core/command.ts";
import { MerchantError, refusal, unknownTo } from "../core/errors.ts";
import { inCanonicalOrder } from "../core/hash.ts";
import type { AgentId, QuoteId } from "../core/ids.ts";
import { display } from "../core/money.ts";
import { step } from "../core/next-step.ts";
import { FIRST_ORDER, FIRST_ORDER_SETTING, firstOrderOn, ORDER_TOTAL } from "../core/policy.ts";
import { type CheckoutRow, isUnpaid, ORDERED, type QuoteRow } from "../core/records.ts";
import { type Pause, refusePaused, type Shop } from "../core/shop.ts";
import { offerEnds, ownOfferRows, ownOffers } from "../waitlist/own-offers.ts";
import type { BuyerHistory } from "./bought-already.ts";
import type { Checkout, Quote, Terms } from "./quote-answer.ts";
import { normalCode, type QuoteRequest } from "./quote-request.ts";
import { bagsByProduct, buildTerms, hashTerms } from "./quote-terms.ts";
import { checkoutView, noSuchQuote, quoteView, refuseUnpayable } from "./quote-view.ts";
import { type FoundQuote, firstState, mayHaveFirstOrder, setQuoteState } from "./standing.ts";

/** The buyer's history was read beforehand. */
export interface CreateQuote extends BuyerHistory {
  now: number;
  id: string;
  nonce: string;
  /** Null for an agent's quote: its checkout gives out the link. */
  reviewUrl: string | null;
  /** How the payment provider takes money; see QuoteContext. */
  mode: string;
  /** Null for a quick checkout. */
  agentId: AgentId | null;
  /** The purchase of an earlier quote, or `page` of its checkout; null for a new purchase. */
  cart: string | null;
  /** The checkout that it is made of. `browser`: hash of the buyer's browser. `typed`: in its form. */
  checkout: { id: string; browser: string | null; typed?: TypedBuyer } | null;
  /** An agent's own quote that this one replaces. */
  replaces: QuoteId | null;
  finderKeyHash: string | null;
  /** The quote that this one repeats at its full price. Its finder key was checked. */
  follows: string | null;
  request: QuoteRequest;
  /** The beans that the request names, each once. */
  productIds: readonly string[];
  /** Those beans in this version of the catalog. */
  beans: readonly Product[];
  catalogVersion: number;
  ttlMs: number;
  shop: Shop;
  /** The running break, in which nothing is sold. */
  pause: Pause | null;
  timeZone: string;
}

/** One object, which commands that share a commit read once. */
const FIRST_ORDER_OFFER = readUnlocked("settings", { name: FIRST_ORDER_SETTING });

/**
 * Makes an immutable quote (contract §4). It holds no stock and reserves no courtesy. Payment pages of earlier
 * quotes of the purchase are due for a check, which closes them: nobody pays what the buyer has changed.
 */
export const createQuote: Rule<CreateQuote, Quote> = {
  reads(c) {
    const { customer } = c;
    return [
      FIRST_ORDER_OFFER,
      ...(asksFirstOrder(c) ? [readUnlocked("customers", { email: customer })] : []),
      ...(c.replaces ? [lock("quote_states", { quote_id: c.replaces })] : []),
      ...(c.checkout ? [lock("checkouts", { id: c.checkout.id })] : []),
      ...(c.cart ? [lock("attempts", { page: c.cart })] : []),
      readUnlocked("stock", { product_id: c.productIds }),
      ...lockReads(c),
      ...ownOfferRows(askerOf(c)).map((rows) => readUnlocked("waitlist", rows)),
    ];
  },
  decide(c, s) {
    refuseOutdated(c, s);
    refusePaused(c.pause);
    const replaced = replacedBy(c, s);
    refuseUnknownBeans(c);
    if (c.follows === null) {
      refuseLocked(c, s, step("request_quote", "Or quote the other beans without it."));
    }
    const { request, beans, nonce, shop } = c;
    const expiresAt = c.now + c.ttlMs;
    const terms = inCanonicalOrder(buildTerms({ request, beans, nonce, shop, expiresAt }));
    refuseCode(c, s, terms);
    refuseTotal(terms.pricing.total_minor);
    const offers = ownOffers(askerOf(c), s.waitlist);
    const wanted = bagsByProduct(request.shipments);
    const own = offers.filter((entry) => entry.attempt_id === null);
    const short = shortOf(wanted, s.stock, own);
    refuseSoldOut(c, short);
    const canonical = JSON.stringify(terms);
    const quote: QuoteRow = {
      id: c.id,
      agent_id: c.agentId,
      quote_hash: hashTerms(canonical),
      terms: canonical,
      buyer_email: request.buyer.email,
      customer: c.customer,
      cart: c.cart,
      total_minor: terms.pricing.total_minor,
      created_at: c.now,
      expires_at: expiresAt,
    };
    const found = short.length > 0 ? JSON.stringify(short) : null;
    const first = firstState(quote, found, c.reviewUrl !== null);
    const state = { ...first, browser: c.checkout?.browser ?? null };
    const ends = short.length > 0 ? null : offerEnds(wanted, { stock: s.stock, offers });
    const firstOrder = c.isFirstOrder && firstOrderOn(settingIn(s, FIRST_ORDER_SETTING));
    return {
      reply: quoteView(
        { quote, state, revoked: false, bought: c.bought, offerEnds: ends, firstOrder },
        c,
        terms,
      ),
      writes: [
        insert("quotes", quote),
        insert("quote_states", state),
        ...(replaced ? [setQuoteState(replaced, { replaced_by: quote.id })] : []),
        ...updateEach("attempts", s.attempts.filter(isUnpaid), { check_at: c.now }),
        ...s.checkouts.map((row) => quoted(row, c, expiresAt)),
      ],
    };
  },
};

/** The earlier quote of the purchase. Throws if the purchase is over. */
function replacedBy({ checkout, replaces, now }: CreateQuote, s: State): QuoteId | null {
  if (checkout) {
    const [row] = s.checkouts;
    if (!row || !isLive(row, now)) throw unknownTo("checkout");
    return row.quote_id;
  }
  const [state] = s.quote_states;
  if (replaces === null || !state) return null;
  const { replaced_by: newer } = state;
  // An older quote of the purchase may be the one that was paid.
  const taken = s.attempts.find(({ status }) => ORDERED.has(status));
  if (taken) {
    const paid = taken.status === "PAID" ? "is paid" : "has been paid, and the payment settles";
    const detail = `This purchase ${paid}: it cannot be replaced. Leave replaces out for a new order.`;
    const look = step("get_quote_order", "Follow what the buyer has paid.", taken.quote_id);
    throw refusal("QUOTE_ALREADY_PAID", detail, look);
  }
  if (newer !== null) {
    const detail = `That quote was replaced by ${newer}. Send its id as replaces.`;
    throw new MerchantError("VALIDATION_FAILED", detail, { at: "/replaces" });
  }
  return replaces;
}

/** Its page lives as long as its quote. */
function quoted(row: CheckoutRow, { checkout, id, now }: CreateQuote, expiresAt: number) {
  const typed = checkout?.typed;
  return update(
    "checkouts",
    { id: row.id },
    {
      quote_id: id,
      ...(typed && { buyer: JSON.stringify(typed) }),
      expires_at: Math.max(row.expires_at, expiresAt, now + CHECKOUT_MS[row.via]),
    },
  );
}

interface CreateCheckout {
  now: number;
  /** Read beforehand: the quote never changes, and paying checks again what was sold. */
  found: Omit<FoundQuote, "state">;
  quoteHash: string;
  finderKeyHash: string | null;
  /** The quote's beans, to check the finder key for an exclusive one. */
  beans: readonly Product[];
  reviewUrl: string;
  mode: string;
  shop: Shop;
  timeZone: string;
}

/** Returns the quote's review link, always the same one. Calls no provider (contract §5). */
export const createCheckout: Rule<CreateCheckout, Checkout> = {
  reads: (c) => [
    lock("quote_states", { quote_id: c.found.quote.id }),
    ...lockReads({ ...c, agentId: c.found.quote.agent_id }),
  ],
  decide(c, s) {
    const { quote } = c.found;
    const state = s.quote_states[0];
    if (!state) throw noSuchQuote();
    refuseUnpayable({ ...c.found, state, revoked: false }, c.now);
    if (quote.quote_hash !== c.quoteHash) {
      throw refusal(
        "QUOTE_HASH_MISMATCH",
        "quote_hash does not match this quote. Read the quote, show it to the buyer, and send its hash.",
        step("get_quote", "Read the quote and its hash again.", quote.id),
      );
    }
    const withKey = "Or send it again with the quote's finder key.";
    refuseLocked({ ...c, agentId: quote.agent_id }, s, step("create_checkout", withKey, quote.id));
    const opened = setQuoteState(quote.id, { status: "CHECKOUT_READY", updated_at: c.now });
    const writes = state.status === "OPEN" ? [opened] : [];
    const linked = { ...state, status: "CHECKOUT_READY" as const };
    return {
      reply: checkoutView({ ...c.found, state: linked, revoked: false }, c),
      writes,
    };
  },
};

/** The beans that a request names, each once. */
export const namedBeans = ({ shipments }: { shipments: readonly { items: readonly Bags[] }[] }) => [
  ...new Set(shipments.flatMap(({ items }) => items.map(({ product_id }) => product_id))),
];

/** A bean may leave the catalog between the request's validation and its pricing. */
function refuseUnknownBeans({ beans, productIds }: CreateQuote): void {
  if (beans.length < productIds.length) {
    const known = new Set(beans.map(({ product_id }) => product_id));
    const gone = productIds.filter((id) => !known.has(id));
    throw noLongerSold(gone, { pointer: "/shipments", again: "request_quote" });
  }
}

export const OFFER_ENDED = "This offer has ended. Leave discount_code out.";

const askerOf = ({ agentId, cart, customer }: CreateQuote) => ({
  agent_id: agentId,
  cart,
  customer,
});

const asksFirstOrder = ({ request }: CreateQuote): boolean =>
  normalCode(request.discount_code) === FIRST_ORDER.code;

/** Where the spend courtesy replaces the code, the buyer's history does not matter. */
function refuseCode(c: CreateQuote, s: State, { pricing }: Terms): void {
  if (!asksFirstOrder(c)) return;
  const at = "/discount_code";
  if (!firstOrderOn(settingIn(s, FIRST_ORDER_SETTING)))
    throw new MerchantError("DISCOUNT_CODE_INVALID", OFFER_ENDED, { at });
  if (pricing.courtesy?.kind !== "SPEND" && !mayHaveFirstOrder(s.customers[0])) {
    const detail = "This code cannot be used for this buyer. Leave discount_code out.";
    throw new MerchantError("DISCOUNT_NOT_ELIGIBLE", detail, {
      at,
      next: [step("request_quote", "Request the quote again without discount_code.")],
    });
  }
}

function refuseTotal(totalMinor: number): void {
  if (totalMinor >= ORDER_TOTAL.min_minor && totalMinor <= ORDER_TOTAL.max_minor) return;
  throw refusal(
    "LIMIT_EXCEEDED",
    `The order total must be between ${display(ORDER_TOTAL.min_minor)} and ${display(ORDER_TOTAL.max_minor)}.`,
    step("send_bulk_lead", "Ask the merchant for a larger order."),
  );
}

/** Beans with a waitlist are quoted for information instead (contract §4). */
function refuseSoldOut({ beans }: CreateQuote, short: readonly Short[]): void {
  const bean = (id: string) => beans.find(({ product_id }) => product_id === id)!;
  const soldOut = short.filter(({ product_id }) => bean(product_id).availability !== "WAITLIST");
  if (soldOut.length > 0) throw outOfStock(shortBeans(soldOut, bean), "/shipments");
}
