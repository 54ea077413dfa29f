import { expect, test } from "vitest";
import { ProviderRejected } from "../../src/payments/provider.ts";
import { cart, collect, MINUTE, paidSession, type World, world } from "./harness.ts";

async function sessionIds({ provider }: World, sinceMs: number): Promise<string[]> {
  return (await collect(provider.listCheckouts(sinceMs))).map((s) => s.sessionId);
}

test("the same attempt requested twice, even at once, is one session", async () => {
  const w = await world({ maxNetworkRetries: 2 });
  const asked = await Promise.all([
    w.provider.createCheckout(cart()),
    w.provider.createCheckout(cart()),
  ]);
  const again = await w.provider.createCheckout(cart());
  expect(new Set([...asked, again].map((s) => s.sessionId)).size).toBe(1);
  expect(await sessionIds(w, 0)).toHaveLength(1);
});

test("the same attempt with another body is refused", async () => {
  const w = await world();
  await w.provider.createCheckout(cart());
  const later = cart({ expiresAt: cart().expiresAt + 1000 });
  const refused = w.provider.createCheckout(later);
  await expect(refused).rejects.toBeInstanceOf(ProviderRejected);
  await expect(refused).rejects.toMatchObject({ code: "idempotency_error" });
});

test("a request with invalid parameters leaves its key free for the corrected one", async () => {
  const w = await world();
  const refused = w.provider.createCheckout(cart({ returnUrl: "nowhere" }));
  await expect(refused).rejects.toBeInstanceOf(ProviderRejected);
  expect((await w.provider.createCheckout(cart())).status).toBe("open");
});

test("an email that Stripe refuses is left to the page, at every press", async () => {
  const w = await world();
  const request = cart({ buyerEmail: "ada..lovelace@example.com" });
  const { sessionId } = await w.provider.createCheckout(request);
  expect((await w.sandbox.buyer.view(sessionId))?.email).toBeNull();
  expect((await w.provider.createCheckout(request)).sessionId).toBe(sessionId);
  const { sessionId: plain } = await w.provider.createCheckout(cart({ attemptId: "att_plain" }));
  expect((await w.sandbox.buyer.view(plain))?.email).toBe("buyer@example.com");
});

test("a wrong total ends the session before a buyer sees it", async () => {
  const w = await world();
  const refused = w.provider.createCheckout(cart({ totalMinor: 3199 }));
  await expect(refused).rejects.toBeInstanceOf(ProviderRejected);
  await expect(refused).rejects.toThrow("total 3200 instead of 3199");
  const [only] = await collect(w.provider.listCheckouts(0));
  expect(only).toMatchObject({ status: "expired", totalMinor: 3200 });
  await expect(w.provider.createCheckout(cart({ totalMinor: 3199 }))).rejects.toThrow("instead of");
});

test("one coupon serves every quote with that courtesy", async () => {
  const w = await world();
  const first = cart({}, "first-order courtesy");
  const second = { ...first, attemptId: "att_other", quoteId: "qte_other" };
  expect((await w.provider.createCheckout(first)).totalMinor).toBe(2760);
  expect((await w.provider.createCheckout(second)).totalMinor).toBe(2760);
  expect(w.sandbox.coupons.size).toBe(1);
});

test("the total detects a coupon that somebody changed", async () => {
  const w = await world();
  w.sandbox.coupons.set("courtesy_first_order_440_usd", 439);
  const refused = w.provider.createCheckout(cart({}, "first-order courtesy"));
  await expect(refused).rejects.toThrow("total 2761 instead of 2760");
});

test("a session outside the provider's time limits is refused", async () => {
  const w = await world();
  for (const ttl of [29 * MINUTE, 25 * 60 * MINUTE]) {
    const asked = w.provider.createCheckout(cart({ expiresAt: w.clock.now + ttl }));
    await expect(asked).rejects.toBeInstanceOf(ProviderRejected);
  }
  const { minTtlMs, maxTtlMs } = w.provider.limits;
  for (const ttl of [minTtlMs, maxTtlMs]) {
    const request = cart({ attemptId: `att_${ttl}`, expiresAt: w.clock.now + ttl });
    expect((await w.provider.createCheckout(request)).status).toBe("open");
  }
});

test("expiring an open session ends it; expiring a paid one returns its paid state", async () => {
  const w = await world();
  const open = await w.provider.createCheckout(cart());
  expect((await w.provider.expireCheckout(open.sessionId)).status).toBe("expired");
  expect((await w.provider.expireCheckout(open.sessionId)).status).toBe("expired");
  const paid = await paidSession(w, { attemptId: "att_paid" });
  expect(await w.provider.expireCheckout(paid.sessionId)).toMatchObject({ payment: "paid" });
  await expect(w.provider.expireCheckout("cs_test_none")).rejects.toMatchObject({
    code: "resource_missing",
  });
});

test("a refund or dispute made at the provider is visible and sends webhooks", async () => {
  const w = await world();
  const { sessionId, paymentRef } = await paidSession(w);
  await w.control.refundOutside(sessionId, 500);
  await w.control.dispute(sessionId);
  expect(await w.provider.getCheckout(sessionId)).toMatchObject({
    refunds: [{ refundId: null, amountMinor: 500, status: "succeeded", problem: null }],
    disputes: [{ amountMinor: 2700, status: "open", reason: "fraudulent" }],
  });
  await w.control.closeDispute(sessionId, "won");
  await w.sandbox.idle();
  const told = w.events
    .filter(({ type }) => /^(charge|refund)/.test(type))
    .map(({ type, sessionId, paymentRef }) => [type, sessionId, paymentRef]);
  expect(told.toSorted()).toEqual([
    ["charge.dispute.closed", null, paymentRef],
    ["charge.dispute.created", null, paymentRef],
    ["charge.refunded", null, paymentRef],
    ["refund.created", null, paymentRef],
  ]);
});

test("the list spans pages, newest first, and stops at the requested time", async () => {
  const w = await world();
  for (let i = 0; i < 103; i++) {
    await w.provider.createCheckout(
      cart({ attemptId: `att_${i}`, expiresAt: w.clock.now + 60 * MINUTE }),
    );
    w.clock.now += 1000;
  }
  const all = await collect(w.provider.listCheckouts(0));
  expect(all.map((s) => s.attemptId)).toEqual(
    Array.from({ length: 103 }, (_, i) => `att_${102 - i}`),
  );
  expect(await sessionIds(w, w.clock.now - 3000)).toHaveLength(3);
});

test("the provider has Stripe's origin and those that are set", async () => {
  const { provider } = await world();
  expect(provider.checkoutOrigins).toEqual([
    "https://checkout.stripe.com",
    "http://127.0.0.1:3000",
  ]);
  await expect(provider.ping()).resolves.toBeUndefined();
});
