import { setImmediate } from "node:timers/promises";
import { nameForPeople } from "../catalog/catalog.ts";
import type { Address } from "../core/address.ts";
import { bagCount } from "../core/bags.ts";
import { exact } from "../core/fields.ts";
import { sum } from "../core/money.ts";
import { DAY_MS } from "../core/policy.ts";
import type { LedgerRow, OrderRow, RefundRow, ShipmentRow } from "../core/records.ts";
import { clockIn, dayIn, daysAfter } from "../core/time.ts";
import type { Context } from "../payments/provider.ts";
import type { Terms } from "../quotes/quote-answer.ts";
import { bagsByProduct } from "../quotes/quote-terms.ts";
import { csvLine, dollars } from "./csv.ts";
import { paidByShipment } from "./merchant-refund.ts";
import {
  daysOfMonth,
  lastDays,
  refundedByShipment,
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
      yield await withTerms(paid);
    }
  }

  /** Money that went back on these days, or ever; oldest first, page by page. */
  async function* returned(days: readonly string[] | null): AsyncGenerator<LedgerRow[]> {
    const known = days && new Set(days);
    for await (const lines of pagesOf(days, (line) => line.at, queries.ledgerAfter)) {
      yield lines.filter(({ at }) => known?.has(toDay(at)) ?? true);
    }
  }

  /** These orders with the whole ledger of each, split over its shipments. */
  async function withLedger<O extends Sold>(orders: readonly O[]) {
    const ids = orders.map(({ order }) => order.id);
    const [shipments, lines] = await Promise.all([
      queries.shipmentsOfOrders(ids),
      queries.ledgerOfOrders(ids),
    ]);
    const refunds = await queries.refundsOfOrders([...new Set(lines.map((line) => line.order_id))]);
    const byOrder = {
      shipments: Map.groupBy(shipments, (row) => row.order_id),
      lines: Map.groupBy(lines, (line) => line.order_id),
    };
    const reasons = new Map<string, RefundRow>(refunds.map((row) => [row.id, row]));
    return orders.map((one) => {
      const rows = byOrder.shipments.get(one.order.id) ?? [];
      const own = byOrder.lines.get(one.order.id) ?? [];
      const paid = paidByShipment(one.terms);
      const shares = refundedByShipment(own, paid, (cause) => {
        const named = reasons.get(cause)?.shipment_ids ?? null;
        const ids: string[] | null = named && JSON.parse(named);
        return ids && new Set(rows.filter(({ id }) => ids.includes(id)).map((row) => row.position));
      });
      const split = own.map((line, i) => ({
        line,
        refund: reasons.get(line.cause),
        shares: shares[i]!,
      }));
      return { ...one, rows, lines: split };
    });
  }

  /** Each shipment's part of the money that went back on these days, or ever. */
  async function* refunded(days: readonly string[] | null): AsyncGenerator<RefundedShipment[]> {
    for await (const page of returned(days)) {
      const orders = await queries.ordersByIds([...new Set(page.map((line) => line.order_id))]);
      const ledgers = await withLedger(await withTerms(orders));
      const found = new Map(
        ledgers.flatMap((one) => one.lines.map((split) => [split.line.id, { ...one, ...split }])),
      );
      yield page.flatMap(({ id }) => {
        const { order, terms, rows, line, refund, shares } = found.get(id)!;
        return rows.flatMap((row) => {
          const minor = shares[row.position]!;
          const address = currentAddress(row, terms.shipments[row.position]!);
          const day = toDay(line.at);
          return minor === 0 ? [] : [{ order, row, address, line, refund, minor, day }];
        });
      });
    }
  }

  async function withTerms(orders: readonly OrderRow[]): Promise<SoldOrder[]> {
    const quotes = await queries.quotesByIds(orders.map((order) => order.quote_id));
    const terms = new Map(quotes.map((quote) => [quote.id, JSON.parse(quote.terms) as Terms]));
    return orders.map((order) => ({
      order,
      terms: terms.get(order.quote_id)!,
      day: toDay(order.paid_at),
    }));
  }

  /** With what went back until the last of these days, or until now. */
  async function withRefunds(page: SoldOrder[], days: readonly string[] | null) {
    const last = days?.at(-1);
    return (await withLedger(page)).map((one) => {
      const lines = one.lines.filter(({ line }) => !last || toDay(line.at) <= last);
      const shares = one.rows.map(({ position }) =>
        sum(lines.map((line) => line.shares[position]!)),
      );
      return { ...one, shares, refunded_minor: sum(shares) };
    });
  }

  async function shipmentsOf(
    page: SoldOrder[],
    days: readonly string[] | null,
  ): Promise<SoldShipment[]> {
    return (await withRefunds(page, days)).flatMap((one) =>
      one.rows.map((row, i) => soldShipment(row, one, one.shares[i]!)),
    );
  }

  /** Sums by the state that each shipment goes to: an order may go to several. */
  async function* byState(days: readonly string[] | null): AsyncGenerator<SoldState[]> {
    const states = new Map<string, SoldState>();
    const of = (state: string) => {
      const sums = states.get(state) ?? { ...NOTHING_SOLD, state };
      states.set(state, sums);
      return sums;
    };
    for await (const page of sold(days)) {
      for (const { address, bags, net_minor, shipping_minor } of await shipmentsOf(page, days)) {
        const sums = of(address.region);
        sums.shipments += 1;
        sums.bags += bags;
        sums.net_minor += net_minor;
        sums.shipping_minor += shipping_minor;
      }
    }
    for await (const page of refunded(days)) {
      for (const { address, minor } of page) of(address.region).refunded_minor += minor;
    }
    yield [...states.values()].sort((a, b) => (a.state < b.state ? -1 : 1));
  }

  const books: Record<ExportName, Book> = {
    orders: book(ORDER_COLUMNS, sold, withRefunds),
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
      const lines: LedgerRow[] = [];
      for await (const page of sold(days)) sales.push(...page.map(saleOf));
      for await (const page of returned(days)) lines.push(...page);
      return { time_zone: timeZone, ...salesFigures({ sales, lines }, days, toDay) };
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
type Columns<R> = Record<string, (row: R) => string | number | Date | null | undefined>;

/**
 * The columns that a bookkeeper needs come first; ids and states are for looking things up. A later column comes
 * last, because spreadsheets may go by place.
 */
const ORDER_COLUMNS: Columns<SoldOrder & { refunded_minor: number }> = {
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
  refunded_usd: ({ refunded_minor }) => dollars(refunded_minor),
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

function soldShipment(row: ShipmentRow, { order, day, terms }: SoldOrder, refunded_minor: number) {
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
    refunded_minor,
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
  refunded_usd: ({ refunded_minor }) => dollars(refunded_minor),
  carrier: ({ row }) => row.carrier,
  tracking_number: ({ row }) => row.tracking_number,
  shipped_at: ({ row }) => row.shipped_at && new Date(row.shipped_at),
  delivered_at: ({ row }) => row.delivered_at && new Date(row.delivered_at),
  status: ({ row }) => row.status,
  shipment: ({ row }) => row.id,
  order: ({ row }) => row.order_id,
};

const NOTHING_SOLD = { shipments: 0, bags: 0, net_minor: 0, shipping_minor: 0, refunded_minor: 0 };

type SoldState = typeof NOTHING_SOLD & { state: string };

const STATE_COLUMNS: Columns<SoldState> = {
  state: ({ state }) => state,
  shipments: ({ shipments }) => shipments,
  bags: ({ bags }) => bags,
  net_sales_usd: ({ net_minor }) => dollars(net_minor),
  shipping_usd: ({ shipping_minor }) => dollars(shipping_minor),
  total_usd: ({ net_minor, shipping_minor }) => dollars(net_minor + shipping_minor),
  refunded_usd: ({ refunded_minor }) => dollars(refunded_minor),
  after_refunds_usd: ({ net_minor, shipping_minor, refunded_minor }) =>
    dollars(net_minor + shipping_minor - refunded_minor),
};

interface RefundedShipment {
  order: OrderRow;
  row: ShipmentRow;
  address: Address;
  line: LedgerRow;
  /** Undefined for a lost dispute. */
  refund: RefundRow | undefined;
  minor: number;
  day: string;
}

/** A refund that failed has a second line, with a negative amount, on the day when the money came back. */
const REFUND_COLUMNS: Columns<RefundedShipment> = {
  date: ({ day }) => day,
  number: ({ order }) => order.number,
  state: ({ address }) => address.region,
  amount_usd: ({ minor }) => dollars(minor),
  reason: ({ refund, line }) => refund?.reason ?? line.kind,
  refund: ({ line }) => line.cause,
  shipment: ({ row }) => row.id,
  order: ({ order }) => order.id,
  created_at: ({ refund }) => refund && new Date(refund.created_at),
  done_at: ({ line }) => new Date(line.at),
};

type Book = (days: readonly string[] | null, timeZone: string) => AsyncGenerator<string>;

/** A CSV file: its heading, and the lines for each page of orders or refunds. */
function book<P, R>(
  columns: Columns<R>,
  pages: (days: readonly string[] | null) => AsyncGenerator<P[]>,
  rowsOf: (page: P[], days: readonly string[] | null) => readonly R[] | Promise<readonly R[]>,
): Book {
  const cells = Object.values(columns);
  return async function* (days, timeZone) {
    const toClock = clockIn(timeZone);
    const line = (row: R) =>
      csvLine(
        cells.map((cell) => {
          const value = cell(row);
          return value instanceof Date ? toClock(value) : (value ?? null);
        }),
      );
    yield csvLine(Object.keys(columns));
    for await (const page of pages(days)) {
      const lines = (await rowsOf(page, days)).map(line).join("");
      if (lines !== "") yield lines;
    }
  };
}
