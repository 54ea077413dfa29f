import { setImmediate } from "node:timers/promises";
import { nameForPeople } from "../catalog/catalog.ts";
import { bagCount } from "../core/bags.ts";
import { exact } from "../core/fields.ts";
import { DAY_MS } from "../core/policy.ts";
import type { RefundRow, ShipmentRow } from "../core/records.ts";
import { clockIn, dayIn, daysAfter } from "../core/time.ts";
import type { Context } from "../payments/provider.ts";
import type { Terms } from "../quotes/quote-answer.ts";
import { bagsByProduct } from "../quotes/quote-terms.ts";
import { csvLine, dollars } from "./csv.ts";
import { paidByShipment } from "./merchant-refund.ts";
import {
  daysOfMonth,
  lastDays,
  type MadeRefund,
  type Sale,
  type SoldOrder as Sold,
  saleOf,
  salesFigures,
} from "./sales.ts";
import { currentAddress } from "./standing.ts";

/** Orders read at once: with 50 shipments each, a page takes some milliseconds. */
const PAGE = 50;

/** Files for the bookkeeper (contract §15). */
export const EXPORTS = ["orders", "beans", "shipments", "states", "refunds"] as const;
export type ExportName = (typeof EXPORTS)[number];

/** An order with its day in the shop's time zone. */
type SoldOrder = Sold & { day: string };

/** A month as YYYY-MM. */
export const Month = exact("The month", 7, /^20\d\d-(0[1-9]|1[0-2])$/, "must be like 2026-03");

/** A calendar day in any time zone is within this of the same day in UTC; payments precede orders. */
const MARGIN_MS = 2 * DAY_MS;

