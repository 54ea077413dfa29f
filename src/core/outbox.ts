import { insert, lock, type Rule, update, type Write, writeRule } from "./command.ts";
import type { LetterData } from "./letter.ts";
import { HOUR_MS, MINUTE_MS, TIMES } from "./policy.ts";
import type { AttemptRow, EventRow, MailKind, OutboxRow } from "./records.ts";

/**
 * Letters that are to go out (contract §15). What a letter tells is written by a decision; the entry
 * of the outbox is made from those very writes, in their transaction, so none is forgotten and none
 * tells what did not happen. The text is made when it is sent: an entry holds ids, nothing personal.
 */

export function lettersOf(write: Write): Write[] {
  if (write.table === "events" && write.op === "insert") {
    const { id, order_id, data, occurred_at } = write.row;
    return kindsOf(write.row).map((kind) => letter(kind, id, { order_id, data }, occurred_at));
  }
  if (write.table === "waitlist" && write.op === "update" && write.set.status === "OFFERED") {
    const id = write.key.id!;
    const offeredAt = write.set.offer_expires_at! - TIMES.waitlist_offer_ms;
    // A bean that was off sale meanwhile is offered once more.
    return [letter("WAITLIST_OFFER", `${id}_${offeredAt}`, { subject: id }, offeredAt)];
  }
  if (write.op !== "insert") return [];
  const { table } = write;
  if (table !== "leads" && table !== "feedback" && table !== "incidents") return [];
  if (table === "incidents" && write.row.kind === UNSENT) return [];
  const { id, created_at } = write.row;
  return [letter(TO_READ[table], id, { subject: id }, created_at)];
}

/** What the merchant reads of what somebody wrote, or of what happened. */
const TO_READ = { leads: "BULK_LEAD", feedback: "FEEDBACK", incidents: "INCIDENT" } as const;

const TOLD: Partial<Record<string, MailKind[]>> = {
  "order.confirmed": ["RECEIPT", "NEW_ORDER"],
  "payment.refunded": ["REFUNDED"],
  "payment.refund_failed": ["REFUND_FAILED"],
  "shipment.address_changed": ["ADDRESS_CHANGED"],
  "cancel_request.received": ["CANCEL_REQUEST"],
  "cancel_request.declined": ["CANCEL_DECLINED"],
};

/** Steps of a shipment that are told: where it leaves, and where its way ends or is broken off. */
const STEPS = ["SHIPPED", "DELIVERED", "FAILED", "RETURNED"] as const;

function kindsOf({ type, data }: EventRow): MailKind[] {
  if (type !== "shipment.updated") return TOLD[type] ?? [];
  const { status } = JSON.parse(data) as { status: string };
  return STEPS.filter((step) => step === status);
}

/** A payment that made no order, long after the buyer left its page as a rule; it is in no order's log. */
export const notOrderedLetter = (
  { id, quote_id }: Pick<AttemptRow, "id" | "quote_id">,
  about: LetterData & { outcome: string },
  now: number,
): Write => letter("NOT_ORDERED", `${id}_${about.outcome}`, ofQuote(quote_id, about), now);

/** Of a refund that failed, what an order's log would tell: of a payment that made no order, too. */
export const refundFailedLetter = (
  { quote_id }: Pick<AttemptRow, "quote_id">,
  about: LetterData,
  now: number,
): Write => letter("REFUND_FAILED", `${about.refund_id}_${now}`, ofQuote(quote_id, about), now);

const ofQuote = (subject: string, about: object) => ({ subject, data: JSON.stringify(about) });

/** What one act cancels is told in one letter, however many events tell it. */
export function letterOfCancellation({ id, order_id, type, occurred_at }: EventRow, about: object) {
  const kind = type === "order.canceled" ? "CANCELED" : "CANCELED_IN_PART";
  const data = JSON.stringify({ ...about, canceled_at: occurred_at });
  return letter(kind, id, { order_id, data }, occurred_at);
}

/** The id says what it is about, so the same thing can never be told twice. */
function letter(
  kind: MailKind,
  about: string,
  { order_id = null, subject = null, data = "{}" }: Partial<OutboxRow>,
  now: number,
): Write {
  const row = { id: `${kind}_${about}`, kind, order_id, subject, data, created_at: now };
  return insert("outbox", { ...row, try_at: now, tries: 0 });
}

/** What a letter that sets another right is known by: its event. */
interface FreshLetter {
  id: string;
  now: number;
}

/** What an event tells of itself, as far as letters are found by it. */
const aboutOf = ({ data }: OutboxRow) =>
  JSON.parse(data) as { shipment_id?: string; cancel_request_id?: string };

/** It is being handed over right now: whether it has left is not known. */
const isLeaving = ({ sent_at, try_at, tries, error }: OutboxRow): boolean =>
  sent_at === null && try_at !== null && tries > 0 && error === null;

