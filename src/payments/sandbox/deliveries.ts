/**
 * Webhooks on their way: queued in the state, signed and POSTed as Stripe does it, tried again with
 * growing pauses until the answer is 2xx. Nothing queued is lost by a restart.
 */
import Stripe from "stripe";
import type { WebhookFault } from "./interference.ts";
import { mutate, type SandboxState } from "./state.ts";

/** Pending ones alone are of kind "delivery", so that looking for work stays cheap. */
const PENDING = "delivery";

/** Pauses in ms. The first is longer than one attempt may take: no two processes send at once. */
const BACKOFF_MS = [15, 60, 300, 1800, 7200, 28_800, 86_400].map((s) => s * 1000);
const ATTEMPT_MS = 10_000;
const DELAYED_MS = 30_000;
/** After an outage there may be thousands; the shop is not to be buried under them. */
const AT_ONCE = 20;

export interface SandboxLogger {
  warn(details: Record<string, unknown>, message: string): void;
}

export interface DeliveryOptions {
  webhookUrl: string;
  webhookSecret: string;
  clock: () => number;
  fetch: typeof fetch;
  fault: () => WebhookFault | undefined;
  logger?: SandboxLogger | undefined;
}

interface Delivery {
  id: string;
  /** The event's exact bytes. */
  body: string;
  attempts: number;
  nextAt: number;
}

export interface Deliveries {
  /** Stores it, then tries to send it without keeping the caller waiting. */
  enqueue(event: { id: string; body: string }): Promise<void>;
  /** Sends what is due; with `all`, what is pending. */
  tick(all?: boolean): Promise<void>;
  /** Resolves when nothing is on its way right now. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

interface Queue extends DeliveryOptions {
  state: SandboxState;
  closing: AbortController;
  underWay: Set<Promise<void>>;
}

function finish({ state }: Queue, id: string, kind: string): Promise<unknown> {
  return mutate<Delivery, void>(state, id, (next) => ({
    write: { next, kind },
    result: undefined,
  }));
}

/** Null when it was taken, else the reason. */
async function send(queue: Queue, { body }: Delivery): Promise<string | null> {
  const timestamp = Math.floor(queue.clock() / 1000);
  const signature = Stripe.webhooks.generateTestHeaderString({
    payload: body,
    secret: queue.webhookSecret,
    timestamp,
  });
  try {
    const answer = await queue.fetch(queue.webhookUrl, {
      method: "POST",
      headers: { "content-type": "application/json", "stripe-signature": signature },
      body,
      redirect: "manual",
      signal: AbortSignal.any([queue.closing.signal, AbortSignal.timeout(ATTEMPT_MS)]),
    });
    // Read to the end, or the connection stays taken.
    await answer.arrayBuffer();
    return answer.ok ? null : `status ${answer.status}`;
  } catch (error) {
    return error instanceof Error ? error.name : "unknown";
  }
}

async function attempt(queue: Queue, id: string, evenIfEarly: boolean): Promise<void> {
  const { state, clock, closing, logger } = queue;
  const row = await state.get(id);
  if (!row || closing.signal.aborted) return;
  const current = JSON.parse(row.body) as Delivery;
  if (!evenIfEarly && current.nextAt > clock()) return;
  const attempts = current.attempts + 1;
  const { type } = JSON.parse(current.body) as { type: string };
  const fate = queue.fault()?.({ id, type, attempt: attempts }) ?? "deliver";
  const pause = fate === "delay" ? DELAYED_MS : (BACKOFF_MS[attempts - 1] ?? 0);
  // The claim: who loses this race leaves the sending to the winner.
  const claimed: Delivery = { ...current, attempts, nextAt: clock() + pause };
  if (!(await state.put(id, PENDING, JSON.stringify(claimed), row.version))) return;
  if (fate === "delay") return;
  if (fate === "drop") return void (await finish(queue, id, "delivery_dropped"));
  const sends = Array.from({ length: fate === "double" ? 2 : 1 }, () => send(queue, claimed));
  const failures = (await Promise.all(sends)).filter((failure) => failure !== null);
  if (failures.length === 0) return void (await finish(queue, id, "delivery_done"));
  if (closing.signal.aborted) return;
  logger?.warn({ event: id, type, attempts, reason: failures[0] }, "Webhook not taken");
  if (attempts >= BACKOFF_MS.length) await finish(queue, id, "delivery_given_up");
}

function start(queue: Queue, id: string, evenIfEarly: boolean): Promise<void> {
  const running = attempt(queue, id, evenIfEarly)
    .catch((error: unknown) => {
      // It stays pending in the state; the next tick tries again.
      queue.logger?.warn({ event: id, error }, "Webhook delivery failed");
    })
    .finally(() => queue.underWay.delete(running));
  queue.underWay.add(running);
  return running;
}

async function sendDue(queue: Queue, all: boolean): Promise<void> {
  const rows = await queue.state.list(PENDING, 0);
  const pending = rows.map((row) => JSON.parse(row.body) as Delivery);
  const due = pending.filter((delivery) => all || delivery.nextAt <= queue.clock());
  for (let i = 0; i < due.length; i += AT_ONCE) {
    await Promise.all(due.slice(i, i + AT_ONCE).map(({ id }) => start(queue, id, all)));
  }
}

export function deliveryQueue(state: SandboxState, options: DeliveryOptions): Deliveries {
  const closing = new AbortController();
  const queue: Queue = { ...options, state, closing, underWay: new Set() };
  return {
    async enqueue({ id, body }) {
      const delivery: Delivery = { id, body, attempts: 0, nextAt: queue.clock() };
      const added = await state.put(id, PENDING, JSON.stringify(delivery), 0);
      if (added) void start(queue, id, false);
    },
    tick: (all = false) => sendDue(queue, all),
    async idle() {
      while (queue.underWay.size > 0) await Promise.all(queue.underWay);
    },
    async close() {
      closing.abort();
      await Promise.all(queue.underWay);
    },
  };
}
