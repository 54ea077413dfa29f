import { randomBytes } from "node:crypto";
import type { RequestListener } from "node:http";
import type { PaymentProvider } from "../provider.ts";
import type { StripeOptions } from "../stripe/client.ts";
import { stripeProvider } from "../stripe/stripe.ts";
import { sandboxBuyer } from "./buyer.ts";
import { type ServerOptions, startServer } from "./server.ts";
import { type SandboxLogger, sessionStore } from "./session-store.ts";
import type { SandboxState } from "./state.ts";

/**
 * An emulated Stripe on loopback, with test cards and signed webhooks: no account, no network, no money
 * (contract §16). The provider in front of it is the one that talks to Stripe in production.
 */

export interface SandboxOptions {
  state: SandboxState;
  /** Address of the application, which serves the payment page. */
  baseUrl: string;
  webhookUrl: string;
  webhookSecret: string;
  clock: () => number;
  /** Time that a bank debit takes to succeed, in milliseconds. */
  bankDebitDelayMs?: number;
  logger?: SandboxLogger;
  interference?: Interference;
}

/** Hooks for tests (test/support/faults.ts); the service passes none. */
export interface Interference {
  /** Wraps the emulated API. */
  around?: (listener: RequestListener) => RequestListener;
  /** Sends webhooks. */
  fetch?: typeof fetch;
  /** Fate or refusal of a refund; undefined lets it succeed. */
  refund?: ServerOptions["refundFate"];
}

export type Sandbox = Awaited<ReturnType<typeof startSandbox>>;

const BANK_DEBIT_MS = 30_000;

export async function startSandbox(options: SandboxOptions) {
  const { state, baseUrl, webhookUrl, webhookSecret, clock, logger, interference } = options;
  const { bankDebitDelayMs = BANK_DEBIT_MS } = options;
  const apiKey = `sk_test_sandbox_${randomBytes(24).toString("hex")}`;
  const post = interference?.fetch;
  const sessions = sessionStore({
    ...{ state, baseUrl, webhookUrl, webhookSecret, clock, logger, post },
  });
  const server = await startServer({
    ...{ state, sessions, baseUrl, clock, apiKey, idSecret: webhookSecret },
    refundFate: interference?.refund,
    around: interference?.around,
    onError: (error) => logger?.warn({ error }, "The sandbox failed"),
  });
  return {
    endpoint: { host: "127.0.0.1", port: server.port, protocol: "http" } as const,
    apiKey,
    baseUrl,
    webhookSecret,
    clock,
    buyer: sandboxBuyer(sessions, { baseUrl, clock, bankDebitDelayMs }),
    /** For tests, which change sessions from outside (test/support/sandbox-control.ts). */
    sessions,
    /** Applies the clock. Call it regularly. */
    tick: sessions.tick,
    idle: sessions.idle,
    close: async (): Promise<void> => {
      await Promise.all([server.close(), sessions.close()]);
    },
  };
}

/** Address and keys of an emulator, which may be in another process. */
type SandboxAccess = Pick<Sandbox, "endpoint" | "apiKey" | "baseUrl" | "webhookSecret" | "clock">;

/** The unchanged Stripe provider, pointed at the emulator. */
export function sandboxProvider(
  sandbox: SandboxAccess,
  options: Pick<StripeOptions, "timeoutMs" | "maxNetworkRetries" | "paymentMethods"> = {},
): PaymentProvider {
  return stripeProvider({
    secretKey: sandbox.apiKey,
    webhookSecrets: [sandbox.webhookSecret],
    mode: "sandbox",
    name: "sandbox",
    endpoint: sandbox.endpoint,
    extraCheckoutOrigins: [new URL(sandbox.baseUrl).origin],
    clock: sandbox.clock,
    ...options,
  });
}
