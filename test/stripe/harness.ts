/** The sandbox with a shop that receives its webhooks and a clock under control. */
import { createServer, type Server } from "node:http";
import { onTestFinished } from "vitest";
import type {
  CheckoutRequest,
  CheckoutState,
  PaymentProvider,
  ProviderEvent,
} from "../../src/payments/provider.ts";
import { canonicalRequests } from "../../src/payments/stripe/canonical.ts";
import { listenLocally } from "../support/loopback.ts";
import { type SandboxControl, sandboxControl } from "../support/sandbox-control.ts";
import { type Emulator, emulatorProvider, startEmulator } from "./emulator.ts";
import { type HttpFaults, newHttpFaults } from "./faults.ts";

export const BASE_URL = "http://127.0.0.1:3000";
export const SECRET = "whsec_test_secret";
export const NOW = Date.UTC(2026, 10, 21, 12);
export const MINUTE = 60_000;

export const VISA = "4242 4242 4242 4242";
export const DECLINED = "4000000000000002";
export const THREE_DS = "4000000000003220";

export interface World {
  sandbox: Emulator;
  control: SandboxControl<HttpFaults>;
  provider: PaymentProvider;
  /** Events that the shop accepted, in the order of arrival. */
  events: ProviderEvent[];
  clock: { now: number };
  /** Bodies of the webhooks that reached the shop. */
  bodies: string[];
  /** The shop's answer to webhooks. */
  shop: { status: number; requests: number };
}

export interface WorldOptions {
  bankDebitDelayMs?: number;
  timeoutMs?: number;
  maxNetworkRetries?: number;
}

/** Listens until the test is over. Returns the port. */
export async function onLoopback(server: Server): Promise<number> {
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return listenLocally(server);
}

export async function world({ bankDebitDelayMs, ...overrides }: WorldOptions = {}): Promise<World> {
  const clock = { now: NOW };
  const shop = { status: 200, requests: 0 };
  const events: ProviderEvent[] = [];
  const bodies: string[] = [];
  const interference = newHttpFaults();
  let verify: PaymentProvider["verifyWebhook"] | null = null;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    shop.requests++;
    const signature = request.headers["stripe-signature"];
    bodies.push(Buffer.concat(chunks).toString());
    const event = verify?.(Buffer.concat(chunks), signature as string);
    if (shop.status === 200 && event) events.push(event);
    response.writeHead(shop.status).end();
  });
  const port = await onLoopback(server);
  const sandbox = await startEmulator({
    baseUrl: BASE_URL,
    webhookUrl: `http://127.0.0.1:${port}/webhooks/stripe`,
    webhookSecret: SECRET,
    clock: () => clock.now,
    interference,
    ...(bankDebitDelayMs !== undefined && { bankDebitDelayMs }),
  });
  onTestFinished(() => sandbox.close());
  const paymentMethods = ["card", "us_bank_account"];
  const options = { paymentMethods, maxNetworkRetries: 0, ...overrides };
  const provider = emulatorProvider(sandbox, options);
  verify = provider.verifyWebhook;
  const control = sandboxControl(sandbox, interference, () => clock.now);
  return { sandbox, control, provider, events, bodies, clock, shop };
}

/** One of the canonical carts; the plain one bag to one address by default: 2200 + 1000. */
export function cart(change: Partial<CheckoutRequest> = {}, name = "1 bag"): CheckoutRequest {
  const all = canonicalRequests({ now: NOW, run: "test", baseUrl: BASE_URL });
  return { ...all.find((c) => c.name === name)!.request, ...change };
}

type PaidState = CheckoutState & { paymentRef: string };

/** A session of the plain cart after the buyer chose a card or bank debit: authorized if the method can be. */
export async function approvedSession(
  { provider, sandbox }: World,
  change: Partial<CheckoutRequest> = {},
  method = VISA,
): Promise<PaidState> {
  const { sessionId } = await provider.createCheckout(cart(change));
  await sandbox.buyer.pay(sessionId, method);
  const state = await provider.getCheckout(sessionId);
  return { ...state, paymentRef: state.paymentRef! };
}

/** The same, with the payment captured. */
export async function paidSession(...of: Parameters<typeof approvedSession>): Promise<PaidState> {
  const state = await approvedSession(...of);
  if (state.payment !== "authorized") return state;
  const { sessionId, paymentRef } = state;
  return { ...(await of[0].provider.captureCheckout(sessionId, paymentRef)), paymentRef };
}

export async function typesAfter({ sandbox, events }: World): Promise<string[]> {
  await sandbox.idle();
  return events.map((event) => event.type);
}

/**
 * All items of an async iterable (Array.fromAsync is not in the configured library).
 */
export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
