import { and, asc, count, desc, eq, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import type { AgentId } from "../../core/ids.ts";
import type { WaitlistRow } from "../../core/records.ts";
import { CONFIRMED, IN_QUEUE, WAITING } from "../indexes.ts";
import { before, behind, type Reads } from "./database.ts";

export function waitlistQueries({ db, t, rows, preparedRows, one, isAmong }: Reads) {
  const { id, agent_id, product_id, created_at, quantity, status, offer_expires_at } = t.waitlist;
  const stock = preparedRows("all", t.stock, { by: [asc(t.stock.product_id)] });
  const beans = preparedRows("all", t.beans, {
    by: [asc(t.beans.position), asc(t.beans.product_id)],
  });
  /** Offers of this bean that nobody is paying for, the soonest to expire first. */
  const offers = (productId: string, limit: number, over?: SQL) =>
    rows(t.waitlist, {
      where: and(
        eq(product_id, productId),
        eq(status, "OFFERED"),
        isNull(t.waitlist.attempt_id),
        over,
      ),
      by: [asc(offer_expires_at)],
      limit,
    });
  /** The plus keeps SQLite on the queue's index. With the index on quantities it would sort the queue. */
  const inTurn = (most: number) => sql`+${quantity} <= ${most}`;
  return {
    waitlistEntry: one(t.waitlist, id),
    /** Number of entries before this one: first come, first served (contract §7). */
    waitlistAhead: async (entry: WaitlistRow) => {
      const ahead = before([created_at, id], [entry.created_at, entry.id]);
      const found = await db
        .select({ n: count() })
        .from(t.waitlist)
        .where(and(eq(product_id, entry.product_id), WAITING, ahead));
      return Number(found[0]?.n ?? 0);
    },
    /** Confirmed entries that wait for at most `most` bags of a bean, the head first. */
    waitlistHeads: async (productId: string, most: number, limit: number) => {
      const found = await db
        .select({ id })
        .from(t.waitlist)
        .where(and(eq(product_id, productId), CONFIRMED, inTurn(most)))
        .orderBy(asc(created_at), asc(id))
        .limit(limit);
      return found.map((row) => row.id);
    },
    /** A customer's live places for a bean, the newest first. */
    placesOfCustomer: (customer: string, productId: string, limit: number) =>
      rows(t.waitlist, {
        where: and(eq(t.waitlist.customer, customer), eq(product_id, productId), IN_QUEUE),
        by: [desc(created_at)],
        limit,
      }),
    /** Entries that nobody has looked at since then. */
    waitlistUnvisited: async (productId: string, since: number, limit: number) => {
      const found = await db
        .select({ id })
        .from(t.waitlist)
        .where(
          and(
            eq(product_id, productId),
            WAITING,
            lte(created_at, since),
            or(isNull(t.waitlist.renewed_at), lte(t.waitlist.renewed_at, since)),
          ),
        )
        .limit(limit);
      return found.map((row) => row.id);
    },
    /** Length of a queue, time of its last entry, and a setting, all read at once. */
    queueStanding: async (productId: string, setting: string) => {
      const ofBean = sql`from ${t.waitlist} where ${product_id} = ${productId}`;
      const found = await db
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
      const { waiting, last, turns } = found[0] ?? { waiting: 0, last: 0, turns: null };
      return { waiting: Number(waiting), last: Number(last), turns };
    },
    /** Waiting and offered entries behind an entry, by bean and in turn. */
    waitlistInTurn: (after: WaitlistRow | undefined, limit: number) => {
      const place = [product_id, created_at, id];
      const next = after && behind(place, [after.product_id, after.created_at, after.id]);
      return rows(t.waitlist, {
        where: and(IN_QUEUE, next),
        by: place.map((one) => asc(one)),
        limit,
      });
    },
    waitlistWanted: async () => {
      const wanted = await db
        .select({ product_id, bags: sql<number>`sum(${quantity})` })
        .from(t.waitlist)
        .where(WAITING)
        .groupBy(product_id);
      return wanted.map((row) => ({ product_id: row.product_id, bags: Number(row.bags) }));
    },
    /** Beans with waiting or offered entries, which housekeeping visits. */
    queuedProducts: async () => {
      // One lookup per bean: reading all entries would take longer with every entry.
      const bean = t.stock.product_id;
      const queued = sql`exists (select 1 from ${t.waitlist} where ${product_id} = ${bean} and ${IN_QUEUE})`;
      const found = await db.select({ id: bean }).from(t.stock).where(queued);
      return found.map((row) => row.id).sort();
    },
    /** A customer's open offers of these beans. */
    offersToCustomer: (customer: string, productIds: string[]) =>
      rows(t.waitlist, {
        where: and(
          eq(t.waitlist.customer, customer),
          isAmong(product_id, productIds),
          eq(status, "OFFERED"),
        ),
      }),
    waitlistOfAgent: (agentId: AgentId) =>
      rows(t.waitlist, { where: and(eq(agent_id, agentId), IN_QUEUE) }),
    /** Offers that were not used in time. */
    offersOver: (productId: string, now: number, limit: number) =>
      offers(productId, limit, lte(offer_expires_at, now)),
    /** All beans, also those off sale, in the shop's order. */
    beans: () => beans({}),
    stock: () => stock({}),
    /** The same to show to whoever asks: SQLite reads it once for all who ask in one turn of the event loop. */
    shownStock: () => stock({}),
  };
}
