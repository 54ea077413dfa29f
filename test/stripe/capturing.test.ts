/** Authorized payments: captured, released, refused, canceled elsewhere. */
import { expect, test } from "vitest";
import { ProviderUnavailable } from "../../src/payments/provider.ts";
import { failing } from "./faults.ts";
import { approvedSession, typesAfter, world } from "./harness.ts";

const AUTHORIZED = { status: "complete", payment: "authorized", amountMinor: 3200, method: "card" };
const PAID = { status: "complete", payment: "paid", amountMinor: 3200, refunds: [] };
const CANCELED = { status: "complete", payment: "canceled", amountMinor: null, refunds: [] };

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
