import { z } from "zod";
import { adminVerb, Id, Limit } from "../core/admin-verb.ts";
import { MerchantError } from "../core/errors.ts";
import { line } from "../core/fields.ts";
import { DAY_MS, HOUR_MS, iso, MOST_COUNTED, TIMES } from "../core/policy.ts";
import type { DeskTaskRow, OrderStatus, ShipmentStatus } from "../core/records.ts";
import { estimateIn, midnightIn } from "../core/time.ts";
import type { Context } from "../payments/provider.ts";
import type { Terms } from "../quotes/quote-answer.ts";
import { cancelRequestView } from "./cancel-request.ts";
import { MOST_EVENTS, orderParts } from "./found-orders.ts";
import { lateLetters } from "./late-letters.ts";
import { paidByShipment, refundableMinor, shipmentsRefundMinor } from "./merchant-refund.ts";
import { orderVersion } from "./order-steps.ts";
import type { orderVerbs } from "./order-verbs.ts";
import { eventView } from "./order-view.ts";
import { searchOrders } from "./search.ts";
import { currentAddress, inOrder, isSendable } from "./standing.ts";
import { stepsDone } from "./undo.ts";

/**
 * Filters of the order list. `followed`: a shipment left in the last days and has not arrived. Without news
 * for longer, an order is done.
 */
export const ORDER_VIEWS = {
  roast: { statuses: ["CONFIRMED"] },
  ship: { statuses: ["ROASTING", "PARTIALLY_SHIPPED"] },
  underway: { statuses: ["SHIPPED"], followed: true },
  done: { statuses: ["COMPLETED", "SHIPPED"], followed: false },
  canceled: { statuses: ["CANCELED"] },
} satisfies Record<string, View>;

interface View {
  statuses: readonly OrderStatus[];
  followed?: boolean;
}

export type OrderViewName = keyof typeof ORDER_VIEWS;

/** Lists of orders to work through, and the step that completes each. */
const WORKLISTS = {
  roast: { ...ORDER_VIEWS.roast, to: "ROASTING" },
  ship: { ...ORDER_VIEWS.ship, to: "SHIPPED" },
  deliver: { statuses: ["SHIPPED", "PARTIALLY_SHIPPED"], followed: true, to: "DELIVERED" },
} satisfies Record<string, View & { to: ShipmentStatus }>;

export type WorklistName = keyof typeof WORKLISTS;

const worklist = z.enum(Object.keys(WORKLISTS) as [WorklistName]);
const view = z.enum(Object.keys(ORDER_VIEWS) as [OrderViewName]).optional();

/** Most cancel requests and late orders shown at once. */
const MOST_SHOWN = 20;

/** Orders on one page of a worklist. */
const MOST_IN_TURN = 100;

