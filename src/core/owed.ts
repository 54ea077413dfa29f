import { type Minor, sum } from "./money.ts";
import type { DisputeRow, RefundRow } from "./records.ts";

/** Refunds and disputes of some payments. */
export interface MoneyRows {
  refunds: readonly RefundRow[];
  disputes: readonly DisputeRow[];
}

/**
 * The part of failed refunds that the merchant still has. Later refunds and lost disputes of the same
 * payment reduce it, in the order in which the money moved.
 */
export function owedMinor({ refunds, disputes }: MoneyRows): Minor {
  const move = (row: RefundRow | DisputeRow, at: number, sign: 1 | -1) => ({
    payment: row.payment_ref,
    at,
    minor: sign * row.amount_minor,
  });
  const moves = [
    ...refunds
      .filter(({ status }) => status !== "CANCELED")
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
