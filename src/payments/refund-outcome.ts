import { lock, type Rule, update, writeRule } from "../core/command.ts";
import { HOUR_MS, MINUTE_MS } from "../core/policy.ts";
import type { RefundRow } from "../core/records.ts";
import {
  changeRefund,
  isToBeMade,
  type MoneyBack,
  moneyBack,
  moneyReads,
  writeMoneyBack,
} from "./money-back.ts";
import type { ProviderRefund } from "./reported-checkout.ts";

/** Outcome of requesting a refund from the provider. */
export type RefundOutcome =
  | { kind: "made"; refund: ProviderRefund }
  /** It can be made later; `newKey`: only under another idempotency key. */
  | { kind: "later"; why: "BALANCE" | "DISPUTED" | "FAILED_THERE" | "NO_ANSWER"; newKey: boolean }
  /** The provider never makes it; the merchant has to return the money. */
  | { kind: "refused"; why: string }
  /** Nothing is left to refund. */
  | { kind: "unneeded"; why: string };

/**
 * Records that the provider is asked for a refund, before it is. Replies with the row as it was: one that was
 * sent before may be known there. Null for a closed refund.
 */
export const noteRefundSent: Rule<{ now: number; refund: RefundRow }, RefundRow | null> = {
  reads: ({ refund }) => [lock("refunds", { id: refund.id })],
  decide({ now: sent_at }, { refunds: [row] }) {
    if (!row || !isToBeMade(row)) return { reply: null, writes: [] };
    const writes = row.sent_at === null ? [update("refunds", { id: row.id }, { sent_at })] : [];
    return { reply: row, writes };
  },
};

export interface RecordRefundOutcome {
  now: number;
  /** The row as it was when the provider was asked. */
  refund: RefundRow;
  answer: RefundOutcome;
  ids: { events: readonly string[]; incidents: readonly string[] };
}

/** Records the outcome of a request for our refund, with its events and incidents. */
export const recordRefundOutcome = writeRule<RecordRefundOutcome>({
  reads: (c) => [
    ...(c.refund.order_id ? [lock("orders", { id: c.refund.order_id })] : []),
    lock("attempts", { id: c.refund.attempt_id }),
    ...moneyReads(c.refund.payment_ref),
  ],
  writes(c, s) {
    const { now, answer } = c;
    const row = s.refunds.find(({ id }) => id === c.refund.id);
    // A report on the payment has already recorded the refund.
    if (!row || !isToBeMade(row)) return [];
    // Another process recorded its outcome under the same key first.
    if (answer.kind === "later" && row.key_number !== c.refund.key_number) return [];
    const attempt = s.attempts[0];
    if (!attempt) throw new Error(`no attempt ${row.attempt_id}`);
    const { payment_ref: paymentRef } = row;
    const subject = { now, attempt, paymentRef, amountMinor: null, order: s.orders[0] };
    const reported = { refunds: answer.kind === "made" ? [answer.refund] : [], disputes: [] };
    const back = moneyBack(subject, reported, s);
    const outcome = isBlockedForever(answer, back)
      ? ({ kind: "refused", why: "dispute_lost" } as const)
      : answer;
    if (outcome.kind === "later") changeRefund(back, row, laterTry(row, outcome, now));
    else if (outcome.kind !== "made") {
      const status = outcome.kind === "refused" ? "FAILED" : "CANCELED";
      changeRefund(back, row, { status, problem: outcome.why, try_at: null, done_at: now });
    }
    return writeMoneyBack(back, c.ids);
  },
});

/** Whether a lost dispute blocks the refund: the provider never refunds such a payment. */
const isBlockedForever = (answer: RefundOutcome, { disputes }: MoneyBack): boolean =>
  answer.kind === "later" &&
  answer.why === "DISPUTED" &&
  disputes.some(({ status }) => status === "LOST") &&
  disputes.every(({ status }) => status !== "OPEN");

/**
 * Pauses before the next try, doubled with each repeated answer: none without an answer, short if only the
 * provider has to recover, long if the merchant or the bank has to act first.
 */
const PAUSE_MS = {
  NO_ANSWER: { first: 0, longest: 0 },
  FAILED_THERE: { first: MINUTE_MS, longest: 15 * MINUTE_MS },
  BALANCE: { first: HOUR_MS, longest: 12 * HOUR_MS },
  DISPUTED: { first: 12 * HOUR_MS, longest: 12 * HOUR_MS },
} as const;
const WAITED_FOR: ReadonlySet<string | null> = new Set(["BALANCE", "DISPUTED"]);

/** Whether the bank or the merchant has to act first. */
export const isHeldUp = ({ problem }: RefundRow): boolean => WAITED_FOR.has(problem);

/** Fields of a refund that waits for its next try. */
function laterTry(
  row: RefundRow,
  { why, newKey }: Extract<RefundOutcome, { kind: "later" }>,
  now: number,
): Partial<RefundRow> {
  const { first, longest } = PAUSE_MS[why];
  const repeats = row.problem === why ? row.tries : 0;
  // A failure in between does not replace the reason that the refund waits for.
  const problem = WAITED_FOR.has(row.problem) && !WAITED_FOR.has(why) ? row.problem : why;
  return {
    tries: problem === why ? repeats + 1 : row.tries,
    try_at: now + Math.min(first * 2 ** Math.min(repeats, 10), longest),
    problem,
    ...(newKey && { key_number: row.key_number + 1 }),
  };
}
