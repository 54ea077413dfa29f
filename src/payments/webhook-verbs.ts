import { limitConcurrency } from "../core/concurrency.ts";
import { unobserved } from "../core/context.ts";
import { newId } from "../core/ids.ts";
import { DAY_MS, MINUTE_MS } from "../core/policy.ts";
import type { AttemptRow, WebhookRow } from "../core/records.ts";
import { BadSignature, type Context, type ProviderEvent, ProviderRejected } from "./provider.ts";
import { incidentOf, type Settlements } from "./settlements.ts";
import {
  countMissedWebhook,
  receiveWebhook,
  recordWebhookTry,
  type WebhookTry,
} from "./webhooks.ts";

/** Webhooks settled at once, so that a burst of them does not flood the provider. */
const CONCURRENCY = 8;

/** Anyone can send unsigned webhooks, so refusals are logged at most this often. */
const REFUSALS_LOGGED_EVERY_MS = MINUTE_MS;

type WebhookIds = Pick<ProviderEvent, "id" | "type" | "sessionId" | "paymentRef">;

/** Events of a payment's usual course: several tell of each step that the shop takes itself. */
const USUAL: ReadonlySet<string> = new Set([
  "checkout.session.completed",
  "payment_intent.amount_capturable_updated",
  "payment_intent.succeeded",
]);

/** Whether a usual event is no news: the order is made, or a process captures or releases what was authorized. */
const isKnown = ({ status }: AttemptRow, type: string): boolean =>
  status === "PAID" ||
  ((status === "CAPTURING" || status === "RELEASING") && type !== "payment_intent.succeeded");

export function webhookVerbs(context: Context, settling: Settlements) {
  const { store, provider, clock, log, watch = unobserved } = context;
  const limited = limitConcurrency(CONCURRENCY);

  /** Reads the webhook's subject from the provider again. Only the ids in its payload are used. */
  async function settle({ type, sessionId, paymentRef }: WebhookIds): Promise<void> {
    const { attemptBySession, attemptByPayment } = store.queries;
    if (sessionId === null && paymentRef === null) return;
    const attempt = await (sessionId === null
      ? attemptByPayment(paymentRef!)
      : attemptBySession(sessionId));
    if (attempt && USUAL.has(type) && isKnown(attempt, type)) return;
    if (sessionId !== null) {
      await settling.settleSession(sessionId);
      return;
    }
    if (paymentRef === null) return;
    if (attempt) await settling.settleAttempt(attempt);
    else {
      const state = await provider.findByPayment(paymentRef);
      if (state) await settling.settleSession(state.sessionId);
    }
  }

  async function process(event: WebhookIds): Promise<void> {
    let outcome: WebhookTry["outcome"] = "settled";
    let error: string | null = null;
    try {
      await settle(event);
    } catch (cause) {
      // The provider refuses an unknown session, which no later try will find.
      outcome = cause instanceof ProviderRejected ? "ignored" : "later";
      error = cause instanceof Error ? cause.name : "unknown";
      log.warn({ webhook: event.id, outcome, error: cause }, "a webhook was not settled");
    }
    const now = clock();
    const incidentId = newId("inc", now);
    await store.run(recordWebhookTry, { now, id: event.id, outcome, error, incidentId });
  }

  const observed = (event: WebhookIds) =>
    watch({ kind: "webhook", name: "settle" }, () => process(event));
  const underWay = new Set<Promise<void>>();
  const refused = { count: 0, loggedAt: Number.NEGATIVE_INFINITY };

  function logRefusal(error: BadSignature): void {
    void watch({ kind: "webhook", name: "refused" }, async () => {});
    refused.count += 1;
    const now = clock();
    if (now - refused.loggedAt < REFUSALS_LOGGED_EVERY_MS) return;
    log.warn({ error, refused: refused.count }, "a webhook was refused");
    Object.assign(refused, { count: 0, loggedAt: now });
  }

  /** Stores an event. A `fresh` one must be settled now; others were received before. */
  async function keep(event: ProviderEvent) {
    const ignored = event.livemode !== (provider.mode === "live");
    if (ignored) log.warn({ webhook: event.id }, "a webhook of another mode is ignored");
    return { event, fresh: await store.run(receiveWebhook, { now: clock(), event, ignored }) };
  }

  async function settleNow(event: ProviderEvent): Promise<void> {
    const processed = limited(() => observed(event));
    underWay.add(processed);
    await processed.finally(() => underWay.delete(processed));
  }

  return {
    /** Verifies and stores a webhook. Returns null, without storing, if the signature does not match. */
    async receive(rawBody: Buffer, signature: string | undefined) {
      let event: ProviderEvent;
      try {
        event = provider.verifyWebhook(rawBody, signature);
      } catch (error) {
        if (!(error instanceof BadSignature)) throw error;
        logRefusal(error);
        return null;
      }
      return keep(event);
    },

    process: settleNow,

    /** Stores and settles an event of a provider in this process. */
    async take(event: ProviderEvent): Promise<void> {
      const { fresh } = await keep(event);
      if (fresh) await settleNow(event);
    },

    /**
     * Notes that a payment was found without its webhook. A webhook since the payment began shows that the
     * provider reaches us.
     */
    async missed({ id: attemptId, created_at }: AttemptRow): Promise<void> {
      const [last] = await store.queries.lastWebhook();
      const lastAt = last?.received_at ?? null;
      if (lastAt !== null && lastAt >= created_at) return;
      const now = clock();
      log.warn({ attempt: attemptId }, "a payment was found without its webhook");
      const incidentId = incidentOf(`webhooks missing ${Math.floor(now / DAY_MS)}`);
      await watch({ kind: "webhook", name: "missed" }, () =>
        store.run(countMissedWebhook, { now, attemptId, lastAt, incidentId }),
      );
    },

    /** Resolves once every received webhook is settled or has failed. */
    finished: () => Promise.allSettled(underWay),

    /** Settles stored webhooks, as after a crash. `early`: also those that are not due yet. */
    async processDue(
      options: { limit?: number; early?: boolean; signal?: AbortSignal | undefined } = {},
    ): Promise<number> {
      const { limit = 100, early = false, signal } = options;
      const until = early ? Number.MAX_SAFE_INTEGER : clock();
      const due = await store.queries.dueWebhooks(until, limit);
      const one = async (row: WebhookRow) => {
        if (signal?.aborted) return;
        await observed({
          id: row.id,
          type: row.type,
          sessionId: row.session_id,
          paymentRef: row.payment_ref,
        });
      };
      await Promise.all(due.map((row) => limited(() => one(row))));
      return due.length;
    },
  };
}
