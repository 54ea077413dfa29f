import { pino } from "pino";
import { openCatalog } from "../../src/catalog/live-catalog.ts";
import type { Intent } from "../../src/core/command.ts";
import { sha256 } from "../../src/core/hash.ts";
import { newKey } from "../../src/core/ids.ts";
import { DEFAULT_SHOP } from "../../src/core/shop.ts";
import type { Store } from "../../src/db/store.ts";
import { prepareDatabase } from "../../src/merchant/installation.ts";
import { createMerchant, type Merchant } from "../../src/merchant/merchant.ts";
import {
  type PaymentProvider,
  ProviderUnavailable,
  RefundRefused,
} from "../../src/payments/provider.ts";
import { CATALOG } from "./catalog.ts";
import { testClock } from "./service.ts";

/** A provider that records refunds; paid-order.ts makes the states of its sessions. */
export interface TestProvider extends PaymentProvider {
  refunds: { paymentRef: string; amountMinor: number | undefined; key: string }[];
  /** Whether it answers at all. */
  up: boolean;
  /** Whether it refuses every refund for good. */
  refusing: boolean;
  /** Answers of getCheckout, by session. */
  states: Map<string, Awaited<ReturnType<PaymentProvider["getCheckout"]>>>;
}

/** The verbs over a store, without an interface. */
export interface Shop {
  merchant: Merchant;
  store: Store;
  clock: ReturnType<typeof testClock>;
  provider: TestProvider;
  admin: ReturnType<Merchant["admin"]>;
}

type MerchantContext = Parameters<typeof createMerchant>[0];

const SILENT = pino({ level: "silent" });

/** Creates the verbs over a store and a provider, with the tests' catalog. */
export const merchantOver = (
  own: Pick<MerchantContext, "store" | "provider" | "clock" | "baseUrl" | "secret"> &
    Partial<MerchantContext>,
): Merchant =>
  createMerchant({
    catalog: {
      ...CATALOG,
      version: 1,
      shop: DEFAULT_SHOP,
      refresh: () => Promise.resolve(),
      stock: () => own.store.queries.stock(),
    },
    log: SILENT,
    rateLimits: null,
    timeZone: "UTC",
    quoteTtlMs: 7 * 86_400_000,
    supportEmail: undefined,
    shop: DEFAULT_SHOP,
    ...own,
  });

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
  const provider = testProvider();
  const merchant = merchantOver({
    store,
    catalog,
    provider,
    clock: clock.now,
    baseUrl: "https://coffee.test",
    secret: installation.secret,
    ...settings,
  });
  return { merchant, store, clock, provider, admin: merchant.admin("cli") };
}

function testProvider(): TestProvider {
  const provider: Partial<TestProvider> = {
    mode: "sandbox",
    limits: { minTtlMs: 30 * 60_000, maxTtlMs: 24 * 3_600_000 },
    checkoutOrigins: ["https://pay.test"],
    refunds: [],
    up: true,
    refusing: false,
    states: new Map(),
    async getCheckout(sessionId) {
      const state = this.states?.get(sessionId);
      if (!this.up || !state) throw new ProviderUnavailable("no answer");
      return state;
    },
    async refund(paymentRef, { idempotencyKey: key, refundId, amountMinor }) {
      if (!this.up) throw new ProviderUnavailable("no answer");
      if (this.refusing) throw new RefundRefused("OTHER", "no", "charge_not_refundable");
      this.refunds?.push({ paymentRef, amountMinor, key });
      return {
        id: `re_${key}`,
        refundId,
        amountMinor: amountMinor ?? 0,
        status: "succeeded",
        problem: null,
        createdAt: 0,
      };
    },
    listRefunds: async () => [],
  };
  return provider as TestProvider;
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
