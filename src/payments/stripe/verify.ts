/**
 * Checks on a Stripe test key that no offline test can make: its permissions, the canonical sessions, and with
 * `pay` a first payment from the link to the last refund (docs/operate.md, "Taking real payments"). Prints
 * one line per step, and advice where one fails. Needs no webhook secret.
 */
import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type Stripe from "stripe";
import { display, sum } from "../../core/money.ts";
import {
  type CheckoutRequest,
  type CheckoutState,
  KeyRefused,
  type PaymentProvider,
  ProviderRejected,
  ProviderUnavailable,
} from "../provider.ts";
import { canonicalRequests } from "./canonical.ts";
import { type StripeOptions, stripeClient } from "./client.ts";
import { PERMISSIONS, refusalOf } from "./permissions.ts";
import { sessionParams } from "./requests.ts";
import { stripeProvider, USUAL_METHODS } from "./stripe.ts";

interface Step {
  name: string;
  /** Next step for the owner after a failure. */
  advice: string | ((error: unknown) => string);
  /** Returns the finding in a few words; throws if it is wrong. */
  run(): Promise<string>;
}

/** Prints one line. No line contains a secret. */
type Print = (line: string) => void;

interface VerifyOptions
  extends Pick<StripeOptions, "endpoint" | "extraCheckoutOrigins" | "paymentMethods"> {
  secretKey: string | undefined;
  /** Includes the payment, which a person makes on the page whose link is printed. */
  pay?: boolean;
  clock?: () => number;
  wait?: (ms: number) => Promise<unknown>;
}

/** A live key would leave sessions behind that a person could pay. */
const TEST_KEY = /^(sk|rk)_test_/;
/** Address to return to after paying; it needs no shop. */
const RETURN_URL = "https://example.com";

const EDIT_KEY =
  "In Stripe's dashboard: Developers, API keys, the restricted key, Edit; set this permission and save.";
const RUN_AGAIN = "Run this again. If it fails again, report this output.";

/** True if every step succeeds. */
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
    (permission): Step => ({
      name: `${permission.name}: ${permission.level}`,
      advice: EDIT_KEY,
      run: async () => {
        const refusal = await refusalOf(permission, stripe);
        if (refusal !== null) throw new Error(refusal);
        return `the key may ${permission.use}`;
      },
    }),
  );
  const run = randomBytes(6).toString("hex");
  const carts = canonicalRequests({ now: clock(), run, baseUrl: RETURN_URL });
  const cartSteps = carts.map(({ name, request }) => cartStep(provider, name, request));
  let failed = await runSteps([...permissions, ...cartSteps], print);
  if (pay && failed === 0) {
    const request = { ...carts[0]!.request, attemptId: `att_${run}_pay` };
    const paymentMethods = where.paymentMethods ?? USUAL_METHODS;
    const steps = payWalk({ provider, stripe, request, paymentMethods, print, wait });
    failed += await runSteps(steps, print, { dependent: true });
  }
  print(verdict(failed, pay));
  return failed === 0;
}

function verdict(failed: number, pay: boolean): string {
  if (failed > 0) return `${failed} ${failed === 1 ? "step" : "steps"} failed.`;
  return pay
    ? "Everything works. Test webhooks with `stripe listen`: docs/operate.md, Taking real payments."
    : "Everything works. Add --pay to test a payment and its refunds.";
}

/** Number of failed steps. A failure skips the rest if they are `dependent` or would fail alike. */
async function runSteps(
  steps: readonly Step[],
  print: Print,
  { dependent = false } = {},
): Promise<number> {
  let failed = 0;
  for (const [i, { name, advice, run }] of steps.entries()) {
    try {
      print(`ok    ${name}: ${await run()}`);
    } catch (error) {
      failed++;
      const general = generalAdvice(error);
      print(`FAIL  ${name}: ${error instanceof Error ? error.message : "unknown failure"}`);
      print(`      ${general ?? (typeof advice === "string" ? advice : advice(error))}`);
      if (general === null && !dependent) continue;
      const left = steps.slice(i + 1).map((step) => step.name);
      if (left.length > 0) print(`skip  ${left.join(", ")}`);
      break;
    }
  }
  return failed;
}

/** Advice for a failure that every other step would meet too; null for the step's own failure. */
function generalAdvice(error: unknown): string | null {
  if (!(error instanceof ProviderUnavailable)) return null;
  const { cause } = error as { cause?: { statusCode?: number } };
  const status = cause?.statusCode;
  if (error instanceof KeyRefused) {
    return status === 401
      ? "Stripe does not know this key. Copy the whole key again from Developers, API keys, in test mode."
      : null;
  }
  if (cause === undefined) {
    return "The answer lacks a field that the shop reads. A proxy may have changed it; otherwise report this output.";
  }
  if (status === 429) {
    return "Stripe limits the calls of this account. Wait a minute, then run this again.";
  }
  return status !== undefined && status >= 500
    ? "Stripe failed. See https://status.stripe.com, then run this again."
    : "Is this machine online, and can it reach api.stripe.com? See https://status.stripe.com, then run this again.";
}

/** Advice by a word in the refusal of a cart. */
const CART_ADVICE: [word: RegExp, advice: string][] = [
  [
    /origin/,
    "The page is on a domain of your own: set STRIPE_CHECKOUT_DOMAIN to that domain and run this again.",
  ],
  [
    /total/,
    "Switch off settings of the account that change totals: automatic tax, discounts, fees.",
  ],
  [/currency/, "Switch off adaptive pricing in the account: the shop charges US dollars only."],
  [/livemode/, "The key belongs to another mode. Copy the key of test mode."],
  [
    /payment_method|payment method/i,
    "Switch these methods on under Settings, Payments, Payment methods, or change PAYMENT_METHODS.",
  ],
];

