/** The few Stripe endpoints that our provider calls, each with the parameters it takes. */
import type { z } from "zod";
import * as params from "./params.ts";
import type { RouteContext } from "./route-context.ts";
import { createCoupon, createSession } from "./route-create.ts";
import { expireSession, getSession, listSessions } from "./route-read.ts";
import { createRefund } from "./route-refunds.ts";

export interface Route {
  method: "GET" | "POST";
  path: RegExp;
  /** Checks the parameters and binds them: what is left needs only the context. */
  bind: (input: unknown) => (context: RouteContext) => Promise<object>;
}

function route<S extends z.ZodType>(
  method: Route["method"],
  path: RegExp,
  schema: S,
  run: (input: z.output<S>, context: RouteContext) => Promise<object>,
): Route {
  const bind: Route["bind"] = (input) => {
    const parsed = params.parse(schema, input);
    return (context) => run(parsed, context);
  };
  return { method, path, bind };
}

const SESSIONS = /^\/v1\/checkout\/sessions$/;

export const ROUTES: readonly Route[] = [
  route("POST", SESSIONS, params.sessionCreate, createSession),
  route("GET", SESSIONS, params.sessionList, listSessions),
  route("GET", /^\/v1\/checkout\/sessions\/([^/]+)$/, params.expandOnly, getSession),
  route("POST", /^\/v1\/checkout\/sessions\/([^/]+)\/expire$/, params.expandOnly, expireSession),
  route("POST", /^\/v1\/coupons$/, params.couponCreate, createCoupon),
  route("POST", /^\/v1\/refunds$/, params.refundCreate, createRefund),
];