/** A step was taken back: its letter is not sent any more, or is set right. */
export const lettersOfStepUndone = (
  outbox: readonly OutboxRow[],
  eventId: string,
  by: FreshLetter,
) =>
  lettersTakenBack(
    outbox.filter(({ id, kind }) => id === `${kind}_${eventId}`),
    "The step was taken back.",
    { kind: "STEP_UNDONE", ...by },
  );

/**
 * A cancel request is no longer to be decided. `withdrawn` where the merchant may have read of it and
 * does not know that yet.
 */
export const lettersOfRequestClosed = (
  outbox: readonly OutboxRow[],
  requestId: string,
  withdrawn?: FreshLetter,
) =>
  lettersTakenBack(
    outbox.filter(
      (row) => row.kind === "CANCEL_REQUEST" && aboutOf(row).cancel_request_id === requestId,
    ),
    "There is nothing to decide any more.",
    withdrawn && { kind: "CANCEL_WITHDRAWN", ...withdrawn },
  );

/** Not sent any more. Where one has left, or may have, another sets it right. */
const lettersTakenBack = (
  told: readonly OutboxRow[],
  error: string,
  after: (FreshLetter & { kind: MailKind }) | undefined,
): Write[] =>
  told.flatMap((row) => {
    const stop = row.sent_at === null && row.try_at !== null;
    const left = row.sent_at !== null || isLeaving(row);
    return [
      ...(stop ? [update("outbox", { id: row.id }, { try_at: null, error })] : []),
      ...(left && after ? [letter(after.kind, after.id, row, after.now)] : []),
    ];
  });

/** Another tracking number is told, unless the letter that tells the number has not left yet. */
export function correctionLetter(
  outbox: readonly OutboxRow[],
  about: { order_id: string; shipment_id: string },
  { id, now }: FreshLetter,
): Write[] {
  const waits = outbox.some(
    (row) =>
      (row.kind === "SHIPPED" || row.kind === "TRACKING_CORRECTED") &&
      aboutOf(row).shipment_id === about.shipment_id &&
      row.sent_at === null &&
      row.try_at !== null &&
      !isLeaving(row),
  );
  const data = JSON.stringify({ shipment_id: about.shipment_id });
  return waits ? [] : [letter("TRACKING_CORRECTED", id, { order_id: about.order_id, data }, now)];
}

/** The incident about a letter that could not be sent is told at the desk only. */
const UNSENT = "MAIL_NOT_SENT";

/** Waits between tries; after the last one it is given up. */
const WAITS_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 12 * HOUR_MS];

/** Longer than any sending takes: then another instance may take the letter over. */
const CLAIM_MS = 5 * MINUTE_MS;

/**
 * True for exactly one of all instances: it moves on when the letter is due. One that is too old to be
 * news is closed instead.
 */
export const claimLetter: Rule<{ now: number; id: string; due: number }, boolean> = {
  reads: (c) => [lock("outbox", { id: c.id })],
  decide(c, { outbox: [row] }) {
    if (row?.try_at !== c.due) return { reply: false, writes: [] };
    const stale = c.now - row.created_at > TIMES.mail_news_ms;
    const set = stale
      ? { try_at: null, error: "No longer news when mail began to work." }
      : { try_at: c.now + CLAIM_MS, tries: row.tries + 1, error: null };
    return { reply: !stale, writes: [update("outbox", { id: c.id }, set)] };
  },
};

export type LetterOutcome =
  | { kind: "sent" }
  /** It is no longer so, or there is no recipient (any more). */
  | { kind: "void"; error: string }
  /** "final" where another try would end the same way. */
  | { kind: "failed"; final: boolean; error: string };

/** Sent, to be tried again, or given up with an incident that the merchant sees. */
export const closeLetter = writeRule<{
  now: number;
  id: string;
  incidentId: string;
  outcome: LetterOutcome;
}>({
  reads: (c) => [lock("outbox", { id: c.id })],
  writes(c, { outbox: [row] }) {
    if (!row || row.sent_at !== null) return [];
    // Closed while it was being handed over: what it tells was taken back.
    if (row.try_at === null && c.outcome.kind !== "sent") return [];
    const set = (values: Partial<OutboxRow>) => update("outbox", { id: c.id }, values);
    const { outcome } = c;
    if (outcome.kind === "sent") return [set({ sent_at: c.now, try_at: null, error: null })];
    const { error } = outcome;
    if (outcome.kind === "void") return [set({ try_at: null, error })];
    const wait = outcome.final ? undefined : WAITS_MS[row.tries - 1];
    if (wait !== undefined) return [set({ try_at: c.now + wait, error })];
    const detail = `A letter (${row.kind}) was given up: ${error}`;
    const incident = { id: c.incidentId, kind: UNSENT, subject: row.order_id ?? row.id, detail };
    return [set({ try_at: null, error }), insert("incidents", { ...incident, created_at: c.now })];
  },
});
