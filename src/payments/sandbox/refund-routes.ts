/** Refunds and disputes, in minor units of usd. */
import { ApiError, missing } from "./errors.ts";
import { listOfPayment, refundCreate } from "./params.ts";
import { isDisputed, refund, refundedMinor } from "./refunds.ts";
import { page, type Route, type RouteContext, route } from "./route.ts";
import { paymentId, type SessionRecord, sessionIdOf } from "./session.ts";
import { disputeObject, refundObject } from "./wire-refunds.ts";

export const REFUND_ROUTES: readonly Route[] = [
  route("POST /v1/refunds", refundCreate, async (input, context) => {
    const { sessions, seed, now, delayMs, interference } = context;
    const { balanceMinor = Infinity, takesWithoutBalance = false } = interference;
    const { payment_intent: payment, metadata } = input;
    const id = `re_${seed}`;
    let refusal: ApiError | null = null;
    const made = await sessions.change(sessionIdOf(payment), (s) => {
      if (s.refunds.some((r) => r.id === id)) return null;
      const amountMinor = input.amount ?? s.totalMinor - refundedMinor(s);
      const waits = amountMinor > balanceMinor;
      refusal = refused(s, amountMinor, !waits || takesWithoutBalance);
      return refusal ? null : refund(s, { id, amountMinor, metadata, now, delayMs, waits });
    });
    if (!made || made.record.method === null) {
      throw missing("payment_intent", payment, "payment_intent");
    }
    if (refusal) throw refusal;
    return refundObject(made.record, made.record.refunds.find((r) => r.id === id)!);
  }),

  listRoute("refund", (s) => s.refunds.map((r) => refundObject(s, r))),
  listRoute("dispute", (s) => s.disputes.map((d) => disputeObject(s, d))),
];

/** Lists begin with the newest, as every list of Stripe's. */
function listRoute(kind: string, of: (s: SessionRecord) => { id: string }[]): Route {
  const url = `/v1/${kind}s`;
  return route(`GET ${url}`, listOfPayment, async (input, context) => {
    const records = await ofPayment(input.payment_intent, context);
    return page(records.flatMap(of).toReversed(), input, { kind, url });
  });
}

async function ofPayment(payment: string | undefined, { sessions }: RouteContext) {
  if (payment === undefined) return (await sessions.list(0)).toReversed();
  const record = await sessions.read(sessionIdOf(payment));
  return record ? [record] : [];
}

function refused(s: SessionRecord, amountMinor: number, covered: boolean): ApiError | null {
  const left = s.totalMinor - refundedMinor(s);
  if (s.payment !== "paid") {
    const intent = `This PaymentIntent (${paymentId(s)})`;
    const message = `${intent} does not have a successful charge to refund.`;
    return new ApiError(400, message, "payment_intent_unexpected_state", "payment_intent");
  }
  if (isDisputed(s)) {
    const message = "The charge you're attempting to refund has been charged back.";
    return new ApiError(400, message, "charge_disputed");
  }
  if (left === 0) {
    return new ApiError(400, "Charge has already been refunded.", "charge_already_refunded");
  }
  if (amountMinor > left) {
    const message = `Refund amount (${amountMinor}) is greater than unrefunded amount (${left}).`;
    return new ApiError(400, message, "amount_too_large", "amount");
  }
  if (covered) return null;
  const message = "Insufficient funds in your Stripe balance to refund this amount.";
  return new ApiError(400, message, "balance_insufficient");
}
