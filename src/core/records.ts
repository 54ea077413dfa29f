import {
  type Columns,
  filled,
  idOf,
  integer,
  key,
  later,
  minor,
  type NewRow,
  oneOf,
  orNull,
  type Row,
  text,
  time,
  withDefault,
} from "./columns.ts";

/** Replaces an erased person's email, name, address and words. The database triggers know it. */
export const ERASED = "erased";

/** Prefix of settings that hold an unfinished erasure. */
export const ERASURE = "erasing:";

export const ORDER_STATUSES = [
  "CONFIRMED",
  "ROASTING",
  "PARTIALLY_SHIPPED",
  "SHIPPED",
  "COMPLETED",
  "CANCELED",
] as const;

export type OrderStatus = (typeof ORDER_STATUSES)[number];

export const SHIPMENT_STATUSES = [
  "PENDING",
  "ROASTING",
  "SHIPPED",
  "IN_TRANSIT",
  "OUT_FOR_DELIVERY",
  "DELIVERED",
  "FAILED",
  "RETURNED",
  "CANCELED",
] as const;

export type ShipmentStatus = (typeof SHIPMENT_STATUSES)[number];

/** Authors of a cancel request: an agent speaks for its buyer, and buyers for themselves. */
export const ASKERS = ["AGENT", "BUYER"] as const;

export type Asker = (typeof ASKERS)[number];

export type MailKind =
  | "RECEIPT"
  | "SHIPPED"
  | "DELIVERED"
  | "FAILED"
  | "RETURNED"
  | "TRACKING_CORRECTED"
  | "ADDRESS_CHANGED"
  | "CANCELED"
  | "REFUNDED"
  | "REFUND_FAILED"
  | "NOT_ORDERED"
  | "WAITLIST_JOINED"
  | "WAITLIST_OFFER"
  | "NEW_ORDER"
  | "CANCEL_REQUEST"
  | "CANCEL_RECEIVED"
  | "CANCEL_WITHDRAWN"
  | "CANCEL_DECLINED"
  | "CANCELED_IN_PART"
  | "ANSWER"
  | "ORDER_LINK"
  | "FEEDBACK"
  | "BULK_LEAD"
  | "INCIDENT";

/**
 * Every table, declared once for both engines. Names are the contract's nouns. Times are milliseconds
 * since the epoch, amounts are integer minor units of usd, and lists and objects are JSON text. Secrets
 * are stored as SHA-256 hex only.
 *
 * Rows are locked in the order of these tables, so that two commands never deadlock.
 */