function cartAdvice(error: unknown): string {
  if (error instanceof KeyRefused) return EDIT_KEY;
  if (!(error instanceof ProviderRejected)) return RUN_AGAIN;
  const known = CART_ADVICE.find(([word]) => word.test(error.message));
  if (known) return known[1];
  const code = error.code ? ` (${error.code})` : "";
  return `Stripe refused the request${code}. Activate the account for payments; if it is active, report this output.`;
}

function cartStep(provider: PaymentProvider, name: string, request: CheckoutRequest): Step {
  return {
    name,
    advice: cartAdvice,
    run: async () => {
      // Compares total, currency, mode and the page's address, and throws if they differ.
      const { sessionId } = await provider.createCheckout(request);
      const { status } = await provider.expireCheckout(sessionId);
      if (status !== "expired") throw new Error(`The session could not be ended: it is ${status}.`);
      return `${display(request.totalMinor)}, the same at Stripe; ended`;
    },
  };
}

interface PayWalk {
  provider: PaymentProvider;
  stripe: Stripe;
  request: CheckoutRequest;
  paymentMethods: readonly string[];
  print: Print;
  wait: (ms: number) => Promise<unknown>;
}

const LOOK_EVERY_MS = 2_000;
/** Ten minutes for a person to find the card. */
const LOOKS = 300;
const PART_MINOR = 100;

function payWalk(walk: PayWalk): Step[] {
  const { provider, stripe, request, paymentMethods, print, wait } = walk;
  let session: CheckoutState | undefined;
  const paid = (): CheckoutState & { paymentRef: string } => {
    const { paymentRef = null } = session ?? {};
    if (session && paymentRef !== null) return { ...session, paymentRef };
    throw new Error("There is no payment.");
  };
  const refundId = `rf_${request.attemptId}`;
  return [
    {
      name: "page",
      advice: RUN_AGAIN,
      run: async () => {
        session = await provider.createCheckout(request);
        return `created for ${display(request.totalMinor)}`;
      },
    },
    {
      name: "repeated request",
      advice: RUN_AGAIN,
      run: async () => {
        const again = await provider.createCheckout(request);
        if (again.sessionId !== session?.sessionId) {
          throw new Error("The repeated request made another session.");
        }
        const params = sessionParams(request, { mode: "test", paymentMethods });
        const key = { idempotencyKey: request.attemptId };
        const { lastResponse } = await stripe.checkout.sessions.create(params, key);
        if (lastResponse.headers["idempotent-replayed"] !== "true") {
          throw new Error("Stripe did not mark the answer as a repeat.");
        }
        return "the same page, marked as a repeat";
      },
    },
    {
      name: "payment",
      advice: "The page was not paid within ten minutes, or the card was declined. Run this again.",
      run: async () => {
        if (!session?.url) throw new Error("The session has no page.");
        print("      Open this link and pay with 4242 4242 4242 4242, any later date, any CVC:");
        print(`      ${session.url}`);
        session = await untilPaid(provider, session.sessionId, wait);
        return `paid by ${session.method}, ${display(session.totalMinor ?? 0)}`;
      },
    },
    {
      name: "search",
      advice: RUN_AGAIN,
      run: async () => {
        const { sessionId, paymentRef, createdAt } = paid();
        const byPayment = await provider.findByPayment(paymentRef);
        if (byPayment?.sessionId !== sessionId) {
          throw new Error("The payment does not lead to its session.");
        }
        for await (const listed of provider.listCheckouts(createdAt - 1000)) {
          if (listed.sessionId === sessionId) {
            return "found by its payment and in the list of today's sessions";
          }
        }
        throw new Error("The list of today's sessions lacks it.");
      },
    },
    {
      name: "partial refund",
      advice:
        "Give the key Charges and Refunds: Write, or top up the test balance with card 4000 0000 0000 0077.",
      run: async () => {
        const { paymentRef } = paid();
        const wanted = { idempotencyKey: refundId, refundId, amountMinor: PART_MINOR };
        const made = await provider.refund(paymentRef, wanted);
        const again = await provider.refund(paymentRef, wanted);
        if (again.id !== made.id) throw new Error("The repeated request made a second refund.");
        return `${display(PART_MINOR)}, ${made.status}; repeated, made once`;
      },
    },
    {
      name: "refund of the rest",
      advice: RUN_AGAIN,
      run: async () => {
        const { sessionId, paymentRef, totalMinor } = paid();
        const restId = `${refundId}_rest`;
        await provider.refund(paymentRef, { idempotencyKey: restId, refundId: restId });
        const { refunds } = await provider.getCheckout(sessionId);
        const back = sum(refunds.map((refund) => refund.amountMinor));
        if (back !== totalMinor) {
          throw new Error(`Only ${display(back)} of ${display(totalMinor ?? 0)} is refunded.`);
        }
        if (!refunds.some((refund) => refund.refundId === refundId)) {
          throw new Error("A refund lacks our id.");
        }
        return `${display(back)} in ${refunds.length} refunds`;
      },
    },
  ];
}

async function untilPaid(
  provider: PaymentProvider,
  sessionId: string,
  wait: PayWalk["wait"],
): Promise<CheckoutState> {
  for (let looks = 0; looks < LOOKS; looks++) {
    const state = await provider.getCheckout(sessionId).catch((error: unknown) => {
      if (error instanceof ProviderUnavailable) return null;
      throw error;
    });
    if (state?.payment === "paid") return state;
    if (state?.status === "expired") throw new Error("The page ended unpaid.");
    await wait(LOOK_EVERY_MS);
  }
  throw new Error("The page was not paid.");
}
