import { expect, test } from "vitest";
import { insert } from "../../src/core/command.ts";
import { write } from "../db/rules.ts";
import {
  cart,
  DECLINED,
  MINUTE,
  paidSession,
  THREE_DS,
  typesAfter,
  VISA,
  world,
} from "./harness.ts";

const COMPLETED = "checkout.session.completed";
const CAPTURABLE = "payment_intent.amount_capturable_updated";
const DECLINE = "payment_intent.payment_failed";

test("a session starts open and unpaid, with the agreed total and a page on our origin", async () => {
  const { provider } = await world();
  const request = cart();
  const state = await provider.createCheckout(request);
  expect(state).toMatchObject({
    status: "open",
    payment: "unpaid",
    failed: false,
    totalMinor: 3200,
    currency: "usd",
    livemode: false,
    attemptId: request.attemptId,
    quoteHash: request.quoteHash,
    paymentRef: null,
    method: null,
    refunds: [],
    disputes: [],
  });
  expect(state.url).toBe(`http://127.0.0.1:3000/sandbox/checkout/${state.sessionId}`);
});

test("the page shows the lines, the discount and the buyer", async () => {
  const { provider, sandbox } = await world();
  const request = cart({}, "every line there can be");
  const { sessionId } = await provider.createCheckout(request);
  const view = await sandbox.buyer.view(sessionId);
  expect(view).toMatchObject({
    status: "open",
    amountMinor: request.totalMinor,
    discountMinor: 1000,
    email: "buyer@example.com",
    awaiting3ds: false,
  });
  expect(view?.lines).toHaveLength(5);
  expect(view?.lines.at(-1)).toEqual({
    name: "Shipping, $10.00 per address",
    quantity: 2,
    amountMinor: 2000,
  });
  expect(view?.methods.map((m) => m.value)).toContain("bank_debit");
});

test("a session that the buyer paid is complete and authorized by card, and webhooks name it", async () => {
  const w = await world();
  const { sessionId } = await w.provider.createCheckout(cart());
  const paid = await w.sandbox.buyer.pay(sessionId, VISA);
  expect(paid).toEqual({ outcome: "paid", redirectTo: cart().returnUrl });
  const state = await w.provider.getCheckout(sessionId);
  const expected = { status: "complete", payment: "authorized", method: "card", url: null };
  expect(state).toMatchObject(expected);
  expect(await typesAfter(w)).toEqual([COMPLETED, CAPTURABLE]);
  expect(w.events[0]).toMatchObject({ sessionId, paymentRef: state.paymentRef, livemode: false });
});

test("a declined card leaves the session open with the reason, and another card pays", async () => {
  const w = await world();
  const { sessionId, url } = await w.provider.createCheckout(cart());
  const declined = await w.sandbox.buyer.pay(sessionId, DECLINED);
  expect(declined).toEqual({ outcome: "declined", redirectTo: url });
  expect((await w.sandbox.buyer.view(sessionId))?.lastError).toBe("Your card was declined.");
  expect(await w.provider.getCheckout(sessionId)).toMatchObject({
    status: "open",
    payment: "unpaid",
    failed: false,
    declined: true,
  });
  expect((await w.sandbox.buyer.pay(sessionId, VISA))?.outcome).toBe("paid");
  expect(await w.provider.getCheckout(sessionId)).toMatchObject({ declined: false });
  expect(await typesAfter(w)).toEqual([DECLINE, COMPLETED, CAPTURABLE]);
});

test("a number that is no test card is refused and not stored", async () => {
  const w = await world();
  const { sessionId } = await w.provider.createCheckout(cart());
  const real = "4111111111111111";
  const refused = await w.sandbox.buyer.pay(sessionId, real);
  expect(refused?.outcome).toBe("declined");
  expect((await w.sandbox.buyer.view(sessionId))?.lastError).toMatch(/test cards/);
  const stored = await w.sandbox.store.queries.sandboxObject(sessionId);
  expect(stored?.body).not.toContain(real);
});

test("3-D Secure approved pays", async () => {
  const w = await world();
  const { sessionId } = await w.provider.createCheckout(cart());
  expect((await w.sandbox.buyer.pay(sessionId, THREE_DS))?.outcome).toBe("challenge");
  expect((await w.sandbox.buyer.view(sessionId))?.awaiting3ds).toBe(true);
  expect((await w.provider.getCheckout(sessionId)).payment).toBe("unpaid");
  expect((await w.sandbox.buyer.completeChallenge(sessionId, true))?.outcome).toBe("paid");
  expect((await w.provider.getCheckout(sessionId)).payment).toBe("authorized");
});

