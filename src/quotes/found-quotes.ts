import type { CatalogContext } from "../catalog/live-catalog.ts";
import { type Bags, shortOf } from "../core/bags.ts";
import { customerOf } from "../core/email.ts";
import type { AgentId, QuoteId } from "../core/ids.ts";
import { FIRST_ORDER_SETTING, firstOrderOn } from "../core/policy.ts";
import type { AttemptRow, QuoteRow, StockRow } from "../core/records.ts";
import { type MoneyBack, owedMinor } from "../core/refunds.ts";
import { offerEnds, ownOffers } from "../waitlist/own-offers.ts";
import {
  type Bought,
  type BuyerHistory,
  boughtAlready,
  boughtSince,
  type Purchase,
} from "./bought-already.ts";
import type { Terms } from "./quote-answer.ts";
import type { QuoteRequest } from "./quote-request.ts";
import { ofTerms } from "./quote-terms.ts";
import { noSuchQuote } from "./quote-view.ts";
import { type FoundQuote, isPayable, lostFor, quoteStatus } from "./standing.ts";

type Reader = Pick<CatalogContext, "store" | "clock">;
type Queries = Pick<CatalogContext["store"], "queries">;

/**
 * Adds what happened elsewhere since the quote was made: sold bags and a used discount, which end it
 * (contract §4), and obstacles to paying with the current stock.
 */
export async function asItStands<Q extends FoundQuote>(reader: Reader, read: Q): Promise<Q> {
  const { queries } = reader.store;
  const { quote, state } = read;
  if (state.order_id !== null) return read;
  const terms = JSON.parse(quote.terms) as Terms;
  const found = { ...read, bought: await boughtByNow(reader, { ...quote, terms }) };
  if (!isPayable(quoteStatus(found, reader.clock()))) return found;
  if (await isPageOrdered(reader.store, quote)) return { ...found, lost: "ORDERED_ALREADY" };
  const { bags, firstOrder } = ofTerms(terms);
  const [stock, customer] = await Promise.all([
    queries.stock(),
    firstOrder ? queries.customer(quote.customer) : undefined,
  ]);
  const customers = customer ? [customer] : [];
  const lost = lostFor({ quote, bags, firstOrder }, { stock, customers });
  return { ...found, lost, offerEnds: await endOfOffers(reader, quote, bags, stock) };
}

/** Whether another quote of the same page has an order (contract §10). */
export async function isPageOrdered(
  { queries }: Queries,
  { id, cart }: Pick<QuoteRow, "id" | "cart">,
): Promise<boolean> {
  if (cart === null) return false;
  const quotes = await queries.quotesOfCarts([cart]);
  return quotes.some(({ quote, state }) => quote.id !== id && state.order_id !== null);
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

/** The buyer's purchase by another quote of the same agent or cart, or null. */
export const boughtByNow = async (reader: Reader, quote: Purchase): Promise<Bought | null> =>
  (await historyOf(reader, quote)).bought;

/** `throughAgent`: an order of the buyer came through the quote's agent. */
async function historyOf({ store: { queries }, clock }: Reader, quote: Purchase) {
  const now = clock();
  const { buyer_email: email, customer, agent_id: agentId } = quote;
  const since = boughtSince(quote, now);
  const { recent, throughAgent } = await queries.buyerHistory({ customer, email, since, agentId });
  if (!recent) return { bought: null, throughAgent };
  // Payments first: one that settles between the two reads is then in both, and never in neither.
  const settling = await queries.settlingOf(customer);
  const orders = await queries.ordersOfBuyer(email, since);
  const quotes = await queries.quotesByIds([...orders, ...settling].map((one) => one.quote_id));
  return { bought: boughtAlready(quote, { orders, settling, quotes }, now), throughAgent };
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
  const quote = { id: "", agent_id: agentId, cart: null, created_at: reader.clock() };
  const wish = { ...quote, buyer_email: email, customer, terms: { shipments } };
  const { bought, throughAgent } = await historyOf(reader, wish);
  return { customer, bought, isFirstOrder: !throughAgent };
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
): Promise<MoneyBack> {
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
