import type { DisputeRow, RefundRow } from "./records.ts";

/** An amount in integer minor units (cents) of usd. Never a float, never dollars. */
export type Minor = number;

export const CURRENCY = "usd";

/** "$1,234.50" for 123450: for people to read, beside every total, never to calculate with. */
export function display(minor: Minor): string {
  const sign = minor < 0 ? "-" : "";
  const cents = Math.abs(minor);
  const dollars = Math.floor(cents / 100)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ",");
  return `${sign}$${dollars}.${String(cents % 100).padStart(2, "0")}`;
}

/** "$100" for 10000: in sentences, where whole dollars need no cents. */
export const plainDollars = (minor: Minor): string => display(minor).replace(/\.00$/, "");

export const typedDollars = (minor: Minor): string => display(minor).replace(/[$,]/g, "");

/** "12.50" or "12.5" → 1250, without a float in between; null for what is no amount of dollars. */
export function cents(text: string): Minor | null {
  const [, dollars, rest = ""] = /^\$?(0|[1-9]\d{0,5})(?:\.(\d{1,2}))?$/.exec(text.trim()) ?? [];
  return dollars === undefined ? null : Number(dollars) * 100 + Number(rest.padEnd(2, "0"));
}

export const sum = (amounts: readonly Minor[]): Minor => amounts.reduce((a, b) => a + b, 0);

/** Refunds and disputes of some payments. */
export interface MoneyBack {
  refunds: readonly RefundRow[];
  disputes: readonly DisputeRow[];
}

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
