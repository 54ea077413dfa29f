import { limitConcurrency } from "../core/concurrency.ts";
import { type Context, unobserved } from "../core/context.ts";
import { newId } from "../core/ids.ts";
import { MINUTE_MS } from "../core/policy.ts";
import type { WebhookRow } from "../core/records.ts";
import { BadSignature, type ProviderEvent, ProviderRejected } from "../payments/provider.ts";
import { receiveWebhook, recordWebhookTry, type WebhookTry } from "../payments/webhooks.ts";
import type { Settlements } from "./settlements.ts";

/** Webhooks settled at once: a storm of them must not become a storm at the provider. */
const CONCURRENCY = 8;

/** Anybody can send unsigned webhooks, so refusals are logged at most this often. */
const REFUSALS_LOGGED_EVERY_MS = MINUTE_MS;

type WebhookIds = Pick<ProviderEvent, "id" | "sessionId" | "paymentRef">;

export function webhookVerbs(context: Context, settling: Settlements) {
  const { store, provider, clock, log, watch = unobserved } = context;
  const limited = limitConcurrency(CONCURRENCY);

  /** Looks again at whatever a webhook is about. Its payload is never believed, only its ids. */
  async function settle({ sessionId, paymentRef }: WebhookIds): Promise<void> {
    if (sessionId !== null) {
      await settling.settleSession(sessionId);
      return;
    }
    if (paymentRef === null) return;
    const attempt = await store.queries.attemptByPayment(paymentRef);
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
      // Refused means that the provider knows no such session: no later try will find it.
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
    refused.count += 1;
    const now = clock();
    if (now - refused.loggedAt < REFUSALS_LOGGED_EVERY_MS) return;
    log.warn({ error, refused: refused.count }, "a webhook was refused");
    Object.assign(refused, { count: 0, loggedAt: now });
  }

  return {
    /**
     * Verifies, stores, commits. Null: the signature does not fit, and nothing was stored. `fresh` ones
     * are to be settled now; of the others somebody has taken care.
     */
    async receive(rawBody: Buffer, signature: string | undefined) {
      let event: ProviderEvent;
      try {
        event = provider.verifyWebhook(rawBody, signature);
      } catch (error) {
        if (!(error instanceof BadSignature)) throw error;
        logRefusal(error);
        return null;
      }
      const ignored = event.livemode !== (provider.mode === "live");
      if (ignored) log.warn({ webhook: event.id }, "a webhook of another mode is ignored");
      return { event, fresh: await store.run(receiveWebhook, { now: clock(), event, ignored }) };
    },

    async process(event: ProviderEvent): Promise<void> {
      const processed = limited(() => observed(event));
      underWay.add(processed);
      await processed.finally(() => underWay.delete(processed));
    },

    /** Resolves once everything answered so far is settled, or has failed: a stop waits for it. */
    finished: () => Promise.allSettled(underWay),

    /** Settles what was stored and not settled, as after a crash; `early`: also what is not due yet. */
    async processDue(
      options: { limit?: number; early?: boolean; signal?: AbortSignal | undefined } = {},
    ): Promise<number> {
      const { limit = 100, early = false, signal } = options;
      const until = early ? Number.MAX_SAFE_INTEGER : clock();
      const due = await store.queries.dueWebhooks(until, limit);
      const one = async (row: WebhookRow) => {
        if (signal?.aborted) return;
        await observed({ id: row.id, sessionId: row.session_id, paymentRef: row.payment_ref });
      };
      await Promise.all(due.map((row) => limited(() => one(row))));
      return due.length;
    },
  };
}
