import Stripe from "stripe";
import { mutate, rounds, type SandboxState } from "./state.ts";

/**
 * Webhooks on their way: queued in the state, signed and POSTed as Stripe does it, tried again with
 * growing pauses until the answer is 2xx. Nothing queued is lost by a restart.
 */

/** Pending ones alone are of kind "delivery", so that looking for work stays cheap. */
const PENDING = "delivery";

/** Pauses in ms. The first is longer than one attempt may take: no two processes send at once. */
const BACKOFF_MS = [15, 60, 300, 1800, 7200, 28_800, 86_400].map((s) => s * 1000);
const ATTEMPT_MS = 10_000;
/** After an outage there may be thousands; the shop is not to be buried under them. */
const AT_ONCE = 20;

export interface SandboxLogger {
  warn(details: Record<string, unknown>, message: string): void;
}

export interface DeliveryOptions {
  webhookUrl: string;
  webhookSecret: string;
  clock: () => number;
  logger?: SandboxLogger | undefined;
  /** Hooks for tests. */
  interference?: { fetch?: typeof fetch; webhookMs?: number } | undefined;
}

interface Delivery {
  id: string;
  /** The event's exact bytes. */
  body: string;
  attempts: number;
  nextAt: number;
}

export type Deliveries = ReturnType<typeof deliveryQueue>;

export function deliveryQueue(state: SandboxState, options: DeliveryOptions) {
  const { webhookUrl, webhookSecret, clock, logger, interference } = options;
  const { fetch: post = fetch, webhookMs: attemptMs = ATTEMPT_MS } = interference ?? {};
  const closing = new AbortController();
  const underWay = new Set<Promise<unknown>>();

  const nextPending = rounds(state, PENDING);

  /** Its body has served its purpose; the row stays for a day, so that its id stays taken. */
  const finish = (id: string, kind: string) =>
    mutate<Delivery>(state, id, (delivery) => ({ next: { ...delivery, body: "" }, kind }));

  /** Null when it was taken, else the reason. */
  async function send(payload: string): Promise<string | null> {
    const timestamp = Math.floor(clock() / 1000);
    const signing = { payload, secret: webhookSecret, timestamp };
    const signature = Stripe.webhooks.generateTestHeaderString(signing);
    try {
      const answer = await post(webhookUrl, {
        method: "POST",
        headers: { "content-type": "application/json", "stripe-signature": signature },
        body: payload,
        redirect: "manual",
        signal: AbortSignal.any([closing.signal, AbortSignal.timeout(attemptMs)]),
      });
      // Read to the end, or the connection stays taken.
      await answer.arrayBuffer();
      return answer.ok ? null : `status ${answer.status}`;
    } catch (error) {
      return error instanceof Error ? error.name : "unknown";
    }
  }

  async function attempt(id: string, evenIfEarly: boolean): Promise<unknown> {
    const row = await state.get(id);
    if (!row || closing.signal.aborted) return;
    const current = JSON.parse(row.body) as Delivery;
    if (!evenIfEarly && current.nextAt > clock()) return;
    const attempts = current.attempts + 1;
    const pause = BACKOFF_MS[attempts - 1] ?? 0;
    // The claim: who loses this race leaves the sending to the winner.
    const claimed: Delivery = { ...current, attempts, nextAt: clock() + pause };
    if (!(await state.put(id, PENDING, JSON.stringify(claimed), row.version))) return;
    const reason = await send(current.body);
    if (reason === null) return finish(id, "delivery_done");
    if (closing.signal.aborted) return;
    const { type } = JSON.parse(current.body) as { type: string };
    logger?.warn({ event: id, type, attempts, reason }, "Webhook not taken");
    if (attempts >= BACKOFF_MS.length) await finish(id, "delivery_given_up");
  }

  function start(id: string, evenIfEarly: boolean): Promise<unknown> {
    const running = attempt(id, evenIfEarly)
      .catch((error: unknown) => {
        // It stays pending in the state; the next tick tries again.
        logger?.warn({ event: id, error }, "Webhook delivery failed");
      })
      .finally(() => underWay.delete(running));
    underWay.add(running);
    return running;
  }

  return {
    /** Stores it, then tries to send it without keeping the caller waiting. */
    async enqueue({ id, body }: { id: string; body: string }): Promise<void> {
      const delivery: Delivery = { id, body, attempts: 0, nextAt: clock() };
      const added = await state.put(id, PENDING, JSON.stringify(delivery), 0);
      if (added) void start(id, false);
    },

    /** Sends what is due of the next page of pending ones; with `all`, also what is not due yet. */
    async tick(all = false): Promise<void> {
      const rows = await nextPending();
      const pending = rows.map((row) => JSON.parse(row.body) as Delivery);
      const due = pending.filter((delivery) => all || delivery.nextAt <= clock());
      for (let i = 0; i < due.length; i += AT_ONCE) {
        await Promise.all(due.slice(i, i + AT_ONCE).map(({ id }) => start(id, all)));
      }
    },

    /** Resolves when nothing is on its way right now. */
    async idle(): Promise<void> {
      while (underWay.size > 0) await Promise.all(underWay);
    },

    async close(): Promise<void> {
      closing.abort();
      await Promise.all(underWay);
    },
  };
}
