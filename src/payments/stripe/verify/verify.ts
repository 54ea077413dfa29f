/**
 * Proof that no offline check can give, on a Stripe test key: its permissions, the canonical sessions
 * created, compared and ended, and with `pay` a first payment from the link to the last refund. One
 * line per step, and what to do where one fails. No webhook secret is needed.
 */
import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { display } from "../../../core/money.ts";
import type { CheckoutRequest, PaymentProvider } from "../../provider.ts";
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

function cartStep(provider: PaymentProvider, name: string, request: CheckoutRequest): VerifyStep {
  return {
    name,
    advice:
      "Stripe would not charge what the shop agreed. Switch off what changes totals in the account " +
      "(tax, currencies); name a checkout domain of your own in STRIPE_CHECKOUT_DOMAIN.",
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
