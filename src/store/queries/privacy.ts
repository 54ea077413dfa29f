import { type AnyColumn, and, asc, eq, gt, inArray, or, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Reads } from "./database.ts";

/** Where a person is found. Asked once in a while, so it may read whole tables. */
export function privacyQueries({ db, t, rows }: Reads) {
  async function idsOf(table: SQLiteTable & { id: SQLiteColumn }, where: SQL | undefined) {
    const rows = await db.select({ id: table.id }).from(table).where(where);
    return rows.map(({ id }) => id as string);
  }

  return {
    quotesOfCustomer: (customer: string, after: string, limit: number) =>
      db
        .select({ id: t.quotes.id, buyer_email: t.quotes.buyer_email })
        .from(t.quotes)
        .where(and(eq(t.quotes.customer, customer), gt(t.quotes.id, after)))
        .orderBy(asc(t.quotes.id))
        .limit(limit),
    ordersOfQuotes: (quoteIds: string[]) => idsOf(t.orders, inArray(t.orders.quote_id, quoteIds)),
    waitlistOfCustomer: (customer: string) =>
      rows(t.waitlist, { where: eq(t.waitlist.customer, customer) }),
    leadsNaming: (emails: string[]) =>
      idsOf(t.leads, naming([t.leads.email, t.leads.purpose, t.leads.organization], emails)),
    agentsNaming: (emails: string[]) =>
      idsOf(t.agents, naming([t.agents.contact_email, t.agents.name], emails)),
    /** What was written about these orders, or names one of these emails. */
    feedbackNaming: (emails: string[], orderIds: string[]) => {
      const { order_id, message } = t.feedback;
      return idsOf(t.feedback, or(inArray(order_id, orderIds), naming([message], emails)));
    },
    sandboxNaming: (emails: string[]) => idsOf(t.sandbox, naming([t.sandbox.body], emails)),
    removeCustomer: async (email: string): Promise<void> => {
      await db.delete(t.customers).where(eq(t.customers.email, email));
    },
  };
}

/** Text that has one of these emails in it, plainly or inside of JSON, in any case. */
const naming = (columns: readonly AnyColumn[], emails: readonly string[]): SQL | undefined =>
  or(
    ...columns.flatMap((column) =>
      emails
        .map((email) =>
          JSON.stringify(email)
            .slice(1, -1)
            .replace(/[\\%_]/g, "\\$&"),
        )
        .map((words) => sql`lower(${column}) like ${`%${words}%`} escape '\\'`),
    ),
  );
