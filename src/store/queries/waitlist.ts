import { and, asc, count, eq, inArray, isNotNull, isNull, lte, sql } from "drizzle-orm";
import type { Tables } from "../../domain/shared/records.ts";
import { first, prepared, type QueryDatabase, type QueryTables } from "./database.ts";

/** In the words of their indexes, so that those are used. */
const IN_QUEUE = sql`status in ('WAITING', 'OFFERED')`;
const WAITING = sql`status = 'WAITING'`;

export function waitlistQueries(db: QueryDatabase, t: QueryTables) {
  const stock = prepared("stock", db.select().from(t.stock).orderBy(asc(t.stock.product_id)));
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
    /** The ids of those who wait for a bean, the head first. */
    waitlistHeads: async (productId: string, limit: number) => {
      const { id, product_id, created_at } = t.waitlist;
      const rows = await db
        .select({ id })
        .from(t.waitlist)
        .where(and(eq(product_id, productId), WAITING))
        .orderBy(asc(created_at), asc(id))
        .limit(limit);
      return rows.map((row) => row.id);
    },
    /** How long a queue is, who joined last, and what its setting says, all at one moment. */
    queueStanding: async (productId: string, setting: string) => {
      const { product_id, created_at } = t.waitlist;
      const ofBean = sql`from ${t.waitlist} where ${product_id} = ${productId}`;
      const rows = await db
        .select({
          waiting: sql<number>`(select count(*) ${ofBean} and ${WAITING})`,
          last: sql<number>`coalesce((select max(${created_at}) ${ofBean} and ${IN_QUEUE}), 0)`,
          turns: sql<
            string | null
          >`(select ${t.settings.value} from ${t.settings} where ${t.settings.name} = ${setting})`,
        })
        .from(t.stock)
        .where(eq(t.stock.product_id, productId))
        .limit(1);
      const { waiting, last, turns } = rows[0] ?? { waiting: 0, last: 0, turns: null };
      return { waiting: Number(waiting), last: Number(last), turns };
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
      // Bean by bean: reading all entries for their beans takes as long as the queues are.
      const { product_id } = t.stock;
      const queued = sql`exists (select 1 from ${t.waitlist} where ${t.waitlist.product_id} = ${product_id} and ${IN_QUEUE})`;
      const rows = await db.select({ product_id }).from(t.stock).where(queued);
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
    /** Offers that were not used in time, and that are not being paid for. */
    offersOver: (productId: string, now: number, limit: number) =>
      db
        .select()
        .from(t.waitlist)
        .where(
          and(
            eq(t.waitlist.product_id, productId),
            eq(t.waitlist.status, "OFFERED"),
            lte(t.waitlist.offer_expires_at, now),
            isNull(t.waitlist.attempt_id),
          ),
        )
        .limit(limit),
    /** Every bean there ever was, in the shop's order. */
    beans: () => db.select().from(t.beans).orderBy(asc(t.beans.position), asc(t.beans.product_id)),
    /** Asked for with every look at the catalog. */
    stock: () => stock({}),
  };
}
