/** Every request the provider can send, as it goes over the wire, against Stripe's own types. */
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import Stripe from "stripe";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { canonicalRequests } from "../../src/payments/canonical.ts";
import { decode } from "../../src/payments/sandbox/params.ts";
import { stripeProvider } from "../../src/payments/stripe.ts";
import { couponParams, sessionParams } from "../../src/payments/stripe-requests.ts";
import { BASE_URL, collect, MINUTE, NOW, SECRET, VISA, world } from "./harness.ts";
import { type Kind, lintAgreement, lintSession, lintValues, schemas } from "./request-check.ts";

const CARTS = canonicalRequests({ now: NOW, run: "test", baseUrl: BASE_URL });
let schemaOf: ReturnType<typeof schemas>;
beforeAll(() => {
  schemaOf = schemas();
});

function valid(kind: Kind, params: unknown, wire = false): unknown {
  const validate = schemaOf(kind, wire);
  return validate(params) ? "valid" : validate.errors;
}

describe.each(CARTS)("$name", ({ request }) => {
  test("is a session and a coupon as Stripe's types have them, within its limits", () => {
    for (const paymentMethods of [["card"], ["card", "us_bank_account"]]) {
      const params = sessionParams(request, { mode: "test", paymentMethods });
      expect(valid("SessionCreate", params)).toBe("valid");
      expect([...lintValues(params), ...lintSession(params, NOW)]).toEqual([]);
    }
    const coupon = couponParams(request);
    if (coupon) expect([valid("CouponCreate", coupon), ...lintValues(coupon)]).toEqual(["valid"]);
  });

  test("asks for exactly what was approved", () => {
    const params = sessionParams(request, { mode: "test", paymentMethods: ["card"] });
    expect(lintAgreement(params, couponParams(request), request)).toEqual([]);
  });

  test("is the same request every time it is made", () => {
    const settings = { mode: "test", paymentMethods: ["card"] } as const;
    const again = structuredClone(request);
    expect(JSON.stringify(sessionParams(again, settings))).toBe(
      JSON.stringify(sessionParams(request, settings)),
    );
  });

  test("says nothing about where the coffee goes or to whom, but the email", () => {
    const settings = { mode: "test", paymentMethods: ["card"] } as const;
    const secret = { ...request, giftNote: "for Ada", address: "1 Main St" };
    expect(JSON.stringify(sessionParams(secret, settings))).not.toMatch(/Ada|Main St/);
  });
});

test("an email in another script never stands in the way of paying", () => {
  const emailOf = (buyerEmail: string) =>
    sessionParams({ ...CARTS[0]!.request, buyerEmail }, { mode: "test", paymentMethods: ["card"] })
      .customer_email;
  expect(emailOf("ada+coffee@example.com")).toBe("ada+coffee@example.com");
  expect(emailOf("ada@käffee.example")).toBe("ada@xn--kffee-gra.example");
  expect(emailOf("アダ@example.com")).toBeUndefined();
});

interface Sent {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  params: unknown;
}