export const TABLES = {
  /** Counters of the limits that all instances share. */
  rate_limits: {
    name: key(text),
    /** Pseudonym of the client address. */
    subject: key(text),
    used: integer,
    /** End of the window. */
    ends_at: time,
  },

  settings: { name: key(text), value: text },

  agents: {
    id: key(idOf("agt")),
    name: text,
    contact_email: text,
    key_hash: text,
    key_prefix: text,
    created_at: time,
    revoked_at: later(time),
    /** created_at of the newest order: the next one is later (contract §5). */
    last_order_at: time,
    /** First call with the key; 0 before it. */
    first_used_at: withDefault(time, 0),
  },

  finder_keys: {
    key_hash: key(text),
    agent_id: idOf("agt"),
    created_at: time,
    expires_at: time,
    revoked_at: later(time),
  },

  /** A good question of an agent, once for all its wordings. */
  finder_credits: {
    agent_id: key(idOf("agt")),
    fingerprint: key(text),
    credit: text,
    created_at: time,
  },

  /** The part of a quote that never changes: the database refuses UPDATE and DELETE. */
  quotes: {
    id: key(idOf("qte")),
    /** Null for a quote that a person made on a quick-checkout page. */
    agent_id: orNull(idOf("agt")),
    quote_hash: text,
    /** RFC 8785 JSON: the exact bytes that quote_hash is computed from. */
    terms: text,
    buyer_email: text,
    /** Canonical email, which the first-order courtesy counts by. */
    customer: text,
    /**
     * The purchase it belongs to: `page` of its checkout, or the first of an agent's quotes that replace each
     * other. Null for an agent's first quote, whose own id stands for the purchase.
     */
    cart: orNull(text),
    total_minor: minor,
    created_at: time,
    expires_at: time,
  },

  /** The part of a quote that changes. */
  quote_states: {
    quote_id: key(idOf("qte")),
    status: oneOf<
      "OPEN" | "CHECKOUT_READY" | "PROCESSING" | "PAID" | "INVALIDATED" | "WAITLIST_OFFERED"
    >(),
    /** Code of the reason for INVALIDATED, otherwise null. */
    reason: later(text),
    order_id: later(idOf("ord")),
    /** A payment begun in time is accepted until then; null while none is in progress. */
    paying_until: later(time),
    /** JSON [{product_id, requested, available}] of a WAITLIST_OFFERED quote, otherwise null. */
    short: orNull(text),
    /** The newer quote of the same purchase, or null. A payment page that is open stays payable. */
    replaced_by: later(idOf("qte")),
    /** SHA-256 of the secret of the browser that made it, or null. It opens the order's page. */
    browser: later(text),
    updated_at: time,
  },

  /** One purchase, from its first bag to its order (contract §10). */
  checkouts: {
    /** "chk_" and 128 random bits: knowing it lets you see and change the bags, and follow the order. */
    id: key(text),
    /**
     * Another name that leads to one live checkout: a UCP cart ("crt_…"), a place on a waitlist, or an
     * agent's key with its cart. Null once another checkout has the name.
     */
    name: orNull(text),
    /** `quotes.cart` of its quotes. */
    page: text,
    /** JSON of its bags, code and note. */
    cart: text,
    /** JSON of what the buyer typed, for the browser that typed it: see `TypedBuyer`. */
    buyer: later(text),
    /** The key that made it, or null. */
    agent_id: orNull(idOf("agt")),
    via: oneOf<"LINK" | "SHOP" | "UCP" | "WAITLIST">(),
    /** When a UCP client first asked for the checkout of its cart. */
    converted_at: later(time),
    /** Counts its changes; forms carry it. */
    version: integer,
    /** The newest quote made of it. */
    quote_id: later(idOf("qte")),
    /** Its order, once it is paid. */
    order_id: later(idOf("ord")),
    canceled_at: later(time),
    created_at: time,
    /** Moves with each change. */
    expires_at: time,
  },

  /**
   * One attempt to pay one quote: at most one is live at a time (CREATING, OPEN, PROCESSING, CAPTURING).
   * RELEASING: the authorized payment is not taken, and the provider is still to be told.
   */
  attempts: {
    id: key(idOf("pay")),
    quote_id: idOf("qte"),
    status: oneOf<
      "CREATING" | "OPEN" | "PROCESSING" | "CAPTURING" | "RELEASING" | "PAID" | "ENDED"
    >(),
    /**
     * Reason for ENDED: EXPIRED, FAILED (a delayed payment), REJECTED (by the provider), ABANDONED (no
     * news ever came), UNKNOWN (to the provider); or for the release, see `ReleaseReason`; or for the
     * refund: PAID_TWICE, WRONG_AMOUNT, PAID_TOO_LATE.
     */
    outcome: later(text),
    /** 1 after the buyer's last payment method was declined, as far as the provider has reported. */
    declined: withDefault(integer, 0),
    session_id: later(text),
    payment_ref: later(text),
    url: later(text),
    created_at: time,
    /** End of the hosted session. */
    expires_at: time,
    /** Start of CAPTURING or RELEASING; null before, and of 0.3.0. */
    called_since: later(time),
    /** JSON Hold[]: bags taken by CAPTURING or PROCESSING; "[]" otherwise. */
    holds: text,
    /** Canonical email of the quote; null once the attempt has ended unpaid. */
    customer: orNull(text),
    /** Its purchase (`purchaseOf`), which has at most one order. Null in ended ones of 0.3.0 and older. */
    page: later(text),
    /** Hash of customer, bags and addresses (`wishOf`); null once the attempt has ended unpaid. */
    wish: later(text),
    /** When it took its bags; null before. */
    taken_at: later(time),
    /** Until then nobody else checks the payment or repeats a call; null when nothing is left to ask. */
    check_at: orNull(time),
    /** Number of provider reports about refunds and disputes that were stored. */
    answers: withDefault(integer, 0),
  },

  orders: {
    id: key(idOf("ord")),
    /** Unique: one order per quote. */
    quote_id: idOf("qte"),
    /** The number that people use, counted up by the shop. */
    number: filled(integer),
    agent_id: orNull(idOf("agt")),
    attempt_id: idOf("pay"),
    buyer_email: text,
    status: oneOf<OrderStatus>(),
    created_at: time,
    payment_status: oneOf<"PAID" | "DISPUTED" | "REFUNDED">(),
    payment_method: text,
    payment_ref: text,
    payment_mode: text,
    amount_minor: minor,
    refunded_minor: minor,
    paid_at: time,
    last_sequence: integer,
  },

  shipments: {
    id: key(idOf("shp")),
    order_id: idOf("ord"),
    /** Index of this shipment in the terms, from 0. */
    position: integer,
    status: oneOf<ShipmentStatus>(),
    /** JSON of the address if it was changed after the sale; null for the address of the terms. */
    address: later(text),
    carrier: later(text),
    tracking_number: later(text),
    /** Search key of the number, the same for all its spellings: see `trackingKey`. */
    tracking_key: later(text),
    tracking_url: later(text),
    shipped_at: later(time),
    delivered_at: later(time),
    /** JSON of the newest step and of these columns before it, so that it can be undone: see `undo.ts`. */
    step: later(text),
    /** Time of that step; null if there is none to undo. */
    step_at: later(time),
  },

  events: {
    order_id: key(idOf("ord")),
    sequence: key(integer),
    id: text,
    type: text,
    occurred_at: time,
    order_status: oneOf<OrderStatus>(),
    data: text,
  },

  cancel_requests: {
    id: key(text),
    order_id: idOf("ord"),
    /** JSON of the shipments to cancel. */
    shipment_ids: filled(text),
    asked_by: filled(oneOf<Asker>()),
    reason_code: text,
    message: orNull(text),
    status: oneOf<"REQUESTED" | "ACCEPTED" | "DECLINED" | "WITHDRAWN">(),
    created_at: time,
    decided_at: later(time),
    /** The merchant's words about the decision. */
    decision: later(text),
  },

  /** One row per canonical email. */
  customers: {
    email: key(text),
    paid_orders: integer,
    courtesy: later(oneOf<"RESERVED" | "REDEEMED">()),
    /** The attempt that reserved or redeemed it. */
    courtesy_attempt: later(text),
  },

  /** A bean of the catalog. A bean that was ever published is never deleted: orders name it. */
  beans: {
    product_id: key(text),
    /** Its place in the shop, from 0. */
    position: integer,
    /** JSON of the published bean; null before the first publication. */
    published: orNull(text),
    /** 1 or 0. */
    on_sale: integer,
    changed_at: time,
  },

  stock: {
    product_id: key(text),
    /** Bags that exist. */
    on_hand: integer,
    /** Bags of these that waitlist offers and payments under way hold. */
    held: integer,
    /** The desk warns about fewer free bags than this; null for the usual number. */
    low_at: later(integer),
    /** Catalog version of the last change to how this bean is sold; 0 if none was recorded. */
    catalog_version: withDefault(integer, 0),
  },

  waitlist: {
    id: key(text),
    /** Null for a buyer who joined without an agent. */
    agent_id: orNull(idOf("agt")),
    product_id: text,
    quantity: integer,
    buyer_email: text,
    customer: text,
    status: oneOf<"WAITING" | "OFFERED" | "CONVERTED" | "EXPIRED" | "LEFT">(),
    created_at: time,
    /** The last day on which somebody looked at the place; null before the first. */
    renewed_at: later(time),
    /** The buyer pressed the button behind the letter's link. Bags are held for no other entry. */
    confirmed_at: later(time),
    offer_expires_at: later(time),
    /** When a press of pay extended the offer, once, to the end of the payment page. */
    extended_at: later(time),
    /** The payment that has taken the held bags. */
    attempt_id: later(idOf("pay")),
  },

  /** One refund of one payment. The provider reports its state; it is never computed from totals. */
  refunds: {
    /** Our id; for a refund made at the provider itself, the provider's. */
    id: key(idOf("rf")),
    attempt_id: idOf("pay"),
    order_id: orNull(idOf("ord")),
    payment_ref: text,
    amount_minor: minor,
    /**
     * MERCHANT: the merchant gives it. OUTSIDE: somebody made it at the provider itself. The others:
     * money that must not be kept, refunded at most once per payment.
     */
    reason: oneOf<"MERCHANT" | "OUTSIDE" | "PAID_TWICE" | "WRONG_AMOUNT" | "PAID_TOO_LATE">(),
    /**
     * PENDING: due, or in progress at the provider. FAILED: the money is still here and an incident says
     * so; even a DONE refund can fail later. CANCELED: not made, because less was left to return.
     */
    status: oneOf<"PENDING" | "DONE" | "FAILED" | "CANCELED">(),
    /** The provider's id; null until the provider has confirmed the refund. */
    provider_ref: later(text),
    /** Number of the idempotency key, from 1: a key that the provider failed under is useless. */
    key_number: withDefault(integer, 1),
    /** When the provider was first asked; it may know the refund from then on. Null before. */
    sent_at: later(time),
    /** Requests without success. */
    tries: withDefault(integer, 0),
    /** Time of the next request; null once the provider has it, or never will. */
    try_at: orNull(time),
    /** The provider's reason for the delay or failure, or null. */
    problem: later(text),
    /** JSON of the order's shipments that it is for, as far as they were paid; null for all of them. */
    shipment_ids: later(text),
    created_at: time,
    /** Time of its current end; null while PENDING. */
    done_at: later(time),
  },

  /** The buyer's bank takes a payment back, or tries to. */
  disputes: {
    /** The provider's id. */
    id: key(text),
    attempt_id: idOf("pay"),
    order_id: orNull(idOf("ord")),
    payment_ref: text,
    amount_minor: minor,
    /** The provider's word: "fraudulent", "product_not_received", … */
    reason: text,
    status: oneOf<"OPEN" | "WON" | "LOST">(),
    created_at: time,
    /** The merchant's deadline for an answer at the provider; null after it. */
    due_by: orNull(time),
    closed_at: orNull(time),
  },

  /**
   * Money of an order's own payment that went back, or came back after all. Lines are only added, so a
   * closed month of the books never changes. The order itself is the line of the money that was paid.
   */
  ledger: {
    /** Its cause and a number. */
    id: key(text),
    order_id: idOf("ord"),
    payment_ref: text,
    kind: oneOf<"REFUND" | "DISPUTE">(),
    /** Id of the refund or dispute. */
    cause: text,
    /** Negative if the buyer got it; positive if a refund failed later, or a bank changed its decision. */
    amount_minor: minor,
    at: time,
  },

  incidents: {
    id: key(text),
    kind: text,
    subject: text,
    detail: text,
    created_at: time,
  },

  /** Work that waits for a person at the desk. */
  desk_tasks: {
    /** Id of its cause: the incident, the message, or the event of a cancellation or return. */
    id: key(text),
    /**
     * REFUND: bags were canceled; decide about the money. FAILURE: a shipment could not be delivered;
     * decide what is next. RETURN: it came back; send it again, refund it, or neither. LATE: the
     * letter to the buyer of a late order, which is only stored once it is written.
     */
    kind: oneOf<"INCIDENT" | "FEEDBACK" | "LEAD" | "REFUND" | "FAILURE" | "RETURN" | "LATE">(),
    /** Id of its topic: the incident, the message, the order, or the shipment. */
    subject: text,
    created_at: time,
    handled_at: later(time),
    /** "cli" or "desk". */
    handled_by: later(text),
    /** Audit entry of the act that handled it. */
    decided_by: later(text),
  },

  /** An internal note about an order: no agent and no buyer reads it. */
  order_notes: {
    id: key(text),
    order_id: idOf("ord"),
    text: text,
    /** "cli" or "desk". */
    written_by: text,
    created_at: time,
  },

  audit: {
    id: key(text),
    actor: text,
    act: text,
    subject: text,
    detail: text,
    at: time,
  },

  /** A letter to send. Its text is made when it is sent. */
  outbox: {
    /** Its kind and topic, so that nobody is told the same thing twice. */
    id: key(text),
    kind: oneOf<MailKind>(),
    order_id: orNull(idOf("ord")),
    /** Id of the waitlist entry, lead or incident that it is about. */
    subject: orNull(text),
    /** JSON data of the event that it reports. */
    data: text,
    created_at: time,
    /** Time of the next try; null once sent or given up. */
    try_at: orNull(time),
    tries: integer,
    sent_at: later(time),
    error: later(text),
    /** A letter to a buyer as it was sent (`SentLetter`, JSON). Null for others, and after an erasure. */
    letter: later(text),
  },

  feedback: {
    id: key(text),
    agent_id: idOf("agt"),
    order_id: orNull(idOf("ord")),
    message: text,
    created_at: time,
  },

  leads: {
    id: key(text),
    agent_id: idOf("agt"),
    email: text,
    purpose: text,
    quantity: orNull(text),
    organization: orNull(text),
    created_at: time,
  },

  webhooks: {
    id: key(text),
    type: text,
    api_version: orNull(text),
    livemode: integer,
    session_id: orNull(text),
    payment_ref: orNull(text),
    received_at: time,
    settled_at: orNull(time),
    tries: integer,
    /** Time of the next try; null once settled or ignored. */
    try_at: orNull(time),
    error: orNull(text),
  },

  /** Memory of the sandbox's emulated provider. Unused with a real provider. */
  sandbox: {
    id: key(text),
    kind: text,
    body: text,
    version: integer,
    created_at: time,
  },

  /**
   * Locked last: a retry that waits for its target finds here what the first request was answered, and
   * is not refused because of that request's own effects.
   */
  idempotency: {
    scope: key(text),
    key_hash: key(text),
    request_hash: text,
    /** JSON of the stored part of the answer, from which the rest is rebuilt. */
    reply: text,
    expires_at: time,
  },
};

