import { integer, key, later, minor, oneOf, orNull, text, time, withDefault } from "./columns.ts";

/** Rows of who calls, of quotes and of attempts to pay them; what rows are in general says `records.ts`. */
export const QUOTE_TABLES = {
  /** What a limit that all instances share has counted. */
  rate_limits: {
    name: key(text),
    /** A pseudonym of the client address. */
    subject: key(text),
    used: integer,
    /** When this window is over. */
    ends_at: time,
  },

  settings: { name: key(text), value: text },

  agents: {
    id: key(text),
    name: text,
    contact_email: text,
    key_hash: text,
    key_prefix: text,
    created_at: time,
    revoked_at: later(time),
    /** The newest order's created_at, so that the next one is later (contract §5). */
    last_order_at: time,
    /** The key's first call; 0 before it. */
    first_used_at: withDefault(time, 0),
  },

  finder_keys: {
    key_hash: key(text),
    agent_id: text,
    created_at: time,
    expires_at: time,
    revoked_at: later(time),
  },

  /** A good question of an agent, once however it was worded. */
  finder_credits: {
    agent_id: key(text),
    fingerprint: key(text),
    credit: text,
    created_at: time,
  },

  /** The part of a quote that never changes: the database refuses UPDATE and DELETE here. */
  quotes: {
    id: key(text),
    /** Null for a quote that a person made through quick checkout. */
    agent_id: orNull(text),
    quote_hash: text,
    /** RFC 8785 JSON: exactly the bytes that quote_hash is taken over. */
    terms: text,
    /** SHA-256 of a review link that does not name the quote, as older versions made them; or "". */
    review_token_hash: text,
    buyer_email: text,
    /** Canonical email: who the courtesy counts for. */
    customer: text,
    /** SHA-256 of the quick-checkout page that it was made on; null for an agent's. */
    cart: orNull(text),
    total_minor: minor,
    created_at: time,
    expires_at: time,
  },

  /** The part of a quote that moves. */
  quote_states: {
    quote_id: key(text),
    status: oneOf<
      "OPEN" | "CHECKOUT_READY" | "PROCESSING" | "PAID" | "INVALIDATED" | "WAITLIST_OFFERED"
    >(),
    /** Why it was invalidated: a code, null otherwise. */
    reason: later(text),
    order_id: later(text),
    /** A payment begun in time is honoured until then; null where none is under way. */
    paying_until: later(time),
    /** JSON [{product_id, requested, available}] of a WAITLIST_OFFERED quote, null otherwise. */
    short: orNull(text),
    /** JSON [{product_id, most}] of what one buyer could not hold unpaid when it was made, or null. */
    over_share: later(text),
    /** The quote of the same order at its full price that the buyer asked for on this one's page, or null. */
    full_price_quote: later(text),
    /** JSON of what its buyer had just paid for by another quote when it was made, or null. */
    bought: later(text),
    updated_at: time,
  },

  /** A cart or checkout that a client without a key keeps until its buyer has paid (contract §20). */
  ucp_sessions: {
    /** "crt_" or "chk_" and 128 random bits: knowing it grants access. */
    id: key(text),
    /** JSON of the quick-checkout cart. */
    cart: text,
    /** The cart that a checkout was made from; a cart makes one checkout. */
    from_cart: orNull(text),
    canceled_at: later(time),
    created_at: time,
    /** Moves with each change; a paid session stays readable after it. */
    expires_at: time,
  },

  /** One try to pay one quote: at most one is live (CREATING, OPEN, PROCESSING) at a time. */
  attempts: {
    id: key(text),
    quote_id: text,
    status: oneOf<"CREATING" | "OPEN" | "PROCESSING" | "PAID" | "ENDED">(),
    /**
     * Why it ended: EXPIRED, FAILED (a delayed payment), REJECTED (by the provider), ABANDONED (never
     * heard of), UNKNOWN (at the provider), REPLACED (by a newer one), or why its money went back:
     * PAID_TWICE, WRONG_AMOUNT, PAID_TOO_LATE.
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
    /** `wishOf` its quote; null once the attempt is over, and of earlier versions. */
    wish: later(text),
    /** A pseudonym of the client address that pressed pay; null once the attempt is over. */
    address: orNull(text),
    /** When the reconciler should ask the provider next; null where there is nothing left to ask. */
    check_at: orNull(time),
    /** How many answers about its refunds and disputes were written down. */
    answers: withDefault(integer, 0),
  },
};
