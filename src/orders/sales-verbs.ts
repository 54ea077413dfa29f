import { setImmediate } from "node:timers/promises";
import { bagCount } from "../core/bags.ts";
import type { Context } from "../core/context.ts";
import { csvLine, dollars } from "../core/csv.ts";
import { DAY_MS, iso, isoOrNull } from "../core/policy.ts";
import type { RefundRow, ShipmentRow } from "../core/records.ts";
import { dayIn } from "../core/time.ts";
import type { Terms } from "../quotes/quote-answer.ts";
import { bagsByProduct } from "../quotes/quote-terms.ts";
import { lastDays, type Sale, type SoldOrder, saleOf, salesFigures } from "./sales.ts";
import { currentAddress } from "./standing.ts";

/** Orders read at once: with 50 shipments each, a page takes some milliseconds. */
const PAGE = 50;

/** Files for the bookkeeper (contract §15). */
export const EXPORTS = ["orders", "shipments", "refunds"] as const;
export type ExportName = (typeof EXPORTS)[number];

/** Sales figures by day and bean, and the books as CSV. Read-only. */
export function salesVerbs({ store, clock, timeZone }: Context) {
  const { queries } = store;

  /** Orders paid since a moment, oldest first, page by page. */
  async function* soldSince(since: number): AsyncGenerator<SoldOrder[]> {
    let after = { at: since, id: "" };
    for (;;) {
      const orders = await queries.ordersAfter(after, PAGE);
      const quotes = await queries.quotesByIds(orders.map((order) => order.quote_id));
      const terms = new Map(quotes.map((quote) => [quote.id, JSON.parse(quote.terms) as Terms]));
      yield orders.map((order) => ({ order, terms: terms.get(order.quote_id)! }));
      const last = orders.at(-1);
      if (!last || orders.length < PAGE) return;
      // SQLite answers in the same turn of the event loop, so others get a turn between two pages.
      await setImmediate();
      after = { at: last.created_at, id: last.id };
    }
  }

  const books = {
    orders: book(ORDER_COLUMNS, (page) => page),
    shipments: book(SHIPMENT_COLUMNS, async (page) => {
      const found = await queries.shipmentsOfOrders(page.map(({ order }) => order.id));
      const rows = Map.groupBy(found, (row) => row.order_id);
      return page.flatMap(({ order, terms: { shipments } }) =>
        (rows.get(order.id) ?? []).map((row) => soldShipment(row, shipments[row.position]!)),
      );
    }),
    refunds: book(REFUND_COLUMNS, (page) =>
      queries.refundsOfOrders(page.map(({ order }) => order.id)),
    ),
  } satisfies Record<ExportName, unknown>;

  return {
    /** The last `count` days in the shop's time zone, including today. */
    async figures(count: number) {
      // Loaded on demand, because it loads Node's calendars.
      const dayOf = dayIn(timeZone);
      const days = lastDays(count, clock(), dayOf);
      const sales: Sale[] = [];
      // Reads two more days: a calendar day may begin earlier than a multiple of 24 hours ago.
      for await (const page of soldSince(clock() - (count + 2) * DAY_MS)) {
        sales.push(...page.map(saleOf));
      }
      return { time_zone: timeZone, ...salesFigures(sales, days, dayOf) };
    },

    /** A CSV file in parts, heading first, then all rows, oldest first. */
    async *csv(name: ExportName): AsyncGenerator<string> {
      const { heading, linesOf } = books[name];
      yield heading;
      for await (const page of soldSince(0)) {
        const lines = await linesOf(page);
        if (lines !== "") yield lines;
      }
    },
  };
}

const bagsIn = (shipments: Terms["shipments"]): number => bagCount(bagsByProduct(shipments));

type Columns<R> = Record<string, (row: R) => string | number | null>;

const ORDER_COLUMNS: Columns<SoldOrder> = {
  order: ({ order }) => order.id,
  paid_at: ({ order }) => iso(order.paid_at),
  buyer_email: ({ order }) => order.buyer_email,
  status: ({ order }) => order.status,
  payment_status: ({ order }) => order.payment_status,
  bags: ({ terms }) => bagsIn(terms.shipments),
  coffee_usd: ({ terms }) => dollars(terms.pricing.subtotal_minor),
  courtesy_usd: ({ terms }) => dollars(terms.pricing.courtesy?.amount_minor ?? 0),
  shipping_usd: ({ terms }) => dollars(terms.pricing.shipping_minor),
  total_usd: ({ order }) => dollars(order.amount_minor),
  refunded_usd: ({ order }) => dollars(order.refunded_minor),
  method: ({ order }) => order.payment_method,
  mode: ({ order }) => order.payment_mode,
  payment: ({ order }) => order.payment_ref,
  number: ({ order }) => order.number,
};

type SoldShipment = ReturnType<typeof soldShipment>;

const soldShipment = (row: ShipmentRow, shipment: Terms["shipments"][number]) => ({
  row,
  address: currentAddress(row, shipment),
  bags: bagsIn([shipment]),
});

const SHIPMENT_COLUMNS: Columns<SoldShipment> = {
  shipment: ({ row }) => row.id,
  order: ({ row }) => row.order_id,
  status: ({ row }) => row.status,
  name: ({ address }) => address.name,
  line1: ({ address }) => address.line1,
  line2: ({ address }) => address.line2 ?? null,
  city: ({ address }) => address.city,
  region: ({ address }) => address.region,
  postal_code: ({ address }) => address.postal_code,
  bags: ({ bags }) => bags,
  carrier: ({ row }) => row.carrier,
  tracking_number: ({ row }) => row.tracking_number,
  shipped_at: ({ row }) => isoOrNull(row.shipped_at),
  delivered_at: ({ row }) => isoOrNull(row.delivered_at),
};

const REFUND_COLUMNS: Columns<RefundRow> = {
  refund: (row) => row.id,
  order: (row) => row.order_id,
  amount_usd: (row) => dollars(row.amount_minor),
  status: (row) => row.status,
  reason: (row) => row.reason,
  created_at: (row) => iso(row.created_at),
  done_at: (row) => isoOrNull(row.done_at),
};

/** A CSV file's heading, and the lines for a page of orders. */
function book<R>(
  columns: Columns<R>,
  rowsOf: (page: SoldOrder[]) => readonly R[] | Promise<readonly R[]>,
) {
  const cells = Object.values(columns);
  const line = (row: R) => csvLine(cells.map((cell) => cell(row)));
  return {
    heading: csvLine(Object.keys(columns)),
    linesOf: async (page: SoldOrder[]) => (await rowsOf(page)).map(line).join(""),
  };
}
