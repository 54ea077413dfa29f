/** The few Stripe endpoints that our provider calls, each with the parameters it takes. */
import type { z } from "zod";
import * as params from "./params.ts";
import type { RouteContext } from "./route-context.ts";
import { createCoupon, createSession, updateCoupon } from "./route-create.ts";
import { expireSession, getPayment, getSession, listSessions } from "./route-read.ts";
import { createRefund, listDisputes, listRefunds } from "./route-refunds.ts";

export interface Route {
  method: "GET" | "POST";
  path: RegExp;
  /** What a restricted key needs for it, by Stripe's own name. */
  permission: string;
  /** Checks the parameters and binds them: what is left needs only the context. */
  bind: (input: unknown) => (context: RouteContext) => Promise<object>;
}

function route<S extends z.ZodType>(
  [method, path, permission]: [Route["method"], RegExp, string],
  schema: S,
  run: (input: z.output<S>, context: RouteContext) => Promise<object>,
): Route {
  const bind: Route["bind"] = (input) => {
    const parsed = params.parse(schema, input);
    return (context) => run(parsed, context);
  };
  return { method, path, permission: `rak_${permission}`, bind };
}

const SESSIONS = /^\/v1\/checkout\/sessions$/;

export const ROUTES: readonly Route[] = [
  route(["POST", SESSIONS, "checkout_session_write"], params.sessionCreate, createSession),
  route(["GET", SESSIONS, "checkout_session_read"], params.sessionList, listSessions),
  route(
    ["GET", /^\/v1\/checkout\/sessions\/([^/]+)$/, "checkout_session_read"],
    params.expandOnly,
    getSession,
  ),
  route(
    ["POST", /^\/v1\/checkout\/sessions\/([^/]+)\/expire$/, "checkout_session_write"],
    params.expandOnly,
    expireSession,
  ),
  route(["POST", /^\/v1\/coupons$/, "coupon_write"], params.couponCreate, createCoupon),
  route(["POST", /^\/v1\/coupons\/([^/]+)$/, "coupon_write"], params.couponUpdate, updateCoupon),
  route(["POST", /^\/v1\/refunds$/, "charge_write"], params.refundCreate, createRefund),
  route(["GET", /^\/v1\/refunds$/, "charge_read"], params.listOfPayment, listRefunds),
  route(["GET", /^\/v1\/disputes$/, "dispute_read"], params.listOfPayment, listDisputes),
  route(
    ["GET", /^\/v1\/payment_intents\/([^/]+)$/, "payment_intent_read"],
    params.noParams,
    getPayment,
  ),
];