/** Sales figures by day and bean, and the books as CSV, by the shop's calendar. Read-only. */
export function salesVerbs({ store, clock, timeZone, catalog }: Context) {
  const { queries } = store;
  // Loaded on demand, because it loads Node's calendars.
  const toDay = (ms: number) => dayIn(timeZone)(ms);

  /** Pages of a list by time, for the days from the first to the last. */
  async function* pagesOf<R extends { id: string }>(
    days: readonly string[] | null,
    timeOf: (row: R) => number,
    read: (after: { at: number; id: string }, limit: number) => Promise<R[]>,
  ): AsyncGenerator<R[]> {
    const ends = days && Date.parse(days.at(-1)!) + DAY_MS + MARGIN_MS;
    let after = { at: days ? Date.parse(days[0]!) - MARGIN_MS : 0, id: "" };
    for (;;) {
      const rows = await read(after, PAGE);
      yield rows;
      const last = rows.at(-1);
      if (!last || rows.length < PAGE || (ends !== null && timeOf(last) > ends)) return;
      // SQLite answers in the same turn of the event loop, so others get a turn between two pages.
      await setImmediate();
      after = { at: timeOf(last), id: last.id };
    }
  }

  /** Orders paid on these days, or all; oldest first, page by page. */
  async function* sold(days: readonly string[] | null): AsyncGenerator<SoldOrder[]> {
    const known = days && new Set(days);
    for await (const orders of pagesOf(days, (row) => row.created_at, queries.ordersAfter)) {
      const paid = orders.filter((order) => known?.has(toDay(order.paid_at)) ?? true);
      const quotes = await queries.quotesByIds(paid.map((order) => order.quote_id));
      const terms = new Map(quotes.map((quote) => [quote.id, JSON.parse(quote.terms) as Terms]));
      yield paid.map((order) => ({
        order,
        terms: terms.get(order.quote_id)!,
        day: toDay(order.paid_at),
      }));
    }
  }

  /** Refunds of orders made on these days, or all. */
  async function* refunded(days: readonly string[] | null): AsyncGenerator<SoldRefund[]> {
    const known = days && new Set(days);
    for await (const rows of pagesOf(days, (row) => row.done_at ?? 0, queries.refundsDoneAfter)) {
      const made = rows.flatMap((row) =>
        row.order_id !== null && row.done_at !== null && row.status === "DONE"
          ? { ...row, done_at: row.done_at, day: toDay(row.done_at) }
          : [],
      );
      const own = made.filter(({ day }) => known?.has(day) ?? true);
      const orders = await queries.ordersByIds([...new Set(own.map((row) => row.order_id!))]);
      const numbers = new Map(orders.map(({ id, number }) => [id, number]));
      yield own.map((row) => ({ ...row, number: numbers.get(row.order_id!) ?? null }));
    }
  }

  async function shipmentsOf(page: SoldOrder[]): Promise<SoldShipment[]> {
    const found = await queries.shipmentsOfOrders(page.map(({ order }) => order.id));
    const rows = Map.groupBy(found, (row) => row.order_id);
    return page.flatMap((one) =>
      (rows.get(one.order.id) ?? []).map((row) => soldShipment(row, one)),
    );
  }

  /** Sums by the state that each shipment goes to: an order may go to several. */
  async function* byState(days: readonly string[] | null): AsyncGenerator<SoldState[]> {
    const states = new Map<string, SoldState>();
    for await (const page of sold(days)) {
      for (const { address, bags, net_minor, shipping_minor } of await shipmentsOf(page)) {
        const state = address.region;
        const sums = states.get(state) ?? { ...NOTHING_SOLD, state };
        sums.shipments += 1;
        sums.bags += bags;
        sums.net_minor += net_minor;
        sums.shipping_minor += shipping_minor;
        states.set(state, sums);
      }
    }
    yield [...states.values()].sort((a, b) => (a.state < b.state ? -1 : 1));
  }

  const books: Record<ExportName, Book> = {
    orders: book(ORDER_COLUMNS, sold, (page) => page),
    beans: book(BEAN_COLUMNS, sold, (page) =>
      page.flatMap((one) =>
        saleOf(one).bags.map((bags) => ({ ...one, bags, name: nameForPeople(catalog, bags) })),
      ),
    ),
    shipments: book(SHIPMENT_COLUMNS, sold, shipmentsOf),
    states: book(STATE_COLUMNS, byState, (page) => page),
    refunds: book(REFUND_COLUMNS, refunded, (page) => page),
  };

  return {
    /** The last days including today, or a month (YYYY-MM). */
    async figures(period: number | string) {
      const days =
        typeof period === "number" ? lastDays(period, clock(), toDay) : daysOfMonth(period);
      const sales: Sale[] = [];
      const refunds: MadeRefund[] = [];
      for await (const page of sold(days)) sales.push(...page.map(saleOf));
      for await (const page of refunded(days)) refunds.push(...page);
      return { time_zone: timeZone, ...salesFigures({ sales, refunds }, days, toDay) };
    },

    /** The current month and those before it, newest first, back to the first order. */
    async months(): Promise<string[]> {
      const [first] = await queries.ordersAfter({ at: 0, id: "" }, 1);
      const months: string[] = [];
      let month = toDay(clock()).slice(0, 7);
      const oldest = first ? toDay(first.paid_at).slice(0, 7) : month;
      for (; month >= oldest; month = daysAfter(`${month}-01`, -1).slice(0, 7)) months.push(month);
      return months;
    },

    /** A CSV file in parts, heading first, then the rows of the month or all, oldest first. */
    csv(name: ExportName, month?: string): AsyncGenerator<string> {
      return books[name](month === undefined ? null : daysOfMonth(month), timeZone);
    },
  };
}

const bagsIn = (shipments: Terms["shipments"]): number => bagCount(bagsByProduct(shipments));

/** A `Date` is written by the shop's clock, as the column of days is. */
type Columns<R> = Record<string, (row: R) => string | number | Date | null>;

/** The columns that a bookkeeper needs come first; ids and states are for looking things up. */
const ORDER_COLUMNS: Columns<SoldOrder> = {
  date: ({ day }) => day,
  number: ({ order }) => order.number,
  net_sales_usd: ({ order, terms }) => dollars(order.amount_minor - terms.pricing.shipping_minor),
  shipping_usd: ({ terms }) => dollars(terms.pricing.shipping_minor),
  total_usd: ({ order }) => dollars(order.amount_minor),
  coffee_usd: ({ terms }) => dollars(terms.pricing.subtotal_minor),
  discount_usd: ({ terms }) => dollars(terms.pricing.courtesy?.amount_minor ?? 0),
  bags: ({ terms }) => bagsIn(terms.shipments),
  buyer_email: ({ order }) => order.buyer_email,
  method: ({ order }) => order.payment_method,
  mode: ({ order }) => order.payment_mode,
  payment: ({ order }) => order.payment_ref,
  order: ({ order }) => order.id,
  paid_at: ({ order }) => new Date(order.paid_at),
  states: ({ terms }) =>
    [...new Set(terms.shipments.map(({ address }) => address.region))].sort().join(" "),
  status: ({ order }) => order.status,
  payment_status: ({ order }) => order.payment_status,
};

