/** Authorized payments: captured, released, refused, canceled elsewhere. */
import { expect, test } from "vitest";
import { ProviderUnavailable } from "../../src/payments/provider.ts";
import { failing } from "./faults.ts";
import { approvedSession, cart, THREE_DS, typesAfter, VISA, world } from "./harness.ts";

const DAY = 86_400_000;
const AUTHORIZED = { status: "complete", payment: "authorized", amountMinor: 3200, method: "card" };
const PAID = { status: "complete", payment: "paid", amountMinor: 3200, refunds: [] };
const CANCELED = { status: "complete", payment: "canceled", amountMinor: null, refunds: [] };
const ASKED = ["checkout.session.completed", "payment_intent.amount_capturable_updated"];

test("a card is authorized, then captured once, however often that is asked", async () => {
  const w = await world();
  const { sessionId, paymentRef, ...state } = await approvedSession(w);
  expect(state).toMatchObject({ ...AUTHORIZED, totalMinor: 3200 });
  expect((await w.sandbox.buyer.pay(sessionId, VISA))?.outcome).toBe("already_paid");
  for (let i = 0; i < 3; i++) {
    expect(await w.provider.captureCheckout(sessionId, paymentRef)).toMatchObject(PAID);
  }
  expect(await w.provider.releaseCheckout(sessionId, paymentRef)).toMatchObject(PAID);
  expect(await typesAfter(w)).toEqual([...ASKED, "payment_intent.succeeded"]);
  expect(w.events.map((event) => event.paymentRef)).toEqual(Array(3).fill(paymentRef));
});

test("a released payment is canceled without a refund, and cannot be captured", async () => {
  const w = await world();
  const { sessionId, paymentRef } = await approvedSession(w);
  for (let i = 0; i < 2; i++) {
    expect(await w.provider.releaseCheckout(sessionId, paymentRef)).toMatchObject(CANCELED);
  }
  expect(await w.provider.captureCheckout(sessionId, paymentRef)).toMatchObject(CANCELED);
  expect(await typesAfter(w)).toEqual([...ASKED, "payment_intent.canceled"]);
  expect(await w.sandbox.buyer.pay(sessionId, VISA)).toMatchObject({ outcome: "expired" });
});

test("a capture and a release at once: one of them happens, and both see it", async () => {
  const w = await world();
  const { sessionId, paymentRef } = await approvedSession(w);
  await Promise.all([
    w.provider.captureCheckout(sessionId, paymentRef),
    w.provider.releaseCheckout(sessionId, paymentRef),
  ]);
  expect((await w.provider.getCheckout(sessionId)).payment).toMatch(/^(paid|canceled)$/);
  expect(await typesAfter(w)).toHaveLength(3);
});

test("a refused capture leaves the payment authorized, to be released", async () => {
  const w = await world();
  const { sessionId, paymentRef } = await approvedSession(w);
  w.control.refuseCapture(sessionId);
  expect(await w.provider.captureCheckout(sessionId, paymentRef)).toMatchObject(AUTHORIZED);
  expect(await w.provider.releaseCheckout(sessionId, paymentRef)).toMatchObject(CANCELED);
});

test("3-D Secure authorizes", async () => {
  const w = await world();
  const challenged = await approvedSession(w, {}, THREE_DS);
  await w.sandbox.buyer.completeChallenge(challenged.sessionId, true);
  expect(await w.provider.getCheckout(challenged.sessionId)).toMatchObject(AUTHORIZED);
});

test("an authorization lapses after seven days", async () => {
  const w = await world();
  const { sessionId, paymentRef } = await approvedSession(w);
  await w.sandbox.idle();
  w.clock.now += 7 * DAY - 1;
  expect((await w.provider.getCheckout(sessionId)).payment).toBe("authorized");
  w.clock.now += 1;
  await w.sandbox.tick();
  expect(await w.provider.captureCheckout(sessionId, paymentRef)).toMatchObject(CANCELED);
  expect(await typesAfter(w)).toContain("payment_intent.canceled");
});

test("the dashboard may capture a part, or cancel", async () => {
  const w = await world();
  const part = await approvedSession(w);
  expect(await w.control.captureOutside(part.sessionId, 1000)).toBe(true);
  const { provider } = w;
  expect(await provider.captureCheckout(part.sessionId, part.paymentRef)).toMatchObject({
    payment: "paid",
    amountMinor: 1000,
    totalMinor: 3200,
  });
  await provider.refund(part.paymentRef, { idempotencyKey: "all", refundId: "rf_1" });
  expect((await provider.getCheckout(part.sessionId)).refunds).toMatchObject([
    { amountMinor: 1000 },
  ]);
  const other = await approvedSession(w, { attemptId: "att_2" });
  expect(await w.control.cancelOutside(other.sessionId)).toBe(true);
  expect(await provider.getCheckout(other.sessionId)).toMatchObject(CANCELED);
});

