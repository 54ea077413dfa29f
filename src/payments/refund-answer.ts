import { lock, type Rule, update, writeRule } from "../core/command.ts";
import { HOUR_MS, MINUTE_MS } from "../core/policy.ts";
import type { RefundRow } from "../core/records.ts";
import { undoableUntil } from "../core/refunds.ts";
import {
  changeRefund,
  isToBeMade,
  type MoneyBack,
  moneyBack,
  moneyReads,
  writeMoneyBack,
} from "./money-back.ts";
import type { ProviderRefund } from "./reported-checkout.ts";

/** What came of asking the provider for a refund. */
export type RefundAnswer =
  | { kind: "made"; refund: ProviderRefund }
  /** It can still be made; `newKey`: only under another idempotency key. */
  | { kind: "later"; why: "BALANCE" | "DISPUTED" | "FAILED_THERE" | "NO_ANSWER"; newKey: boolean }
  /** It never will be: the merchant has to. */
  | { kind: "refused"; why: string }
  /** Nothing is left to return. */
  | { kind: "unneeded"; why: string };

/**
 * Ends the undo time of a refund before the provider is asked for it. Replies with the row to send, or
 * null if the refund was undone, can still be undone, or is closed.
 */
export const claimRefund: Rule<{ now: number; refund: RefundRow }, RefundRow | null> = {
  reads: ({ refund }) => [lock("refunds", { payment_ref: refund.payment_ref })],
  decide({ now, refund }, s) {
    const row = s.refunds.find(({ id }) => id === refund.id);
    if (!row || !isToBeMade(row)) return { reply: null, writes: [] };
    const until = undoableUntil(row);
    if (until === null) return { reply: row, writes: [] };
    if (now < until) return { reply: null, writes: [] };
    const set = { try_at: now + 1 };
    return { reply: { ...row, ...set }, writes: [update("refunds", { id: row.id }, set)] };
  },
};

export interface RecordRefundAnswer {
  now: number;
  /** The row as it was when the provider was asked. */
  refund: RefundRow;
  answer: RefundAnswer;
  ids: { events: readonly string[]; incidents: readonly string[] };
}

/** The provider has answered for a refund of ours, or has not: noted, and told where it is an end. */
export const recordRefundAnswer = writeRule<RecordRefundAnswer>({
  reads: (c) => [
    ...(c.refund.order_id ? [lock("orders", { id: c.refund.order_id })] : []),
    lock("attempts", { id: c.refund.attempt_id }),
    ...moneyReads(c.refund.payment_ref),
  ],
  writes(c, s) {
    const { now, answer } = c;
    const row = s.refunds.find(({ id }) => id === c.refund.id);
    // Somebody else has heard of it meanwhile: the payment's own word tells the rest.
    if (!row || !isToBeMade(row)) return [];
    // Another process tried under the same key and noted it first.
    if (answer.kind === "later" && row.key_number !== c.refund.key_number) return [];
    const attempt = s.attempts[0];
    if (!attempt) throw new Error(`no attempt ${row.attempt_id}`);
    const { payment_ref: paymentRef } = row;
    const subject = { now, attempt, paymentRef, amountMinor: null, order: s.orders[0] };
    const reported = { refunds: answer.kind === "made" ? [answer.refund] : [], disputes: [] };
    const back = moneyBack(subject, reported, s);
    const told = isOver(answer, back)
      ? ({ kind: "refused", why: "dispute_lost" } as const)
      : answer;
    if (told.kind === "later") changeRefund(back, row, waiting(row, told, now));
    else if (told.kind !== "made") {
      const status = told.kind === "refused" ? "FAILED" : "CANCELED";
      changeRefund(back, row, { status, problem: told.why, try_at: null, done_at: now });
    }
    return writeMoneyBack(back, c.ids);
  },
});

/** A dispute that was lost never ends for the provider: it refunds nothing of that payment any more. */
const isOver = (answer: RefundAnswer, { disputes }: MoneyBack): boolean =>
  answer.kind === "later" &&
  answer.why === "DISPUTED" &&
  disputes.some(({ status }) => status === "LOST") &&
  disputes.every(({ status }) => status !== "OPEN");

/**
 * How long until the next try, doubled while the same is said again: none where nothing was said, longer
 * where somebody has to act first, never long where only the provider has to come back.
 */
const PAUSE_MS = {
  NO_ANSWER: { first: 0, longest: 0 },
  FAILED_THERE: { first: MINUTE_MS, longest: 15 * MINUTE_MS },
  BALANCE: { first: HOUR_MS, longest: 12 * HOUR_MS },
  DISPUTED: { first: 12 * HOUR_MS, longest: 12 * HOUR_MS },
} as const;
const WAITED_FOR: ReadonlySet<string | null> = new Set(["BALANCE", "DISPUTED"]);

/** The bank or the merchant has to act first, or the refund can still be undone. */
export const isHeldUp = (row: RefundRow): boolean =>
  WAITED_FOR.has(row.problem) || undoableUntil(row) !== null;

function waiting(
  row: RefundRow,
  { why, newKey }: Extract<RefundAnswer, { kind: "later" }>,
  now: number,
): Partial<RefundRow> {
  const { first, longest } = PAUSE_MS[why];
  const saidBefore = row.problem === why ? row.tries : 0;
  // What it waits for is not forgotten where nothing, or nothing sensible, was answered in between.
  const problem = WAITED_FOR.has(row.problem) && !WAITED_FOR.has(why) ? row.problem : why;
  return {
    tries: problem === why ? saidBefore + 1 : row.tries,
    try_at: now + Math.min(first * 2 ** Math.min(saidBefore, 10), longest),
    problem,
    ...(newKey && { key_number: row.key_number + 1 }),
  };
}
