import type { CatalogContext } from "../catalog/live-catalog.ts";
import { type Bags, shortOf } from "../core/bags.ts";
import { customerOf } from "../core/email.ts";
import type { AgentId, QuoteId } from "../core/ids.ts";
import { type MoneyRows, owedMinor } from "../core/owed.ts";
import { FIRST_ORDER_SETTING, firstOrderOn } from "../core/policy.ts";
import type { AttemptRow, CheckoutRow, QuoteRow, StockRow } from "../core/records.ts";
import type { StoredQuote } from "../db/queries/quotes.ts";
import { offerEnds, ownOffers } from "../waitlist/own-offers.ts";
import {
  BOUGHT_MS,
  type Bought,
  type BuyerHistory,
  type Purchase,
  similarPurchases,
} from "./bought-already.ts";
import type { Terms } from "./quote-answer.ts";
import type { QuoteRequest } from "./quote-request.ts";
import { ofTerms } from "./quote-terms.ts";
import { noSuchQuote } from "./quote-view.ts";
import {
  type FoundQuote,
  isPayable,
  type LostReason,
  lostFor,
  purchaseOf,
  quoteStatus,
} from "./standing.ts";

type Reader = Pick<CatalogContext, "store" | "clock">;
type Queries = Pick<CatalogContext["store"], "queries">;

/**
 * Adds what happened elsewhere since the quote was made: sold bags and a used discount, which end it
 * (contract §4), and obstacles to paying with the current stock.
 */
export async function asItStands<Q extends FoundQuote>(
  reader: Reader,
  read: Q,
  audience: Audience = "AGENT",
): Promise<Q> {
  const { queries } = reader.store;
  const { quote, state } = read;
  if (state.order_id !== null) return read;
  const terms = JSON.parse(quote.terms) as Terms;
  const found = { ...read, bought: await boughtByNow(reader, { ...quote, terms }, audience) };
  if (!isPayable(quoteStatus(found, reader.clock()))) return found;
  const stock = await queries.stock();
  const lost = await lostByNow(reader.store, { quote, terms }, stock);
  const { bags } = ofTerms(terms);
  if (lost === "OUT_OF_STOCK") return { ...found, lost, short: shortOf(bags, stock) };
  if (lost) return { ...found, lost };
  return { ...found, lost, offerEnds: await endOfOffers(reader, quote, bags, stock) };
}

/** Why a payable quote can't be paid any more, since it was made; null if it can. */
export async function lostByNow(
  store: Queries,
  { quote, terms }: { quote: QuoteRow; terms: Terms },
  stock: readonly StockRow[],
): Promise<LostReason | null> {
  const ended = await endOfPurchase(store, quote);
  if (ended) return ended;
  const { bags, firstOrder } = ofTerms(terms);
  const customer = firstOrder ? await store.queries.customer(quote.customer) : undefined;
  const customers = customer ? [customer] : [];
  return lostFor({ quote, bags, firstOrder }, { stock, customers });
}

/** Why the quote's purchase is over: another quote of it has the order, or it was canceled. */
async function endOfPurchase(
  { queries }: Queries,
  quote: QuoteRow,
): Promise<"ORDERED_ALREADY" | "CANCELED" | null> {
  const paid = await queries.takenOf(purchaseOf(quote));
  if (paid?.status === "PAID" && paid.quote_id !== quote.id) return "ORDERED_ALREADY";
  if (quote.cart === null || quote.agent_id !== null) return null;
  const checkout = await queries.checkoutOfPage(quote.cart);
  if (checkout?.order_id) return "ORDERED_ALREADY";
  return checkout?.canceled_at ? "CANCELED" : null;
}

/** The quote that stands for a checkout: the one that is paid or being paid, else the newest. */
export async function quoteOfCheckout(
  { queries }: Queries,
  { page, quote_id: newest }: Pick<CheckoutRow, "page" | "quote_id">,
): Promise<StoredQuote | undefined> {
  const taken = await queries.takenOf(page);
  const id = taken?.quote_id ?? newest;
  return id === null ? undefined : queries.quote(id);
}

export async function findQuote(reader: Reader, id: string): Promise<FoundQuote | undefined> {
  const found = await reader.store.queries.quote(id);
  return found && asItStands(reader, found);
}

/** The agent's own quote. Another key's is not found. */
export async function ownQuote(reader: Reader, id: string, agentId: AgentId): Promise<FoundQuote> {
  const found = await findQuote(reader, id);
  if (found?.quote.agent_id === agentId) return found;
  throw noSuchQuote();
}

