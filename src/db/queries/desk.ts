import {
  type AnyColumn,
  and,
  asc,
  desc,
  eq,
  gte,
  isNull,
  lt,
  notInArray,
  or,
  type Placeholder,
  type SQL,
  sql,
} from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { trackingKey } from "../../core/fields.ts";
import type { OrderId } from "../../core/ids.ts";
import { sum } from "../../core/money.ts";
import {
  type DeskTaskRow,
  type OrderRow,
  type OrderStatus,
  oldestFirst,
} from "../../core/records.ts";
import { OPEN } from "../indexes.ts";
import { anywhere, behind, type ListCursor, type Reads } from "./database.ts";

const newestFirst = (a: OrderRow, b: OrderRow): number => oldestFirst(b, a);

const PAGE = 500;

/** Letters outside a-z, whose case SQLite cannot change. */
const CASED = /(?![a-z])\p{LC}/gu;
/** Letters that often have an accent, and the apostrophe. With more of them any word would match. */
const ACCENTED = /[aceilnosuyz']/g;

interface OrdersWanted {
  statuses: readonly OrderStatus[];
  /** Only orders with any shipment that left since then and has not arrived, or only those without. */
  left?: { since: number; any: boolean } | undefined;
}

/** Lists for the merchant (contract §15), newest first. */
export function deskQueries({ db, t, rows, one, among, isAmong, due, newest, counted }: Reads) {
  const { id, quote_id, buyer_email, created_at, status } = t.orders;
  const { address, tracking_number, tracking_key, order_id } = t.shipments;

  const list =
    <T extends SQLiteTable & { id: SQLiteColumn }>(table: T, at: AnyColumn) =>
    (edge?: ListCursor, limit = PAGE) =>
      newest(table, [at, table.id], { edge, limit });

  /** Orders of one status, without those that `wanted` leaves out. */
  const isWanted = ({ left }: OrdersWanted, one: OrderStatus): SQL | undefined => {
    if (!left) return eq(status, one);
    const isMoving = and(
      gte(t.shipments.shipped_at, left.since),
      notInArray(t.shipments.status, ["DELIVERED", "RETURNED", "CANCELED"]),
    );
    const any = sql`exists (select 1 from ${t.shipments} where ${order_id} = ${id} and ${isMoving})`;
    return and(eq(status, one), left.any ? any : sql`not ${any}`);
  };

  return {
    ordersBehind: async (
      wanted: Partial<OrdersWanted> & { before?: ListCursor | undefined; limit: number },
    ) => {
      const { statuses, left, before: edge, limit } = wanted;
      const page = (where?: SQL) => newest(t.orders, [created_at, id], { edge, limit, where });
      if (!statuses) return page();
      // One query per status follows the index. One query for all would sort the whole table.
      const pages = await Promise.all(
        statuses.map((one) => page(isWanted({ statuses, left }, one))),
      );
      return pages.flat().sort(newestFirst).slice(0, limit);
    },
    /** Oldest first, the order of roasting and shipping. `until`: only orders created before it. */
    ordersInTurn: async (wanted: OrdersWanted, limit: number, until?: number) => {
      const by = [asc(created_at), asc(id)];
      const older = until === undefined ? undefined : lt(created_at, until);
      const pages = await Promise.all(
        wanted.statuses.map((one) =>
          rows(t.orders, { where: and(isWanted(wanted, one), older), by, limit }),
        ),
      );
      return pages.flat().sort(oldestFirst).slice(0, limit);
    },
    /** Ids of the newest orders. */
    newestOrders: async (limit: number) => {
      const by = [desc(created_at), desc(id)];
      const found = await db
        .select({ id })
        .from(t.orders)
        .orderBy(...by)
        .limit(limit);
      return found.map((row) => row.id);
    },
    /**
     * Orders among `ids` whose email, terms, changed address or tracking number contains these words.
     * Scans each of them. May find too many: with `accented`, letters that often have an accent match any
     * letter.
     */
    ordersLike: (words: string, ids: readonly string[], accented: boolean) => {
      const pattern = anywhere(words).replace(CASED, "_");
      const like = accented ? pattern.replace(ACCENTED, "_") : pattern;
      const has = (column: AnyColumn) => sql`lower(${column}) like ${like} escape '\\'`;
      const { terms } = t.quotes;
      const ofShipment = or(...[address, tracking_number, tracking_key].map(has));
      const shipped = sql`exists (select 1 from ${t.shipments} where ${order_id} = ${id} and (${ofShipment}))`;
      return db
        .select({ id, email: buyer_email, terms })
        .from(t.orders)
        .innerJoin(t.quotes, eq(t.quotes.id, quote_id))
        .where(and(isAmong(id, ids), or(has(buyer_email), has(terms), shipped)));
    },
    /** Ids of orders with exactly this email or tracking number, by their indexes. */
    ordersOf: async (words: string, limit: number) => {
      const email = eq(buyer_email, words.toLowerCase());
      const [bought, tracked] = await Promise.all([
        rows(t.orders, { where: email, by: [desc(created_at)], limit }),
        rows(t.shipments, { where: eq(tracking_key, trackingKey(words)), limit }),
      ]);
      return [
        ...new Set([...bought.map(({ id }) => id), ...tracked.map(({ order_id }) => order_id)]),
      ];
    },
    /** Number of orders with one of these statuses, up to MOST_COUNTED of each. */
    countOrders: async (wanted: OrdersWanted) => {
      const found = (one: OrderStatus) =>
        db.select({ id }).from(t.orders).where(isWanted(wanted, one));
      return sum(await Promise.all(wanted.statuses.map((one) => counted(found(one)))));
    },
    /** Number of orders to roast. Disputed and refunded ones wait for a decision. */
    countToRoast: () => {
      const isWaiting = and(eq(status, "CONFIRMED"), eq(t.orders.payment_status, "PAID"));
      return counted(db.select({ id }).from(t.orders).where(isWaiting));
    },
    /** Number of orders since a time, and the amount paid for them. */
    soldSince: async (since: number) => {
      const { created_at, amount_minor } = t.orders;
      const totals = { orders: sql`count(*)`, paid: sql`coalesce(sum(${amount_minor}), 0)` };
      const [found] = await db.select(totals).from(t.orders).where(gte(created_at, since));
      return { orders: Number(found?.orders), paid_minor: Number(found?.paid) };
    },
    /** Number of open requests, and the longest waiting ones. */
    undecidedRequests: async (limit: number) => {
      const { id, status, created_at } = t.cancel_requests;
      const where = eq(status, "REQUESTED");
      return {
        count: await counted(db.select({ id }).from(t.cancel_requests).where(where)),
        requests: await rows(t.cancel_requests, { where, by: [asc(created_at)], limit }),
      };
    },
    allAgents: list(t.agents, t.agents.created_at),
    allWaitlist: list(t.waitlist, t.waitlist.created_at),
    allCancelRequests: list(t.cancel_requests, t.cancel_requests.created_at),
    allFeedback: list(t.feedback, t.feedback.created_at),
    allLeads: list(t.leads, t.leads.created_at),
    allIncidents: list(t.incidents, t.incidents.created_at),
    letter: one(t.outbox, t.outbox.id),
    lettersByIds: among(t.outbox, t.outbox.id),
    letters: list(t.outbox, t.outbox.created_at),
    allAudit: list(t.audit, t.audit.at),
    audit: one(t.audit, t.audit.id),
    feedback: one(t.feedback, t.feedback.id),
    lead: one(t.leads, t.leads.id),
    incident: one(t.incidents, t.incidents.id),
    dueLetters: due(t.outbox, t.outbox.try_at),
    sandboxObject: one(t.sandbox, t.sandbox.id),
    /** One page, by the index on kind and time. */
    sandboxObjects: (
      kind: string,
      page: {
        since?: number;
        after?: { id: string; created_at: number } | undefined;
        limit: number;
      },
    ) => {
      const { since = 0, after, limit } = page;
      const { kind: ofKind, created_at: at, id: key } = t.sandbox;
      const edge = after && behind([at, key], [after.created_at, after.id]);
      const where = and(eq(ofKind, kind), gte(at, since), edge);
      return rows(t.sandbox, { where, by: [asc(at), asc(key)], limit });
    },
  };
}

/** Open tasks at the desk, oldest first (contract §15). */
export function taskQueries({ db, t, rows, preparedRows, among, counted }: Reads) {
  const { created_at, handled_at, id, kind, subject } = t.desk_tasks;
  const open = (of: DeskTaskRow["kind"] | Placeholder) => and(eq(kind, of), isNull(handled_at));
  const oldestFirst = [asc(created_at), asc(id)];
  const tasks = preparedRows("open", t.desk_tasks, {
    where: open(sql.placeholder("kind")),
    by: oldestFirst,
    limit: sql.placeholder("limit"),
  });
  const notes = preparedRows("of_order", t.order_notes, {
    where: eq(t.order_notes.order_id, sql.placeholder("orderId")),
    by: [asc(t.order_notes.created_at), asc(t.order_notes.id)],
  });
  return {
    /** Number of open tasks, and the oldest ones. */
    openTasks: async (kind: DeskTaskRow["kind"], limit: number) => ({
      count: await counted(db.select({ id }).from(t.desk_tasks).where(open(kind))),
      tasks: await tasks({ kind, limit }),
    }),
    tasksByIds: among(t.desk_tasks, id),
    tasksAbout: among(t.desk_tasks, subject, created_at, id),
    /** The same for canceled orders that are not fully refunded. */
    refundTasks: async (limit: number) => {
      const { refunded_minor, amount_minor } = t.orders;
      const isUnrefunded = and(eq(t.orders.id, subject), lt(refunded_minor, amount_minor));
      const ids = db.select({ id }).from(t.desk_tasks).innerJoin(t.orders, isUnrefunded);
      const found = db
        .select({ task: t.desk_tasks, order: t.orders })
        .from(t.desk_tasks)
        .innerJoin(t.orders, isUnrefunded)
        .where(open("REFUND"))
        .orderBy(...oldestFirst)
        .limit(limit);
      return { count: await counted(ids.where(open("REFUND"))), found: await found };
    },
    /** The next deadline first; disputes without a deadline last on both engines. */
    openDisputes: (limit: number) =>
      rows(t.disputes, {
        where: OPEN,
        by: [sql`${t.disputes.due_by} is null`, asc(t.disputes.due_by), asc(t.disputes.id)],
        limit,
      }),
    incidentsByIds: among(t.incidents, t.incidents.id),
    feedbackByIds: among(t.feedback, t.feedback.id),
    feedbackOfOrders: among(t.feedback, t.feedback.order_id, t.feedback.created_at, t.feedback.id),
    leadsByIds: among(t.leads, t.leads.id),
    notesOfOrder: (orderId: OrderId) => notes({ orderId }),
  };
}
