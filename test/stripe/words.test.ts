/** Meaning of Stripe's words. An unknown word never means that money came. */
import Stripe from "stripe";
import { expect, test } from "vitest";
import { ProviderUnavailable } from "../../src/payments/provider.ts";
import {
  asProviderError,
  toDispute,
  toRefund,
  toState,
} from "../../src/payments/stripe/answers.ts";

const session = (change: object) => ({
  object: "checkout.session",
  id: "cs_1",
  status: "complete",
  payment_status: "paid",
  amount_total: 3200,
  currency: "usd",
  livemode: true,
  expires_at: 1,
  created: 1,
  ...change,
});

test.each<[string, string, string | null]>([
  ["paid", "complete", "paid"],
  ["no_payment_required", "complete", "paid"],
  ["unpaid", "open", "unpaid"],
  ["unpaid", "complete", "processing"],
  ["partially_paid", "complete", null],
  ["PAID", "complete", null],
  ["", "complete", null],
])("only known words mean paid: %s (%s) is %s", (payment_status, status, payment) => {
  const read = () => toState(session({ payment_status, status }), []).state.payment;
  if (payment === null) expect(read).toThrow(ProviderUnavailable);
  else expect(read()).toBe(payment);
});

test.each<[status: string, session: string, state: object | null]>([
  ["requires_payment_method", "open", { payment: "unpaid", failed: false }],
  ["requires_payment_method", "complete", { payment: "unpaid", failed: true }],
  ["requires_action", "complete", { payment: "unpaid", failed: false }],
  ["processing", "open", { payment: "unpaid", failed: false }],
  ["processing", "complete", { payment: "processing", failed: false }],
  ["requires_capture", "open", { payment: "authorized", amountMinor: 3100 }],
  ["requires_capture", "complete", { payment: "authorized", amountMinor: 3100 }],
  ["succeeded", "complete", { payment: "paid", amountMinor: 3000 }],
  ["canceled", "complete", { payment: "canceled", failed: false, amountMinor: null }],
  ["canceled", "expired", { payment: "unpaid", failed: false }],
  ["something_new", "complete", null],
])("a payment that is %s, on a page that is %s, is %o", (word, status, taken) => {
  for (const payment_status of ["paid", "unpaid"]) {
    const payment_intent = {
      id: "pi_1",
      status: word,
      amount_capturable: 3100,
      amount_received: 3000,
    };
    const read = () => toState(session({ status, payment_status, payment_intent }), []).state;
    if (taken === null) expect(read).toThrow(ProviderUnavailable);
    else expect(read()).toMatchObject({ amountMinor: null, ...taken });
  }
});

test("a payment that is only an id is unknown", () => {
  const read = () => toState(session({ payment_intent: "pi_1" }), []);
  expect(read).toThrow(ProviderUnavailable);
});

test.each([
  ["open", "open"],
  ["complete", "complete"],
  ["expired", "expired"],
  ["canceled", null],
])("a session that is %s is %s", (status, taken) => {
  const read = () => toState(session({ status }), []).state.status;
  if (taken === null) expect(read).toThrow(ProviderUnavailable);
  else expect(read()).toBe(taken);
});

test("a session without a payment status is unreadable", () => {
  const { payment_status: _, ...without } = session({});
  expect(() => toState(without, [])).toThrow("payment_status");
});

test.each([
  ["pending", "pending"],
  ["requires_action", "pending"],
  [null, "pending"],
  ["something_new", "pending"],
  ["succeeded", "succeeded"],
  ["failed", "failed"],
  ["canceled", "failed"],
])("a refund that is %s is %s", (status, taken) => {
  const refund = { object: "refund", id: "re_1", amount: 100, created: 1, status };
  expect(toRefund(refund).status).toBe(taken);
});

test.each([
  ["needs_response", "open"],
  ["under_review", "open"],
  ["warning_needs_response", "open"],
  ["appeal_under_review", "open"],
  ["something_new", "open"],
  ["won", "won"],
  ["warning_closed", "won"],
  ["prevented", "won"],
  ["lost", "lost"],
])("a dispute that is %s is %s", (status, taken) => {
  const dispute = { object: "dispute", id: "du_1", amount: 100, created: 1, reason: "x", status };
  expect(toDispute(dispute).status).toBe(taken);
});

test.each([
  [500, false, true],
  [500, true, true],
  [503, false, false],
  [503, true, true],
  [429, true, false],
])("a failure %i (told again under its key: %s) stands under its key: %s", (...row) => {
  const [statusCode, repeated, failedThere] = row;
  const headers = repeated ? { "idempotent-replayed": "true" } : {};
  const error = new Stripe.errors.StripeAPIError({
    ...{ type: "api_error", message: "An unknown error occurred.", statusCode, headers },
  } as never);
  expect(asProviderError(error)).toMatchObject({ name: "ProviderUnavailable", failedThere });
});
