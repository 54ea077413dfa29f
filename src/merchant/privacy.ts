import { setImmediate } from "node:timers/promises";
import { headsBehind } from "../catalog/queue-heads.ts";
import { type Act, actsOf, adminVerb, dated } from "../core/admin-verb.ts";
import { audited, type MerchantAct } from "../core/audit.ts";
import { lock, put, type Rule, type State, writeRule } from "../core/command.ts";
import { customerOf, Email } from "../core/email.ts";
import { MerchantError } from "../core/errors.ts";
import { derivedToken, type QuoteId } from "../core/ids.ts";
import { MINUTE_MS } from "../core/policy.ts";
import { ERASED, ERASURE, isUnpaid, oldestFirst } from "../core/records.ts";
import type { Store } from "../db/store.ts";
import { agreedOf } from "../payments/checkout-request.ts";
import { type Context, isProvidersError } from "../payments/provider.ts";
import type { Settlements } from "../payments/settlements.ts";
import { leaveWaitlist } from "../waitlist/waitlist.ts";
import { countsOf, type ErasedCounts, erasePerson, type Traces } from "./erase.ts";
import { exportRows, joined, logExport } from "./export-person.ts";

const AT_ONCE = 500;

/** Rows of each table per transaction, so that others don't wait long. */
const ROWS_PER_STEP = 100;

/** The process that began an erasure is given this long before another one continues it. */
const RESUMED_AFTER_MS = 10 * MINUTE_MS;

type Queries = Store["queries"];

/** An erasure that has begun. It is stored until the person's last row is erased. */
interface Erasure {
  customer: string;
  /** When it began. Newer rows stay. */
  at: number;
  /** Other tables than quotes, orders and the waitlist are erased already, or none of its concern. */
  ordersOnly: boolean;
}

interface SaveErasure {
  name: string;
  erasure: Erasure;
}

const saved = ({ name, erasure }: SaveErasure, { settings: [known] }: State) =>
  put("settings", known, { name }, { value: JSON.stringify(erasure) });

const saveErasure = writeRule<SaveErasure>({
  reads: ({ name }) => [lock("settings", { name })],
  writes: (c, s) => [saved(c, s)],
});

/** Returns false if another instance erases the same old customer. */
const beginErasure: Rule<
  MerchantAct & SaveErasure & { pseudonym: string; found: Traces },
  boolean
> = {
  reads: ({ name, found }) => [
    lock("settings", { name }),
    lock("quotes", { id: found.quotes.slice(-1) }),
  ],
  decide(c, s) {
    const isErased = s.quotes.every(({ customer }) => customer === ERASED);
    if (c.by.actor === "service" && (s.settings.length > 0 || isErased)) {
      return { reply: false, writes: [] };
    }
    const entry = audited(c, "customers.erase", c.pseudonym, countsOf(c.found));
    return { reply: true, writes: [saved(c, s), entry] };
  },
};

/** Identifies an erased customer only with the email and the installation's secret. */
const pseudonymOf = (secret: Buffer, customer: string): string =>
  derivedToken(secret, "erased", customer);

export type Erasures = ReturnType<typeof erasures>;

