import { type AnyColumn, and, asc, eq, gt, inArray, like, or, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { wholeEmails } from "../../core/email.ts";
import { anywhere, type Reads } from "./database.ts";

type TableWithId = SQLiteTable & { id: SQLiteColumn };

/** Forms of a mailbox that one statement looks for; strangers can make any number, SQL has its bounds. */
const FORMS_AT_ONCE = 100;

/** Where a person is found. Asked once in a while, so it may read whole tables. */
export function privacyQueries({ db, t, rows }: Reads) {
  async function idsOf(table: TableWithId, where: SQL | undefined): Promise<string[]> {
    const rows = await db.select({ id: table.id }).from(table).where(where);
    return rows.map(({ id }) => id as string);
  }

  /** Ids of rows whose text contains one of these emails as a whole, in any case, plain or in JSON. */
  async function naming(table: TableWithId, columns: readonly AnyColumn[], emails: string[]) {
    const found = new Set<string>();
    const whole = wholeEmails(emails);
    const text = sql<string>`concat_ws('"', ${sql.join([...columns], sql`, `)})`;
    for (let i = 0; i < emails.length; i += FORMS_AT_ONCE) {
      const forms = emails.slice(i, i + FORMS_AT_ONCE).map(anywhere);
      const has = columns.flatMap((column) =>
        forms.map((form) => sql`lower(${column}) like ${form} escape '\\'`),
      );
      const rows = await db
        .select({ id: table.id, text })
        .from(table)
        .where(or(...has));
      for (const row of rows) if (row.text.search(whole) >= 0) found.add(row.id as string);
    }
    return [...found];
  }

  return {
    quotesOfCustomer: (customer: string, after: string, limit: number) =>
      db
        .select({ id: t.quotes.id, buyer_email: t.quotes.buyer_email, cart: t.quotes.cart })
        .from(t.quotes)
        .where(and(eq(t.quotes.customer, customer), gt(t.quotes.id, after)))
        .orderBy(asc(t.quotes.id))
        .limit(limit),
    ordersOfQuotes: (quoteIds: string[]) => idsOf(t.orders, inArray(t.orders.quote_id, quoteIds)),
    waitlistOfCustomer: (customer: string) =>
      rows(t.waitlist, { where: eq(t.waitlist.customer, customer) }),
    /** Every session whose cart carries a gift note. */
    sessionsWithNotes: () =>
      db
        .select({ id: t.ucp_sessions.id, from_cart: t.ucp_sessions.from_cart })
        .from(t.ucp_sessions)
        .where(like(t.ucp_sessions.cart, '%"gift_note"%')),
    /** What names one of these emails, and what was written about these orders. */
    rowsNaming: async (emails: string[], orderIds: string[]) => {
      const { email, purpose, quantity, organization } = t.leads;
      const about = await idsOf(t.feedback, inArray(t.feedback.order_id, orderIds));
      return {
        leads: await naming(t.leads, [email, purpose, quantity, organization], emails),
        feedback: [
          ...new Set([...(await naming(t.feedback, [t.feedback.message], emails)), ...about]),
        ],
        agents: await naming(t.agents, [t.agents.contact_email, t.agents.name], emails),
        sandbox: await naming(t.sandbox, [t.sandbox.body], emails),
        ucp_sessions: await naming(t.ucp_sessions, [t.ucp_sessions.cart], emails),
      };
    },
    removeCustomer: async (email: string): Promise<void> => {
      await db.delete(t.customers).where(eq(t.customers.email, email));
    },
  };
}
