/**
 * Checks on a Stripe test key that no offline test can make: its permissions, the canonical sessions, and with
 * `pay` a first payment from the link to the last refund (docs/operate.md, "Taking real payments"). Prints
 * one line per step, and advice where one fails. Needs no webhook secret.
 */
import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import Stripe from "stripe";
import { display, sum } from "../../core/money.ts";
import {
  type CheckoutRequest,
  type CheckoutState,
  KeyRefused,
  type PaymentProvider,
  ProviderRejected,
  ProviderUnavailable,
} from "../provider.ts";
import { asProviderError } from "./answers.ts";
import { canonicalRequests } from "./canonical.ts";
import { type StripeOptions, stripeClient } from "./client.ts";
import { PERMISSIONS, refusalOf } from "./permissions.ts";
import { MANUAL_METHODS, SESSION_EXPAND } from "./requests.ts";
import { stripeProvider } from "./stripe.ts";

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
  /** Includes two payments, which a person makes on the pages whose links are printed. */
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
    const tryMethods = (paymentMethods: readonly string[]) => {
      const attempt = { ...carts[0]!.request, attemptId: `att_${run}_methods` };
      return openAndEnd(stripeProvider({ ...all, paymentMethods }), attempt);
    };
    const steps = payWalk({ provider, stripe, request, tryMethods, print, wait });
    failed += await runSteps(steps, print, { dependent: true });
  }
  const todo = pay
    ? "Test webhooks with `stripe listen`: docs/operate.md, Taking real payments."
    : "Add --pay to test payments and refunds.";
  const steps = failed === 1 ? "1 step" : `${failed} steps`;
  print(failed > 0 ? `${steps} failed.` : `Everything works. ${todo}`);
  return failed === 0;
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
      await openAndEnd(provider, request);
      return `${display(request.totalMinor)}, the same at Stripe; ended`;
    },
  };
}

async function openAndEnd(provider: PaymentProvider, request: CheckoutRequest): Promise<void> {
  // Compares total, currency, mode and the page's address, and throws if they differ.
  const { sessionId } = await provider.createCheckout(request);
  const { status } = await provider.expireCheckout(sessionId);
  if (status !== "expired") throw new Error(`The session could not be ended: it is ${status}.`);
}

interface PayWalk {
  provider: PaymentProvider;
  stripe: Stripe;
  request: CheckoutRequest;
  print: Print;
  wait: (ms: number) => Promise<unknown>;
  /** Opens a page for these methods and ends it. */
  tryMethods(methods: readonly string[]): Promise<unknown>;
}

const LOOK_EVERY_MS = 2_000;
/** Ten minutes for a person to find the card. */
const LOOKS = 300;
const PART_MINOR = 100;

