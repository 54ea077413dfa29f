import { randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { nameForPeople } from "../catalog/catalog.ts";
import { canBeOffered } from "../catalog/offer-free-stock.ts";
import { adminVerb, LIST_ROWS, type ListPage } from "../core/admin-verb.ts";
import { confirmUrl, placeUrl, reviewUrl } from "../core/context.ts";
import { customerOf, Email } from "../core/email.ts";
import { MerchantError } from "../core/errors.ts";
import { newId, type OrderId } from "../core/ids.ts";
import {
  type Letter,
  type LetterData,
  type Mailer,
  MailFailed,
  MailRefused,
  type Sender,
  type SentLetter,
} from "../core/letter.ts";
import { addressPseudonym } from "../core/network.ts";
import { cancellationsIn } from "../core/order-log.ts";
import {
  claimLetter,
  closeLetter,
  type LetterOutcome,
  mayHaveLeft,
  requestLetterId,
} from "../core/outbox.ts";
import { HOUR_MS, iso, isoOrNull, MOST_COUNTED, TIMES } from "../core/policy.ts";
import { returnPoint, takePoints } from "../core/rate-limits.ts";
import { ERASED, type OrderRow, type OutboxRow, type RefundRow } from "../core/records.ts";
import { hourIn, midnightIn } from "../core/time.ts";
import { MOST_EVENTS } from "../orders/found-orders.ts";
import type { orderVerbs } from "../orders/order-verbs.ts";
import type { Context } from "../payments/provider.ts";
import { owed } from "../quotes/found-quotes.ts";
import * as letters from "./letters.ts";

/** The daily letter about new orders goes out at seven in the morning. */
const DIGEST_HOUR = 7;
const DIGEST_PAGE = 50;

/** Letters sent in one run of the background job. */
const AT_ONCE = 50;

/** Ids in the log: the order, or a quote that was not ordered. */
const subjectOf = ({ order_id, subject }: OutboxRow) => ({
  ...(order_id !== null && { order: order_id }),
  ...(subject?.startsWith("qte_") && { quote: subject }),
});

const listed = (row: OutboxRow, { to, subject, text }: SentLetter, as_sent: boolean) => ({
  id: row.id,
  kind: row.kind,
  created_at: iso(row.created_at),
  sent_at: isoOrNull(row.sent_at),
  try_at: isoOrNull(row.try_at),
  error: row.error,
  letter: { to, subject, text },
  as_sent,
});

/** Sends letters to buyers and the merchant, each once (contract §15). */
export function mailVerbs(context: Context, orders: ReturnType<typeof orderVerbs>) {
  const { store, catalog, clock, log, baseUrl } = context;
  const { queries } = store;
  const sender: Sender = {
    get shop() {
      return context.shop.name;
    },
    get supportEmail() {
      return context.supportEmail;
    },
    merchantEmail: context.merchantEmail,
    timeZone: context.timeZone,
    deskUrl: `${baseUrl}/desk`,
  };

  /** Builds the letter from the current rows. Null if it has no recipient any more. */
  async function letterOf(row: OutboxRow): Promise<Letter | null> {
    if (row.order_id !== null) {
      const order = await queries.order(row.order_id);
      if (!order || order.buyer_email === ERASED) return null;
      if (isDigested(row)) return digestOf(row);
      const [view] = await orders.viewsForPeople([order]);
      return letters.orderLetter(row.kind, sender, view!, JSON.parse(row.data));
    }
    const subject = row.subject ?? "";
    switch (row.kind) {
      case "WAITLIST_OFFER":
      case "WAITLIST_JOINED": {
        const entry = await queries.waitlistEntry(subject);
        if (!entry || entry.buyer_email === ERASED) return null;
        const place = {
          to: entry.buyer_email,
          bean: nameForPeople(catalog, entry),
          quantity: entry.quantity,
          placeUrl: placeUrl(context, entry.id),
        };
        if (row.kind === "WAITLIST_JOINED") {
          return letters.waitlistJoined(sender, {
            ...place,
            confirmUrl: confirmUrl(context, entry.id),
          });
        }
        if (entry.status !== "OFFERED" || entry.offer_expires_at === null) return null;
        const until = iso(entry.offer_expires_at);
        const hasAgent = entry.agent_id !== null;
        return letters.waitlistOffer(sender, { ...place, until, hasAgent });
      }
      case "NOT_ORDERED":
      case "REFUND_FAILED": {
        const found = await queries.quote(subject);
        if (!found || found.quote.buyer_email === ERASED) return null;
        return letters.notOrdered(sender, {
          to: found.quote.buyer_email,
          mode: context.provider.mode,
          pageUrl: reviewUrl(context, subject),
          about: JSON.parse(row.data),
        });
      }
      case "BULK_LEAD": {
        const lead = await queries.lead(subject);
        return lead ? letters.bulkLead(sender, lead) : null;
      }
      case "FEEDBACK": {
        const message = await queries.feedback(subject);
        if (!message) return null;
        const [order, agent] = await Promise.all([
          queries.order(message.order_id ?? ""),
          queries.agent(message.agent_id),
        ]);
        return letters.feedback(sender, message, { order, agent });
      }
      default: {
        const incident = await queries.incident(subject);
        if (!incident) return null;
        return letters.incident(sender, { ...incident, number: await numberOf(incident.subject) });
      }
    }
  }

  /** Start and end of the day of a moment by the shop's clock. */
  function dayAround(at: number) {
    const start = midnightIn(context.timeZone, at);
    // A day has at most 25 hours.
    return { start, end: midnightIn(context.timeZone, start + 30 * HOUR_MS) };
  }

  /** One letter about a day's orders. It goes out with the row of the last that is not erased; the others are void. */
  async function digestOf(row: OutboxRow): Promise<Letter | null> {
    const { start, end } = dayAround(row.created_at);
    const day = [];
    for (let after = { at: start - 1, id: "" }; ; ) {
      const page = await queries.ordersAfter(after, DIGEST_PAGE);
      const isTold = ({ created_at, buyer_email }: OrderRow) =>
        created_at >= start && created_at < end && buyer_email !== ERASED;
      day.push(...page.filter(isTold));
      const last = page.at(-1);
      if (!last || page.length < DIGEST_PAGE || last.created_at >= end) break;
      after = { at: last.created_at, id: last.id };
    }
    if (day.at(-1)?.id !== row.order_id) return null;
    return letters.orderDigest(sender, await orders.viewsForPeople(day));
  }

  const isDigested = ({ kind }: OutboxRow) =>
    kind === "NEW_ORDER" && context.shop.order_mail === "daily";

  /** Number of an order, if the id is one. */
  const numberOf = async (id: string) => (await queries.order(id))?.number;

  /** The news still holds: for example, a refund has not failed since, and a cancel request is still open. */
  async function isCurrent({ kind, subject, data, created_at }: OutboxRow): Promise<boolean> {
    const { refund_id, cancel_request_id = "" } = JSON.parse(data) as LetterData;
    switch (kind) {
      case "WAITLIST_OFFER": {
        const entry = await queries.waitlistEntry(subject ?? "");
        const isThis = entry?.offer_expires_at === created_at + TIMES.waitlist_offer_ms;
        return isThis && canBeOffered(catalog.find(entry.product_id));
      }
      case "WAITLIST_JOINED": {
        const entry = await queries.waitlistEntry(subject ?? "");
        if (!entry || entry.confirmed_at !== null) return false;
        return entry.status === "WAITING" || entry.status === "OFFERED";
      }
      case "CANCEL_REQUEST":
      case "CANCEL_RECEIVED":
        return (await queries.cancelRequest(cancel_request_id))?.status === "REQUESTED";
      case "CANCEL_WITHDRAWN": {
        const request = await queries.letter(requestLetterId(cancel_request_id));
        return request !== undefined && mayHaveLeft(request);
      }
    }
    if (kind === "NOT_ORDERED" && refund_id === undefined) {
      const status = (await queries.quote(subject ?? ""))?.state.status;
      return status !== "PAID" && status !== "PROCESSING";
    }
    const refund = refund_id ? await queries.refund(refund_id) : undefined;
    if (kind === "REFUNDED" && refund?.order_id && (await isToldOf(refund, refund.order_id))) {
      return false;
    }
    if (kind === "REFUND_FAILED" && refund) return (await owed(store, [refund.payment_ref])) > 0;
    return refund?.status !== "FAILED";
  }

  /** The letter about a cancellation tells its refund, so that there is no second letter. */
  async function isToldOf({ created_at }: RefundRow, orderId: OrderId): Promise<boolean> {
    const events = await queries.events(orderId, 0, MOST_EVENTS);
    const ids = cancellationsIn(events).flatMap(({ entry: { id } }) => [
      `CANCELED_${id}`,
      `CANCELED_IN_PART_${id}`,
    ]);
    const about = await queries.lettersByIds(ids);
    return about.some(({ sent_at, try_at, created_at: from }) =>
      sent_at === null ? try_at !== null : from <= created_at && created_at <= sent_at,
    );
  }

  /** Letters that were sent but not recorded, because the database failed just then. */
  const sentUnrecorded = new Map<string, SentLetter | null>();

  /**
   * What is kept of a letter to a buyer. The merchant's own letters may name other buyers, whose data would
   * outlive an erasure. Links to the buyer's pages are secrets, which the database does not have.
   */
  const keptOf = ({ to, subject, text }: Letter): SentLetter | null =>
    to === context.merchantEmail
      ? null
      : { to, subject, text: text.replace(/https?:\/\/\S+/g, withoutSecret) };

  const withoutSecret = (url: string): string =>
    url.startsWith(`${baseUrl}/`) ? `${baseUrl}/…` : url;

  async function sendOne(mailer: Mailer, row: OutboxRow): Promise<boolean> {
    const claim = { now: clock(), id: row.id, due: row.try_at! };
    if (!(await store.run(claimLetter, claim))) return false;
    const outcome = await handOver(mailer, row);
    const now = clock();
    await store.run(closeLetter, { now, id: row.id, incidentId: newId("inc", now), outcome });
    sentUnrecorded.delete(row.id);
    return outcome.kind === "sent";
  }

  /** The limit that a letter to this recipient counts against; null if none, as for the merchant. */
  async function letterLimit({ kind, subject: about }: OutboxRow, to: string) {
    if (context.rateLimits === null || to === context.merchantEmail) return null;
    const joined = kind === "WAITLIST_JOINED" && (await queries.waitlistEntry(about ?? ""));
    const usual = context.provider.mode === "sandbox" ? "free_letters" : "letters";
    const name = joined ? "confirm_letters" : usual;
    const { points, seconds } = context.rateLimits[name];
    const topic = joined ? `letters about ${joined.product_id}` : "letters";
    const subject = addressPseudonym(context.secret, `${topic} to ${customerOf(to)}`);
    return { now: clock(), name, subject, points, seconds };
  }

  /** Sends within the recipient's limit, which a failed letter does not use up. */
  async function send(mailer: Mailer, row: OutboxRow, letter: Letter): Promise<LetterOutcome> {
    const limit = await letterLimit(row, letter.to);
    if (limit) {
      const { allowed, resetMs } = await store.run(takePoints, { ...limit, wanted: 1 });
      if (!allowed) return { kind: "later", waitMs: resetMs };
    }
    try {
      await mailer.send(letter, row.id);
      return { kind: "sent", letter: keptOf(letter) };
    } catch (error) {
      if (limit) await store.run(returnPoint, limit);
      throw error;
    }
  }

  async function handOver(mailer: Mailer, row: OutboxRow): Promise<LetterOutcome> {
    const known = sentUnrecorded.get(row.id);
    if (known !== undefined) return { kind: "sent", letter: known };
    if (isDigested(row)) {
      const { end } = dayAround(row.created_at);
      const waitMs = hourIn(context.timeZone, end, DIGEST_HOUR) - clock();
      if (waitMs > 0) return { kind: "later", waitMs, why: "It goes out with the day’s orders." };
    }
    try {
      const letter = (await isCurrent(row)) ? await letterOf(row) : null;
      if (!letter)
        return {
          kind: "void",
          error: "It is no longer so, another letter says it, or there is no recipient.",
        };
      const outcome = await send(mailer, row, letter);
      if (outcome.kind !== "sent") return outcome;
      sentUnrecorded.set(row.id, outcome.letter);
      log.info({ letter: row.kind, ...subjectOf(row) }, "a letter was sent");
      return outcome;
    } catch (error) {
      const final = error instanceof MailRefused;
      log.warn({ letter: row.kind, ...subjectOf(row), final, error }, "a letter was not sent");
      return { kind: "failed", final, error: (error as Error).message };
    }
  }

  return {
    /** There is a mail server. */
    sending: context.mailer !== undefined,

    /** Sends a letter without storing it. Throws MailFailed with the mail server's answer. */
    test: adminVerb({ to: Email }, async ({ to }) => {
      if (!context.mailer) {
        throw new MerchantError(
          "ILLEGAL_STEP",
          "No mail server is set, so nothing was sent. Set SMTP_URL and MAIL_FROM, then try again.",
        );
      }
      try {
        await context.mailer.send(letters.testLetter(sender, to), `test_${randomUUID()}`);
      } catch (error) {
        throw new MailFailed(`Nothing was sent to ${to}: ${(error as Error).message}.`);
      }
      return { to };
    }),

    /** The merchant's address gets sign-in links. */
    reachesMerchant: context.mailer !== undefined && context.merchantEmail !== undefined,

    /** Sends the merchant a sign-in link, which is not stored. Throws MailFailed. */
    async sendSignIn(token: string): Promise<void> {
      const letter = letters.signInLink(sender, token);
      if (letter) await context.mailer?.send(letter, `sign_in_${randomUUID()}`);
    },

    /**
     * Sends due letters and returns their number. Instances may run it at the same time. Starts no letter
     * after `signal` aborts: one sent while the store closes could not be recorded and would be sent again.
     */
    async sendDue(mailer: Mailer, signal?: AbortSignal): Promise<number> {
      let sent = 0;
      for (const row of await queries.dueLetters(clock(), AT_ONCE)) {
        if (signal?.aborted) break;
        if (await sendOne(mailer, row)) sent++;
      }
      return sent;
    },

    /** Letters that the mail server has not taken yet, of at most 1,000, and the age of the oldest. */
    async waiting(): Promise<{ count: number; oldestSeconds: number }> {
      const EVER = Number.MAX_SAFE_INTEGER;
      const now = clock();
      const all = context.mailer ? await queries.dueLetters(EVER, MOST_COUNTED) : [];
      // Letters about steps that can still be undone are not due yet.
      const due = all.filter(({ tries, try_at }) => tries > 0 || try_at! <= now);
      const oldest = Math.min(now, ...due.map(({ created_at }) => created_at));
      return { count: due.length, oldestSeconds: (now - oldest) / 1000 };
    },

    /** Newest first: sent ones as they were sent, others as they would read now. None without a recipient. */
    async list({ before, limit = LIST_ROWS }: ListPage = {}) {
      const list = [];
      for (let edge = before; ; ) {
        const rows = await queries.letters(edge, limit);
        for (const row of rows) {
          const kept: SentLetter | null = row.letter === null ? null : JSON.parse(row.letter);
          const letter = kept ?? (await letterOf(row));
          if (letter && list.length < limit) list.push(listed(row, letter, kept !== null));
          // Lets other requests run between letters, since one may list 50 shipments.
          await setImmediate();
        }
        const last = rows.at(-1);
        if (!last || rows.length < limit || list.length === limit) return list;
        edge = { at: last.created_at, id: last.id };
      }
    },
  };
}
