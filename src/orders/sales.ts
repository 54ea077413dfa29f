import { bagCount } from "../core/bags.ts";
import { sum } from "../core/money.ts";
import type { OrderRow } from "../core/records.ts";
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
    refunded_minor: order.refunded_minor,
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

/** Takings, bags and courtesies by day and by bean (contract §15). Includes days without a sale. */
export function salesFigures(
  sales: readonly Sale[],
  days: readonly string[],
  dayOf: (ms: number) => string,
) {
  const byDay = Map.groupBy(sales, (sale) => dayOf(sale.paid_at));
  const known = new Set(days);
  const counted = sales.filter((sale) => known.has(dayOf(sale.paid_at)));
  const byBean = Map.groupBy(
    counted.flatMap((sale) => sale.bags),
    ({ product_id }) => product_id,
  );
  return {
    days: days.map((day) => ofDay(day, byDay.get(day) ?? [])),
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

/** One day (YYYY-MM-DD) in the shop's time zone. Refunds count on the day of their order. */
const ofDay = (day: string, sales: readonly Sale[]) => ({
  day,
  orders: sales.length,
  bags: bagCount(sales.flatMap((sale) => sale.bags)),
  takings_minor: sum(sales.map((sale) => sale.amount_minor)),
  courtesy_minor: sum(sales.map((sale) => sale.courtesy_minor)),
  refunded_minor: sum(sales.map((sale) => sale.refunded_minor)),
});
