import { integer, key, later, minor, oneOf, orNull, text, time, withDefault } from "./columns.ts";

/** Rows of what is paid, held and refunded; what rows are in general says `records.ts`. */

/** One per canonical email. */
export const customers = {
  email: key(text),
  paid_orders: integer,
  courtesy: later(oneOf<"RESERVED" | "REDEEMED">()),
  /** The attempt that reserved or redeemed it. */
  courtesy_attempt: later(text),
};

/** One try to pay one quote: at most one is live (CREATING, OPEN, PROCESSING) at a time. */
export const attempts = {
  id: key(text),
  quote_id: text,
  status: oneOf<"CREATING" | "OPEN" | "PROCESSING" | "PAID" | "ENDED">(),
  /**
   * Why it ended: EXPIRED, FAILED (a delayed payment), REJECTED (by the provider), ABANDONED (never
   * heard of), REPLACED (by a newer one), or why its money went back: PAID_TWICE, WRONG_AMOUNT,
   * PAID_TOO_LATE.
   */
  outcome: later(text),
  /** 1 where the buyer's last try on its page was declined, as far as the provider has told. */
  declined: withDefault(integer, 0),
  session_id: later(text),
  payment_ref: later(text),
  url: later(text),
  created_at: time,
  /** The hosted session's end. */
  expires_at: time,
  /** Bags and courtesy are held until then, then they are free even if nothing is known yet. */
  hold_until: time,
  /** JSON Hold[]; "[]" once let go or used. */
  holds: text,
  /** Canonical email of the quote; null once the attempt is over. */
  customer: orNull(text),
  /** Who may take this attempt's place: the quote's agent or cart. */
  payer: orNull(text),
  /** A pseudonym of the client address that pressed pay; null once the attempt is over. */
  address: orNull(text),
  /** When the reconciler should ask the provider next; null where there is nothing left to ask. */
  check_at: orNull(time),
};

/** One refund of one payment. Its state is the provider's word, never worked out from totals. */
export const refunds = {
  /** Ours; of one made at the provider itself, the provider's. */
  id: key(text),
  attempt_id: text,
  order_id: orNull(text),
  payment_ref: text,
  amount_minor: minor,
  /**
   * The merchant gives it, somebody gave it at the provider itself (OUTSIDE), or it must not be kept. Of
   * the last kind a payment has one at most.
   */
  reason: oneOf<"MERCHANT" | "OUTSIDE" | "PAID_TWICE" | "WRONG_AMOUNT" | "PAID_TOO_LATE">(),
  /**
   * PENDING: to be made, or under way at the provider. FAILED: the money is still here and an incident
   * says so; a refund that was DONE can still fail. CANCELED: not made, since nothing was left to return.
   */
  status: oneOf<"PENDING" | "DONE" | "FAILED" | "CANCELED">(),
  /** The provider's id; null until it is known to have it. */
  provider_ref: later(text),
  /** Which idempotency key is in use, from 1: one that the provider failed under is of no more use. */
  key_number: withDefault(integer, 1),
  /** How often it was asked for without being made. */
  tries: withDefault(integer, 0),
  /** When to ask for it (again); null once the provider has it, or never will. */
  try_at: orNull(time),
  /** Why it waits or failed, as the provider says; null where there is nothing to say. */
  problem: later(text),
  created_at: time,
  /** When it came to its present end; null while it is PENDING. */
  done_at: later(time),
};

/** The buyer's bank takes a payment back, or tries to. */
export const disputes = {
  /** The provider's. */
  id: key(text),
  attempt_id: text,
  order_id: orNull(text),
  payment_ref: text,
  amount_minor: minor,
  /** The provider's word: "fraudulent", "product_not_received", … */
  reason: text,
  status: oneOf<"OPEN" | "WON" | "LOST">(),
  created_at: time,
  /** Until when the merchant can answer it at the provider; null where that is over. */
  due_by: orNull(time),
  closed_at: orNull(time),
};
