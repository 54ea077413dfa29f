/** `npm run verify:stripe` against the sandbox. */
import { describe, expect, test } from "vitest";
import { verifyStripe } from "../../src/payments/stripe/verify.ts";
import type { HttpFaults } from "./faults.ts";
import { BASE_URL, collect, DECLINED, VISA, type World, world } from "./harness.ts";

async function verify(change: object = {}, faults: Partial<HttpFaults> = {}) {
  const w = await world();
  Object.assign(w.control.faults, faults);
  const { apiKey, endpoint, clock } = w.sandbox;
  const lines: string[] = [];
  const target = { secretKey: apiKey, endpoint };
  const origins = { extraCheckoutOrigins: [BASE_URL] };
  const wait = async () => {
    w.clock.now += 2_000;
  };
  const options = { ...target, ...origins, clock, wait, ...change };
  const right = await verifyStripe(options, (line) => {
    lines.push(line);
    void pays(w, line);
  });
  return { right, lines, text: lines.join("\n"), apiKey, ...w };
}

/** Pays on the printed link, at the second try. */
async function pays(w: World, line: string): Promise<void> {
  const session = /\/sandbox\/checkout\/(cs_test_\w+)/.exec(line)?.[1];
  if (!session) return;
  await w.sandbox.buyer.pay(session, DECLINED);
  await w.sandbox.buyer.pay(session, VISA);
}

test("tries the key's permissions, and creates, compares and ends every canonical session", async () => {
  const { right, text, provider, apiKey } = await verify();
  expect(text).toContain("ok    Charges and Refunds: Write: the key may refund");
  expect(text).toContain("ok    24 addresses: $768.00, the same at Stripe; ended");
  expect(text).toContain("Everything works. Add --pay");
  expect(text).not.toContain(apiKey);
  expect(right).toBe(true);
  const left = await collect(provider.listCheckouts(0));
  expect(left).toHaveLength(6);
  expect(left.filter((session) => session.status !== "expired")).toEqual([]);
});

describe("with --pay", () => {
  test("walks a first payment from the link to the last refund, one line per step", async () => {
    const { right, lines, text, provider } = await verify({ pay: true });
    expect(right).toBe(true);
    expect(lines.filter((line) => line.startsWith("FAIL"))).toEqual([]);
    for (const step of [
      "authorization: $32.00 by card; session complete and unpaid, payment requires_capture",
      "capture: succeeded, then 400 payment_intent_unexpected_state; session complete and paid",
      "search: found by its payment",
      "release: canceled, then 400 payment_intent_unexpected_state; session complete and unpaid, payment canceled; 0 refunds",
      "every method that can be authorized: accepted",
      "refunds: $1.00 succeeded, $31.00 succeeded; the first was repeated, and made once",
    ]) {
      expect(text).toContain(`ok    ${step}`);
    }
    const paid = (await collect(provider.listCheckouts(0))).filter((s) => s.payment === "paid");
    expect(paid).toMatchObject([{ refunds: [{ amountMinor: 100 }, { amountMinor: 3100 }] }]);
  });

  test("without a balance, the refund says what to do", async () => {
    const { right, text } = await verify({ pay: true }, { balanceMinor: 0 });
    expect(right).toBe(false);
    expect(text).toContain("FAIL  refunds: Insufficient funds in your Stripe balance");
    expect(text).toContain("card 4000 0000 0000 0077");
    expect(text).toContain("1 step failed.");
  });
});

test.each([
  ["rak_charge_write", "Charges and Refunds: Write"],
  ["rak_coupon_write", "Coupons: Write"],
  ["rak_checkout_session_write", "Checkout Sessions: Write"],
  ["rak_payment_intent_write", "PaymentIntents: Write"],
  ["rak_dispute_read", "Disputes: Read"],
])("a key without %s gets Stripe's name of the missing permission", async (lacks, name) => {
  const { right, text, apiKey } = await verify({ pay: true }, { lacks: [lacks] });
  expect(right).toBe(false);
  expect(text).toContain(`FAIL  ${name}: `);
  expect(text).toContain(`Having the '${lacks}' permission would allow this request to continue.`);
  expect(text).toContain("Developers, API keys");
  expect(text).not.toContain("Open this link");
  expect(text).not.toContain(apiKey);
});

test("an unknown key is one failure with advice about the key", async () => {
  const { right, text, lines } = await verify({ secretKey: "rk_test_of_another_account" });
  expect(right).toBe(false);
  expect(lines.filter((line) => line.startsWith("FAIL"))).toHaveLength(1);
  expect(text).toContain("FAIL  Checkout Sessions: Write: The provider refuses our key");
  expect(text).toContain("Copy the whole key again from Developers, API keys");
  expect(text).toMatch(/^skip {2}Coupons: Write, .*every line there can be$/m);
  expect(text).not.toContain("rk_test_of_another_account");
});

test("an outage is one failure that blames no permission", async () => {
  const { right, text, lines } = await verify({
    pay: true,
    endpoint: { host: "127.0.0.1", port: 1, protocol: "http" },
  });
  expect(right).toBe(false);
  expect(lines.filter((line) => line.startsWith("FAIL"))).toHaveLength(1);
  expect(text).toContain("can it reach api.stripe.com?");
  expect(text).not.toContain("Edit; set this permission");
  expect(text).not.toContain("Open this link");
});

test("a session that Stripe would not charge as agreed fails", async () => {
  const { right, text } = await verify({ extraCheckoutOrigins: [] });
  expect(text).toContain("The provider would not charge the agreed amount: no page at a known");
  expect(text).toContain("STRIPE_CHECKOUT_DOMAIN");
  expect(text).toContain("6 steps failed.");
  expect(right).toBe(false);
});

test.each([
  [{ kind: "error", status: 429 }, "Stripe limits the calls of this account"],
  [{ kind: "error", status: 503 }, "Stripe failed. See https://status.stripe.com"],
  [
    { kind: "error", status: 400, code: "parameter_invalid" },
    "Stripe refused the request (parameter_invalid)",
  ],
] as const)("a cart that meets %j gets advice about that failure", async (fault, advice) => {
  const api: HttpFaults["api"] = ({ method, path }) =>
    method === "POST" && path === "/v1/checkout/sessions" ? fault : null;
  const { right, text } = await verify({}, { api });
  expect(right).toBe(false);
  expect(text).toContain(advice);
  expect(text).not.toContain("STRIPE_CHECKOUT_DOMAIN");
});

test.each([undefined, "", "sk_live_x", "rk_live_x", "pk_test_x", "whsec_x"])(
  "the key %s is refused and nothing is sent",
  async (secretKey) => {
    const { right, text, provider } = await verify({ secretKey });
    expect(right).toBe(false);
    expect(text).toMatch(/must be a test key/);
    expect(await collect(provider.listCheckouts(0))).toEqual([]);
  },
);