test("3-D Secure refused leaves the session open; approving later pays nothing", async () => {
  const w = await world();
  const { sessionId } = await paidSession(w, {}, THREE_DS);
  const refused = await w.sandbox.buyer.completeChallenge(sessionId, false);
  expect(refused?.outcome).toBe("declined");
  const { lastError } = (await w.sandbox.buyer.view(sessionId))!;
  expect(lastError).toMatch(/unable to authenticate/);
  expect((await w.sandbox.buyer.completeChallenge(sessionId, true))?.outcome).toBe("declined");
  expect(await w.provider.getCheckout(sessionId)).toMatchObject({
    status: "open",
    payment: "unpaid",
    declined: true,
  });
  expect(await typesAfter(w)).toEqual([DECLINE]);
});

test("a bank debit is processing first and settles by the clock", async () => {
  const w = await world({ bankDebitDelayMs: 5 * MINUTE });
  const { sessionId } = await w.provider.createCheckout(cart());
  expect((await w.sandbox.buyer.pay(sessionId, "bank_debit"))?.outcome).toBe("processing");
  const processing = { status: "complete", payment: "processing", method: "us_bank_account" };
  expect(await w.provider.getCheckout(sessionId)).toMatchObject(processing);
  await w.sandbox.tick();
  expect(await w.provider.getCheckout(sessionId)).toMatchObject(processing);
  w.clock.now += 5 * MINUTE;
  await w.sandbox.tick();
  expect((await w.provider.getCheckout(sessionId)).payment).toBe("paid");
  expect(await typesAfter(w)).toEqual([COMPLETED, "checkout.session.async_payment_succeeded"]);
});

test("a bank debit after a 3-D Secure challenge has its own method", async () => {
  const { provider, sandbox } = await world();
  const { sessionId } = await provider.createCheckout(cart());
  await sandbox.buyer.pay(sessionId, THREE_DS);
  await sandbox.buyer.pay(sessionId, "bank_debit");
  const processing = { payment: "processing", method: "us_bank_account" };
  expect(await provider.getCheckout(sessionId)).toMatchObject(processing);
});

test("a returned bank debit leaves the session complete, unpaid and failed", async () => {
  const w = await world();
  const { sessionId } = await paidSession(w, {}, "bank_debit");
  await w.control.settleBankDebit(sessionId, false);
  expect(await w.provider.getCheckout(sessionId)).toMatchObject({
    status: "complete",
    payment: "unpaid",
    failed: true,
  });
  expect((await w.sandbox.buyer.pay(sessionId, VISA))?.outcome).toBe("expired");
  expect(await typesAfter(w)).toEqual([COMPLETED, "checkout.session.async_payment_failed"]);
});

test("a bank debit settled by hand is paid", async () => {
  const w = await world();
  const { sessionId } = await paidSession(w, {}, "bank_debit");
  expect(await w.control.settleBankDebit(sessionId, true)).toBe(true);
  expect((await w.provider.getCheckout(sessionId)).payment).toBe("paid");
});

test("a hundred clicks on Pay, in two processes, are one payment and one event", async () => {
  const w = await world();
  const other = await w.again();
  const { sessionId } = await w.provider.createCheckout(cart());
  const clicks = Array.from({ length: 100 }, (_, i) =>
    (i % 2 ? other : w.sandbox).buyer.pay(sessionId, VISA),
  );
  const outcomes = (await Promise.all(clicks)).map((click) => click?.outcome);
  expect(outcomes.filter((o) => o === "paid")).toHaveLength(1);
  expect(outcomes.filter((o) => o === "already_paid")).toHaveLength(99);
  await other.idle();
  expect((await typesAfter(w)).toSorted()).toEqual([COMPLETED, CAPTURABLE]);
});

test("a session expires by the clock, with one webhook, and takes no money afterwards", async () => {
  const w = await world();
  const { sessionId } = await w.provider.createCheckout(cart());
  w.clock.now = cart().expiresAt;
  await w.sandbox.tick();
  expect(await w.provider.getCheckout(sessionId)).toMatchObject({ status: "expired", url: null });
  expect(await w.sandbox.buyer.pay(sessionId, VISA)).toMatchObject({
    outcome: "expired",
    redirectTo: cart().cancelUrl,
  });
  await w.sandbox.tick();
  expect(await typesAfter(w)).toEqual(["checkout.session.expired"]);
});

test("the page leads back to the shop before and after paying", async () => {
  const { provider, sandbox } = await world();
  const { sessionId } = await provider.createCheckout(cart());
  const { cancelUrl, returnUrl: successUrl } = cart();
  expect(await sandbox.buyer.view(sessionId)).toMatchObject({ cancelUrl, successUrl });
});

test("an unknown session has no page", async () => {
  const { sandbox } = await world();
  const { store } = sandbox;
  const other = { id: "coupon_of_0.3.0", kind: "coupon", body: "{}", version: 1, created_at: 0 };
  await store.run(write, [insert("sandbox", other)]);
  for (const id of ["cs_test_none", other.id]) {
    expect(await sandbox.buyer.view(id)).toBeNull();
    expect(await sandbox.buyer.pay(id, VISA)).toBeNull();
  }
});