/** A buyer's own page names all their orders. An agent hears of those of its own key only. */
type Audience = "AGENT" | "BUYER";

/** The buyer's recent purchase by another quote that this one may repeat, or null. */
export async function boughtByNow(
  { store: { queries }, clock }: Reader,
  quote: Purchase,
  audience: Audience,
): Promise<Bought | null> {
  const now = clock();
  if (audience === "AGENT" && quote.agent_id === null) return null;
  const taken = await queries.takenOfCustomer(quote.customer, now - BOUGHT_MS);
  if (taken.length === 0) return null;
  const quotes = await queries.quotesByIds(taken.map(({ quote_id }) => quote_id));
  const own = quotes.filter(({ agent_id }) => audience === "BUYER" || agent_id === quote.agent_id);
  // An agent that quotes the same coffee for several people is told of repeats, and what came since.
  const similar = similarPurchases(quote, taken, own, now).filter(
    ({ same, at }) => audience === "BUYER" || same || at > quote.created_at,
  );
  for (const one of similar) {
    const order = await queries.orderOfQuote(one.quoteId);
    if (order?.status === "CANCELED") continue;
    return { ...one, order: order ? { id: order.id, called: `#${order.number}` } : null };
  }
  return null;
}

/**
 * History of the buyer for whom an agent requests a quote. The agent may have forgotten an earlier request.
 * A quote without an agent reads it on its page.
 */
export async function buyerHistory(
  reader: Reader,
  { buyer: { email }, shipments }: QuoteRequest,
  agentId: AgentId | null,
): Promise<BuyerHistory> {
  const customer = customerOf(email);
  if (agentId === null) return { customer, bought: null, isFirstOrder: false };
  const wish = {
    id: "",
    agent_id: agentId,
    customer,
    created_at: reader.clock(),
    terms: { shipments },
  };
  const since = wish.created_at - BOUGHT_MS;
  const of = { customer, since, agentId, email };
  const { hasTaken, hasOrdered } = await reader.store.queries.buyerHistory(of);
  const bought = hasTaken ? await boughtByNow(reader, wish, "AGENT") : null;
  return { customer, bought, isFirstOrder: !hasOrdered };
}

/**
 * Whether to mention the first-order discount: the offer is on, and no order of the buyer by another quote
 * came through this key. `before`: ignores later orders.
 */
export async function offersFirstOrder(
  { queries }: Queries,
  { id, agent_id: agentId, buyer_email: email }: QuoteRow,
  before = Number.MAX_SAFE_INTEGER,
): Promise<boolean> {
  if (agentId === null || !firstOrderOn(await queries.setting(FIRST_ORDER_SETTING))) return false;
  const orders = await queries.ordersOfAgentsBuyer({ agentId, email, before });
  return orders.every(({ quote_id }) => quote_id === id);
}

/** End of the waitlist offers that the quote needs. Reads them only if free stock is not enough. */
async function endOfOffers(
  { store: { queries } }: Reader,
  quote: QuoteRow,
  bags: readonly Bags[],
  stock: readonly StockRow[],
): Promise<number | null> {
  if (shortOf(bags, stock).length === 0) return null;
  const beans = bags.map(({ product_id }) => product_id);
  const offers = ownOffers(quote, await queries.offersToCustomer(quote.customer, beans));
  return offerEnds(bags, { stock, offers });
}

/** Refunds and disputes of these payments. */
export async function moneyBackOf(
  { queries }: Queries,
  payments: readonly string[],
): Promise<MoneyRows> {
  const [refunds, disputes] = await Promise.all([
    queries.refundsOfPayments(payments),
    queries.disputesOfPayments(payments),
  ]);
  return { refunds, disputes };
}

/** Failed refunds of these payments that the merchant still owes. */
export const owed = async (store: Queries, payments: readonly string[]): Promise<number> =>
  owedMinor(await moneyBackOf(store, payments));

export const paymentsOf = (attempts: readonly AttemptRow[]): string[] =>
  attempts.flatMap(({ payment_ref }) => payment_ref ?? []);

/** The newest attempt to pay a quote, with the failed refunds of every attempt. */
export async function lastTry(store: Queries, quoteId: QuoteId) {
  const attempts = await store.queries.attemptsOfQuote(quoteId);
  const last = attempts.at(-1);
  return last && { ...last, owed_minor: await owed(store, paymentsOf(attempts)) };
}
