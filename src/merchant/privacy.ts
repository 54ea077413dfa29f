import { headsBehind } from "../catalog/queue-heads.ts";
import { type Act, adminVerb } from "../core/admin-verb.ts";
import { customerOf, Email } from "../core/email.ts";
import { derivedToken, type OrderId, type QuoteId } from "../core/ids.ts";
import { isUnpaid } from "../core/records.ts";
import type { Store } from "../db/store.ts";
import { agreedOf } from "../payments/checkout-request.ts";
import { type Context, ProviderUnavailable } from "../payments/provider.ts";
import type { Settlements } from "../payments/settlements.ts";
import { isQueued, leaveWaitlist } from "../waitlist/waitlist.ts";
import { erasePerson, mayErasePerson } from "./erase.ts";
import { exportPerson } from "./export-person.ts";

const AT_ONCE = 500;

type Queries = Store["queries"];

/** A customer's quotes, and the ids of their orders. */
export async function rowsOfCustomer(queries: Queries, customer: string) {
  const quotes: Awaited<ReturnType<Queries["quotesOfCustomer"]>> = [];
  const orders: OrderId[] = [];
  for (;;) {
    const page = await queries.quotesOfCustomer(customer, quotes.at(-1)?.id ?? "", AT_ONCE);
    quotes.push(...page);
    orders.push(...(await queries.ordersOfQuotes(page.map(({ id }) => id))));
    if (page.length < AT_ONCE) return { quotes, orders };
  }
}

/** Identifies an erased customer only with the email and the installation's secret. */
export const pseudonymOf = (secret: Buffer, customer: string): string =>
  derivedToken(secret, "erased", customer);

/** Finds a person's data by email in every table, and exports or erases it (contract §15). */
export function privacyVerbs(context: Context, settling: Settlements, act: Act) {
  const { store, clock, secret } = context;
  const { queries } = store;

  /** Strangers can open a page under anybody's email, so an open one does not delay an erasure. */
  async function closePaymentPages(quoteIds: QuoteId[]): Promise<void> {
    for (const attempt of await queries.attemptsOfQuotes(quoteIds)) {
      if (!isUnpaid(attempt)) continue;
      await settling.close(attempt, await agreedOf(store, attempt)).catch((error: unknown) => {
        // The erasure is refused while the page is open.
        if (!(error instanceof ProviderUnavailable)) throw error;
      });
    }
  }

  /** Leaves the person's places first, so that offered bags go to the next in the queue. */
  async function leavePlaces(customer: string): Promise<void> {
    for (const place of await queries.waitlistOfCustomer(customer)) {
      if (!isQueued(place)) continue;
      const { id, product_id: productId } = place;
      const heads = await headsBehind(queries, place);
      await store.run(leaveWaitlist, { now: clock(), id, productId, heads });
    }
  }

  /** Checkouts that these quotes were made of. */
  async function checkoutsOf(quotes: readonly { cart: string | null }[]): Promise<string[]> {
    const pages = [...new Set(quotes.flatMap(({ cart }) => cart ?? []))];
    return (await queries.checkoutsOfPages(pages)).map(({ id }) => id);
  }

  /** A repeat finishes an interrupted erasure, and erases newer rows. */
  async function erase(email: string) {
    const customer = customerOf(email);
    const { quotes, orders } = await rowsOfCustomer(queries, customer);
    const quoteIds = quotes.map(({ id }) => id);
    await closePaymentPages(quoteIds);
    await store.run(mayErasePerson, { quotes: quoteIds });
    await leavePlaces(customer);
    const found = await tracesOf(email, { quotes, orders });
    const erased = await store.run(erasePerson, { ...act(), ...found });
    await queries.removeCustomer(customer);
    return erased;
  }

  /** Every spelling of the email, and the rows that contain one. */
  async function tracesOf(
    email: string,
    { quotes, orders }: Awaited<ReturnType<typeof rowsOfCustomer>>,
  ) {
    const customer = customerOf(email);
    const places = await queries.waitlistOfCustomer(customer);
    const typedForms = [...quotes, ...places].map(({ buyer_email }) => buyer_email);
    const emails = [...new Set([email, customer, ...typedForms])];
    const named = await queries.rowsNaming(emails, orders);
    const traces = {
      quotes: quotes.map(({ id }) => id),
      orders,
      waitlist: places.map(({ id }) => id),
      ...named,
      checkouts: [...new Set([...named.checkouts, ...(await checkoutsOf(quotes))])],
    };
    return { customer, emails, traces, pseudonym: pseudonymOf(secret, customer) };
  }

  async function exportOf(email: string) {
    const found = await tracesOf(email, await rowsOfCustomer(queries, customerOf(email)));
    return store.run(exportPerson, { ...act(), ...found });
  }

  return {
    erase: adminVerb({ email: Email }, ({ email }) => erase(email)),
    /** Everything that `erase` would cover. */
    export: adminVerb({ email: Email }, ({ email }) => exportOf(email)),
  };
}
