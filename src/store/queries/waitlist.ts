import { and, asc, count, eq, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import type { Tables } from "../../domain/shared/records.ts";
import { first, type QueryDatabase, type QueryTables } from "./database.ts";

/** In the words of their indexes, so that those are used. */
const IN_QUEUE = sql`status in ('WAITING', 'OFFERED')`;
const WAITING = sql`status = 'WAITING'`;

export function waitlistQueries(db: QueryDatabase, t: QueryTables) {
  return {
    waitlistEntry: async (id: string) =>
      first(await db.select().from(t.waitlist).where(eq(t.waitlist.id, id)).limit(1)),
    /** How many wait before this entry: first come, first served (contract §7). */
    waitlistAhead: async (entry: Tables["waitlist"]) => {
      const { created_at, id } = t.waitlist;
      const ahead = sql`(${created_at}, ${id}) < (${entry.created_at}, ${entry.id})`;
      const rows = await db
        .select({ n: count() })
        .from(t.waitlist)
        .where(
          and(eq(t.waitlist.product_id, entry.product_id), eq(t.waitlist.status, "WAITING"), ahead),
        );
      return rows[0]?.n ?? 0;
    },
    /** Who waits and who was offered, bean by bean and in turn, behind an entry. */
    waitlistInTurn: (after: Tables["waitlist"] | undefined, limit: number) => {
      const { product_id, created_at, id } = t.waitlist;
      const behind =
        after &&
        sql`(${product_id}, ${created_at}, ${id}) > (${after.product_id}, ${after.created_at}, ${after.id})`;
      return db
        .select()
        .from(t.waitlist)
        .where(and(IN_QUEUE, behind))
        .orderBy(asc(product_id), asc(created_at), asc(id))
        .limit(limit);
    },
    /** Bags that are waited for, by bean. */
    waitlistWanted: async () => {
      const { product_id, quantity } = t.waitlist;
      const rows = await db
        .select({ product_id, bags: sql<number>`sum(${quantity})` })
        .from(t.waitlist)
        .where(WAITING)
        .groupBy(product_id);
      return rows.map((row) => ({ product_id: row.product_id, bags: Number(row.bags) }));
    },
    /** Beans that somebody waits for or was offered: where housekeeping may find something to do. */
    queuedProducts: async () => {
      const rows = await db
        .selectDistinct({ product_id: t.waitlist.product_id })
        .from(t.waitlist)
        .where(inArray(t.waitlist.status, ["WAITING", "OFFERED"]));
      return rows.map((row) => row.product_id).sort();
    },
    /** What an agent still has in the queues. */
    waitlistOfAgent: (agentId: string) =>
      db
        .select()
        .from(t.waitlist)
        .where(
          and(eq(t.waitlist.agent_id, agentId), inArray(t.waitlist.status, ["WAITING", "OFFERED"])),
        ),
    /** Offers of this bean that are not being paid for, those that end first first. */
    offersHolding: (productId: string, limit: number) =>
      db
        .select()
        .from(t.waitlist)
        .where(
          and(
            eq(t.waitlist.product_id, productId),
            eq(t.waitlist.status, "OFFERED"),
            isNotNull(t.waitlist.offer_expires_at),
            isNull(t.waitlist.attempt_id),
          ),
        )
        .orderBy(asc(t.waitlist.offer_expires_at))
        .limit(limit),
    stock: () => db.select().from(t.stock).orderBy(asc(t.stock.product_id)),
  };
}
