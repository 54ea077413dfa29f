import { expect, test } from "vitest";
import { KeyRefused, ProviderUnavailable } from "../../src/payments/provider.ts";
import { stripeProvider } from "../../src/payments/stripe/stripe.ts";
import { arrivedMinor } from "../support/sandbox-control.ts";
import type { ApiFault } from "./faults.ts";
import { cart, collect, paidSession, SECRET, world } from "./harness.ts";

const OUTAGES: [string, ApiFault][] = [
  ["a 429", { kind: "error", status: 429 }],
  ["a limit told by a 400", { kind: "error", status: 400, code: "rate_limit" }],
  ["a 500", { kind: "error", status: 500 }],
  ["a 503", { kind: "error", status: 503 }],
  ["a 409", { kind: "error", status: 409 }],
  ["a 401", { kind: "error", status: 401 }],
  ["a 403", { kind: "error", status: 403 }],
  ["silence", { kind: "timeout", ms: 5000 }],
  ["a page of HTML", { kind: "rubbish" }],
  ["an empty body", { kind: "rubbish", body: "" }],
  ["an empty object", { kind: "rubbish", body: "{}" }],
  ["JSON that is a string", { kind: "rubbish", body: '"Bad Gateway"' }],
  ["JSON that is null", { kind: "rubbish", body: "null" }],
  ["JSON that is a list", { kind: "rubbish", body: "[]" }],
  ["an error that is a string", { kind: "rubbish", body: '{"error":"bad_gateway"}' }],
  [
    "a session without a total",
    { kind: "rubbish", body: '{"object":"checkout.session","id":"x"}' },
  ],
];

test.each(OUTAGES)("%s means an unknown state: try again later", async (_, fault) => {
  const { provider, control } = await world({ timeoutMs: 50 });
  control.faults.api = () => fault;
  const calls = [
    provider.createCheckout(cart()),
    provider.createCheckout(cart({}, "first-order courtesy")),
    provider.getCheckout("cs_test_1"),
    provider.expireCheckout("cs_test_1"),
    provider.findByPayment("pi_1"),
    provider.refund("pi_1", { idempotencyKey: "r", refundId: "rf_1" }),
    collect(provider.listCheckouts(0)),
  ];
  for (const settled of await Promise.allSettled(calls)) {
    expect(settled).toMatchObject({ status: "rejected" });
    expect((settled as PromiseRejectedResult).reason).toBeInstanceOf(ProviderUnavailable);
  }
});

test("an unreachable provider is unavailable and not ready", async () => {
  const { provider, sandbox } = await world();
  await sandbox.close();
  await expect(provider.createCheckout(cart())).rejects.toBeInstanceOf(ProviderUnavailable);
  await expect(provider.ping()).rejects.toBeInstanceOf(ProviderUnavailable);
});

test("one temporary failure is retried without the buyer noticing", async () => {
  const { provider, control } = await world({ maxNetworkRetries: 1 });
  const fates: (ApiFault | null)[] = [{ kind: "error", status: 503 }];
  control.faults.api = () => fates.pop() ?? null;
  expect((await provider.createCheckout(cart())).status).toBe("open");
});

test("a lost answer makes no second session", async () => {
  const { provider, control } = await world({ timeoutMs: 300 });
  control.faults.api = () => ({ kind: "timeout", ms: 5000, effect: true });
  await expect(provider.createCheckout(cart())).rejects.toBeInstanceOf(ProviderUnavailable);
  control.faults.api = undefined;
  const found = await provider.createCheckout(cart());
  const all = await collect(provider.listCheckouts(0));
  expect(all.map((s) => s.sessionId)).toEqual([found.sessionId]);
});

test("a refund with a lost answer is not made twice", async () => {
  const w = await world({ timeoutMs: 300 });
  const { provider, control } = w;
  const { sessionId, paymentRef } = await paidSession(w);
  const once = { idempotencyKey: "once", refundId: "rf_1", amountMinor: 100 };
  const refund = () => provider.refund(paymentRef, once);
  control.faults.api = () => ({ kind: "timeout", ms: 5000, effect: true });
  await expect(refund()).rejects.toBeInstanceOf(ProviderUnavailable);
  control.faults.api = undefined;
  await refund();
  expect(arrivedMinor(await provider.getCheckout(sessionId))).toBe(100);
});

test("a mismatch is reported even if the session cannot be ended", async () => {
  const { provider, control } = await world();
  control.faults.api = ({ path }) =>
    path.endsWith("/expire") ? { kind: "error", status: 500 } : null;
  const refused = provider.createCheckout(cart({ totalMinor: 1 }));
  await expect(refused).rejects.toMatchObject({ name: "ProviderRejected", code: "mismatch" });
});

const elsewhere = async (change: object) => {
  const { sandbox } = await world();
  return stripeProvider({
    secretKey: sandbox.apiKey,
    webhookSecrets: [SECRET],
    mode: "test",
    endpoint: sandbox.endpoint,
    maxNetworkRetries: 0,
    extraCheckoutOrigins: [sandbox.baseUrl],
    clock: sandbox.clock,
    ...change,
  });
};

test("a wrong key says nothing about the session and is not in the message", async () => {
  const secretKey = "sk_test_wrong_key_of_somebody";
  const provider = await elsewhere({ secretKey });
  const error = await provider.getCheckout("cs_test_1").catch((e: unknown) => e);
  expect(error).toBeInstanceOf(ProviderUnavailable);
  expect(error).toBeInstanceOf(KeyRefused);
  expect(String(error)).not.toContain(secretKey);
});

test("a session that is not live is refused in live mode", async () => {
  const provider = await elsewhere({ mode: "live" });
  await expect(provider.createCheckout(cart())).rejects.toThrow("livemode false in mode live");
});

test("no buyer is sent to a payment page of an unknown origin", async () => {
  const provider = await elsewhere({ extraCheckoutOrigins: [] });
  expect(provider.checkoutOrigins).toEqual(["https://checkout.stripe.com"]);
  await expect(provider.createCheckout(cart())).rejects.toThrow(
    "no page at a known checkout origin",
  );
});
