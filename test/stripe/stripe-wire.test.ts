/**
 * Checks every request on the wire, and every answer and event of the sandbox, against Stripe's types. In one
 * file, because reading the types takes seconds.
 */
import Stripe from "stripe";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canonicalRequests } from "../../src/payments/stripe/canonical.ts";
import { couponParams, MANUAL_METHODS, sessionParams } from "../../src/payments/stripe/requests.ts";
import { EVENTS_OF_INTEREST } from "../../src/payments/stripe/webhook.ts";
import { CALLS, everything } from "./exchange.ts";
import { BASE_URL, NOW } from "./harness.ts";
import { lintAgreement, lintSession, lintValues } from "./request-check.ts";
import { type TypeCheck, typeCheck } from "./type-check.ts";

const CARTS = canonicalRequests({ now: NOW, run: "test", baseUrl: BASE_URL });
let types: ReturnType<typeof typeCheck>;
beforeAll(() => {
  types = typeCheck();
});
afterAll(() => types.close());
const check: TypeCheck = (...asked) => types.check(...asked);

describe.each(CARTS)("$name", ({ request }) => {
  test("matches Stripe's types and limits for sessions and coupons", () => {
    for (const paymentMethods of [
      ["us_bank_account"],
      ["card", "us_bank_account"],
      MANUAL_METHODS,
    ]) {
      const params = sessionParams(request, { mode: "test", paymentMethods });
      expect(check("SessionCreate", params)).toEqual([]);
      expect([...lintValues(params), ...lintSession(params, NOW)]).toEqual([]);
    }
    const coupon = couponParams(request);
    if (coupon) expect([...check("CouponCreate", coupon), ...lintValues(coupon)]).toEqual([]);
  });

  test("requests exactly the approved quote", () => {
    const params = sessionParams(request, { mode: "test", paymentMethods: ["card"] });
    expect(lintAgreement(params, couponParams(request), request)).toEqual([]);
  });

  test("is the same request every time", () => {
    const settings = { mode: "test", paymentMethods: ["card"] } as const;
    const again = structuredClone(request);
    expect(JSON.stringify(sessionParams(again, settings))).toBe(
      JSON.stringify(sessionParams(request, settings)),
    );
  });

  test("contains no address and no recipient except the email", () => {
    const settings = { mode: "test", paymentMethods: ["card"] } as const;
    const secret = { ...request, giftNote: "for Ada", address: "1 Main St" };
    expect(JSON.stringify(sessionParams(secret, settings))).not.toMatch(/Ada|Main St/);
  });
});

test("an email in another script never prevents paying", () => {
  const emailOf = (buyerEmail: string) =>
    sessionParams({ ...CARTS[0]!.request, buyerEmail }, { mode: "test", paymentMethods: ["card"] })
      .customer_email;
  expect(emailOf("ada+coffee@example.com")).toBe("ada+coffee@example.com");
  expect(emailOf("ada@käffee.example")).toBe("ada@xn--kffee-gra.example");
  expect(emailOf("アダ@example.com")).toBeUndefined();
});

test("every request on the wire matches the pinned API version", async () => {
  const { made } = await everything();
  for (const { call, method, path, headers, params } of made) {
    expect(call, `${method} ${path}`).toBeDefined();
    expect(check(call!.request, params, "wire")).toEqual([]);
    expect(headers["stripe-version"]).toBe(Stripe.API_VERSION);
    expect(headers.authorization).toMatch(/^Bearer sk_test_/);
    expect(headers["x-stripe-client-telemetry"]).toBeUndefined();
    if (method === "POST") expect(headers["idempotency-key"]).toBeTruthy();
  }
  expect(new Set(made.map(({ call }) => call))).toEqual(new Set(CALLS));
});

test("creating and refunding use our own idempotency keys", async () => {
  const { made } = await everything();
  const keys = made
    .filter(({ path, status }) => /sessions$|coupons$|refunds$/.test(path) && status === 200)
    .flatMap(({ headers }) => headers["idempotency-key"] ?? []);
  expect(keys.filter((key) => String(key).startsWith("stripe-node"))).toEqual([]);
  expect(keys).toContain(CARTS[0]!.request.attemptId);
});

test("every field of an answer fits Stripe's type", async () => {
  const { made } = await everything();
  const answered = new Set<string>();
  for (const { call, method, path, status, answer } of made) {
    const kind = status === 200 ? call!.answer : "Refusal";
    expect([method, path, check(kind, answer, "partial")]).toEqual([method, path, []]);
    if (status === 200) answered.add(kind);
  }
  const all = CALLS.map(({ answer }) => answer);
  expect([...answered].toSorted()).toEqual([...new Set(all)].toSorted());
});

test("every event of interest fits Stripe's type", async () => {
  const { events } = await everything();
  for (const event of events) expect(check("Event", event, "partial")).toEqual([]);
  const types = new Set(events.map((event) => (event as { type: string }).type));
  // The sandbox's disputes do not change between opening and closing.
  const never = new Set(["checkout.session.async_payment_failed", "charge.dispute.updated"]);
  const wanted = EVENTS_OF_INTEREST.filter((type) => !never.has(type));
  expect([...types].toSorted()).toEqual([...wanted].toSorted());
});

test("the check finds missing, unknown, misspelled and mistyped fields", () => {
  const refund = { id: "re_1", object: "refund", amount: 1.5, reason: "duplicat", odd: 1 };
  const found = check("Refund", refund);
  expect(found).toContain("Refund.charge is missing");
  expect(found).toContain("Refund.amount is the number 1.5");
  expect(found).toContain("Refund.odd is unknown");
  expect(found.some((line) => line.startsWith("Refund.reason is not"))).toBe(true);
  expect(check("Event", { type: "charge.refunded", data: { object: null } })).toContain(
    "Event.data.object is null",
  );
});
