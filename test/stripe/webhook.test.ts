import Stripe from "stripe";
import { expect, test } from "vitest";
import { BadSignature } from "../../src/payments/provider.ts";
import { stripeProvider } from "../../src/payments/stripe/stripe.ts";
import { EVENTS_OF_INTEREST } from "../../src/payments/stripe/webhook.ts";
import { NOW } from "./harness.ts";

const NEW = "whsec_new";
const OLD = "whsec_old";

const provider = stripeProvider({
  secretKey: "sk_test_unused",
  webhookSecrets: [NEW, OLD],
  mode: "test",
  clock: () => NOW,
});

function body(change: object = {}, object: object = {}): string {
  return JSON.stringify({
    id: "evt_1",
    object: "event",
    api_version: Stripe.API_VERSION,
    created: NOW / 1000,
    livemode: false,
    type: "checkout.session.completed",
    data: {
      object: { id: "cs_test_1", object: "checkout.session", payment_intent: "pi_1", ...object },
    },
    ...change,
  });
}

function sign(payload: string, secret = NEW, ageSeconds = 0): string {
  const timestamp = NOW / 1000 - ageSeconds;
  return Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
}

const verify = (payload: string, signature: string | undefined) =>
  provider.verifyWebhook(Buffer.from(payload), signature);

test("a signed event is reduced to its ids", () => {
  expect(verify(body(), sign(body()))).toEqual({
    id: "evt_1",
    type: "checkout.session.completed",
    livemode: false,
    apiVersion: Stripe.API_VERSION,
    sessionId: "cs_test_1",
    paymentRef: "pi_1",
  });
});

test("one byte changed after signing is a bad signature", () => {
  const tampered = body({}, { id: "cs_test_2" });
  expect(() => verify(tampered, sign(body()))).toThrow(BadSignature);
  expect(() => verify(`${body()} `, sign(body()))).toThrow(BadSignature);
});

test("a missing, an empty and a foreign signature are refused", () => {
  for (const signature of [undefined, "", "t=1,v1=00", "nonsense", sign(body(), "whsec_other")]) {
    expect(() => verify(body(), signature)).toThrow(BadSignature);
  }
});

test("the refusal reveals nothing about the secrets", () => {
  expect(() => verify(body(), sign(body(), "whsec_other"))).toThrow(
    "The signature matches none of STRIPE_WEBHOOK_SECRETS, or it is too old.",
  );
});

test("during a rotation both secrets are valid", () => {
  expect(verify(body(), sign(body(), OLD)).id).toBe("evt_1");
});

test("without a secret every event is refused", () => {
  const none = stripeProvider({ secretKey: "sk_test_unused", webhookSecrets: [""], mode: "test" });
  expect(() => none.verifyWebhook(Buffer.from(body()), sign(body(), " "))).toThrow(BadSignature);
});

test("a signature is valid for 300 seconds and not for 301", () => {
  expect(verify(body(), sign(body(), NEW, 300)).id).toBe("evt_1");
  expect(() => verify(body(), sign(body(), NEW, 301))).toThrow(BadSignature);
});

test("an event of an old API version, with other fields, gives the same ids", () => {
  const old = body({ api_version: "2019-12-03" }, { payment_intent: { id: "pi_1", amount: "?" } });
  expect(verify(old, sign(old))).toMatchObject({
    apiVersion: "2019-12-03",
    sessionId: "cs_test_1",
    paymentRef: "pi_1",
  });
});

test("another shop's event is read the same way; the store knows whose it is", () => {
  const foreign = body({}, { id: "cs_test_foreign", payment_intent: null, mode: "subscription" });
  expect(verify(foreign, sign(foreign))).toMatchObject({
    sessionId: "cs_test_foreign",
    paymentRef: null,
  });
});

test.each(EVENTS_OF_INTEREST)("%s names a session or a payment", (type) => {
  const event = body({ type });
  const { sessionId, paymentRef } = verify(event, sign(event));
  expect(sessionId ?? paymentRef).not.toBeNull();
  if (!type.startsWith("checkout.session.")) expect(sessionId).toBeNull();
});

test("any other event is accepted and names nothing", () => {
  const other = body({ type: "customer.created" });
  expect(verify(other, sign(other))).toMatchObject({ sessionId: null, paymentRef: null });
});

test("a signed body that is no event is refused", () => {
  for (const odd of ["not json", "null", "[]", "{}", '"event"']) {
    expect(() => verify(odd, sign(odd))).toThrow(BadSignature);
    expect(() => verify(odd, sign(odd))).toThrow("is not an event");
  }
});

test("a thin event with a right signature is named, and no secret is blamed", () => {
  const thin = JSON.stringify({ object: "v2.core.event", id: "evt_1", livemode: false });
  for (const secret of [NEW, OLD]) {
    expect(() => verify(thin, sign(thin, secret))).toThrow(BadSignature);
    expect(() => verify(thin, sign(thin, secret))).toThrow(/thin event.*snapshot/);
  }
  expect(() => verify(thin, sign(thin, "whsec_other"))).toThrow("STRIPE_WEBHOOK_SECRETS");
});
