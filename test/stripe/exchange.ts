/** Records every call that the shop can make, with request and answer. */
import { createServer, type IncomingHttpHeaders } from "node:http";
import express from "express";
import type { PaymentProvider } from "../../src/payments/provider.ts";
import { canonicalRequests } from "../../src/payments/stripe/canonical.ts";
import { emulatorProvider } from "./emulator.ts";
import {
  approvedSession,
  BASE_URL,
  collect,
  DECLINED,
  MINUTE,
  NOW,
  onLoopback,
  VISA,
  type World,
  world,
} from "./harness.ts";

/** A kind of call with its types in stripe-types.ts. */
export interface Call {
  method: "GET" | "POST";
  path: string;
  request: string;
  answer: string;
}

const call = (method: Call["method"], path: string, request: string, answer: string): Call => ({
  method,
  path,
  request,
  answer,
});

export const CALLS: readonly Call[] = [
  call("POST", "/v1/checkout/sessions", "SessionCreate", "Session"),
  call("GET", "/v1/checkout/sessions", "SessionList", "Sessions"),
  call("GET", "/v1/checkout/sessions/:id", "SessionRetrieve", "Session"),
  call("POST", "/v1/checkout/sessions/:id/expire", "SessionExpire", "Session"),
  call("POST", "/v1/coupons", "CouponCreate", "Coupon"),
  call("POST", "/v1/coupons/:id", "CouponUpdate", "Coupon"),
  call("POST", "/v1/refunds", "RefundCreate", "Refund"),
  call("GET", "/v1/refunds", "RefundList", "Refunds"),
  call("GET", "/v1/disputes", "DisputeList", "Disputes"),
  call("POST", "/v1/payment_intents/:id/capture", "PaymentCapture", "Payment"),
  call("POST", "/v1/payment_intents/:id/cancel", "PaymentCancel", "Payment"),
];

export interface Exchange {
  call: Call | undefined;
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  params: unknown;
  status: number;
  answer: unknown;
}

const callOf = (method: string, path: string): Call | undefined =>
  CALLS.find((call) => {
    const pattern = new RegExp(`^${call.path.replaceAll(":id", "[^/]+")}$`);
    return call.method === method && pattern.test(path);
  });

/** Proxy between provider and sandbox that records the calls. */
async function recorder(target: number): Promise<{ port: number; made: Exchange[] }> {
  const made: Exchange[] = [];
  const forms = new WeakMap<object, Buffer>();
  const verify = (request: object, _: unknown, form: Buffer) => void forms.set(request, form);
  const app = express().set("query parser", "extended");
  app.use(express.urlencoded({ extended: true, limit: "1mb", parameterLimit: 10_000, verify }));
  app.use(async (request, response) => {
    const { method, headers, path } = request;
    const url = `http://127.0.0.1:${target}${request.url}`;
    const params = method === "GET" ? request.query : (request.body ?? {});
    const passed = ["authorization", "stripe-version", "idempotency-key", "content-type"];
    const kept = passed.flatMap((name) => (headers[name] ? [[name, String(headers[name])]] : []));
    const form = forms.get(request);
    const body = method === "POST" && form ? { body: new Uint8Array(form) } : {};
    const answered = await fetch(url, { method, headers: Object.fromEntries(kept), ...body });
    const text = await answered.text();
    const { status } = answered;
    const answer = JSON.parse(text);
    made.push({ call: callOf(method, path), method, path, headers, params, status, answer });
    response.status(status).type("json").send(text);
  });
  return { port: await onLoopback(createServer(app)), made };
}

/** Makes every call of the port, with everything it can send. */
export async function everything(): Promise<{ made: Exchange[]; events: unknown[] }> {
  const w = await world({ bankDebitDelayMs: MINUTE });
  const { sandbox } = w;
  const { port, made } = await recorder(sandbox.endpoint.port);
  const paymentMethods = ["card", "link", "us_bank_account"];
  const provider = emulatorProvider(
    { ...sandbox, endpoint: { ...sandbox.endpoint, port } },
    { paymentMethods },
  );
  const carts = canonicalRequests({ now: NOW, run: "test", baseUrl: BASE_URL });
  const ids: string[] = [];
  for (const { request } of carts) ids.push((await provider.createCheckout(request)).sessionId);
  await provider.createCheckout({
    ...carts[0]!.request,
    attemptId: "att_x",
    buyerEmail: "a..b@c.de",
  });
  const [first, second, third, ...eventful] = ids;
  await sandbox.buyer.pay(first!, DECLINED);
  await provider.lookAtCheckout(first!);
  await sandbox.buyer.pay(first!, VISA);
  const { paymentRef } = await provider.getCheckout(first!);
  await provider.captureCheckout(first!, paymentRef!);
  await provider.findByPayment(paymentRef!);
  await provider.refund(paymentRef!, { idempotencyKey: "part", refundId: "rf_1", amountMinor: 1 });
  await provider.refund(paymentRef!, { idempotencyKey: "rest", refundId: "rf_2" });
  await provider.refund(paymentRef!, { idempotencyKey: "more", refundId: "rf_3" }).catch(() => {});
  await provider.listRefunds(paymentRef!);
  await provider.expireCheckout(second!);
  await provider.expireCheckout(first!);
  await releasing({ ...w, provider });
  await sandbox.buyer.pay(third!, "bank_debit");
  await afterPaying(w, eventful, provider);
  await collect(provider.listCheckouts(NOW - MINUTE));
  await provider.getCheckout("cs_test_none").catch(() => {});
  await provider.ping();
  await provider.checkKey();
  await sandbox.idle();
  return { made, events: w.bodies.map((body) => JSON.parse(body)) };
}

/** A capture that is refused, and releases of a payment, at first and again. */
async function releasing(w: World): Promise<void> {
  const { sessionId, paymentRef } = await approvedSession(w, { attemptId: "att_y" });
  w.control.refuseCapture(sessionId);
  await w.provider.captureCheckout(sessionId, paymentRef);
  await w.provider.releaseCheckout(sessionId, paymentRef);
  await w.provider.releaseCheckout(sessionId, paymentRef);
}

/** Slow and failing refunds, a dispute that is won, and a debit that settles. */
async function afterPaying(
  w: World,
  eventful: readonly string[],
  provider: PaymentProvider,
): Promise<void> {
  const [slow, failing, disputed] = eventful;
  w.control.slowRefunds(slow!);
  for (const id of eventful.slice(0, 3)) {
    await w.sandbox.buyer.pay(id, VISA);
    const { paymentRef } = await provider.getCheckout(id);
    await provider.captureCheckout(id, paymentRef!);
    if (id === disputed) await w.control.dispute(id);
    const refund = { idempotencyKey: id, refundId: `rf_${id}`, amountMinor: 100 };
    if (id !== disputed) await provider.refund(paymentRef!, refund);
    await provider.getCheckout(id);
  }
  await w.control.endRefund(slow!, "succeeded");
  await w.control.endRefund(failing!, "failed");
  await w.control.closeDispute(disputed!, "won");
  w.clock.now += 2 * MINUTE;
  await w.sandbox.tick();
  for (const id of eventful) await provider.getCheckout(id);
}
