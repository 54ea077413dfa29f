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

/** A walk of steps, one line each: what was found, or what is wrong and what to do about it. */
export interface VerifyStep {
  name: string;
  /** Next step for the owner; may depend on the refusal that the step met. */
  advice: string | ((error: unknown) => string);
  /** What was found, in a few words; throws what is wrong. */
  run(): Promise<string>;
}

class VerificationFailed extends Error {
  override name = "Wrong";
}

/** One line at a time; no secret is in any. */
export type Print = (line: string) => void;

/** How a step went; "no way": for a reason that every other step would fail for too. */
type Outcome = "ok" | "failed" | "no way";

const KEY_UNKNOWN =
  "Stripe does not know this key: copy it again, whole, from Developers, API keys, in test mode.";
const NO_ANSWER =
  "Is this machine online, and can it reach api.stripe.com? See https://status.stripe.com; run it again.";
const LIMITED = "Stripe limits the calls of this account. Wait a minute, then run it again.";
const STRIPE_FAILED = "Stripe failed. See https://status.stripe.com, then run it again.";
const UNREADABLE =
  "The answer lacks a field that the shop reads. A proxy may have changed it; otherwise report this output.";

/** Advice for a failure that every other step would meet too; null for the step's own failure. */
function adviceBeyond(error: unknown): string | null {
  if (!(error instanceof ProviderUnavailable)) return null;
  const { cause } = error as { cause?: { statusCode?: number } };
  const status = cause?.statusCode;
  if (error instanceof KeyRefused) return status === 401 ? KEY_UNKNOWN : null;
  if (cause === undefined) return UNREADABLE;
  if (status === 429) return LIMITED;
  return status !== undefined && status >= 500 ? STRIPE_FAILED : NO_ANSWER;
}

/** Everything that is thrown is a failure of the step. */
async function take({ name, advice, run }: VerifyStep, print: Print): Promise<Outcome> {
  try {
    print(`ok    ${name}: ${await run()}`);
    return "ok";
  } catch (error) {
    const why = error instanceof Error ? error.message : "unknown failure";
    const beyond = adviceBeyond(error);
    print(`FAIL  ${name}: ${why}`);
    print(`      ${beyond ?? (typeof advice === "string" ? advice : advice(error))}`);
    return beyond === null ? "failed" : "no way";
  }
}

/**
 * The steps in turn; how many failed. Where all that follow would fail alike they are left out;
 * `eachNeeded`: each stands on the one before, so the first that fails ends it.
 */
async function runSteps(
  steps: readonly VerifyStep[],
  print: Print,
  { eachNeeded = false } = {},
): Promise<number> {
  let failed = 0;
  for (const [i, step] of steps.entries()) {
    const outcome = await take(step, print);
    if (outcome === "ok") continue;
    failed++;
    if (outcome !== "no way" && !eachNeeded) continue;
    const left = steps.slice(i + 1).map(({ name }) => name);
    if (left.length > 0) print(`skip  ${left.join(", ")}`);
    break;
  }
  return failed;
}

/**
 * The first payment, walked from the link to the last refund (docs/operate.md, "Taking real
 * payments").
 */

export interface PayWalk {
  provider: PaymentProvider;
  stripe: Stripe;
  request: CheckoutRequest;
  paymentMethods: readonly string[];
  print: Print;
  wait: (ms: number) => Promise<unknown>;
}

const LOOK_EVERY_MS = 2_000;
/** So long a person may take to find the card. */
const LOOKS = 300;
const PART_MINOR = 100;

const ASK_AGAIN = "Run it again; where it goes on, send this output with a bug report.";
const STATUS = "Look at https://status.stripe.com, then run it again.";