/** The merchant's open work, and orders page by page. Read-only. */
export function adminViews(context: Context, orders: ReturnType<typeof orderVerbs>) {
  const { queries } = context.store;

  const wanted = ({ statuses, followed }: View) => {
    const since = context.clock() - TIMES.follow_ms;
    return { statuses, ...(followed !== undefined && { left: { since, any: followed } }) };
  };

  /**
   * Orders past their estimate with shipments that have not left, oldest first, until the merchant has
   * written to the buyer.
   */
  async function late() {
    const now = context.clock();
    const estimateOf = estimateIn(context, now);
    // No late order is younger than this: a day has at least 23 hours.
    const until = now - context.shop.delivery_days[1] * DAY_MS + HOUR_MS;
    const statuses = [...ORDER_VIEWS.roast.statuses, ...ORDER_VIEWS.ship.statuses];
    const old = await queries.ordersInTurn({ statuses }, MOST_COUNTED, until);
    const written = await lateLetters(
      context,
      old.map(({ id }) => id),
    );
    const rows = old.flatMap(({ id, number, status, buyer_email, created_at, payment_status }) => {
      const { delivery, daysPast: days_late } = estimateOf(created_at);
      const isLate = days_late > 0 && payment_status !== "REFUNDED" && !written.has(id);
      return isLate
        ? [{ id, number, status, buyer_email, latest: delivery.latest, days_late }]
        : [];
    });
    return { count: rows.length, rows: rows.slice(0, MOST_SHOWN) };
  }

  return {
    late: adminVerb({}, late),

    /** What waits behind the desk's links. */
    counts: adminVerb({}, async () => {
      const [roast, ship, deliver, ...tasks] = await Promise.all([
        queries.countToRoast(),
        queries.countOrders(wanted(ORDER_VIEWS.ship)),
        queries.countOrders(wanted(ORDER_VIEWS.underway)),
        ...(["FEEDBACK", "LEAD", "INCIDENT"] as const).map((kind) => queries.openTasks(kind, 1)),
      ]);
      const [feedback = 0, leads = 0, incidents = 0] = tasks.map(({ count }) => count);
      return { roast, ship, deliver, messages: feedback + leads, incidents };
    }),

    /** Open orders by their next step, and cancel requests to decide. */
    waiting: adminVerb({}, async () => {
      const [roast, ship, underway, today, { count: asking, requests }, newest, overdue] =
        await Promise.all([
          queries.countToRoast(),
          queries.countOrders(wanted(ORDER_VIEWS.ship)),
          queries.countOrders(wanted(ORDER_VIEWS.underway)),
          queries.soldSince(midnightIn(context.timeZone, context.clock())),
          queries.undecidedRequests(MOST_SHOWN),
          queries.ordersBehind({ limit: 1 }),
          late(),
        ]);
      const asked = await queries.ordersByIds(requests.map(({ order_id }) => order_id));
      return {
        /** Whether there is any order. */
        any: newest.length > 0,
        roast,
        ship,
        underway,
        /** Orders since midnight. */
        today,
        late: overdue,
        /** Number of undecided cancel requests, and the oldest of them. */
        asking,
        requests: requests.map((row) => ({
          ...cancelRequestView(row),
          message: row.message,
          number: asked.find(({ id }) => id === row.order_id)?.number,
        })),
      };
    }),

    /**
     * Newest first, after the order `before`. Orders are sorted by time and id, so that a page's edge skips
     * or repeats none.
     */
    page: adminVerb(
      { view, before: Id.optional(), limit: Limit },
      async ({ view, before, limit }) => {
        const edge = before === undefined ? undefined : await queries.order(before);
        if (before !== undefined && !edge) {
          throw new MerchantError("NOT_FOUND", "There is no such page. Start from the first one.");
        }
        const rows = await queries.ordersBehind({
          ...(view !== undefined && wanted(ORDER_VIEWS[view])),
          before: edge && { at: edge.created_at, id: edge.id },
          limit: limit + 1,
        });
        const shown = rows.slice(0, limit);
        return {
          orders: await orders.viewsForPeople(shown),
          /** The last order shown, if there are more. */
          next_before: rows.length > limit ? shown.at(-1)!.id : null,
        };
      },
    ),

    /** The oldest orders of a worklist. */
    inTurn: adminVerb({ view: worklist }, async ({ view }) => {
      const rows = await queries.ordersInTurn(wanted(WORKLISTS[view]), MOST_IN_TURN + 1);
      return {
        orders: await orders.viewsForPeople(rows.slice(0, MOST_IN_TURN)),
        /** Whether there are more. */
        more: rows.length > MOST_IN_TURN,
      };
    }),

    /** The order with this id or with this shipment, or undefined. */
    orderOf: adminVerb({ id: Id }, async ({ id }) => {
      const order_id = (await queries.shipment(id))?.order_id ?? id;
      const order = await queries.order(order_id);
      if (!order) return undefined;
      const refunds = await queries.refundsOfOrders([order_id]);
      return { order_id, number: order.number, version: orderVersion(order, refunds) };
    }),

    /** Steps that can be undone, each with its shipments (roasting has all of its order) and its order's version. */
    justDone: adminVerb({ view: worklist }, async ({ view }) => {
      const steps = await stepsDone(context, WORKLISTS[view].to);
      const acts = Map.groupBy(steps, (s) => (view === "roast" ? s.order_id : s.shipment_id));
      const ids = [...new Set(steps.map(({ order_id }) => order_id))];
      const found = await orders.viewsForPeople(await queries.ordersByIds(ids));
      return [...acts.values()].map((together) => {
        const [step] = together;
        const { version, shipments } = found.find(({ id }) => id === step!.order_id)!;
        const own = shipments.filter(({ id }) => together.some((one) => one.shipment_id === id));
        return { ...step!, version, shipments: own };
      });
    }),

    /** By number, id, page's address, email, name, street, city or tracking number; newest first. */
    search: adminVerb({ words: line("What you look for", 100) }, async ({ words }) =>
      orders.viewsForPeople(await searchOrders(context.store, words)),
    ),

    /** How an order was made without an agent's quote; null for others, and if its checkout is unknown. */
    origin: adminVerb({ order_id: Id }, async ({ order_id }) => {
      const order = await queries.order(order_id);
      const found = order && (await queries.quote(order.quote_id));
      const checkout = found?.quote.cart && (await queries.checkoutOfPage(found.quote.cart));
      if (!checkout) return null;
      const { via, agent_id } = checkout;
      const agent = agent_id === null ? undefined : await queries.agent(agent_id);
      return { via, agent_name: agent?.name ?? null };
    }),

    events: adminVerb({ order_id: Id }, async ({ order_id }) => {
      const rows = await queries.events(order_id, 0, MOST_EVENTS);
      return rows.map((row) => eventView(row));
    }),
  };
}

/** Failed and returned shipments, each with the amount of its refund. */
export async function stoppedShipments(store: Context["store"], tasks: readonly DeskTaskRow[]) {
  const { queries } = store;
  const shipments = await Promise.all(tasks.map(({ subject }) => queries.shipment(subject)));
  const orders = await queries.ordersByIds([...new Set(shipments.map((row) => row!.order_id))]);
  const [parts, quotes] = await Promise.all([
    orderParts(store, orders),
    queries.quotesByIds(orders.map(({ quote_id }) => quote_id)),
  ]);
  return tasks.map(({ id, created_at }, i) => {
    const shipment = shipments[i]!;
    const all = parts.find(({ order }) => order.id === shipment.order_id)!;
    const { order } = all;
    const terms = JSON.parse(quotes.find((one) => one.id === order.quote_id)!.terms) as Terms;
    const left = refundableMinor(order, all);
    return {
      id,
      since: iso(created_at),
      order_id: order.id,
      number: order.number,
      shipment_id: shipment.id,
      sendable: isSendable(shipment, order),
      address: currentAddress(shipment, terms.shipments[shipment.position]!),
      refund_minor: shipmentsRefundMinor([shipment], inOrder(all.shipments), {
        paid: paidByShipment(terms),
        left,
      }),
      /** The version of its order. */
      version: orderVersion(order, all.refunds),
    };
  });
}
