import { insert, type Rule, read, update } from "../domain/command.ts";
import { BadSignature, type ProviderEvent } from "../payments/provider.ts";
import type { Context } from "./context.ts";
import type { paymentVerbs } from "./payments.ts";

interface Receive {
  now: number;
  event: ProviderEvent;
}

/** The inbox: stored and committed before the provider is told that it arrived (CONTRACT §5). */
const receive: Rule<Receive, { fresh: boolean }> = {
  reads: (c) => [read("webhooks", { id: c.event.id })],
  decide({ now, event }, s) {
    if (s.webhooks.length > 0) return { reply: { fresh: false }, writes: [] };
    const row = {
      id: event.id,
      type: event.type,
      api_version: event.apiVersion,
      livemode: event.livemode ? 1 : 0,
      session_id: event.sessionId,
      payment_ref: event.paymentRef,
      received_at: now,
      settled_at: null,
      tries: 0,
      try_at: now,
      error: null,
    };
    return { reply: { fresh: true }, writes: [insert("webhooks", row)] };
  },
};

interface Tried {
  now: number;
  id: string;
  error: string | null;
}

const MOST_TRIES = 20;

const tried: Rule<Tried, null> = {
  reads: (c) => [read("webhooks", { id: c.id })],
  decide(c, s) {
    const row = s.webhooks[0];
    if (!row || row.settled_at !== null) return { reply: null, writes: [] };
    const tries = row.tries + 1;
    const wait = Math.min(3_600_000, 1000 * 2 ** tries);
    const set =
      c.error === null
        ? { tries, settled_at: c.now, try_at: null, error: null }
        : { tries, error: c.error, try_at: tries >= MOST_TRIES ? null : c.now + wait };
    return { reply: null, writes: [update("webhooks", { id: row.id }, set)] };
  },
};

export function webhookVerbs(context: Context, payments: ReturnType<typeof paymentVerbs>) {
  const { store, provider, clock, log } = context;

  /** Looks again at whatever a webhook is about. Its payload is never believed, only its ids. */
  async function settle(event: { sessionId: string | null; paymentRef: string | null }) {
    if (event.sessionId !== null) {
      await payments.converge(event.sessionId);
      return;
    }
    if (event.paymentRef === null) return;
    const attempt = await store.queries.attemptByPayment(event.paymentRef);
    if (attempt) await payments.convergeAttempt(attempt.id);
    else {
      const state = await provider.findByPayment(event.paymentRef);
      if (state) await payments.converge(state.sessionId);
    }
  }

  async function process(id: string, event: Parameters<typeof settle>[0]): Promise<void> {
    let error: string | null = null;
    try {
      await settle(event);
    } catch (cause) {
      error = cause instanceof Error ? cause.name : "unknown";
      log.warn({ webhook: id, error: String(cause) }, "a webhook is to be settled again later");
    }
    await store.run(tried, { now: clock(), id, error });
  }

  return {
    /** Verifies, stores, commits. False: the signature does not fit, and nothing was stored. */
    async receive(rawBody: Buffer, signature: string | undefined): Promise<ProviderEvent | null> {
      let event: ProviderEvent;
      try {
        event = provider.verifyWebhook(rawBody, signature);
      } catch (error) {
        if (error instanceof BadSignature) return null;
        throw error;
      }
      await store.run(receive, { now: clock(), event });
      return event;
    },

    process: (event: ProviderEvent) => process(event.id, event),

    /** Settles what was stored and not settled, as after a crash. */
    async processDue(limit = 100): Promise<number> {
      const due = await store.queries.dueWebhooks(clock(), limit);
      for (const row of due) {
        await process(row.id, { sessionId: row.session_id, paymentRef: row.payment_ref });
      }
      return due.length;
    },
  };
}
