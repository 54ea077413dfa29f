import { randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { nameForPeople } from "../catalog/catalog.ts";
import { canBeOffered } from "../catalog/offer-free-stock.ts";
import { adminVerb, type ListPage } from "../core/admin-verb.ts";
import { type Context, confirmUrl, placeUrl, reviewUrl } from "../core/context.ts";
import { customerOf, Email } from "../core/email.ts";
import { MerchantError } from "../core/errors.ts";
import { newId } from "../core/ids.ts";
import {
  type Letter,
  type LetterData,
  type Mailer,
  MailFailed,
  MailRefused,
  type Sender,
} from "../core/letter.ts";
import { addressPseudonym } from "../core/network.ts";
import {
  claimLetter,
  closeLetter,
  type LetterOutcome,
  mayHaveLeft,
  requestLetterId,
} from "../core/outbox.ts";
import { iso, isoOrNull, TIMES } from "../core/policy.ts";
import { takePoints } from "../core/rate-limits.ts";
import { ERASED, type OutboxRow } from "../core/records.ts";
import type { orderVerbs } from "../orders/order-verbs.ts";
import { owed } from "../quotes/found-quotes.ts";
import * as letters from "./letters.ts";

/** Letters handed over in one go of the background job. */
const AT_ONCE = 50;

/** Letters to buyers and to the merchant: what is due is sent, once each (contract §15). */
export function mailVerbs(context: Context, orders: ReturnType<typeof orderVerbs>) {
  const { store, catalog, clock, log, baseUrl } = context;
  const { queries } = store;
  const sender: Sender = {
    shop: context.shop.name,
    supportEmail: context.supportEmail,
    merchantEmail: context.merchantEmail,
    timeZone: context.timeZone,
    deskUrl: `${baseUrl}/desk`,
  };

  /** Made anew from the rows each time; null where there is no recipient any more. */
  async function letterOf(row: OutboxRow): Promise<Letter | null> {
    if (row.order_id !== null) {
      const order = await queries.order(row.order_id);
      // Somebody who has been erased has no address to write to.
      if (!order || order.buyer_email === ERASED) return null;
      const [view] = await orders.viewsForPeople([order]);
      return letters.orderLetter(row.kind, sender, view!, JSON.parse(row.data));
    }
    const subject = row.subject ?? "";
    if (row.kind === "WAITLIST_OFFER") {
      const entry = await queries.waitlistEntry(subject);
      if (entry?.status !== "OFFERED" || entry.offer_expires_at === null) return null;
      return letters.waitlistOffer(sender, {
        to: entry.buyer_email,
        bean: nameForPeople(catalog, entry),
        quantity: entry.quantity,
        until: iso(entry.offer_expires_at),
        hasAgent: entry.agent_id !== null,
        placeUrl: placeUrl(context, entry.id),
      });
    }
    if (row.kind === "WAITLIST_JOINED") {
      const entry = await queries.waitlistEntry(subject);
      if (!entry || entry.buyer_email === ERASED) return null;
      return letters.waitlistJoined(sender, {
        to: entry.buyer_email,
        bean: nameForPeople(catalog, entry),
        quantity: entry.quantity,
        placeUrl: placeUrl(context, entry.id),
        confirmUrl: confirmUrl(context, entry.id),
      });
    }
    if (row.kind === "BULK_LEAD") {
      const lead = await queries.lead(subject);
      return lead ? letters.bulkLead(sender, lead) : null;
    }
    if (row.kind === "NOT_ORDERED" || row.kind === "REFUND_FAILED") {
      const found = await queries.quote(subject);
      if (!found || found.quote.buyer_email === ERASED) return null;
      return letters.notOrdered(sender, {
        to: found.quote.buyer_email,
        mode: context.provider.mode,
        pageUrl: reviewUrl(context, subject),
        told: JSON.parse(row.data),
      });
    }
    if (row.kind === "FEEDBACK") {
      const feedback = await queries.feedback(subject);
      return feedback
        ? letters.feedback(sender, { ...feedback, number: await numberOf(feedback.order_id) })
        : null;
    }
    const incident = await queries.incident(subject);
    return incident
      ? letters.incident(sender, { ...incident, number: await numberOf(incident.subject) })
      : null;
  }

  /** Number of the order that something is about, if any. */
  const numberOf = async (id: string | null) => (await queries.order(id ?? ""))?.number;

  /**
   * Whether the news still holds. A refund may have failed since, a failed one may have been made again,
   * an offer may have been renewed, a cancel request decided, and a refused payment made after all.
   */
  async function isStillSo({ kind, subject, data, created_at }: OutboxRow): Promise<boolean> {
    if (kind === "WAITLIST_OFFER") {
      const entry = await queries.waitlistEntry(subject ?? "");
      const isThis = entry?.offer_expires_at === created_at + TIMES.waitlist_offer_ms;
      return isThis && canBeOffered(catalog.find(entry.product_id));
    }
    if (kind === "WAITLIST_JOINED") {
      const entry = await queries.waitlistEntry(subject ?? "");
      if (!entry || entry.confirmed_at !== null) return false;
      return entry.status === "WAITING" || entry.status === "OFFERED";
    }
    const { outcome, refund_id, cancel_request_id = "" } = JSON.parse(data) as LetterData;
    if (kind === "CANCEL_REQUEST" || kind === "CANCEL_RECEIVED") {
      return (await queries.cancelRequest(cancel_request_id))?.status === "REQUESTED";
    }
    if (kind === "CANCEL_WITHDRAWN") {
      const request = await queries.letter(requestLetterId(cancel_request_id));
      return request !== undefined && mayHaveLeft(request);
    }
    if (kind === "NOT_ORDERED" && outcome === "FAILED") {
      const status = (await queries.quote(subject ?? ""))?.state.status;
      return status !== "PAID" && status !== "PROCESSING";
    }
    const refund = refund_id ? await queries.refund(refund_id) : undefined;
    if (kind === "REFUND_FAILED" && refund) return (await owed(store, [refund.payment_ref])) > 0;
    return refund?.status !== "FAILED";
  }

  /** Letters that have left and are not noted: where the database was away just then. */
  const left = new Set<string>();

  async function sendOne(mailer: Mailer, row: OutboxRow): Promise<boolean> {
    const claim = { now: clock(), id: row.id, due: row.try_at! };
    if (!(await store.run(claimLetter, claim))) return false;
    const outcome = await handOver(mailer, row);
    const now = clock();
    await store.run(closeLetter, { now, id: row.id, incidentId: newId("inc", now), outcome });
    left.delete(row.id);
    return outcome.kind === "sent";
  }

  /** Milliseconds until this recipient may get one more letter. The merchant gets all. */
  async function letterWait({ kind }: OutboxRow, to: string): Promise<number> {
    if (context.rateLimits === null || to === context.merchantEmail) return 0;
    const isFree = kind === "WAITLIST_JOINED" || context.provider.mode === "sandbox";
    const name = isFree ? "free_letters" : "letters";
    const { points, seconds } = context.rateLimits[name];
    const subject = addressPseudonym(context.secret, `letters to ${customerOf(to)}`);
    const command = { now: clock(), name, subject, wanted: 1, points, seconds };
    const { allowed, resetMs } = await store.run(takePoints, command);
    return allowed ? 0 : resetMs;
  }

  async function handOver(mailer: Mailer, row: OutboxRow): Promise<LetterOutcome> {
    if (left.has(row.id)) return { kind: "sent" };
    try {
      const letter = (await isStillSo(row)) ? await letterOf(row) : null;
      if (!letter) return { kind: "void", error: "It is no longer so, or there is no recipient." };
      const waitMs = await letterWait(row, letter.to);
      if (waitMs > 0) return { kind: "later", waitMs };
      await mailer.send(letter, row.id);
      left.add(row.id);
      return { kind: "sent" };
    } catch (error) {
      const final = error instanceof MailRefused;
      log.warn({ letter: row.kind, final, error }, "a letter was not sent");
      return { kind: "failed", final, error: (error as Error).message };
    }
  }

  return {
    /** Whether there is a mail server at all. */
    sending: context.mailer !== undefined,

    /** Sends one letter now and keeps nothing of it. Throws MailFailed with the mail server's answer. */
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

    /**
     * Sends what is due; how many went out. Harmless beside other instances. Nothing new is begun once
     * `signal` is aborted: what leaves while the store closes could not be noted, and would leave again.
     */
    async sendDue(mailer: Mailer, signal?: AbortSignal): Promise<number> {
      let sent = 0;
      for (const row of await queries.dueLetters(clock(), AT_ONCE)) {
        if (signal?.aborted) break;
        if (await sendOne(mailer, row)) sent++;
      }
      return sent;
    },

    /** Newest first, each with its text as it was or would be sent. */
    async list(page: ListPage = {}) {
      const rows = await queries.letters(page.before, page.limit);
      const shown = (letter: Letter | null) =>
        letter && { to: letter.to, subject: letter.subject, text: letter.text };
      const list = [];
      for (const row of rows) {
        list.push({
          id: row.id,
          kind: row.kind,
          created_at: iso(row.created_at),
          sent_at: isoOrNull(row.sent_at),
          try_at: isoOrNull(row.try_at),
          error: row.error,
          letter: shown(await letterOf(row)),
        });
        // Other requests run between two letters, each of which may tell of 50 shipments.
        await setImmediate();
      }
      return list;
    },
  };
}
