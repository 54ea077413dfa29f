import { and, asc, count, eq, lte, sql } from "drizzle-orm";
import type { Tables } from "../../domain/records.ts";
import { first, type QueryDatabase, type QueryTables } from "./database.ts";

export function waitlistQueries(db: QueryDatabase, t: QueryTables) {
  return {
    waitlistEntry: async (id: string) =>
      first(await db.select().from(t.waitlist).where(eq(t.waitlist.id, id)).limit(1)),
    /** How many wait before this entry: first come, first served (CONTRACT §7). */
    waitlistAhead: async (entry: Tables["waitlist"]) => {
      const ahead = sql`(${t.waitlist.created_at}, ${t.waitlist.id}) < (${entry.created_at}, ${entry.id})`;
      const rows = await db
        .select({ n: count() })
        .from(t.waitlist)
        .where(
          and(eq(t.waitlist.product_id, entry.product_id), eq(t.waitlist.status, "WAITING"), ahead),
        );
      return rows[0]?.n ?? 0;
    },
    expiredOffers: (now: number, limit: number) =>
      db
        .select()
        .from(t.waitlist)
        .where(and(eq(t.waitlist.status, "OFFERED"), lte(t.waitlist.offer_expires_at, now)))
        .limit(limit),
    stock: () => db.select().from(t.stock).orderBy(asc(t.stock.product_id)),
  };
}
