import { insert, lock, type Rule, update } from "../domain/shared/command.ts";
import type { IncidentRow, WebhookRow } from "../domain/shared/records.ts";
import { BadSignature, type ProviderEvent, ProviderRejected } from "../payments/provider.ts";
import type { Context } from "./context.ts";
import { newId } from "./ids.ts";
import { limitConcurrency } from "./limit-concurrency.ts";
import type { Settlements } from "./settlements.ts";

interface ReceiveWebhook {
  now: number;
  event: ProviderEvent;
  /** Of another mode than ours: kept, never settled. */
  ignored: boolean;
}

/** The process that received it settles it at once; only after this long the background job takes it up. */
const HEAD_START_MS = 10_000;

/** The inbox: stored and committed before the provider is told that it arrived (contract §5). */
const receive: Rule<ReceiveWebhook, boolean> = {
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

interface WebhookOutcome {
  now: number;
  id: string;
  outcome: "settled" | "ignored" | "later";
  error: string | null;
  incident: IncidentRow;
}

/** With an hour between the later ones, three days: as long as the provider itself goes on. */
const MOST_TRIES = 84;

const tried: Rule<WebhookOutcome, null> = {
  reads: (c) => [lock("webhooks", { id: c.id })],
  decide({ now, id, outcome, error, incident }, s) {
    const row = s.webhooks[0];
    if (!row || row.settled_at !== null) return { reply: null, writes: [] };
    const tries = row.tries + 1;
    const wait = Math.min(3_600_000, 1000 * 2 ** tries);
    if (outcome !== "later") {
      const set = { tries, settled_at: now, try_at: null, error };
      return { reply: null, writes: [update("webhooks", { id }, set)] };
    }
    const over = tries >= MOST_TRIES;
    const set = { tries, error, try_at: over ? null : now + wait };
    const told = over ? [insert("incidents", incident)] : [];
    return { reply: null, writes: [update("webhooks", { id }, set), ...told] };
  },
};

/** Webhooks settled at once: a storm of them must not become a storm at the provider. */
const CONCURRENCY = 8;

type WebhookIds = Pick<ProviderEvent, "id" | "sessionId" | "paymentRef">;

export function webhookVerbs(context: Context, settling: Settlements) {
  const { store, provider, clock, log, watch } = context;
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

  const process = (event: WebhookIds): Promise<void> =>
    watch ? watch({ kind: "webhook", name: "settle" }, () => processed(event)) : processed(event);

  async function processed(event: WebhookIds): Promise<void> {
    let outcome: WebhookOutcome["outcome"] = "settled";
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
    const incident = {
      id: newId("inc", now),
      kind: "WEBHOOK_UNSETTLED",
      subject: event.id,
      detail: "Tried for three days; look at the payment at the provider.",
      created_at: now,
    };
    await store.run(tried, { now, id: event.id, outcome, error, incident });
  }

  return {
    /**
     * Verifies, stores, commits. Null: the signature does not fit, and nothing was stored. `fresh` ones
     * are to be settled now; of the others somebody has taken care.
     */
    async receive(
      rawBody: Buffer,
      signature: string | undefined,
    ): Promise<{ event: ProviderEvent; fresh: boolean } | null> {
      let event: ProviderEvent;
      try {
        event = provider.verifyWebhook(rawBody, signature);
      } catch (error) {
        if (error instanceof BadSignature) return null;
        throw error;
      }
      const ignored = event.livemode !== (provider.mode === "live");
      if (ignored) log.warn({ webhook: event.id }, "a webhook of another mode is ignored");
      return { event, fresh: await store.run(receive, { now: clock(), event, ignored }) };
    },

    process: (event: ProviderEvent) => limited(() => process(event)),

    /** Settles what was stored and not settled, as after a crash; `early`: also what is not due yet. */
    async processDue(
      options: { limit?: number; early?: boolean; signal?: AbortSignal | undefined } = {},
    ): Promise<number> {
      const { limit = 100, early = false, signal } = options;
      const until = early ? Number.MAX_SAFE_INTEGER : clock();
      const due = await store.queries.dueWebhooks(until, limit);
      const one = async (row: WebhookRow) => {
        if (signal?.aborted) return;
        await process({ id: row.id, sessionId: row.session_id, paymentRef: row.payment_ref });
      };
      await Promise.all(due.map((row) => limited(() => one(row))));
      return due.length;
    },
  };
}