export type TableName = keyof typeof TABLES;

export type Tables = { [N in TableName]: Row<(typeof TABLES)[N]> };

export type NewRows = { [N in TableName]: NewRow<(typeof TABLES)[N]> };

const BLANK = Object.fromEntries(
  Object.entries<Columns>(TABLES).map(([table, columns]) => [
    table,
    Object.fromEntries(Object.entries(columns).map(([name, one]) => [name, one.default ?? null])),
  ]),
);

/** Sorts by time, and by id if times are equal. */
export const oldestFirst = (
  a: { created_at: number; id: string },
  b: { created_at: number; id: string },
): number => a.created_at - b.created_at || (a.id < b.id ? -1 : 1);

/** Completes a new row with the initial values of its later columns. */
export const newRow = <N extends TableName>(table: N, values: NewRows[N]): Tables[N] =>
  ({ ...BLANK[table], ...values }) as Tables[N];

export type AgentRow = Tables["agents"];
export type FinderKeyRow = Tables["finder_keys"];
export type FinderCreditRow = Tables["finder_credits"];
export type QuoteRow = Tables["quotes"];
export type QuoteStateRow = Tables["quote_states"];
export type CheckoutRow = Tables["checkouts"];
export type AttemptRow = Tables["attempts"];
export type OrderRow = Tables["orders"];
export type ShipmentRow = Tables["shipments"];
export type EventRow = Tables["events"];
export type CancelRequestRow = Tables["cancel_requests"];
export type CustomerRow = Tables["customers"];
export type BeanRow = Tables["beans"];
export type StockRow = Tables["stock"];
export type WaitlistRow = Tables["waitlist"];
export type RefundRow = Tables["refunds"];
export type DisputeRow = Tables["disputes"];
export type LedgerRow = Tables["ledger"];
export type DeskTaskRow = Tables["desk_tasks"];
export type OutboxRow = Tables["outbox"];
export type FeedbackRow = Tables["feedback"];
export type LeadRow = Tables["leads"];
export type WebhookRow = Tables["webhooks"];