test("an authorized payment cannot be refunded", async () => {
  const w = await world();
  const { paymentRef } = await approvedSession(w);
  const refund = w.provider.refund(paymentRef, { idempotencyKey: "r", refundId: "rf_1" });
  await expect(refund).rejects.toMatchObject({ code: "payment_intent_unexpected_state" });
});

test("only methods that the session names wait for a capture", async () => {
  const w = await world();
  const { sessionId } = await w.provider.createCheckout(cart());
  await w.sandbox.buyer.pay(sessionId, "bank_debit");
  expect((await w.provider.getCheckout(sessionId)).payment).toBe("processing");
  const { paymentRef } = await w.provider.getCheckout(sessionId);
  expect((await w.provider.captureCheckout(sessionId, paymentRef!)).payment).toBe("processing");
  await w.control.settleBankDebit(sessionId, true);
  expect(await w.provider.getCheckout(sessionId)).toMatchObject({
    payment: "paid",
    amountMinor: 3200,
  });
});

test.each(["capture", "cancel"] as const)(
  "a %s whose answer is lost is unknown, and found done afterwards",
  async (verb) => {
    const w = await world({ timeoutMs: 500 });
    const { sessionId, paymentRef } = await approvedSession(w);
    const call = () =>
      verb === "capture"
        ? w.provider.captureCheckout(sessionId, paymentRef)
        : w.provider.releaseCheckout(sessionId, paymentRef);
    w.control.faults.api = failing(verb, { kind: "timeout", ms: 1500, effect: true });
    await expect(call()).rejects.toBeInstanceOf(ProviderUnavailable);
    const done = verb === "capture" ? PAID : CANCELED;
    expect(await w.provider.getCheckout(sessionId)).toMatchObject(done);
    expect(await call()).toMatchObject(done);
  },
);

test.each([
  { kind: "error", status: 500 },
  { kind: "error", status: 500, effect: true },
  { kind: "error", status: 429 },
  { kind: "error", status: 503 },
  { kind: "error", status: 403 },
  { kind: "rubbish" },
] as const)("after a capture that met %o, the next one is right", async (fault) => {
  const w = await world();
  const { sessionId, paymentRef } = await approvedSession(w);
  w.control.faults.api = failing("capture", fault);
  const first = w.provider.captureCheckout(sessionId, paymentRef);
  await expect(first).rejects.toBeInstanceOf(ProviderUnavailable);
  expect(await w.provider.captureCheckout(sessionId, paymentRef)).toMatchObject(PAID);
});

test.each([
  [{ kind: "timeout", ms: 300, effect: true }, "done"],
  [{ kind: "error", status: 500 }, "unknown at first"],
] as const)("with the client's own retries, a capture that met %o is %s", async (fault, found) => {
  const w = await world({ timeoutMs: 100, maxNetworkRetries: 1 });
  const { sessionId, paymentRef } = await approvedSession(w);
  w.control.faults.api = failing("capture", fault);
  const capture = () => w.provider.captureCheckout(sessionId, paymentRef);
  // Stripe repeats a 500 for the retry's key, so only the next call can succeed.
  if (found !== "done") await expect(capture()).rejects.toBeInstanceOf(ProviderUnavailable);
  expect(await capture()).toMatchObject(PAID);
});

test.each(["capture", "release"] as const)(
  "the answer of a %s settles it, without a read",
  async (verb) => {
    const w = await world();
    const { sessionId, paymentRef } = await approvedSession(w);
    const before = await w.provider.getCheckout(sessionId);
    w.control.faults.api = failing("read", { kind: "error", status: 503 });
    const answer = await w.provider[`${verb}Checkout`](sessionId, paymentRef);
    w.control.faults.api = undefined;
    const { url: _, returnUrl: __, ...after } = await w.provider.getCheckout(sessionId);
    expect(answer).toMatchObject(after);
    expect(answer).toMatchObject({ quoteHash: before.quoteHash, attemptId: before.attemptId });
  },
);

test("a refused capture whose session cannot be read is unknown", async () => {
  const w = await world();
  const { sessionId, paymentRef } = await approvedSession(w);
  w.control.refuseCapture(sessionId);
  w.control.faults.api = failing("read", { kind: "error", status: 503 });
  const first = w.provider.captureCheckout(sessionId, paymentRef);
  await expect(first).rejects.toBeInstanceOf(ProviderUnavailable);
  expect(await w.provider.getCheckout(sessionId)).toMatchObject(AUTHORIZED);
});

test("a session that names no method is paid at once", async () => {
  const w = await world();
  const { sessionId } = await w.provider.createCheckout(cart());
  const { payment_method_options: _, ...params } = (await w.sandbox.sessions.read(sessionId))!
    .params;
  await w.control.alter(sessionId, { params });
  await w.sandbox.buyer.pay(sessionId, VISA);
  expect(await w.provider.getCheckout(sessionId)).toMatchObject({
    payment: "paid",
    amountMinor: 3200,
  });
});
