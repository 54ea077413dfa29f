import { dayIn, lastDays, type Sale, salesFigures } from "../domain/order/sales.ts";
import { currentAddress } from "../domain/order/shipment.ts";
import type { Terms } from "../domain/quote/quote-answer.ts";
import { bagsByProduct } from "../domain/quote/quote-terms.ts";
import { csvLine, dollars } from "../domain/shared/csv.ts";
import { sum } from "../domain/shared/money.ts";
import { iso } from "../domain/shared/policy.ts";
import type { OrderRow, RefundRow, ShipmentRow } from "../domain/shared/records.ts";
import type { Context } from "./context.ts";

/** Orders read at once. */
const PAGE = 500;

const DAY_MS = 86_400_000;

/** What the bookkeeper can take along (contract §15). */
export const EXPORTS = ["orders", "shipments", "refunds"] as const;
export type ExportName = (typeof EXPORTS)[number];

interface SoldOrder {
  order: OrderRow;
  terms: Terms;
}

/** The shop's figures by day and bean, and its books as CSV. All of it reads. */
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
      after = { at: last.created_at, id: last.id };
    }
  }

  const linesOf: Record<ExportName, (page: SoldOrder[]) => Promise<string[]>> = {
    orders: async (page) => page.map(orderLine),
    async shipments(page) {
      const rows = await queries.shipmentsOfOrders(page.map(({ order }) => order.id));
      return page.flatMap(({ order, terms }) =>
        rows.filter((row) => row.order_id === order.id).map((row) => shipmentLine(row, terms)),
      );
    },
    async refunds(page) {
      const rows = await queries.refundsOfOrders(page.map(({ order }) => order.id));
      return rows.map(refundLine);
    },
  };

  return {
    /** The last so many days of the shop's calendar, today included. */
    async figures(count: number) {
      // Here, and not for every start: it loads Node's calendars.
      const dayOf = dayIn(timeZone);
      const days = lastDays(count, clock(), dayOf);
      const sales: Sale[] = [];
      // Two days more than asked for: a calendar day may begin before that many times 24 hours.
      for await (const page of soldSince(clock() - (count + 2) * DAY_MS)) {
        sales.push(...page.map(saleOf));
      }
      return { time_zone: timeZone, ...salesFigures(sales, days, dayOf) };
    },

    /** A CSV file in parts, its heading first: everything, oldest first, or since a moment. */
    async *csv(name: ExportName, since = 0): AsyncGenerator<string> {
      yield csvLine(HEADINGS[name]);
      for await (const page of soldSince(since)) {
        const lines = await linesOf[name](page);
        if (lines.length > 0) yield lines.join("");
      }
    },
  };
}

const HEADINGS: Record<ExportName, readonly string[]> = {
  orders: [
    "order",
    "paid_at",
    "buyer_email",
    "status",
    "payment_status",
    "bags",
    "coffee_usd",
    "courtesy_usd",
    "shipping_usd",
    "total_usd",
    "refunded_usd",
    "method",
    "mode",
    "payment",
  ],
  shipments: [
    "shipment",
    "order",
    "status",
    "name",
    "line1",
    "line2",
    "city",
    "region",
    "postal_code",
    "bags",
    "carrier",
    "tracking_number",
    "shipped_at",
    "delivered_at",
  ],
  refunds: ["refund", "order", "amount_usd", "status", "reason", "created_at", "done_at"],
};

function saleOf({ order, terms }: SoldOrder): Sale {
  const { courtesy } = terms.pricing;
  const courtesyOf = (shipment: number, line: number): number =>
    courtesy?.allocations.find((one) => one.shipment === shipment && one.line === line)
      ?.amount_minor ?? 0;
  return {
    paid_at: order.paid_at,
    amount_minor: order.amount_minor,
    refunded_minor: order.refunded_minor,
    courtesy_minor: courtesy?.amount_minor ?? 0,
    bags: terms.shipments.flatMap(({ items }, shipment) =>
      items.map(({ product_id, quantity, unit_price_minor }, line) => ({
        product_id,
        quantity,
        coffee_minor: quantity * unit_price_minor,
        courtesy_minor: courtesyOf(shipment, line),
      })),
    ),
  };
}

const when = (ms: number | null): string | null => (ms === null ? null : iso(ms));

const bagsIn = (shipments: Terms["shipments"]): number =>
  sum(bagsByProduct(shipments).map(({ quantity }) => quantity));

function orderLine({ order, terms: { shipments, pricing } }: SoldOrder): string {
  return csvLine([
    order.id,
    iso(order.paid_at),
    order.buyer_email,
    order.status,
    order.payment_status,
    bagsIn(shipments),
    dollars(pricing.subtotal_minor),
    dollars(pricing.courtesy?.amount_minor ?? 0),
    dollars(pricing.shipping_minor),
    dollars(order.amount_minor),
    dollars(order.refunded_minor),
    order.payment_method,
    order.payment_mode,
    order.payment_ref,
  ]);
}

function shipmentLine(row: ShipmentRow, terms: Terms): string {
  const shipment = terms.shipments[row.position]!;
  const address = currentAddress(row, shipment);
  return csvLine([
    row.id,
    row.order_id,
    row.status,
    address.name,
    address.line1,
    address.line2 ?? null,
    address.city,
    address.region,
    address.postal_code,
    bagsIn([shipment]),
    row.carrier,
    row.tracking_number,
    when(row.shipped_at),
    when(row.delivered_at),
  ]);
}

const refundLine = (row: RefundRow): string =>
  csvLine([
    row.id,
    row.order_id,
    dollars(row.amount_minor),
    row.status,
    row.reason,
    iso(row.created_at),
    when(row.done_at),
  ]);