/** Erases people in steps. After a crash between two of them, `resume` continues. */
export function erasures(context: Context, settling: Pick<Settlements, "close">) {
  const { store, clock, secret, log } = context;
  const { queries } = store;
  const nameOf = ({ customer }: Erasure) => `${ERASURE}${pseudonymOf(secret, customer)}`;

  /** Strangers can open a page under anybody's email, so open ones are closed first. */
  async function closePaymentPages(quoteIds: QuoteId[]): Promise<void> {
    for (const attempt of await queries.attemptsOfQuotes(quoteIds)) {
      if (!isUnpaid(attempt)) continue;
      await settling.close(attempt, await agreedOf(store, attempt)).catch((error: unknown) => {
        // The quote stays until the provider answers.
        if (!isProvidersError(error)) throw error;
      });
    }
  }

  /** Offered bags go to the next in the queue, unless a payment has taken them. */
  async function leaveOffers({ customer, at }: Erasure): Promise<void> {
    for (const place of await queries.waitlistOfCustomer(customer)) {
      if (place.status !== "OFFERED" || place.created_at > at) continue;
      const { id, product_id: productId } = place;
      const heads = await headsBehind(context, place);
      const left = store.run(leaveWaitlist, { now: clock(), id, productId, heads });
      await left.catch((error: unknown) => {
        if (!(error instanceof MerchantError && error.code === "ILLEGAL_STEP")) throw error;
      });
    }
  }

  async function eraseRows(customer: string, found: Traces): Promise<ErasedCounts> {
    let erased: ErasedCounts | undefined;
    for await (const traces of steps(queries, found)) {
      await closePaymentPages(traces.quotes);
      const counts = await store.run(erasePerson, { now: clock(), customer, traces });
      erased = erased ? sum(erased, counts) : counts;
    }
    return erased!;
  }

  async function run(erasure: Erasure, found: Traces): Promise<ErasedCounts> {
    const { customer } = erasure;
    const name = nameOf(erasure);
    await leaveOffers(erasure);
    const erased = await eraseRows(customer, found);
    if (erased.under_way === 0) {
      await queries.removeCustomer(customer);
      await queries.endErasure(name);
    } else if (!erasure.ordersOnly) {
      await store.run(saveErasure, { name, erasure: { ...erasure, ordersOnly: true } });
    }
    return erased;
  }

  /** Returns null if another instance erases the same old customer. */
  async function erase(customer: string, act: Act, ordersOnly: boolean) {
    const erasure = { customer, at: clock(), ordersOnly };
    const { traces: found } = await rowsOf(queries, erasure);
    const begin = { ...act(), name: nameOf(erasure), erasure, found };
    const pseudonym = pseudonymOf(secret, customer);
    const isOurs = await store.run(beginErasure, { ...begin, pseudonym });
    return isOurs ? run(erasure, found) : null;
  }

  return {
    /** Erases every row of a person. Rows of orders and payments under way follow once those end. */
    erase: async (customer: string, act: Act) => (await erase(customer, act, false))!,
    /** Erases a customer's orders for the service. Returns whether any was erased. */
    eraseOrders: async (customer: string): Promise<boolean> =>
      ((await erase(customer, actsOf(context, "service"), true))?.quotes ?? 0) > 0,
    /** Continues erasures after a crash, or after an order or payment has ended. Returns those completed. */
    async resume(): Promise<number> {
      let completed = 0;
      for (const { value } of await queries.erasures()) {
        const erasure = JSON.parse(value) as Erasure;
        if (erasure.at > clock() - RESUMED_AFTER_MS) continue;
        try {
          const { traces } = await rowsOf(queries, erasure);
          if ((await run(erasure, traces)).under_way === 0) completed++;
        } catch (error) {
          log.warn({ error }, "an erasure continues later");
        }
      }
      return completed;
    },
  };
}

/** Adds numbers and joins lists. */
const sum = (a: ErasedCounts, b: ErasedCounts): ErasedCounts =>
  Object.fromEntries(
    Object.entries(a).map(([name, one]) => {
      const other = b[name as keyof ErasedCounts];
      return [name, Array.isArray(one) ? [one, other].flat() : one + Number(other)];
    }),
  ) as ErasedCounts;

