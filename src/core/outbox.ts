import { insert, lock, type Rule, update, type Write, writeRule } from "./command.ts";
import type { OrderId, ShipmentId } from "./ids.ts";
import type { LetterData, SentLetter } from "./letter.ts";
import { HOUR_MS, MINUTE_MS, TIMES } from "./policy.ts";
import type { AttemptRow, EventRow, MailKind, OutboxRow, WaitlistRow } from "./records.ts";

/**
 * Letters that a decision's writes cause (contract §15). They are queued in the same transaction, so none
 * is forgotten or wrong. A queued letter has ids only; its text is made when it is sent.
 */
export function lettersOf(write: Write): Write[] {
  if (write.table === "events" && write.op === "insert") {
    const { id, order_id, data, occurred_at } = write.row;
    const { cancel_request_id } = JSON.parse(data) as LetterData;
    return kindsOf(write.row).map((kind) => {
      const about = ABOUT_REQUEST.has(kind) ? cancel_request_id : undefined;
      return letter(kind, about ?? id, { order_id, data }, occurred_at);
    });
  }
  if (write.op !== "insert") return [];
  const { table } = write;
  if (table === "waitlist") {
    const { id, created_at } = write.row;
    return [letter("WAITLIST_JOINED", id, { subject: id }, created_at)];
  }
  if (table !== "leads" && table !== "feedback" && table !== "incidents") return [];
  if (table === "incidents" && write.row.kind === UNSENT) return [];
  const { id, created_at } = write.row;
  return [letter(TO_READ[table], id, { subject: id }, created_at)];
}

/** Rows that the merchant is mailed about. */
const TO_READ = { leads: "BULK_LEAD", feedback: "FEEDBACK", incidents: "INCIDENT" } as const;

const TOLD: Partial<Record<string, MailKind[]>> = {
  "order.confirmed": ["RECEIPT", "NEW_ORDER"],
  "payment.refunded": ["REFUNDED"],
  "payment.refund_failed": ["REFUND_FAILED"],
  "shipment.address_changed": ["ADDRESS_CHANGED"],
  "cancel_request.received": ["CANCEL_REQUEST", "CANCEL_RECEIVED"],
  "cancel_request.withdrawn": ["CANCEL_WITHDRAWN"],
  "cancel_request.declined": ["CANCEL_DECLINED"],
};

/** Named after the request, so that the second is sent only if the first may have left. */
const ABOUT_REQUEST: ReadonlySet<MailKind> = new Set(["CANCEL_REQUEST", "CANCEL_WITHDRAWN"]);

/** Id of the letter that asks the merchant to decide this cancel request. */
export const requestLetterId = (requestId: string): string => `CANCEL_REQUEST_${requestId}`;

/** Steps of a shipment that the buyer gets a letter about. */
const STEPS = ["SHIPPED", "DELIVERED", "FAILED", "RETURNED"] as const;

/** Letters that wait until the step can no longer be undone. A later correction then needs no second one. */
const AFTER_UNDO: ReadonlySet<MailKind> = new Set([...STEPS, "TRACKING_CORRECTED"]);

function kindsOf({ type, data }: EventRow): MailKind[] {
  if (type !== "shipment.updated") return TOLD[type] ?? [];
  const { status } = JSON.parse(data) as { status: string };
  return STEPS.filter((step) => step === status);
}

/** Letter about a payment that made no order, so no order event causes it. */
export const notOrderedLetter = (
  { id, quote_id }: Pick<AttemptRow, "id" | "quote_id">,
  about: LetterData & { outcome: string },
  now: number,
): Write => letter("NOT_ORDERED", `${id}_${about.outcome}`, ofQuote(quote_id, about), now);

/** Letter about a failed refund of a payment that made no order. */
export const refundFailedLetter = (
  { quote_id }: Pick<AttemptRow, "quote_id">,
  about: LetterData,
  now: number,
): Write => letter("REFUND_FAILED", `${about.refund_id}_${now}`, ofQuote(quote_id, about), now);

/** The merchant's own words to the buyer of an order. `id`: of the note that keeps them. */
export const answerLetter = (
  { id, order_id, text }: { id: string; order_id: OrderId; text: string },
  now: number,
): Write => letter("ANSWER", id, { order_id, data: JSON.stringify({ text }) }, now);

/** The link of an order's page, for whoever reads the order's mail. */
export const orderLinkLetter = (order_id: OrderId, now: number): Write =>
  letter("ORDER_LINK", `${order_id}_${now}`, { order_id }, now);

/** Letter about offered bags. A bean that was off sale in between is offered again. */
export const offerLetter = ({ id }: Pick<WaitlistRow, "id">, now: number): Write =>
  letter("WAITLIST_OFFER", `${id}_${now}`, { subject: id }, now);

