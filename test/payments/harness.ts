/** A shop's end of the webhook, a clock that moves when told, and the sandbox between them. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { canonicalRequests } from "../../src/payments/canonical.ts";
import type {
  CheckoutRequest,
  PaymentProvider,
  ProviderEvent,
} from "../../src/payments/provider.ts";
import { type Sandbox, sandboxProvider, startSandbox } from "../../src/payments/sandbox/sandbox.ts";
import type { SandboxState } from "../../src/payments/sandbox/state.ts";
import { memoryState } from "../support/memory-state.ts";
import { type SandboxControl, sandboxControl } from "../support/sandbox-control.ts";

export const BASE_URL = "http://127.0.0.1:3000";
export const SECRET = "whsec_test_secret";
export const NOW = Date.UTC(2026, 10, 21, 12);
export const MINUTE = 60_000;

export const VISA = "4242 4242 4242 4242";
export const DECLINED = "4000000000000002";
export const THREE_DS = "4000000000003220";

export interface World {
  sandbox: Sandbox;
  control: SandboxControl;
  provider: PaymentProvider;
  state: SandboxState;
  /** Events the shop took, in the order of arrival. */
  events: ProviderEvent[];
  clock: { now: number };
  /** What the shop answers to webhooks. */
  shop: { status: number; requests: number };
  /** Another process over the same state. */
  again(): Promise<Sandbox>;
}

export interface WorldOptions {
  bankDebitDelayMs?: number;
  timeoutMs?: number;
  maxNetworkRetries?: number;
}

export async function world(options: WorldOptions = {}): Promise<World> {
  const clock = { now: NOW };
  const shop = { status: 200, requests: 0 };
  const events: ProviderEvent[] = [];
  const state = memoryState();
  const interference = {};
  let verify: PaymentProvider["verifyWebhook"] | null = null;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    shop.requests++;
    const signature = request.headers["stripe-signature"];
    const event = verify?.(Buffer.concat(chunks), signature as string);
    if (shop.status === 200 && event) events.push(event);
    response.writeHead(shop.status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const start = async () => {
    const sandbox = await startSandbox({
      state,
      baseUrl: BASE_URL,
      webhookUrl: `http://127.0.0.1:${port}/webhooks/stripe`,
      webhookSecret: SECRET,
      clock: () => clock.now,
      interference,
      ...(options.bankDebitDelayMs === undefined
        ? {}
        : { bankDebitDelayMs: options.bankDebitDelayMs }),
    });
    onTestFinished(() => sandbox.close());
    return sandbox;
  };
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const sandbox = await start();
  const { bankDebitDelayMs: _, ...overrides } = options;
  const provider = sandboxProvider(sandbox, { maxNetworkRetries: 0, ...overrides });
  verify = provider.verifyWebhook;
  const control = sandboxControl(sandbox, interference);
  return { sandbox, control, provider, state, events, clock, shop, again: start };
}

/** One of the canonical carts; the plain one bag to one address by default: 2200 + 1000. */
export function cart(change: Partial<CheckoutRequest> = {}, name = "1 bag"): CheckoutRequest {
  const all = canonicalRequests({ now: NOW, run: "test", baseUrl: BASE_URL });
  return { ...all.find((c) => c.name === name)!.request, ...change };
}

export async function typesAfter({ sandbox, events }: World): Promise<string[]> {
  await sandbox.idle();
  return events.map((event) => event.type);
}

/**
 * Everything an async iterable gives (Array.fromAsync is not in the library this compiles against).
 */
export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
