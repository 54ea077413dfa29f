/** Sessions read, listed and ended. */
import type Stripe from "stripe";
import type { z } from "zod";
import { ApiError, missing } from "./errors.ts";
import type * as params from "./params.ts";
import { expansion, page, type RouteContext } from "./route-context.ts";
import { expire, type SessionRecord } from "./session.ts";
import type { Sessions } from "./sessions.ts";
import { sessionObject } from "./wire.ts";
import { paymentId, sessionIdOf } from "./wire-ids.ts";
import { paymentObject } from "./wire-payment.ts";

export async function getSession(
  input: z.output<typeof params.expandOnly>,
  { sessions, id, baseUrl }: RouteContext,
): Promise<Stripe.Checkout.Session> {
  const expand = expansion(input.expand);
  const record = await sessions.read(id);
  if (!record) throw missing("checkout.session", id, "session");
  return sessionObject(record, baseUrl, expand);
}

export async function expireSession(
  input: z.output<typeof params.expandOnly>,
  { sessions, id, baseUrl }: RouteContext,
): Promise<Stripe.Checkout.Session> {
  const expand = expansion(input.expand);
  const done = await sessions.change(id, (s) =>
    s.status === "open" ? { step: expire(s), result: null } : { step: null, result: s.status },
  );
  if (!done) throw missing("checkout.session", id, "session");
  if (done.result !== null) {
    throw new ApiError(
      400,
      'Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session ' +
        `has a status of ${done.result}.`,
    );
  }
  return sessionObject(done.record, baseUrl, expand);
}

export async function listSessions(
  input: z.output<typeof params.sessionList>,
  { sessions, baseUrl }: RouteContext,
): Promise<Stripe.ApiList<Stripe.Checkout.Session>> {
  const expand = expansion(input.expand, "data.");
  const found = await matching(input, sessions);
  const { data, has_more } = page(found, input, "checkout.session");
  return {
    object: "list",
    url: "/v1/checkout/sessions",
    has_more,
    data: data.map((s) => sessionObject(s, baseUrl, expand)),
  };
}

export async function getPayment(
  _input: unknown,
  { sessions, id }: RouteContext,
): Promise<Stripe.PaymentIntent> {
  const record = await sessions.read(sessionIdOf(id));
  if (!record || record.method === null) throw missing("payment_intent", id, "intent");
  return paymentObject(record, "payment");
}

async function matching(
  input: z.output<typeof params.sessionList>,
  sessions: Sessions,
): Promise<SessionRecord[]> {
  const { payment_intent, status } = input;
  if (payment_intent !== undefined) {
    const one = await sessions.read(sessionIdOf(payment_intent));
    return one && one.method !== null && paymentId(one) === payment_intent ? [one] : [];
  }
  const found = await sessions.list((input.created?.gte ?? 0) * 1000);
  return status === undefined ? found : found.filter((s) => s.status === status);
}