/** A payment that a person makes is captured and refunded, another one is released. */
function payWalk(walk: PayWalk): Step[] {
  const { provider, stripe, request, tryMethods } = walk;
  let session: Authorized;
  const open =
    "The page was not paid within ten minutes, or the card was declined. Run this again.";
  return [
    {
      name: "authorization",
      advice: open,
      run: async () => {
        session = await authorized(walk, request);
        return `${display(session.amountMinor ?? 0)} by ${session.method}; ${await stripesWords(stripe, session)}`;
      },
    },
    { name: "capture", advice: RUN_AGAIN, run: () => twice(walk, session, "capture") },
    {
      name: "release",
      advice: open,
      run: async () => {
        const another = { ...request, attemptId: `${request.attemptId}_release` };
        return twice(walk, await authorized(walk, another), "cancel");
      },
    },
    {
      name: "search",
      advice: RUN_AGAIN,
      run: async () => {
        const { sessionId, paymentRef, createdAt } = session;
        const found = [(await provider.findByPayment(paymentRef))?.sessionId];
        for await (const listed of provider.listCheckouts(createdAt - 1000)) {
          found.push(listed.sessionId);
        }
        if (found[0] === sessionId && found.lastIndexOf(sessionId) > 0) {
          return "found by its payment and in the list of today's sessions";
        }
        throw new Error("Its payment or the list of today's sessions does not lead to the page.");
      },
    },
    {
      name: "every method that can be authorized",
      advice: RUN_AGAIN,
      run: async () => {
        // A refusal is a finding, not a failure: the account need not have them all.
        const refusal = await tryMethods(MANUAL_METHODS).catch((error: unknown) => {
          if (error instanceof ProviderRejected) return error;
          throw error;
        });
        return refusal instanceof Error ? `refused: ${refusal.message}` : "accepted; ended";
      },
    },
    {
      name: "refunds",
      advice:
        "Give the key Charges and Refunds: Write, or top up the test balance with card 4000 0000 0000 0077.",
      run: async () => {
        const { sessionId, paymentRef } = session;
        const refundId = `rf_${request.attemptId}`;
        const part = { idempotencyKey: refundId, refundId, amountMinor: PART_MINOR };
        for (let i = 0; i < 2; i++) await provider.refund(paymentRef, part);
        await provider.refund(paymentRef, { idempotencyKey: `${refundId}_2`, refundId: "rest" });
        const { refunds } = await provider.getCheckout(sessionId);
        const made = refunds.map((refund) => `${display(refund.amountMinor)} ${refund.status}`);
        const back = sum(refunds.map((refund) => refund.amountMinor));
        if (
          refunds.length !== 2 ||
          back !== request.totalMinor ||
          refunds[0]!.refundId !== refundId
        ) {
          throw new Error(`The refunds are wrong: ${made.join(", ")}.`);
        }
        return `${made.join(", ")}; the first was repeated, and made once`;
      },
    },
  ];
}

type Authorized = CheckoutState & { paymentRef: string };

/** Opens a page, as an answer that was lost would have it twice, and waits for a person to pay it. */
async function authorized(
  { provider, print, wait }: PayWalk,
  request: CheckoutRequest,
): Promise<Authorized> {
  const { sessionId, url } = await provider.createCheckout(request);
  if ((await provider.createCheckout(request)).sessionId !== sessionId) {
    throw new Error("The repeated request made another session.");
  }
  print("      Open this link and pay with 4242 4242 4242 4242, any later date, any CVC:");
  print(`      ${url}`);
  for (let looks = 0; looks < LOOKS; looks++) {
    const state = await provider.getCheckout(sessionId).catch((error: unknown) => {
      if (error instanceof ProviderUnavailable) return null;
      throw error;
    });
    if (state?.paymentRef && state.payment === "authorized") {
      return { ...state, paymentRef: state.paymentRef };
    }
    if (state?.payment === "paid") throw new Error("It was captured at once.");
    if (state?.status === "expired") throw new Error("The page ended unpaid.");
    await wait(LOOK_EVERY_MS);
  }
  throw new Error("The page was not paid.");
}

/** Captures or cancels the payment twice. Reports Stripe's own words, because docs leave some of them open. */
async function twice(
  { provider, stripe }: PayWalk,
  { sessionId, paymentRef, totalMinor }: Authorized,
  verb: "capture" | "cancel",
): Promise<string> {
  const answers: string[] = [];
  for (let i = 0; i < 2; i++) {
    try {
      answers.push((await stripe.paymentIntents[verb](paymentRef)).status);
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw asProviderError(error);
      answers.push(`${error.statusCode} ${error.code}`);
    }
  }
  const { payment, amountMinor, refunds } = await provider.getCheckout(sessionId);
  const right =
    verb === "capture" ? payment === "paid" && amountMinor === totalMinor : payment === "canceled";
  const words = `${answers.join(", then ")}; ${await stripesWords(stripe, { sessionId })}; ${refunds.length} refunds`;
  if (!right || refunds.length > 0) throw new Error(`The shop reads ${payment}: ${words}.`);
  return words;
}

async function stripesWords(stripe: Stripe, { sessionId }: Pick<Authorized, "sessionId">) {
  const { status, payment_status, payment_intent } = await stripe.checkout.sessions.retrieve(
    sessionId,
    { expand: SESSION_EXPAND },
  );
  const intent = payment_intent as Stripe.PaymentIntent;
  return `session ${status} and ${payment_status}, payment ${intent.status}`;
}
