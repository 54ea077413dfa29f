import { randomBytes } from "node:crypto";
import type { RequestListener } from "node:http";
import Stripe from "stripe";
import { openSqlite } from "../../src/db/sqlite/sqlite-store.ts";
import type { Store } from "../../src/db/store.ts";
import type { PaymentProvider } from "../../src/payments/provider.ts";
import { sandboxBuyer } from "../../src/payments/sandbox/buyer.ts";
import type { SessionEvent, SessionRecord } from "../../src/payments/sandbox/session.ts";
import { sandboxSessions } from "../../src/payments/sandbox/sessions.ts";
import type { StripeOptions } from "../../src/payments/stripe/client.ts";
import { stripeProvider } from "../../src/payments/stripe/stripe.ts";
import { eventBody } from "./answers.ts";
import { type ServerOptions, startServer } from "./server.ts";

/**
 * Stripe's HTTP interface on loopback, with the sandbox's page and cards behind it and signed webhooks. The
 * contract double of the Stripe adapter.
 */

export interface EmulatorOptions {
  /** Where its sessions are; by default a database of its own. */
  store?: Store;
  /** Address of the application, which serves the payment page. */
  baseUrl: string;
  webhookUrl: string;
  webhookSecret: string;
  clock: () => number;
  bankDebitDelayMs?: number;
  interference?: Interference;
}

/** Hooks for failures (faults.ts). */
export interface Interference {
  /** Wraps the emulated API. */
  around?: (listener: RequestListener) => RequestListener;
  /** Sends webhooks. */
  fetch?: typeof fetch;
  /** Fate or refusal of a refund; undefined lets it succeed. */
  refund?: ServerOptions["refundFate"];
}

export type Emulator = Awaited<ReturnType<typeof startEmulator>>;

/** Time to answer a webhook. */
const PATIENCE_MS = 10_000;

/** The events of one change. Stripe tells two of some. */
function allEvents(events: readonly SessionEvent[], s: SessionRecord): SessionEvent[] {
  return events.flatMap((event): SessionEvent[] => {
    if (event.type === "refund.created") return [event, { type: "charge.refunded" }];
    const isCapturable = event.type === "checkout.session.completed" && s.payment === "authorized";
    return isCapturable ? [event, { type: "payment_intent.amount_capturable_updated" }] : [event];
  });
}

export async function startEmulator(options: EmulatorOptions) {
  const { baseUrl, webhookUrl, webhookSecret, clock, interference = {} } = options;
  const { bankDebitDelayMs = 30_000 } = options;
  const store = options.store ?? (await openSqlite({ file: ":memory:" }));
  const apiKey = `sk_test_emulator_${randomBytes(24).toString("hex")}`;
  const post = interference.fetch ?? fetch;
  const closing = new AbortController();

  async function deliver(event: SessionEvent, s: SessionRecord): Promise<void> {
    const id = `evt_${randomBytes(16).toString("hex")}`;
    const now = clock();
    const payload = eventBody({ ...event, id, now }, s, baseUrl);
    const signing = { payload, secret: webhookSecret, timestamp: Math.floor(now / 1000) };
    const signature = Stripe.webhooks.generateTestHeaderString(signing);
    const answer = await post(webhookUrl, {
      method: "POST",
      headers: { "content-type": "application/json", "stripe-signature": signature },
      body: payload,
      redirect: "manual",
      signal: AbortSignal.any([closing.signal, AbortSignal.timeout(PATIENCE_MS)]),
    });
    // Read to the end, or the connection stays taken.
    await answer.arrayBuffer();
  }

  const sessions = sandboxSessions({
    store,
    clock,
    // Posted once: the shop finds by itself what a lost webhook would have told.
    tell: async (events, s) => {
      await Promise.allSettled(allEvents(events, s).map((event) => deliver(event, s)));
    },
  });
  const coupons: ServerOptions["coupons"] = new Map();
  const server = await startServer({
    ...{ sessions, coupons, baseUrl, clock, apiKey, idSecret: webhookSecret },
    refundFate: interference.refund,
    around: interference.around,
  });
  return {
    endpoint: { host: "127.0.0.1", port: server.port, protocol: "http" } as const,
    ...{ apiKey, baseUrl, webhookSecret, clock, store, sessions, coupons },
    buyer: sandboxBuyer(sessions, { baseUrl, clock, bankDebitDelayMs }),
    tick: sessions.tick,
    idle: sessions.idle,
    close: async (): Promise<void> => {
      closing.abort();
      await Promise.all([server.close(), sessions.idle()]);
      if (!options.store) await store.close();
    },
  };
}

/** Address and keys of an emulator, which may be in another process. */
type EmulatorAccess = Pick<Emulator, "endpoint" | "apiKey" | "baseUrl" | "webhookSecret" | "clock">;

/** The Stripe provider, pointed at the emulator. */
export const emulatorProvider = (
  { apiKey, webhookSecret, endpoint, baseUrl, clock }: EmulatorAccess,
  options: Partial<StripeOptions> = {},
): PaymentProvider =>
  stripeProvider({
    ...{ secretKey: apiKey, webhookSecrets: [webhookSecret], mode: "test", endpoint, clock },
    rates: null,
    extraCheckoutOrigins: [new URL(baseUrl).origin],
    ...options,
  });
