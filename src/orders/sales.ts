import { bagCount } from "../core/bags.ts";
import { sum } from "../core/money.ts";
import type { OrderRow, RefundRow } from "../core/records.ts";
import { daysAfter } from "../core/time.ts";
import type { Terms } from "../quotes/quote-answer.ts";

export interface SoldOrder {
  order: OrderRow;
  terms: Terms;
}

export type Sale = ReturnType<typeof saleOf>;
type SalesFigures = ReturnType<typeof salesFigures>;
export type SalesDay = SalesFigures["days"][number];
export type SalesOfBean = SalesFigures["beans"][number];

/** An order for the sales figures, with each bean's price and share of the courtesy. */
export function saleOf({ order, terms }: SoldOrder) {
  const { courtesy } = terms.pricing;
  const courtesyOf = (shipment: number, line: number): number =>
    courtesy?.allocations.find((one) => one.shipment === shipment && one.line === line)
      ?.amount_minor ?? 0;
  const lines = terms.shipments.flatMap(({ items }, shipment) =>
    items.map(({ product_id, quantity, unit_price_minor }, line) => ({
      product_id,
      quantity,
      coffee_minor: quantity * unit_price_minor,
      courtesy_minor: courtesyOf(shipment, line),
    })),
  );
  return {
    paid_at: order.paid_at,
    amount_minor: order.amount_minor,
    shipping_minor: terms.pricing.shipping_minor,
    courtesy_minor: courtesy?.amount_minor ?? 0,
    bags: [...Map.groupBy(lines, ({ product_id }) => product_id)].map(([product_id, own]) => ({
      product_id,
      quantity: bagCount(own),
      coffee_minor: sum(own.map((line) => line.coffee_minor)),
      courtesy_minor: sum(own.map((line) => line.courtesy_minor)),
    })),
  };
}

/** The last `count` days up to and including the one of `now`, oldest first. */
export function lastDays(count: number, now: number, dayOf: (ms: number) => string): string[] {
  const today = dayOf(now);
  return Array.from({ length: count }, (_, i) => daysAfter(today, i + 1 - count));
}

/** All days of a month (YYYY-MM). */
export function daysOfMonth(month: string): string[] {
  const first = `${month}-01`;
  const days = Array.from({ length: 31 }, (_, i) => daysAfter(first, i));
  return days.filter((day) => day.startsWith(month));
}

/** Money that went back, on the day the refund was made. A closed month stays as it is. */
export type MadeRefund = Pick<RefundRow, "amount_minor"> & { done_at: number };

/** Sales, bags, discounts and refunds by day and by bean (contract §15). Includes days without a sale. */
export function salesFigures(
  { sales, refunds }: { sales: readonly Sale[]; refunds: readonly MadeRefund[] },
  days: readonly string[],
  dayOf: (ms: number) => string,
) {
  const byDay = Map.groupBy(sales, (sale) => dayOf(sale.paid_at));
  const refundsByDay = Map.groupBy(refunds, (refund) => dayOf(refund.done_at));
  const known = new Set(days);
  const counted = sales.filter((sale) => known.has(dayOf(sale.paid_at)));
  const byBean = Map.groupBy(
    counted.flatMap((sale) => sale.bags),
    ({ product_id }) => product_id,
  );
  return {
    days: days.map((day) => ofDay(day, byDay.get(day) ?? [], refundsByDay.get(day) ?? [])),
    beans: [...byBean]
      .map(([product_id, lines]) => ({
        product_id,
        bags: bagCount(lines),
        coffee_minor: sum(lines.map((line) => line.coffee_minor)),
        courtesy_minor: sum(lines.map((line) => line.courtesy_minor)),
      }))
      .sort((a, b) => b.bags - a.bags || (a.product_id < b.product_id ? -1 : 1)),
  };
}

/** One day (YYYY-MM-DD) in the shop's time zone. */
const ofDay = (day: string, sales: readonly Sale[], refunds: readonly MadeRefund[]) => ({
  day,
  orders: sales.length,
  bags: bagCount(sales.flatMap((sale) => sale.bags)),
  /** Coffee less discounts. */
  net_minor: sum(sales.map((sale) => sale.amount_minor - sale.shipping_minor)),
  shipping_minor: sum(sales.map((sale) => sale.shipping_minor)),
  takings_minor: sum(sales.map((sale) => sale.amount_minor)),
  courtesy_minor: sum(sales.map((sale) => sale.courtesy_minor)),
  refunded_minor: sum(refunds.map((refund) => refund.amount_minor)),
});
