/**
 * The first payment, walked from the link to the last refund (docs/operate.md, "Taking real
 * payments").
 */
import type Stripe from "stripe";
import { display, sum } from "../../../core/money.ts";
import {
  type CheckoutRequest,
  type CheckoutState,
  type PaymentProvider,
  ProviderUnavailable,
} from "../../provider.ts";
import { sessionParams } from "../requests.ts";
import { type Print, VerificationFailed, type VerifyStep } from "./steps.ts";

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

export function payWalk(walk: PayWalk): VerifyStep[] {
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
