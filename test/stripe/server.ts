import { createHmac, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import express, { type Express, type NextFunction, type Request, type Response } from "express";
import type { z } from "zod";
import { KEEP_ALIVE_MS } from "../../src/core/network.ts";
import { DAY_MS, MINUTE_MS } from "../../src/core/policy.ts";
import {
  capture,
  expire,
  leftMinor,
  newSession,
  paymentId,
  refund,
  release,
  type SandboxRefund,
  type SessionRecord,
  sessionIdOf,
} from "../../src/payments/sandbox/session.ts";
import type { Sessions } from "../../src/payments/sandbox/sessions.ts";
import {
  disputeObject,
  paymentObject,
  paymentStatus,
  refundObject,
  sessionObject,
} from "./answers.ts";
import {
  ApiError,
  coupon,
  listOfPayment,
  missing,
  parse,
  refundCreate,
  retrieve,
  type SessionCreate,
  sessionCreate,
  sessionList,
} from "./params.ts";

/** The Stripe endpoints that the shop calls, on 127.0.0.1. Amounts are minor units of usd. */

type RefundFate = Pick<SandboxRefund, "status" | "reason">;

export interface ServerOptions {
  sessions: Sessions;
  /** Amount off by the coupon's id, in minor units. */
  coupons: Map<string, number>;
  baseUrl: string;
  clock: () => number;
  /** The only key that the server accepts. */
  apiKey: string;
  /** Makes ids that nobody can guess and that a repeated Idempotency-Key finds again, even after a restart. */
  idSecret: string;
  /** Decides about a refund; for tests. */
  refundFate?:
    | ((s: SessionRecord, amountMinor: number) => RefundFate | ApiError | undefined)
    | undefined;
  /** Wraps the whole server; for tests. */
  around?: ((listener: RequestListener) => RequestListener) | undefined;
}

export async function startServer(options: ServerOptions) {
  const { apiKey, around = (listener) => listener } = options;
  const app = express();
  app.set("query parser", "extended");
  app.use((request, _, next) => {
    if (request.headers.authorization === `Bearer ${apiKey}`) return next();
    throw new ApiError(401, "Invalid API Key provided.");
  });
  app.use(express.urlencoded({ extended: true, limit: "1mb", parameterLimit: 10_000 }));
  mountRoutes(app, options);
  app.use(({ method, path }) => {
    throw new ApiError(404, `Unrecognized request URL (${method}: ${path}).`);
  });
  app.use((error: unknown, _: Request, response: Response, __: NextFunction) => {
    const refusal =
      error instanceof ApiError ? error : new ApiError(500, "An unknown error occurred.");
    response.status(refusal.status).type("json").send(refusal.body);
  });
  const listener = around(app);
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    // Its own clock: the client compares it with the shop's.
    response.sendDate = false;
    response.setHeader("date", new Date(options.clock()).toUTCString());
    listener(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    close: (): Promise<void> =>
      new Promise((resolve) => {
        server.close(() => resolve());
        // Connections kept alive would hold the process open.
        server.closeAllConnections();
      }),
  };
}

const SESSIONS = "/v1/checkout/sessions";

/** A page may hold fewer sessions than requested, so that no request waits long for a large list. */
const PAGE = 20;

function mountRoutes(app: Express, options: ServerOptions): void {
  const { sessions, coupons, baseUrl, clock } = options;

  app.post(SESSIONS, async (request, response) => {
    const params = parse(sessionCreate, request.body);
    const id = `cs_test_${seedOf(request)}`;
    const known = await sessions.read(id);
    if (known) refuseOtherParams(known, params);
    if (known) response.set("idempotent-replayed", "true");
    const record = known ?? (await createSession(id, params));
    response.json(sessionObject(record, baseUrl, params.expand));
  });

  app.get(SESSIONS, async (request, response) => {
    const params = parse(sessionList, request.query);
    const { payment_intent: payment, starting_after: after, expand } = params;
    const limit = Math.min(params.limit, PAGE);
    const since = (params.created?.gte ?? 0) * 1000;
    const found = payment ? await ofPayment(payment) : await listed(since, after);
    if (!found) throw missing("checkout.session", after ?? "");
    const data = found.slice(0, limit).map((s) => sessionObject(s, baseUrl, expand));
    response.json({ object: "list", url: SESSIONS, data, has_more: found.length > limit });
  });

  app.get(`${SESSIONS}/:id`, async (request, response) => {
    const { expand } = parse(retrieve, request.query);
    const { id } = request.params;
    const record = await sessions.read(id);
    if (!record) throw missing("checkout.session", id);
    response.json(sessionObject(record, baseUrl, expand));
  });

  app.post(`${SESSIONS}/:id/expire`, async (request, response) => {
    const { expand } = parse(retrieve, request.body ?? {});
    const { id } = request.params;
    const done = await sessions.change(id, (s) => (s.status === "open" ? expire(s) : null));
    if (!done) throw missing("checkout.session", id);
    if (!done.moved) {
      const { status } = done.record;
      throw new ApiError(400, `Only open Checkout Sessions can be expired; this one is ${status}.`);
    }
    response.json(sessionObject(done.record, baseUrl, expand));
  });

  app.post("/v1/payment_intents/:id/:verb", async (request, response, next) => {
    const { id, verb } = request.params;
    if (verb !== "capture" && verb !== "cancel") return next();
    const done = await sessions.change(sessionIdOf(id), (s) => {
      if (s.method === null || paymentId(s) !== id) return null;
      if (s.payment !== "authorized") {
        const message = `This PaymentIntent can't ${verb}: it has a status of ${paymentStatus(s)}.`;
        throw new ApiError(400, message, "payment_intent_unexpected_state");
      }
      if (verb === "cancel") return release(s);
      return capture(s);
    });
    if (!done?.moved) throw missing("payment_intent", id);
    response.json(paymentObject(done.record));
  });

  app.post("/v1/coupons", async (request, response) => {
    const { id, amount_off } = parse(coupon, request.body);
    if (coupons.has(id)) {
      throw new ApiError(400, "Coupon already exists.", "resource_already_exists");
    }
    coupons.set(id, amount_off);
    response.json({ object: "coupon", id, amount_off });
  });

  app.post("/v1/refunds", async (request, response) => {
    const params = parse(refundCreate, request.body);
    const id = `re_${seedOf(request)}`;
    const s = await createRefund(id, params);
    const made = s?.refunds.find((row) => row.id === id);
    if (!s || !made) throw missing("payment_intent", params.payment_intent);
    response.json(refundObject(s, made));
  });

  app.get("/v1/refunds", async (request, response) => {
    const [s] = await ofPayment(parse(listOfPayment, request.query).payment_intent);
    const data = s ? s.refunds.map((row) => refundObject(s, row)).reverse() : [];
    response.json({ object: "list", url: "/v1/refunds", data, has_more: false });
  });

  app.get("/v1/disputes", async (request, response) => {
    const [s] = await ofPayment(parse(listOfPayment, request.query).payment_intent);
    const data = s ? s.disputes.map((row) => disputeObject(s, row)).reverse() : [];
    response.json({ object: "list", url: "/v1/disputes", data, has_more: false });
  });

  /** The session of a payment that was tried, in a list. */
  async function ofPayment(payment: string): Promise<SessionRecord[]> {
    const s = await sessions.read(sessionIdOf(payment));
    return s && s.method !== null && paymentId(s) === payment ? [s] : [];
  }

  async function createSession(id: string, params: SessionCreate): Promise<SessionRecord> {
    const now = clock();
    const expiresAt = params.expires_at * 1000;
    // Stripe's limits, with a second of grace for times rounded to whole seconds.
    if (expiresAt < now + 30 * MINUTE_MS - 1000 || expiresAt > now + DAY_MS + 1000) {
      const message = "The `expires_at` timestamp must be 30 minutes to 24 hours from creation.";
      throw new ApiError(400, message);
    }
    const record = newSession({ id, params, discountMinor: amountOff(params), expiresAt, now });
    return (await sessions.change(id, () => null, record))!.record;
  }

  function amountOff({ discounts }: SessionCreate): number {
    if (!discounts) return 0;
    const id = discounts[0].coupon;
    const off = coupons.get(id);
    if (off === undefined) throw missing("coupon", id);
    return off;
  }

  /** Newest first, after the session with this id; null if there is no such session. */
  async function listed(since: number, after: string | undefined) {
    const all: SessionRecord[] = [];
    for await (const s of sessions.list(since)) all.push(s);
    all.sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
    if (after === undefined) return all;
    const place = all.findIndex(({ id }) => id === after);
    return place < 0 ? null : all.slice(place + 1);
  }

  /** The payment's session with the refund in it; null if the payment does not exist. */
  async function createRefund(id: string, params: z.output<typeof refundCreate>) {
    const done = await sessions.change(sessionIdOf(params.payment_intent), (s) => {
      if (s.method === null || s.refunds.some((row) => row.id === id)) return null;
      const amountMinor = params.amount ?? leftMinor(s);
      const fate = refundRefusal(s, amountMinor) ?? options.refundFate?.(s, amountMinor);
      if (fate instanceof ApiError) throw fate;
      const { metadata } = params;
      const { status, reason } = fate ?? { status: "succeeded", reason: null };
      return refund(s, { id, amountMinor, createdAt: clock(), status, reason, metadata });
    });
    return done?.record;
  }

  /** Source of an id, fixed by the Idempotency-Key. */
  function seedOf(request: Request): string {
    const key = request.get("idempotency-key");
    if (key === undefined) return randomBytes(24).toString("hex");
    return createHmac("sha256", options.idSecret).update(key).digest("hex").slice(0, 48);
  }
}

function refuseOtherParams(known: SessionRecord, params: SessionCreate): void {
  if (JSON.stringify(known.params) === JSON.stringify(params)) return;
  const message = "The idempotency key was used with other parameters. Use another key for them.";
  throw new ApiError(400, message, undefined, "idempotency_error");
}

function refundRefusal(s: SessionRecord, amountMinor: number): ApiError | undefined {
  const left = leftMinor(s);
  if (s.payment !== "paid") {
    const message = `The payment ${paymentId(s)} does not have a successful charge to refund.`;
    return new ApiError(400, message, "payment_intent_unexpected_state");
  }
  if (left === 0) {
    return new ApiError(400, "Charge has already been refunded.", "charge_already_refunded");
  }
  if (amountMinor > left) {
    const message = `Refund amount (${amountMinor}) is greater than unrefunded amount (${left}).`;
    return new ApiError(400, message, "amount_too_large");
  }
  return undefined;
}
