import { pino } from "pino";
import { expect } from "vitest";
import { openCatalog } from "../../src/catalog/live-catalog.ts";
import type { Intent } from "../../src/core/command.ts";
import { sha256 } from "../../src/core/hash.ts";
import { newKey } from "../../src/core/ids.ts";
import type { AttemptRow } from "../../src/core/records.ts";
import { DEFAULT_SHOP } from "../../src/core/shop.ts";
import type { Store } from "../../src/db/store.ts";
import { prepareDatabase } from "../../src/merchant/installation.ts";
import { createMerchant, type Merchant } from "../../src/merchant/merchant.ts";
import type { PaymentProvider } from "../../src/payments/provider.ts";
import { openSandbox, type Sandbox } from "../../src/payments/sandbox/sandbox.ts";
import type { SessionRecord } from "../../src/payments/sandbox/session.ts";
import type { Quote } from "../../src/quotes/quote-answer.ts";
import { CATALOG, STOCKED } from "./catalog.ts";
import { AWAY, type Faults, faultyProvider, newFaults } from "./faults.ts";
import { type SandboxControl, sandboxControl } from "./sandbox-control.ts";
import { testClock } from "./service.ts";
import { ADDRESS, VISA } from "./shopper.ts";

/** The sandbox, which records refunds and may fail. */
export interface TestProvider extends PaymentProvider {
  refunds: { paymentRef: string; amountMinor: number | undefined; key: string }[];
  /** Whether it answers at all. */
  up: boolean;
  /** Whether it refuses every refund for good. */
  refusing: boolean;
}

/** The verbs over a store, without an interface. */
export interface Shop {
  merchant: Merchant;
  store: Store;
  clock: ReturnType<typeof testClock>;
  provider: TestProvider;
  /** The provider's page and stored sessions. Nothing tells the shop of a change: see `settle`. */
  sandbox: Sandbox;
  control: SandboxControl;
  admin: ReturnType<Merchant["admin"]>;
}

type MerchantContext = Parameters<typeof createMerchant>[0];

const SILENT = pino({ level: "silent" });

/** Creates the verbs over a store and a provider, with the tests' catalog. */
export const merchantOver = (
  own: Pick<MerchantContext, "store" | "provider" | "clock" | "baseUrl" | "secret"> &
    Partial<MerchantContext>,
): Merchant => {
  const fixed = {
    ...CATALOG,
    version: 1,
    shop: DEFAULT_SHOP,
    refresh: () => Promise.resolve(),
    stock: () => own.store.queries.stock(),
    shownStock: () => own.store.queries.shownStock(),
  };
  return createMerchant({
    catalog: fixed,
    log: SILENT,
    rateLimits: null,
    timeZone: "UTC",
    quoteTtlMs: 7 * 86_400_000,
    supportEmail: undefined,
    ...own,
    get shop() {
      return own.shop ?? (own.catalog ?? fixed).shop;
    },
  });
};

export async function openShop(
  store: Store,
  clock = testClock(),
  settings: Partial<
    Pick<
      MerchantContext,
      "merchantEmail" | "mailer" | "rateLimits" | "customerDataYears" | "supportEmail"
    >
  > = {},
): Promise<Shop> {
  const installation = await prepareDatabase(store, () => CATALOG, {
    mode: "sandbox",
    now: clock.now(),
  });
  const catalog = await openCatalog(store);
  const faults = newFaults();
  const sandbox = openSandbox({
    ...{ store, baseUrl: BASE_URL, secret: installation.sandboxSecret, clock: clock.now },
    paymentMethods: ["card", "us_bank_account"],
    nudge: async () => {},
  });
  const provider = testProvider(sandbox, faults, clock.now);
  const merchant = merchantOver({
    store,
    catalog,
    provider,
    clock: clock.now,
    baseUrl: BASE_URL,
    secret: installation.secret,
    ...settings,
  });
  const control = sandboxControl(sandbox, faults, clock.now);
  return { merchant, store, clock, provider, sandbox, control, admin: merchant.admin("cli") };
}

const BASE_URL = "https://coffee.test";

function testProvider(sandbox: Sandbox, faults: Faults, clock: () => number): TestProvider {
  const inner = faultyProvider(sandbox, faults, clock);
  const provider: TestProvider = {
    ...inner,
    refunds: [],
    up: true,
    refusing: false,
    async refund(paymentRef, request) {
      const made = await inner.refund(paymentRef, request);
      const { idempotencyKey: key, amountMinor } = request;
      provider.refunds.push({ paymentRef, amountMinor, key });
      return made;
    },
  };
  faults.call = (call) => {
    if (!provider.up) return AWAY;
    const refused = provider.refusing && call === "refund";
    return refused ? { kind: "rejected", code: "charge_not_refundable" } : null;
  };
  return provider;
}

