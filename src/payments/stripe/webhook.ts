/**
 * A webhook is a nudge: after the signature is checked over the raw bytes, only ids are read (contract §5).
 * The payload follows the endpoint's API version, which may differ from ours.
 */
import Stripe from "stripe";
import { z } from "zod";
import { field } from "../../core/fields.ts";
import { BadSignature, type ProviderEvent } from "../provider.ts";

/** Seconds that a signature is valid; Stripe's default. Zero would switch the check off. */
const TOLERANCE_S = 300;

/** Events that the webhook endpoint subscribes to (contract §5). */
export const EVENTS_OF_INTEREST = [
  "checkout.session.completed",
  "checkout.session.async_payment_succeeded",
  "checkout.session.async_payment_failed",
  "checkout.session.expired",
  "payment_intent.payment_failed",
  "payment_intent.amount_capturable_updated",
  "payment_intent.succeeded",
  "payment_intent.canceled",
  "charge.refunded",
  "refund.created",
  "refund.updated",
  "refund.failed",
  "charge.dispute.created",
  "charge.dispute.updated",
  "charge.dispute.closed",
] as const;

const OF_INTEREST: ReadonlySet<string> = new Set(EVENTS_OF_INTEREST);

const event = z.looseObject({
  object: z.literal("event"),
  id: z.string().min(1),
  type: z.string(),
  livemode: z.boolean(),
  api_version: z.string().nullish(),
  data: z.looseObject({ object: z.looseObject({}) }),
});

export const READ_OF_EVENTS = Object.keys(event.shape);

/** Id of a field that holds an id or the expanded object. */
function idOf(value: unknown): string | null {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null || !("id" in value)) return null;
  return typeof value.id === "string" ? value.id : null;
}

const NO_EVENT = "The signed body is not an event.";
/** `object` of an event without its data. */
const THIN_EVENT = "v2.core.event";
const SET_SNAPSHOT =
  "The signature is right, but this is a thin event. Set the payload style of Stripe's webhook destination to snapshot.";

export function verifyEvent(...received: Parameters<typeof signedBody>): ProviderEvent {
  const body = signedBody(...received);
  if (field(body, "object") === THIN_EVENT) throw new BadSignature(SET_SNAPSHOT);
  const parsed = event.safeParse(body);
  if (!parsed.success) throw new BadSignature(NO_EVENT);
  const { id, type, livemode, api_version, data } = parsed.data;
  const known = OF_INTEREST.has(type);
  const payment = type.startsWith("payment_intent.") ? data.object : data.object.payment_intent;
  return {
    id,
    type,
    livemode,
    apiVersion: api_version ?? null,
    sessionId: known && type.startsWith("checkout.session.") ? idOf(data.object.id) : null,
    paymentRef: known ? idOf(payment) : null,
  };
}

/** `now` in milliseconds. Several secrets allow rotation without losing an event. */
function signedBody(
  rawBody: Buffer,
  signature: string | undefined,
  secrets: readonly string[],
  now: number,
): unknown {
  if (!signature) throw new BadSignature("The signature is missing.");
  const isSigned = secrets.some((secret) => {
    try {
      const { signature: check } = Stripe.webhooks;
      return check!.verifyHeader(rawBody, signature, secret, TOLERANCE_S, undefined, now);
    } catch {
      // The next secret may fit. The reason stays here: strangers learn nothing from a 400.
      return false;
    }
  });
  if (!isSigned) {
    const why = "The signature matches none of STRIPE_WEBHOOK_SECRETS, or it is too old.";
    throw new BadSignature(why);
  }
  try {
    return JSON.parse(rawBody.toString());
  } catch {
    throw new BadSignature(NO_EVENT);
  }
}