/** Between the provider and the emulator, writing down what passes. */
async function recorder(target: number): Promise<{ port: number; sent: Sent[] }> {
  const sent: Sent[] = [];
  const server = createServer(async (request, response) => {
    let form = "";
    for await (const chunk of request) form += chunk;
    const { method = "", headers } = request;
    const url = new URL(request.url ?? "/", `http://127.0.0.1:${target}`);
    const params = decode(method === "GET" ? url.search.slice(1) : form);
    sent.push({ method, path: url.pathname, headers, params });
    const passed = ["authorization", "stripe-version", "idempotency-key", "content-type"];
    const kept = passed.flatMap((name) => (headers[name] ? [[name, String(headers[name])]] : []));
    const body = method === "POST" ? { body: form } : {};
    const answer = await fetch(url, { method, headers: Object.fromEntries(kept), ...body });
    response.writeHead(answer.status, { "content-type": "application/json" });
    response.end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, sent };
}

/** Every call of the port, in a way that makes it send everything it can. */
async function everything(): Promise<Sent[]> {
  const { sandbox } = await world();
  const { port, sent } = await recorder(sandbox.apiPort);
  const provider = stripeProvider({
    secretKey: sandbox.apiKey,
    webhookSecrets: [SECRET],
    mode: "sandbox",
    name: "sandbox",
    host: "127.0.0.1",
    port,
    protocol: "http",
    paymentMethods: ["card", "us_bank_account"],
    extraCheckoutOrigins: [BASE_URL],
    clock: sandbox.clock,
  });
  const sessions = [];
  for (const { request } of CARTS) sessions.push(await provider.createCheckout(request));
  const [first, second] = sessions.map((s) => s.sessionId);
  await sandbox.buyer.pay(first!, VISA);
  const { paymentRef } = await provider.getCheckout(first!);
  await provider.findByPayment(paymentRef!);
  await provider.refund(paymentRef!, { idempotencyKey: "part", refundId: "rf_1", amountMinor: 1 });
  await provider.refund(paymentRef!, { idempotencyKey: "rest", refundId: "rf_2" });
  await provider.expireCheckout(second!);
  await collect(provider.listCheckouts(NOW - MINUTE));
  await provider.ping();
  return sent;
}

const KINDS: [string, RegExp, Kind][] = [
  ["POST", /^\/v1\/checkout\/sessions$/, "SessionCreate"],
  ["GET", /^\/v1\/checkout\/sessions$/, "SessionList"],
  ["GET", /^\/v1\/checkout\/sessions\/[^/]+$/, "SessionRetrieve"],
  ["POST", /^\/v1\/checkout\/sessions\/[^/]+\/expire$/, "SessionExpire"],
  ["POST", /^\/v1\/coupons$/, "CouponCreate"],
  ["POST", /^\/v1\/refunds$/, "RefundCreate"],
];

test("whatever goes over the wire is a request of the pinned API version", async () => {
  const sent = await everything();
  const seen = new Set<Kind>();
  for (const { method, path, headers, params } of sent) {
    const kind = KINDS.find(([m, pattern]) => m === method && pattern.test(path))?.[2];
    expect(kind, `${method} ${path}`).toBeDefined();
    seen.add(kind!);
    expect([path, valid(kind!, params, true)]).toEqual([path, "valid"]);
    expect(headers["stripe-version"]).toBe(Stripe.API_VERSION);
    expect(headers.authorization).toMatch(/^Bearer sk_test_/);
    expect(headers["x-stripe-client-telemetry"]).toBeUndefined();
    if (method === "POST") expect(headers["idempotency-key"]).toBeTruthy();
  }
  expect([...seen].toSorted()).toEqual(KINDS.map(([, , kind]) => kind).toSorted());
});

test("creating and refunding go under keys of our own, not the library's", async () => {
  const sent = await everything();
  const keys = sent
    .filter(({ path }) => !path.endsWith("/expire"))
    .flatMap(({ headers }) => headers["idempotency-key"] ?? []);
  expect(keys.filter((key) => String(key).startsWith("stripe-node"))).toEqual([]);
  expect(keys).toContain(CARTS[0]!.request.attemptId);
});

test("the emulator refuses an unknown field, however deep, as Stripe does", async () => {
  const { sandbox } = await world();
  const params = sessionParams(CARTS[0]!.request, { mode: "test", paymentMethods: ["card"] });
  const stripe = new Stripe(sandbox.apiKey, {
    host: sandbox.apiHost,
    port: sandbox.apiPort,
    protocol: "http",
  });
  const wrong = structuredClone(params);
  Object.assign(wrong.line_items![0]!.price_data!, { unit_amuont: 1 });
  await expect(stripe.checkout.sessions.create(wrong)).rejects.toMatchObject({
    code: "parameter_unknown",
    message: "Received unknown parameter: line_items[0][price_data][unit_amuont]",
  });
  await expect(
    stripe.checkout.sessions.create({ ...params, success_url: undefined } as never),
  ).rejects.toMatchObject({ code: "parameter_missing", param: "success_url" });
});
