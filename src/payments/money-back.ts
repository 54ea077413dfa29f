/** What has gone back of one payment, and what of that is being told. Amounts are minor units of usd. */

import type { Write } from "../core/command.ts";
import { sum } from "../core/money.ts";
import type { NewEvent } from "../core/order-log.ts";
import type { AttemptRow, DisputeRow, OrderRow, RefundRow } from "../core/records.ts";

/** The payment that is spoken of, and the order that hears of it. */
export interface PaymentSubject {
  now: number;
  attempt: AttemptRow;
  paymentRef: string;
  /** What was paid; null where that is not known. */
  amountMinor: number | null;
  order: OrderRow | undefined;
}

export interface MoneyBack extends PaymentSubject {
  /** It is the payment that became the order, and not a second one. */
  isOrders: boolean;
  writes: Write[];
  /** What happened, for the order's log and for the merchant. */
  events: NewEvent[];
  incidents: { kind: string; detail: string }[];
  /** As they are afterwards. */
  refunds: RefundRow[];
  disputes: DisputeRow[];
}

function minorIn<R extends Pick<RefundRow | DisputeRow, "status" | "amount_minor">>(
  rows: readonly R[],
  ...of: R["status"][]
) {
  return sum(rows.filter(({ status }) => of.includes(status)).map((row) => row.amount_minor));
}

/** Written down, and the provider has not taken it yet: it can be tried again. */
export const isToBeMade = ({ status, provider_ref }: RefundRow): boolean =>
  status === "PENDING" && provider_ref === null;

/** What has gone back and arrived. */
export const doneMinor = (refunds: readonly RefundRow[]): number => minorIn(refunds, "DONE");

/** What has gone back or is on its way: the rest is what can still be given. */
export const promisedMinor = (
  refunds: readonly Pick<RefundRow, "status" | "amount_minor">[],
): number => minorIn(refunds, "DONE", "PENDING");

/** What banks have taken back for good. */
export const lostMinor = (disputes: readonly DisputeRow[]): number => minorIn(disputes, "LOST");

/**
 * What the payment of an order is: refunded once all of it is back; disputed while the bank's question
 * is open or was lost. A dispute that was won leaves no mark.
 */
export function paymentStatus(
  amountMinor: number,
  refunds: readonly RefundRow[],
  disputes: readonly DisputeRow[],
): OrderRow["payment_status"] {
  if (refunds.length > 0 && doneMinor(refunds) >= amountMinor) return "REFUNDED";
  return disputes.some(({ status }) => status !== "WON") ? "DISPUTED" : "PAID";
}
