import { insert, lock, put, type Rule, update, writeRule } from "../core/command.ts";
import type { AttemptId } from "../core/ids.ts";
import { display } from "../core/money.ts";
import { HOUR_MS } from "../core/policy.ts";
import type { WebhookRow } from "../core/records.ts";
import type { ProviderEvent, ReportedCheckout } from "./reported-checkout.ts";

/** The receiving process settles a webhook at once; the background job waits this long. */
const HEAD_START_MS = 10_000;

/**
 * Stores a webhook before the provider is answered (contract §5). Webhooks of another mode are `ignored`:
 * stored and never settled. Replies whether there is something to settle.
 */
export const receiveWebhook: Rule<
  { now: number; event: ProviderEvent; ignored: boolean },
  boolean
> = {
  reads: (c) => [lock("webhooks", { id: c.event.id })],
  decide({ now, event, ignored }, s) {
    if (s.webhooks.length > 0) return { reply: false, writes: [] };
    const row: WebhookRow = {
      id: event.id,
      type: event.type,
      api_version: event.apiVersion,
      livemode: event.livemode ? 1 : 0,
      session_id: event.sessionId,
      payment_ref: event.paymentRef,
      received_at: now,
      settled_at: ignored ? now : null,
      tries: 0,
      try_at: ignored ? null : now + HEAD_START_MS,
      error: ignored ? "IGNORED: of another mode" : null,
    };
    return { reply: !ignored, writes: [insert("webhooks", row)] };
  },
};

/** Tells the merchant once of a payment to this shop that its database does not know. */
export const tellUnknownPayment = writeRule<{
  now: number;
  incidentId: string;
  paid: Pick<ReportedCheckout, "sessionId" | "amountMinor">;
}>({
  reads: (c) => [lock("incidents", { id: c.incidentId })],
  writes({ now, incidentId: id, paid: { sessionId, amountMinor } }, s) {
    if (s.incidents.length > 0) return [];
    const detail =
      `${display(amountMinor ?? 0)} was paid on a page that this database does not know, perhaps because an ` +
      "older copy was restored. Find the payment at the provider, then deliver the order, or refund or cancel it there.";
    const incident = { id, kind: "PAYMENT_UNKNOWN", subject: sessionId, detail, created_at: now };
    return [insert("incidents", incident)];
  },
});

const MISSED_SETTING = "webhooks_missed";

/** Payments in a row without a webhook, after which the merchant is told. */
const MOST_MISSED = 3;

interface MissedWebhook {
  now: number;
  attemptId: AttemptId;
  /** When the last webhook arrived, or null if none is known. */
  lastAt: number | null;
  incidentId: string;
}

/**
 * Counts payments whose order was found by asking, while no webhook arrived. After three in a row, an
 * incident says so once a day.
 */
export const countMissedWebhook = writeRule<MissedWebhook>({
  reads: (c) => [
    lock("settings", { name: MISSED_SETTING }),
    lock("incidents", { id: c.incidentId }),
  ],
  writes({ now, attemptId, lastAt, incidentId: id }, { settings: [row], incidents }) {
    const before = row ? (JSON.parse(row.value) as { at: number; count: number }) : null;
    const inRow = before && (lastAt ?? Number.NEGATIVE_INFINITY) < before.at;
    const count = inRow ? before.count + 1 : 1;
    const value = JSON.stringify({ at: now, count });
    const counted = put("settings", row, { name: MISSED_SETTING }, { value });
    if (count < MOST_MISSED || incidents.length > 0) return [counted];
    const detail =
      `The payment provider's webhooks do not arrive: the last ${count} payments were found by asking, a ` +
      "minute late. Check the endpoint /webhooks/stripe at the provider and STRIPE_WEBHOOK_SECRETS.";
    const kind = "WEBHOOKS_MISSING";
    return [
      counted,
      insert("incidents", { id, kind, subject: attemptId, detail, created_at: now }),
    ];
  },
});

export interface WebhookTry {
  now: number;
  id: string;
  outcome: "settled" | "ignored" | "later";
  error: string | null;
  incidentId: string;
}

/** About three days, with an hour between later tries: as long as the provider itself retries. */
const MOST_TRIES = 84;

export const recordWebhookTry = writeRule<WebhookTry>({
  reads: (c) => [lock("webhooks", { id: c.id })],
  writes({ now, id, outcome, error, incidentId }, s) {
    const row = s.webhooks[0];
    if (!row || row.settled_at !== null) return [];
    const tries = row.tries + 1;
    if (outcome !== "later") {
      return [update("webhooks", { id }, { tries, settled_at: now, try_at: null, error })];
    }
    const over = tries >= MOST_TRIES;
    const wait = Math.min(HOUR_MS, 1000 * 2 ** tries);
    const set = { tries, error, try_at: over ? null : now + wait };
    const tried = update("webhooks", { id }, set);
    if (!over) return [tried];
    const detail = "Could not be processed for three days. Check the payment at the provider.";
    const about = { kind: "WEBHOOK_UNSETTLED", subject: id, detail, created_at: now };
    return [tried, insert("incidents", { id: incidentId, ...about })];
  },
});
