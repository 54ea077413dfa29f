import { type Minor, sum } from "./money.ts";
import { TIMES } from "./policy.ts";
import type { DisputeRow, RefundRow } from "./records.ts";

/** Refunds and disputes of some payments. */
export interface MoneyBack {
  refunds: readonly RefundRow[];
  disputes: readonly DisputeRow[];
}

/**
 * When the merchant's refund is sent, or null once sending has begun. Until then it can be undone, and
 * only the merchant sees it. Claiming it for sending moves `try_at`, so both cannot happen.
 */
export const undoableUntil = (row: RefundRow): number | null =>
  row.reason === "MERCHANT" &&
  row.status === "PENDING" &&
  row.provider_ref === null &&
  row.tries === 0 &&
  row.try_at === row.created_at + TIMES.undo_ms
    ? row.try_at
    : null;

/**
 * The part of failed refunds that the merchant still has. Later refunds and lost disputes of the same
 * payment reduce it, in the order in which the money moved.
 */
export function owedMinor({ refunds, disputes }: MoneyBack): Minor {
  const move = (row: RefundRow | DisputeRow, at: number, sign: 1 | -1) => ({
    payment: row.payment_ref,
    at,
    minor: sign * row.amount_minor,
  });
  const moves = [
    ...refunds
      .filter((row) => row.status !== "CANCELED" && undoableUntil(row) === null)
      .flatMap((row) => [
        move(row, row.created_at, -1),
        ...(row.status === "FAILED" ? [move(row, row.done_at ?? row.created_at, 1)] : []),
      ]),
    ...disputes
      .filter(({ status }) => status === "LOST")
      .map((row) => move(row, row.closed_at ?? row.created_at, -1)),
  ].sort((a, b) => a.at - b.at);
  const owed = [...Map.groupBy(moves, ({ payment }) => payment).values()].map((of) =>
    of.reduce((left, { minor }) => Math.max(0, left + minor), 0),
  );
  return sum(owed);
}