export const TABLE_NAMES = Object.keys(TABLES) as TableName[];

export const PRIMARY_KEYS = Object.fromEntries(
  Object.entries<Columns>(TABLES).map(([table, columns]) => [
    table,
    Object.keys(columns).filter((name) => columns[name]!.key),
  ]),
) as Record<TableName, string[]>;

/** Statuses of a payment that has taken bags and is to be settled. */
const TAKEN_STATUSES = ["PROCESSING", "CAPTURING"] as const;
/** Statuses of a payment that leads to its purchase's order, or has led to it. */
export const ORDERED_STATUSES = [...TAKEN_STATUSES, "PAID"] as const;
export const ORDERED: ReadonlySet<AttemptRow["status"]> = new Set(ORDERED_STATUSES);
/** Statuses of a payment attempt that is neither settled nor over: a quote has at most one. */
export const LIVE_STATUSES = ["CREATING", "OPEN", ...TAKEN_STATUSES] as const;
export const LIVE: ReadonlySet<AttemptRow["status"]> = new Set(LIVE_STATUSES);
/** Statuses about which the provider is still to be asked or told. */
export const UNSETTLED_STATUSES = [...LIVE_STATUSES, "RELEASING"] as const;
export const UNSETTLED: ReadonlySet<AttemptRow["status"]> = new Set(UNSETTLED_STATUSES);

/** Its payment page may be open and nothing was paid yet, so it can still be closed. */
export const isUnpaid = ({ status }: Pick<AttemptRow, "status">): boolean =>
  status === "CREATING" || status === "OPEN";