function payWalk(walk: PayWalk): VerifyStep[] {
  const { provider, stripe, request, paymentMethods, print, wait } = walk;
  let session: CheckoutState | undefined;
  const paid = (): CheckoutState & { paymentRef: string } => {
    const { paymentRef = null } = session ?? {};
    if (session && paymentRef !== null) return { ...session, paymentRef };
    throw new VerificationFailed("there is no payment to look at");
  };
  const refundId = `rf_${request.attemptId}`;
  return [
    {
      name: "page",
      advice: STATUS,
      run: async () => {
        session = await provider.createCheckout(request);
        return `made for ${display(request.totalMinor)}`;
      },
    },
    {
      name: "asked twice",
      advice: ASK_AGAIN,
      run: async () => {
        const again = await provider.createCheckout(request);
        if (again.sessionId !== session?.sessionId) {
          throw new VerificationFailed("it made another session");
        }
        const params = sessionParams(request, { mode: "test", paymentMethods });
        const key = { idempotencyKey: request.attemptId };
        const { lastResponse } = await stripe.checkout.sessions.create(params, key);
        if (lastResponse.headers["idempotent-replayed"] !== "true") {
          throw new VerificationFailed("the answer does not say that it is a repeat");
        }
        return "the same page, and Stripe says that it is a repeat";
      },
    },
    {
      name: "payment",
      advice: "It was not paid within ten minutes, or the card was declined. Run it again.",
      run: async () => {
        if (!session?.url) throw new VerificationFailed("there is no page to pay on");
        print("      Open this link and pay with 4242 4242 4242 4242, any later date, any CVC:");
        print(`      ${session.url}`);
        session = await untilPaid(provider, session.sessionId, wait);
        return `paid by ${session.method}, ${display(session.totalMinor ?? 0)}`;
      },
    },
    {
      name: "found again",
      advice: ASK_AGAIN,
      run: async () => {
        const { sessionId, paymentRef, createdAt } = paid();
        const byPayment = await provider.findByPayment(paymentRef);
        if (byPayment?.sessionId !== sessionId) {
          throw new VerificationFailed("its payment does not lead back to it");
        }
        for await (const listed of provider.listCheckouts(createdAt - 1000)) {
          if (listed.sessionId === sessionId) {
            return "by its payment, and in the list of today's pages";
          }
        }
        throw new VerificationFailed("the list of today's pages does not have it");
      },
    },
    {
      name: "refund of a part",
      advice:
        "Give the key Charges and Refunds: Write; top the test balance up with card 4000 0000 0000 0077.",
      run: async () => {
        const { paymentRef } = paid();
        const wanted = { idempotencyKey: refundId, refundId, amountMinor: PART_MINOR };
        const made = await provider.refund(paymentRef, wanted);
        const again = await provider.refund(paymentRef, wanted);
        if (again.id !== made.id) throw new VerificationFailed("asked twice, it was made twice");
        return `${display(PART_MINOR)}, ${made.status}; asked twice, made once`;
      },
    },
    {
      name: "refund of the rest",
      advice: ASK_AGAIN,
      run: async () => {
        const { sessionId, paymentRef, totalMinor } = paid();
        const restId = `${refundId}_rest`;
        await provider.refund(paymentRef, { idempotencyKey: restId, refundId: restId });
        const { refunds } = await provider.getCheckout(sessionId);
        const back = sum(refunds.map((refund) => refund.amountMinor));
        if (back !== totalMinor) {
          throw new VerificationFailed(`${display(back)} of ${display(totalMinor ?? 0)} is back`);
        }
        if (!refunds.some((refund) => refund.refundId === refundId)) {
          throw new VerificationFailed("a refund does not carry our id");
        }
        return `${display(back)} in ${refunds.length} refunds, each with our id in it`;
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
    if (state?.status === "expired") throw new VerificationFailed("the page has ended unpaid");
    await wait(LOOK_EVERY_MS);
  }
  throw new VerificationFailed("it was not paid");
}

/**
 * Proof that no offline check can give, on a Stripe test key: its permissions, the canonical sessions
 * created, compared and ended, and with `pay` a first payment from the link to the last refund. One
 * line per step, and what to do where one fails. No webhook secret is needed.
 */

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
