/**
 * Proof that no offline check can give: the canonical sessions are created and ended at the real
 * Stripe, with a test key, and what it would charge is compared with what we agreed (contract §5).
 */
import { randomBytes } from "node:crypto";
import { canonicalRequests } from "./canonical.ts";
import type { CheckoutRequest, PaymentProvider } from "./provider.ts";
import { type StripeOptions, stripeProvider } from "./stripe.ts";

export interface VerifyOptions
  extends Pick<StripeOptions, "host" | "port" | "protocol" | "extraCheckoutOrigins"> {
  secretKey: string | undefined;
  clock?: () => number;
}

/** A live key would leave sessions behind that a person could pay. */
const TEST_KEY = /^(sk|rk)_test_/;
/** Where the buyer would come back to; nobody ever does. */
const NOWHERE = "https://example.com";

const usd = (minor: number): string => `$${(minor / 100).toFixed(2)}`;

function row(name: string, agreed: string, answer: string): string {
  return `${name.padEnd(26)} ${agreed.padStart(10)}  ${answer}`;
}

/** Creates, compares and ends one session. Null when all is well, else what is wrong. */
async function check(provider: PaymentProvider, request: CheckoutRequest): Promise<string | null> {
  try {
    // Compares total, currency and livemode itself, and throws where they differ.
    const { sessionId } = await provider.createCheckout(request);
    const { status } = await provider.expireCheckout(sessionId);
    return status === "expired" ? null : `could not be ended, is ${status}`;
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : "unknown failure";
  }
}

/** True when every session is right. `print` gets one line at a time; no secret is in any. */
export async function verifyStripe(
  options: VerifyOptions,
  print: (line: string) => void,
): Promise<boolean> {
  const { secretKey, clock = Date.now, ...where } = options;
  if (secretKey === undefined || !TEST_KEY.test(secretKey)) {
    print("STRIPE_SECRET_KEY must be a test key: sk_test_… or rk_test_…. Nothing was sent.");
    return false;
  }
  const provider = stripeProvider({ secretKey, webhookSecrets: [], mode: "test", clock, ...where });
  const run = randomBytes(6).toString("hex");
  const carts = canonicalRequests({ now: clock(), run, baseUrl: NOWHERE });
  let wrong = 0;
  print(row("cart", "agreed", "Stripe"));
  for (const { name, request } of carts) {
    const problem = await check(provider, request);
    if (problem !== null) wrong++;
    print(row(name, usd(request.totalMinor), problem ?? "the same, ended"));
  }
  print(wrong === 0 ? `All ${carts.length} are right.` : `${wrong} of ${carts.length} are wrong.`);
  return wrong === 0;
}
