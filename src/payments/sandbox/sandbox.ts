/**
 * A Stripe of one's own: the endpoints we call, on loopback, with test cards and signed webhooks;
 * no account, no network, no money (contract §16). The provider in front of it is the one that
 * talks to Stripe in production. It has no fraud checks, wallets, taxes or currencies but usd.
 */
import { randomBytes } from "node:crypto";
import type { PaymentProvider } from "../provider.ts";
import { type StripeOptions, stripeProvider } from "../stripe.ts";
import { type SandboxBuyer, sandboxBuyer } from "./buyer.ts";
import {
  type Deliveries,
  deliveryQueue,
  type SandboxLogger,
  type WebhookFault,
} from "./deliveries.ts";
import { type ApiFaultSwitch, startServer } from "./server.ts";
import { dispute, refund, refundedMinor, type SessionRecord, type Step } from "./session.ts";
import { type Sessions, sessionStore } from "./sessions.ts";
import type { SandboxState } from "./state.ts";

export interface SandboxOptions {
  state: SandboxState;
  /** Where the application, and so the payment page, is reached. */
  baseUrl: string;
  webhookUrl: string;
  webhookSecret: string;
  /** Milliseconds since the epoch. */
  clock: () => number;
  /** How long a bank debit takes to succeed by itself, in milliseconds. */
  bankDebitDelayMs?: number;
  fetch?: typeof fetch;
  logger?: SandboxLogger;
}

/** Read at every use, so they can be switched while it runs. In this process only. */
export interface SandboxFaults {
  webhook?: WebhookFault | undefined;
  api?: ApiFaultSwitch | undefined;
}

export interface Sandbox {
  readonly apiHost: string;
  readonly apiPort: number;
  readonly apiKey: string;
  readonly baseUrl: string;
  readonly webhookSecret: string;
  readonly clock: () => number;
  readonly buyer: SandboxBuyer;
  readonly faults: SandboxFaults;
  /**
   * Ends what the clock has ended, settles what is due, sends due webhooks. Call it now and then.
   */
  tick(): Promise<void>;
  /** Resolves when no webhook is on its way at this moment. */
  idle(): Promise<void>;
  /** The buyer's bank takes the money back, or gives up. False where nothing was paid. */
  dispute(sessionId: string, state?: "open" | "closed"): Promise<boolean>;
  /** A refund made in the provider's dashboard, not by us; all that is left without an amount. */
  refundOutside(sessionId: string, amountMinor?: number): Promise<boolean>;
  close(): Promise<void>;
}

const BANK_DEBIT_DELAY_MS = 30_000;

export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { state, baseUrl, clock, logger } = options;
  const apiKey = `sk_test_sandbox_${randomBytes(24).toString("hex")}`;
  const faults: SandboxFaults = {};
  const deliveries = deliveryQueue(state, {
    ...options,
    fetch: options.fetch ?? fetch,
    fault: () => faults.webhook,
    logger,
  });
  const sessions = sessionStore({ state, deliveries, baseUrl, clock });
  const bankDebitDelayMs = options.bankDebitDelayMs ?? BANK_DEBIT_DELAY_MS;
  const server = await startServer({
    state,
    sessions,
    baseUrl,
    apiKey,
    clock,
    fault: () => faults.api,
    onError: (error) => logger?.warn({ reason: String(error) }, "The sandbox failed"),
  });
  resume(deliveries, logger);
  return {
    apiHost: "127.0.0.1",
    apiPort: server.port,
    apiKey,
    baseUrl,
    webhookSecret: options.webhookSecret,
    clock,
    buyer: sandboxBuyer(sessions, { baseUrl, clock, bankDebitDelayMs }),
    faults,
    tick: async () => {
      await sessions.tick();
      await deliveries.tick();
    },
    idle: () => deliveries.idle(),
    ...outside(sessions, clock),
    close: async () => {
      await Promise.all([server.close(), deliveries.close()]);
    },
  };
}

/** What an earlier run still owed goes out at once, whatever pause it was in. */
function resume(deliveries: Deliveries, logger: SandboxLogger | undefined): void {
  deliveries.tick(true).catch((error: unknown) => {
    logger?.warn({ reason: String(error) }, "Webhooks left over could not be read");
  });
}

/** What happens to a payment without us. */
function outside(
  sessions: Sessions,
  clock: () => number,
): Pick<Sandbox, "dispute" | "refundOutside"> {
  async function ofPaid(id: string, step: (s: SessionRecord) => Step | null): Promise<boolean> {
    const done = await sessions.change(id, (s) => {
      const made = s.payment === "paid" ? step(s) : null;
      return { step: made, result: made !== null };
    });
    return done?.result ?? false;
  }
  return {
    dispute: (sessionId, state = "open") => ofPaid(sessionId, (s) => dispute(s, state)),
    refundOutside: (sessionId, amountMinor) =>
      ofPaid(sessionId, (s) => {
        const left = s.totalMinor - refundedMinor(s);
        const amount = amountMinor ?? left;
        if (amount < 1 || amount > left) return null;
        const id = `re_${randomBytes(24).toString("hex")}`;
        return refund(s, { id, amountMinor: amount, createdAt: clock() });
      }),
  };
}

type Overrides = Pick<StripeOptions, "timeoutMs" | "maxNetworkRetries" | "paymentMethods">;

/** Where an emulator is, for whoever talks to it; it may be in another process. */
type Reached = Pick<
  Sandbox,
  "apiHost" | "apiPort" | "apiKey" | "baseUrl" | "webhookSecret" | "clock"
>;

/** The unchanged Stripe provider, pointed at the emulator. */
export function sandboxProvider(sandbox: Reached, overrides: Overrides = {}): PaymentProvider {
  return stripeProvider({
    secretKey: sandbox.apiKey,
    webhookSecrets: [sandbox.webhookSecret],
    mode: "sandbox",
    name: "sandbox",
    host: sandbox.apiHost,
    port: sandbox.apiPort,
    protocol: "http",
    // Bank debit is offered here so that the delayed way to pay can be tried.
    paymentMethods: ["card", "us_bank_account"],
    extraCheckoutOrigins: [new URL(sandbox.baseUrl).origin],
    clock: sandbox.clock,
    ...overrides,
  });
}