const ofQuote = (subject: string, about: object) => ({ subject, data: JSON.stringify(about) });

/** One letter per cancellation, however many events it writes. */
export function letterOfCancellation({ id, order_id, type, occurred_at }: EventRow, about: object) {
  const kind = type === "order.canceled" ? "CANCELED" : "CANCELED_IN_PART";
  const data = JSON.stringify({ ...about, canceled_at: occurred_at });
  return letter(kind, id, { order_id, data }, occurred_at);
}

/** The id names the topic, so that nobody is told the same thing twice. */
function letter(
  kind: MailKind,
  about: string,
  { order_id = null, subject = null, data = "{}" }: Partial<OutboxRow>,
  now: number,
): Write {
  const row = { id: `${kind}_${about}`, kind, order_id, subject, data, created_at: now };
  const try_at = AFTER_UNDO.has(kind) ? now + TIMES.undo_ms : now;
  return insert("outbox", { ...row, try_at, tries: 0 });
}

/** It was sent, or is being sent now. */
export const mayHaveLeft = ({ sent_at, try_at, tries, error }: OutboxRow): boolean =>
  sent_at !== null || (try_at !== null && tries > 0 && error === null);

/** Stops the letter about an undone step. It was not due yet, because letters wait for the undo window. */
export const stopLettersOf = (outbox: readonly OutboxRow[], eventId: string): Write[] =>
  outbox
    .filter(({ id, kind, try_at }) => id === `${kind}_${eventId}` && try_at !== null)
    .map(({ id }) => update("outbox", { id }, { try_at: null, error: "The step was undone." }));

/** Letter about a corrected tracking number, unless a queued letter will already name it. */
export function correctionLetter(
  outbox: readonly OutboxRow[],
  about: { order_id: OrderId; shipment_id: ShipmentId },
  { id, now }: { id: string; now: number },
): Write[] {
  const waits = outbox.some(
    (row) =>
      (row.kind === "SHIPPED" || row.kind === "TRACKING_CORRECTED") &&
      (JSON.parse(row.data) as LetterData).shipment_id === about.shipment_id &&
      row.try_at !== null &&
      !mayHaveLeft(row),
  );
  const data = JSON.stringify({ shipment_id: about.shipment_id });
  return waits ? [] : [letter("TRACKING_CORRECTED", id, { order_id: about.order_id, data }, now)];
}

/** An incident about an unsent letter causes no letter. */
const UNSENT = "MAIL_NOT_SENT";

/** Waits between tries; after the last one the letter is given up. */
const WAITS_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 12 * HOUR_MS];

/** Longer than sending takes. After it another instance may send the letter. */
const CLAIM_MS = 5 * MINUTE_MS;

/** Claims a due letter: true for exactly one instance. Closes a letter that is too old to be news. */
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
  /** `letter`: the copy to keep; null for a letter that is not kept. */
  | { kind: "sent"; letter: SentLetter | null }
  /** It is no longer true, or there is no recipient. */
  | { kind: "void"; error: string }
  /** Its recipient has reached the limit of letters, or it goes out with others. */
  | { kind: "later"; waitMs: number; why?: string }
  /** `final`: another try would fail, too. */
  | { kind: "failed"; final: boolean; error: string };

/** Closes a letter, or schedules its next try. A letter that is given up becomes an incident. */
export const closeLetter = writeRule<{
  now: number;
  id: string;
  incidentId: string;
  outcome: LetterOutcome;
}>({
  reads: (c) => [lock("outbox", { id: c.id })],
  writes(c, { outbox: [row] }) {
    if (!row || row.sent_at !== null) return [];
    const set = (values: Partial<OutboxRow>) => update("outbox", { id: c.id }, values);
    const { outcome } = c;
    if (outcome.kind === "sent") {
      const letter = outcome.letter && JSON.stringify(outcome.letter);
      return [set({ sent_at: c.now, try_at: null, error: null, letter })];
    }
    if (outcome.kind === "later") {
      const limit = "Its recipient has had as many letters as one may have in a day.";
      const error = outcome.why ?? limit;
      return [set({ try_at: c.now + outcome.waitMs, tries: row.tries - 1, error })];
    }
    const { error } = outcome;
    if (outcome.kind === "void") return [set({ try_at: null, error })];
    const wait = outcome.final ? undefined : WAITS_MS[row.tries - 1];
    if (wait !== undefined) return [set({ try_at: c.now + wait, error })];
    const detail = `A letter (${row.kind}) was given up: ${error}`;
    const incident = { id: c.incidentId, kind: UNSENT, subject: row.order_id ?? row.id, detail };
    return [set({ try_at: null, error }), insert("incidents", { ...incident, created_at: c.now })];
  },
});
