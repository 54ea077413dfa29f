/**
 * Proof that no offline check can give, on a Stripe test key: its permissions, the canonical sessions
 * created, compared and ended, and with `pay` a first payment from the link to the last refund. One
 * line per step, and what to do where one fails. No webhook secret is needed.
 */
import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { display } from "../../../core/money.ts";
import {
  type CheckoutRequest,
  KeyRefused,
  type PaymentProvider,
  ProviderRejected,
} from "../../provider.ts";
import { canonicalRequests } from "../canonical.ts";
import { type StripeOptions, stripeClient } from "../client.ts";
import { PERMISSIONS, refusalOf } from "../permissions.ts";
import { stripeProvider, USUAL_METHODS } from "../stripe.ts";
import { payWalk } from "./pay-walk.ts";
import { type Print, runSteps, VerificationFailed, type VerifyStep } from "./steps.ts";

export interface VerifyOptions
  extends Pick<StripeOptions, "endpoint" | "extraCheckoutOrigins" | "paymentMethods"> {
  secretKey: string | undefined;
  /** Also the payment, which a person makes on the page whose link is printed. */
  pay?: boolean;
  clock?: () => number;
  wait?: (ms: number) => Promise<unknown>;
}

/** A live key would leave sessions behind that a person could pay. */
const TEST_KEY = /^(sk|rk)_test_/;
/** Where the buyer would come back to; a page that says so little needs no shop. */
const NOWHERE = "https://example.com";

const EDIT_KEY =
  "In Stripe's dashboard: Developers, API keys, the restricted key, Edit; set this permission and save.";

/** Advice by what the refusal of a cart says differs. */
const CART_ADVICE: [says: RegExp, advice: string][] = [
  [
    /origin/,
    "The page is on a domain of your own: name that domain in STRIPE_CHECKOUT_DOMAIN and start again.",
  ],
  [/total/, "Switch off what changes totals in the account: automatic tax, discounts, fees."],
  [/currency/, "Switch off adaptive pricing in the account: the shop charges US dollars only."],
  [/livemode/, "The key belongs to another mode. Copy the key of test mode."],
  [
    /payment_method|payment method/i,
    "Switch these methods on under Settings, Payments, Payment methods, or change PAYMENT_METHODS.",
  ],
];

function cartAdvice(error: unknown): string {
  if (error instanceof KeyRefused) return EDIT_KEY;
  if (!(error instanceof ProviderRejected))
    return "Run it again; if it fails again, report this output.";
  const known = CART_ADVICE.find(([says]) => says.test(error.message));
  const refusal = `Stripe refused the request${error.code ? ` (${error.code})` : ""}. `;
  return (
    known?.[1] ??
    `${refusal}Activate the account for payments; if it is active, report this output.`
  );
}

function cartStep(provider: PaymentProvider, name: string, request: CheckoutRequest): VerifyStep {
  return {
    name,
    advice: cartAdvice,
    run: async () => {
      // Compares total, currency, mode and the page's address itself, and throws where they differ.
      const { sessionId } = await provider.createCheckout(request);
      const { status } = await provider.expireCheckout(sessionId);
      if (status !== "expired") throw new VerificationFailed(`could not be ended, is ${status}`);
      return `${display(request.totalMinor)}, the same at Stripe; ended`;
    },
  };
}

/** True when every step is right. */
export async function verifyStripe(options: VerifyOptions, print: Print): Promise<boolean> {
  const { secretKey, pay = false, clock = Date.now, wait = delay, ...where } = options;
  if (secretKey === undefined || !TEST_KEY.test(secretKey)) {
    print("STRIPE_SECRET_KEY must be a test key: sk_test_… or rk_test_…. Nothing was sent.");
    return false;
  }
  const all = { secretKey, webhookSecrets: [], mode: "test", clock, ...where } as const;
  const provider = stripeProvider(all);
  const stripe = stripeClient(all);
  const permissions = PERMISSIONS.map(
    (permission): VerifyStep => ({
      name: `${permission.name}: ${permission.level}`,
      advice: EDIT_KEY,
      run: async () => {
        const refusal = await refusalOf(permission, stripe);
        if (refusal !== null) throw new VerificationFailed(refusal);
        return `the key may ${permission.use}`;
      },
    }),
  );
  const run = randomBytes(6).toString("hex");
  const carts = canonicalRequests({ now: clock(), run, baseUrl: NOWHERE });
  const cartSteps = carts.map(({ name, request }) => cartStep(provider, name, request));
  let failed = await runSteps([...permissions, ...cartSteps], print);
  if (pay && failed === 0) {
    const request = { ...carts[0]!.request, attemptId: `att_${run}_pay` };
    const paymentMethods = where.paymentMethods ?? USUAL_METHODS;
    const steps = payWalk({ provider, stripe, request, paymentMethods, print, wait });
    failed += await runSteps(steps, print, { eachNeeded: true });
  }
  print(verdict(failed, pay));
  return failed === 0;
}

function verdict(failed: number, pay: boolean): string {
  if (failed > 0) return `${failed} ${failed === 1 ? "step is" : "steps are"} wrong.`;
  return pay
    ? "All is right. Webhooks are tried with `stripe listen`: docs/operate.md, Taking real payments."
    : "All is right. With --pay a payment and its refunds are tried as well.";
}
