import { and, desc, eq, gt, sql } from "drizzle-orm";
import type { Intent } from "../../core/command.ts";
import type { QuoteRow, QuoteStateRow } from "../../core/records.ts";
import { prepared, type Reads } from "./database.ts";

/** A quote with its state. */
export interface StoredQuote {
  quote: QuoteRow;
  state: QuoteStateRow;
  /** The key that made it has been revoked. */
  revoked: boolean;
}

const QUOTES_OF_PAGES = 20;

export function quoteQueries({ db, t, one, among, isAmong }: Reads) {
  /** Reads a quote with its state, and whether its key was revoked. */
  const found = prepared("quote", () =>
    db
      .select({ quote: t.quotes, state: t.quote_states, revoked_at: t.agents.revoked_at })
      .from(t.quotes)
      .innerJoin(t.quote_states, eq(t.quote_states.quote_id, t.quotes.id))
      .leftJoin(t.agents, eq(t.agents.id, t.quotes.agent_id))
      .where(eq(t.quotes.id, sql.placeholder("id")))
      .limit(1),
  );
  return {
    async quote(id: string): Promise<StoredQuote | undefined> {
      const [row] = await found({ id });
      return row && { quote: row.quote, state: row.state, revoked: row.revoked_at !== null };
    },
    checkout: one(t.checkouts, t.checkouts.id),
    checkoutByName: one(t.checkouts, t.checkouts.name),
    checkoutOfPage: one(t.checkouts, t.checkouts.page),
    /** Whether the quote's agent has given its buyer the link of a later quote. A mere price has none. */
    hasNewerQuote: async ({ agent_id, customer, expires_at }: QuoteRow, now: number) => {
      if (agent_id === null) return false;
      const newer = await db
        .select({ id: t.quotes.id })
        .from(t.quotes)
        .innerJoin(t.quote_states, eq(t.quote_states.quote_id, t.quotes.id))
        .where(
          and(
            gt(t.quotes.expires_at, Math.max(expires_at, now)),
            eq(t.quotes.agent_id, agent_id),
            eq(t.quotes.customer, customer),
            eq(t.quote_states.status, "CHECKOUT_READY"),
          ),
        )
        .limit(1);
      return newer.length > 0;
    },
    quotesByIds: among(t.quotes, t.quotes.id),
    /**
     * Quotes of these purchases: paid ones first, then settling ones, then the newest. A few are enough, for
     * strangers can make any number.
     */
    quotesOfCarts: (carts: readonly string[]) =>
      db
        .select({ quote: t.quotes, state: t.quote_states })
        .from(t.quotes)
        .innerJoin(t.quote_states, eq(t.quote_states.quote_id, t.quotes.id))
        .where(isAmong(t.quotes.cart, carts))
        .orderBy(
          sql`${t.quote_states.order_id} is null`,
          sql`${t.quote_states.status} <> 'PROCESSING'`,
          desc(t.quotes.created_at),
          desc(t.quotes.id),
        )
        .limit(QUOTES_OF_PAGES),
  };
}

export function agentQueries({ t, preparedRows, one }: Reads) {
  const { scope, key_hash } = t.idempotency;
  const answered = preparedRows("answered", t.idempotency, {
    where: and(eq(scope, sql.placeholder("scope")), eq(key_hash, sql.placeholder("keyHash"))),
    limit: 1,
  });
  const setting = one(t.settings, t.settings.name);
  return {
    agentByKeyHash: one(t.agents, t.agents.key_hash),
    agent: one(t.agents, t.agents.id),
    customer: one(t.customers, t.customers.email),
    setting: async (name: string) => (await setting(name))?.value,
    /** Whether this intent has its response already, so that a repeat makes nothing new. */
    isRetry: async ({ scope, keyHash, guessable }: Intent, now: number): Promise<boolean> =>
      !guessable && ((await answered({ scope, keyHash }))[0]?.expires_at ?? 0) > now,
  };
}
