/** Refunds, in minor units of usd. */
import type { z } from "zod";
import { ApiError, missing } from "./errors.ts";
import type * as params from "./params.ts";
import type { RouteContext } from "./route-context.ts";
import { refund, refundedMinor, type SandboxRefund, type SessionRecord } from "./session.ts";
import { paymentId, refundObject, sessionIdOf } from "./wire-payment.ts";

type RefundInput = z.output<typeof params.refundCreate>;

function refused(s: SessionRecord, amountMinor: number): ApiError | null {
  const left = s.totalMinor - refundedMinor(s);
  if (s.payment !== "paid") {
    const intent = `This PaymentIntent (${paymentId(s)})`;
    const message = `${intent} does not have a successful charge to refund.`;
    return new ApiError(400, message, "payment_intent_unexpected_state", "payment_intent");
  }
  if (left === 0) {
    return new ApiError(400, "Charge has already been refunded.", "charge_already_refunded");
  }
  if (amountMinor <= left) return null;
  const message = `Refund amount (${amountMinor}) is greater than unrefunded amount (${left}).`;
  return new ApiError(400, message, "amount_too_large", "amount");
}

export async function createRefund(input: RefundInput, context: RouteContext): Promise<object> {
  const { sessions, seed, now } = context;
  const payment = input.payment_intent;
  const made = await sessions.change<ApiError | SandboxRefund>(sessionIdOf(payment), (s) => {
    const before = s.refunds.find((r) => r.id === `re_${seed}`);
    if (before) return { step: null, result: before };
    const amountMinor = input.amount ?? s.totalMinor - refundedMinor(s);
    const refusal = refused(s, amountMinor);
    if (refusal) return { step: null, result: refusal };
    const result = { id: `re_${seed}`, amountMinor, createdAt: now };
    return { step: refund(s, result), result };
  });
  if (!made || made.record.method === null)
    throw missing("payment_intent", payment, "payment_intent");
  if (made.result instanceof ApiError) throw made.result;
  return refundObject(made.record, made.result);
}
