/** Refunds and disputes, in minor units of usd. */
import type Stripe from "stripe";
import type { z } from "zod";
import { ApiError, missing } from "./errors.ts";
import type * as params from "./params.ts";
import { isDisputed, refund, refundedMinor, type SandboxRefund } from "./refunds.ts";
import { page, type RouteContext } from "./route-context.ts";
import type { SessionRecord } from "./session.ts";
import { paymentId, sessionIdOf } from "./wire-ids.ts";
import { disputeObject, refundObject } from "./wire-refunds.ts";

type RefundInput = z.output<typeof params.refundCreate>;
type ListInput = z.output<typeof params.listOfPayment>;

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

export async function createRefund(
  input: RefundInput,
  context: RouteContext,
): Promise<Stripe.Refund> {
  const { sessions, seed, now, delayMs, balanceMinor, takesWithoutBalance } = context;
  const { payment_intent: payment, metadata } = input;
  const id = `re_${seed}`;
  const made = await sessions.change<ApiError | null>(sessionIdOf(payment), (s) => {
    if (s.refunds.some((r) => r.id === id)) return { step: null, result: null };
    const amountMinor = input.amount ?? s.totalMinor - refundedMinor(s);
    const waits = balanceMinor !== null && amountMinor > balanceMinor;
    const refusal = refused(s, amountMinor, !waits || takesWithoutBalance);
    if (refusal) return { step: null, result: refusal };
    return { step: refund(s, { id, amountMinor, metadata, now, delayMs, waits }), result: null };
  });
  if (!made || made.record.method === null) {
    throw missing("payment_intent", payment, "payment_intent");
  }
  if (made.result) throw made.result;
  const answered = made.record.refunds.find((r) => r.id === id) as SandboxRefund;
  return refundObject(made.record, answered);
}

async function ofPayment(input: ListInput, { sessions }: RouteContext): Promise<SessionRecord[]> {
  if (input.payment_intent === undefined) return (await sessions.list(0)).toReversed();
  const record = await sessions.read(sessionIdOf(input.payment_intent));
  return record ? [record] : [];
}

/** Newest first, as every list of Stripe's. */
export async function listRefunds(
  input: ListInput,
  context: RouteContext,
): Promise<Stripe.ApiList<Stripe.Refund>> {
  const records = await ofPayment(input, context);
  const all = records.flatMap((s) => s.refunds.map((r) => refundObject(s, r))).toReversed();
  return { object: "list", url: "/v1/refunds", ...page(all, input, "refund") };
}

export async function listDisputes(
  input: ListInput,
  context: RouteContext,
): Promise<Stripe.ApiList<Stripe.Dispute>> {
  const records = await ofPayment(input, context);
  const all = records.flatMap((s) => s.disputes.map((d) => disputeObject(s, d))).toReversed();
  return { object: "list", url: "/v1/disputes", ...page(all, input, "dispute") };
}
