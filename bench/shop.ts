import { readFile, writeFile } from "node:fs/promises";
import type { RunningService } from "../src/app/serve.ts";
import {
  BadSignature,
  type CheckoutState,
  type PaymentProvider,
} from "../src/payments/provider.ts";
import { keepAsking } from "./in-flight.ts";
import { quoter } from "./in-process.ts";
import { REQUEST } from "./variants.ts";

/** Beans to spread payments over, beside the shipped ones: as many as a good coffee shop has. */
export const BEANS = Array.from({ length: 16 }, (_, i) => `bench-${i + 1}`);

/** More than all payments of one run can hold. */
const AMPLE = 1_000_000;

const SHIPPED = new URL("../resources/catalog.json", import.meta.url);

/** The shipped catalog and benchmark beans, as a file. */
export async function writeCatalog(file: string): Promise<void> {
  const { products } = JSON.parse(await readFile(SHIPPED, "utf8"));
  const more = BEANS.map((product_id) => ({ ...products[0], product_id, opening_stock: AMPLE }));
  await writeFile(file, JSON.stringify({ products: [...products, ...more] }));
}

export const CHECKOUT_ORIGIN = "https://checkout.example";

/**
 * A provider that answers at once and costs nothing. The sandbox would live in the measured
 * process, keep its sessions in the measured database and look at all of them every second; a real
 * one is far away and only makes the buyer wait.
 */
export function instantProvider(): PaymentProvider {
  const none = async (): Promise<never> => {
    throw new Error("nothing is paid in this benchmark");
  };
  return {
    mode: "sandbox",
    limits: { minTtlMs: 30 * 60_000, maxTtlMs: 24 * 3_600_000 },
    checkoutOrigins: [CHECKOUT_ORIGIN],
    createCheckout: async ({ attemptId }) => openSession(`cs_test_${attemptId}`),
    getCheckout: async (sessionId) => openSession(sessionId),
    lookAtCheckout: async (sessionId) => openSession(sessionId),
    findByPayment: async () => null,
    expireCheckout: async (sessionId) => ({ ...openSession(sessionId), status: "expired" }),
    async *listCheckouts() {},
    refund: none,
    listRefunds: none,
    verifyWebhook: () => {
      throw new BadSignature();
    },
    ping: async () => {},
    checkKey: async () => {},
  };
}

const openSession = (sessionId: string): CheckoutState => ({
  sessionId,
  attemptId: sessionId.replace("cs_test_", ""),
  quoteHash: null,
  status: "open",
  payment: "unpaid",
  failed: false,
  declined: false,
  totalMinor: null,
  currency: "usd",
  livemode: false,
  url: `${CHECKOUT_ORIGIN}/${sessionId}`,
  returnUrl: null,
  createdAt: Date.now(),
  paymentRef: null,
  method: null,
  refunds: [],
  disputes: [],
});

/** Quotes of one bag each, their beans by turns, for buyers who never met. Not what is measured. */
export async function quoteBags(
  served: RunningService,
  { beans, count }: { beans: readonly string[]; count: number },
): Promise<string[]> {
  const { quotes } = served.service.merchant;
  const quote = await quoter(served);
  const [shipment] = REQUEST.shipments;
  const reviews: string[] = [];
  const ask = async (product_id: string) => {
    const items = [{ product_id, quantity: 1 }];
    const { id } = await quote({ shipments: [{ ...shipment!, items, gift_notes: [] }] });
    reviews.push(new URL(quotes.reviewUrl(id)).pathname);
    return true;
  };
  let asked = 0;
  await keepAsking({ connections: 64, seconds: Infinity }, () =>
    asked < count ? ask(beans[asked++ % beans.length]!) : undefined,
  );
  return reviews;
}
