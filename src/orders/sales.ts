import { bagCount } from "../core/bags.ts";
import { sum } from "../core/money.ts";
import type { LedgerRow, OrderRow } from "../core/records.ts";
import { daysAfter } from "../core/time.ts";
import { allocate } from "../quotes/pricing.ts";
import type { Terms } from "../quotes/quote-answer.ts";
import { courtesyByLine } from "../quotes/quote-terms.ts";

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
  const courtesy = courtesyByLine(terms);
  const lines = terms.shipments.flatMap(({ items }, shipment) =>
    items.map(({ product_id, quantity, unit_price_minor }, line) => ({
      product_id,
      quantity,
      coffee_minor: quantity * unit_price_minor,
      courtesy_minor: courtesy[shipment]![line]!,
    })),
  );
  return {
    paid_at: order.paid_at,
    amount_minor: order.amount_minor,
    shipping_minor: terms.pricing.shipping_minor,
    courtesy_minor: terms.pricing.courtesy?.amount_minor ?? 0,
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

type Line = Pick<LedgerRow, "amount_minor" | "at">;

/**
 * Amount refunded for each shipment by each line of an order's ledger, oldest first. A refund goes to the
 * shipments that it was made for, as far as they were paid and not refunded yet, and otherwise to all in
 * proportion. A refund that fails is taken from where it went. Earlier lines decide, never later ones.
 *
 * @param paid by shipment
 * @param namedBy the shipments that a refund was made for, or null
 */
export function refundedByShipment(
  lines: readonly Pick<LedgerRow, "cause" | "amount_minor">[],
  paid: readonly number[],
  namedBy: (cause: string) => ReadonlySet<number> | null,
): number[][] {
  let left = [...paid];
  const ofCause = new Map<string, number[]>();
  return lines.map(({ cause, amount_minor }) => {
    const before = ofCause.get(cause) ?? paid.map(() => 0);
    let rest = Math.abs(amount_minor);
    const shares = paid.map(() => 0);
    const spread = (weights: readonly number[], most = sum(weights)) => {
      const some = Math.min(rest, most);
      for (const [i, share] of allocate(some, weights).entries()) shares[i]! += share;
      rest -= some;
    };
    const isBack = amount_minor > 0;
    if (isBack) spread(before);
    else {
      const named = namedBy(cause);
      if (named) spread(left.map((minor, i) => (named.has(i) ? minor : 0)));
      spread(left.map((minor, i) => minor - shares[i]!));
    }
    // A bank may take more than was left after refunds.
    spread(paid, rest);
    const signed = shares.map((share) => (isBack ? 0 - share : share));
    ofCause.set(
      cause,
      before.map((minor, i) => minor + signed[i]!),
    );
    left = left.map((minor, i) => Math.max(0, minor - signed[i]!));
    return signed;
  });
}

/** Sales, bags, discounts and refunds by day and by bean (contract §15). Includes days without a sale. */
export function salesFigures(
  { sales, lines }: { sales: readonly Sale[]; lines: readonly Line[] },
  days: readonly string[],
  dayOf: (ms: number) => string,
) {
  const byDay = Map.groupBy(sales, (sale) => dayOf(sale.paid_at));
  const linesByDay = Map.groupBy(lines, (line) => dayOf(line.at));
  const known = new Set(days);
  const counted = sales.filter((sale) => known.has(dayOf(sale.paid_at)));
  const byBean = Map.groupBy(
    counted.flatMap((sale) => sale.bags),
    ({ product_id }) => product_id,
  );
  return {
    days: days.map((day) => ofDay(day, byDay.get(day) ?? [], linesByDay.get(day) ?? [])),
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
function ofDay(day: string, sales: readonly Sale[], lines: readonly Line[]) {
  const takings_minor = sum(sales.map((sale) => sale.amount_minor));
  const back = sum(lines.map((line) => line.amount_minor));
  return {
    day,
    orders: sales.length,
    bags: bagCount(sales.flatMap((sale) => sale.bags)),
    /** Coffee less discounts. */
    net_minor: sum(sales.map((sale) => sale.amount_minor - sale.shipping_minor)),
    shipping_minor: sum(sales.map((sale) => sale.shipping_minor)),
    takings_minor,
    courtesy_minor: sum(sales.map((sale) => sale.courtesy_minor)),
    /** Refunds and lost disputes; negative on a day when more came back after all. */
    refunded_minor: 0 - back,
    after_refunds_minor: takings_minor + back,
  };
}