/** Ids of the rows that name a customer, made by that time, and the spellings of the address. */
async function rowsOf(queries: Queries, { customer, at, ordersOnly }: Erasure) {
  const places = await queries.waitlistOfCustomer(customer);
  const waitlist = places.filter(({ created_at }) => created_at <= at);
  const quotes = await quotesOf(queries, customer, at);
  const quoteIds = quotes.map(({ id }) => id);
  const orders = await queries.ordersOfQuotes(quoteIds);
  const about = (await queries.feedbackOfOrders(orders)).map(({ id }) => id);
  const named = ordersOnly ? NONE_NAMED : await queries.rowsNaming(customer, at);
  const pages = [...new Set(quotes.flatMap(({ cart }) => cart ?? []))];
  const checkouts = (await queries.checkoutsOfPages(pages)).map(({ id }) => id);
  const traces: Traces = {
    quotes: quoteIds,
    orders,
    waitlist: waitlist.map(({ id }) => id),
    ...named,
    feedback: [...new Set([...named.feedback, ...about])],
    checkouts: [...new Set([...named.checkouts, ...checkouts])],
  };
  return { traces, emails: [...quotes, ...waitlist].map(({ buyer_email }) => buyer_email) };
}

/** The same rows, some at a time: quotes together with their orders. Others run between the steps. */
async function* steps(queries: Queries, found: Traces): AsyncGenerator<Traces> {
  const rows = Math.max(1, ...Object.values(found).map((ids) => ids.length));
  for (let from = 0; from < rows; from += ROWS_PER_STEP) {
    const some = Object.fromEntries(
      Object.entries(found).map(([name, ids]) => [name, ids.slice(from, from + ROWS_PER_STEP)]),
    ) as Traces;
    yield { ...some, orders: await queries.ordersOfQuotes(some.quotes) };
    await setImmediate();
  }
}

const NONE_NAMED = { leads: [], feedback: [], agents: [], sandbox: [], checkouts: [] };

/** A customer's quotes that were made by that time. */
async function quotesOf(queries: Queries, customer: string, at: number) {
  const quotes: Awaited<ReturnType<Queries["quotesOfCustomer"]>> = [];
  for (;;) {
    const page = await queries.quotesOfCustomer(customer, quotes.at(-1)?.id ?? "", AT_ONCE);
    quotes.push(...page);
    if (page.length < AT_ONCE) return quotes.filter(({ created_at }) => created_at <= at);
    await setImmediate();
  }
}

/** Exports or erases a person's data in every table (contract §15). */
export function privacyVerbs(context: Context, settling: Settlements, act: Act) {
  const { store, clock, secret } = context;
  const { erase } = erasures(context, settling);

  async function exportOf(email: string) {
    const customer = customerOf(email);
    const all = { customer, at: clock(), ordersOnly: false };
    const { traces, emails } = await rowsOf(store.queries, all);
    await store.run(logExport, { ...act(), pseudonym: pseudonymOf(secret, customer) });
    const parts = [];
    for await (const some of steps(store.queries, traces)) {
      parts.push(await store.run(exportRows, { traces: some }));
    }
    return {
      emails: [...new Set([email, customer, ...emails])],
      ...joined(parts),
      /** Pages and payments of the emulated provider; with Stripe there are none. */
      sandbox_records: traces.sandbox.length,
    };
  }

  return {
    erase: adminVerb({ email: Email }, ({ email }) => erase(customerOf(email), act)),
    /** Orders of an email, newest first, and messages about them or from it. */
    show: adminVerb({ email: Email }, async ({ email }) => {
      const customer = customerOf(email);
      const all = { customer, at: clock(), ordersOnly: false };
      const { traces } = await rowsOf(store.queries, all);
      const [orders, messages] = await Promise.all([
        store.queries.ordersByIds(traces.orders),
        store.queries.feedbackByIds(traces.feedback),
      ]);
      return {
        orders: orders
          .sort((a, b) => oldestFirst(b, a))
          .map(({ id, number, created_at, amount_minor, status }) =>
            dated({ id, number, created_at, amount_minor, status }),
          ),
        messages: messages
          .sort(oldestFirst)
          .map(({ id, message, created_at }) => dated({ id, message, created_at })),
      };
    }),
    /** Everything that `erase` would cover. */
    export: adminVerb({ email: Email }, ({ email }) => exportOf(email)),
  };
}