type SoldBean = SoldOrder & { bags: Sale["bags"][number]; name: string };

const BEAN_COLUMNS: Columns<SoldBean> = {
  date: ({ day }) => day,
  number: ({ order }) => order.number,
  bean: ({ name }) => name,
  bags: ({ bags }) => bags.quantity,
  net_sales_usd: ({ bags }) => dollars(bags.coffee_minor - bags.courtesy_minor),
  coffee_usd: ({ bags }) => dollars(bags.coffee_minor),
  discount_usd: ({ bags }) => dollars(bags.courtesy_minor),
  product_id: ({ bags }) => bags.product_id,
  order: ({ order }) => order.id,
};

type SoldShipment = ReturnType<typeof soldShipment>;

function soldShipment(row: ShipmentRow, { order, day, terms }: SoldOrder) {
  const shipment = terms.shipments[row.position]!;
  const { shipping_minor } = shipment;
  return {
    row,
    day,
    number: order.number,
    address: currentAddress(row, shipment),
    bags: bagsIn([shipment]),
    /** Coffee less its share of the discount. */
    net_minor: paidByShipment(terms)[row.position]! - shipping_minor,
    shipping_minor,
  };
}

const SHIPMENT_COLUMNS: Columns<SoldShipment> = {
  date: ({ day }) => day,
  number: ({ number }) => number,
  name: ({ address }) => address.name,
  line1: ({ address }) => address.line1,
  line2: ({ address }) => address.line2 ?? null,
  city: ({ address }) => address.city,
  region: ({ address }) => address.region,
  postal_code: ({ address }) => address.postal_code,
  bags: ({ bags }) => bags,
  net_sales_usd: ({ net_minor }) => dollars(net_minor),
  shipping_usd: ({ shipping_minor }) => dollars(shipping_minor),
  carrier: ({ row }) => row.carrier,
  tracking_number: ({ row }) => row.tracking_number,
  shipped_at: ({ row }) => row.shipped_at && new Date(row.shipped_at),
  delivered_at: ({ row }) => row.delivered_at && new Date(row.delivered_at),
  status: ({ row }) => row.status,
  shipment: ({ row }) => row.id,
  order: ({ row }) => row.order_id,
};

const NOTHING_SOLD = { shipments: 0, bags: 0, net_minor: 0, shipping_minor: 0 };

type SoldState = typeof NOTHING_SOLD & { state: string };

const STATE_COLUMNS: Columns<SoldState> = {
  state: ({ state }) => state,
  shipments: ({ shipments }) => shipments,
  bags: ({ bags }) => bags,
  net_sales_usd: ({ net_minor }) => dollars(net_minor),
  shipping_usd: ({ shipping_minor }) => dollars(shipping_minor),
  total_usd: ({ net_minor, shipping_minor }) => dollars(net_minor + shipping_minor),
};

type SoldRefund = RefundRow & { done_at: number; day: string; number: number | null };

const REFUND_COLUMNS: Columns<SoldRefund> = {
  date: ({ day }) => day,
  number: (row) => row.number,
  amount_usd: (row) => dollars(row.amount_minor),
  reason: (row) => row.reason,
  refund: (row) => row.id,
  order: (row) => row.order_id,
  created_at: (row) => new Date(row.created_at),
  done_at: (row) => new Date(row.done_at),
};

type Book = (days: readonly string[] | null, timeZone: string) => AsyncGenerator<string>;

/** A CSV file: its heading, and the lines for each page of orders or refunds. */
function book<P, R>(
  columns: Columns<R>,
  pages: (days: readonly string[] | null) => AsyncGenerator<P[]>,
  rowsOf: (page: P[]) => readonly R[] | Promise<readonly R[]>,
): Book {
  const cells = Object.values(columns);
  return async function* (days, timeZone) {
    const toClock = clockIn(timeZone);
    const line = (row: R) =>
      csvLine(
        cells.map((cell) => {
          const value = cell(row);
          return value instanceof Date ? toClock(value) : value;
        }),
      );
    yield csvLine(Object.keys(columns));
    for await (const page of pages(days)) {
      const lines = (await rowsOf(page)).map(line).join("");
      if (lines !== "") yield lines;
    }
  };
}
