import { randomBytes } from "node:crypto";
import type { PaymentProvider } from "../provider.ts";
import type { StripeOptions } from "../stripe/client.ts";
import { stripeProvider } from "../stripe/stripe.ts";
import { sandboxBuyer } from "./buyer.ts";
import type { Interference } from "./routes.ts";
import { startServer } from "./server.ts";
import { sessionStore } from "./sessions.ts";
import type { SandboxState } from "./state.ts";
import { deliveryQueue, type SandboxLogger } from "./webhooks.ts";

/**
 * A Stripe of one's own: the endpoints we call, on loopback, with test cards and signed webhooks;
 * no account, no network, no money (contract §16). The provider in front of it is the one that
 * talks to Stripe in production. It has no fraud checks, wallets, taxes or currencies but usd.
 */

export interface SandboxOptions {
  state: SandboxState;
  /** Where the application, and so the payment page, is reached. */
  baseUrl: string;
  webhookUrl: string;
  webhookSecret: string;
  clock: () => number;
  /** How long a bank debit takes to succeed by itself, in milliseconds. */
  bankDebitDelayMs?: number;
  /** How long a refund takes that is pending at first, or fails later, in milliseconds. */
  refundDelayMs?: number;
  logger?: SandboxLogger;
  interference?: Interference;
}

export type Sandbox = Awaited<ReturnType<typeof startSandbox>>;

/** What comes later than the payment comes after this long by default. */
const DELAY_MS = 30_000;

export async function startSandbox(options: SandboxOptions) {
  const { state, baseUrl, clock, logger, interference = {} } = options;
  const { bankDebitDelayMs = DELAY_MS, refundDelayMs = DELAY_MS } = options;
  const apiKey = `sk_test_sandbox_${randomBytes(24).toString("hex")}`;
  const deliveries = deliveryQueue(state, options);
  const sessions = sessionStore({ state, deliveries, baseUrl, clock });
  const server = await startServer({
    state,
    sessions,
    baseUrl,
    apiKey,
    clock,
    interference,
    delayMs: refundDelayMs,
    onError: (error) => logger?.warn({ error }, "The sandbox failed"),
  });
  // What an earlier run still owed goes out at once, whatever pause it was in.
  deliveries.tick(true).catch((error: unknown) => {
    logger?.warn({ error }, "Webhooks left over could not be read");
  });
  return {
    endpoint: { host: "127.0.0.1", port: server.port, protocol: "http" } as const,
    apiKey,
    baseUrl,
    webhookSecret: options.webhookSecret,
    clock,
    buyer: sandboxBuyer(sessions, { baseUrl, clock, bankDebitDelayMs }),
    /** What the emulated provider knows; tests move it from there (test/support/sandbox-control.ts). */
    sessions,
    /** Ends what the clock has ended, settles what is due, sends due webhooks. Call it now and then. */
    tick: async () => {
      await sessions.tick();
      await deliveries.tick();
    },
    idle: () => deliveries.idle(),
    close: async (): Promise<void> => {
      await Promise.all([server.close(), deliveries.close()]);
    },
  };
}

/** Where an emulator is, for its clients; it may be in another process. */
type SandboxAccess = Pick<Sandbox, "endpoint" | "apiKey" | "baseUrl" | "webhookSecret" | "clock">;

/** The unchanged Stripe provider, pointed at the emulator. */
export function sandboxProvider(
  sandbox: SandboxAccess,
  // Bank debit is offered here so that the delayed way to pay can be tried.
  {
    paymentMethods = ["card", "us_bank_account"],
    ...patience
  }: Pick<StripeOptions, "timeoutMs" | "maxNetworkRetries" | "paymentMethods"> = {},
): PaymentProvider {
  return stripeProvider({
    secretKey: sandbox.apiKey,
    webhookSecrets: [sandbox.webhookSecret],
    mode: "sandbox",
    name: "sandbox",
    endpoint: sandbox.endpoint,
    paymentMethods,
    extraCheckoutOrigins: [new URL(sandbox.baseUrl).origin],
    clock: sandbox.clock,
    ...patience,
  });
}