let counter = 0;

/** A new intent, or the same one for the same key. */
export const intent = (key = `key-${counter++}`, scope = "test"): Intent => ({
  scope,
  keyHash: sha256(key),
  requestHash: sha256("request"),
});

/** Registers an agent and returns its id. */
export async function newAgent({ merchant }: Pick<Shop, "merchant">): Promise<string> {
  const input = { name: "Test agent", contact_email: "agent@example.com" };
  const { body } = await merchant.agents.register(input, intent(newKey("cma_")));
  return body.agent_id;
}

/** The order after an act of the merchant. */
export const after = async ({ admin }: Pick<Shop, "admin">, act: Promise<string>) =>
  admin.orders.show({ order_id: await act });

export interface OrderSettings {
  agentId: string | null;
  email?: string;
  /** One shipment each: bags per bean. */
  shipments?: Record<string, number>[];
}

/** Creates a quote. `agentId` is null for a person's own quick checkout. */
export async function quoteFor(shop: Shop, wanted: OrderSettings): Promise<Quote> {
  const { agentId, email = "buyer@example.com", shipments = [{ [STOCKED]: 1 }] } = wanted;
  const request = {
    buyer: { email },
    shipments: shipments.map((bags, i) => ({
      recipient_ref: `shipment ${i + 1}`,
      address: { ...ADDRESS, line1: `${i + 1} Main Street` },
      items: Object.entries(bags).map(([product_id, quantity]) => ({ product_id, quantity })),
    })),
  };
  const { quotes } = shop.merchant;
  const { body } = await quotes.create(request, { agentId, finderKey: null }, intent());
  return body;
}

/** Presses pay on the quote's page. Returns the attempt, or undefined if no payment page opens. */
export async function tryPaying(
  { merchant, store }: Shop,
  quoteId: string,
): Promise<AttemptRow | undefined> {
  const token = merchant.quotes.reviewUrl(quoteId).split("/").at(-1) ?? "";
  const pressed = await merchant.payments.pay(await merchant.reviews.find(token));
  if (pressed.kind !== "redirect") return undefined;
  const attempts = await store.queries.attemptsOfQuote(quoteId);
  return attempts.find(({ url }) => url === pressed.url);
}

/** Presses pay and returns the attempt. */
export const startPaying = async (shop: Shop, quoteId: string): Promise<AttemptRow> =>
  (await tryPaying(shop, quoteId)) ?? expect.unreachable(`quote ${quoteId} cannot be paid`);

/** What the provider then tells of a session. */
const TELLS = {
  authorized: { status: "complete", payment: "authorized", method: "card" },
  paid: { status: "complete", payment: "paid", method: "card" },
  canceled: { status: "complete", payment: "canceled", method: "card" },
  expired: { status: "expired" },
  failed: { status: "complete", payment: "failed", method: "us_bank_account" },
} as const satisfies Record<string, Partial<SessionRecord>>;

/** Settles what the provider tells of an attempt. A capture that "authorized" leads to has no answer. */
export async function settleAs(
  { merchant, store, control }: Shop,
  { id }: AttemptRow,
  word: keyof typeof TELLS,
): Promise<AttemptRow> {
  const { session_id } = (await store.queries.attempt(id))!;
  await control.alter(session_id!, TELLS[word]);
  const { faults } = control;
  const { call } = faults;
  faults.call = (name, key) => (name === "captureCheckout" ? AWAY : (call?.(name, key) ?? null));
  await merchant.settlements.settleSession(session_id!).finally(() => {
    faults.call = call;
  });
  return (await store.queries.attempt(id))!;
}

/** Pays the attempt's page by card, and settles it as a webhook would. Returns the order's id. */
async function pay(shop: Shop, { session_id, quote_id }: AttemptRow): Promise<string> {
  await shop.sandbox.buyer.pay(session_id!, VISA);
  await shop.merchant.settlements.settleSession(session_id!);
  const order = await shop.store.queries.orderOfQuote(quote_id);
  return order?.id ?? expect.unreachable("paid, and no order");
}

/** Quotes and pays. Returns the order's id. */
export async function paidOrder(shop: Shop, wanted: OrderSettings): Promise<string> {
  const { id } = await quoteFor(shop, wanted);
  return pay(shop, await startPaying(shop, id));
}
