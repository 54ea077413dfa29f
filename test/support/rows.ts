/** Rows and commands for the payment rules: a plain case, and changes to it. */

import { type State, stateOf, type Write } from "../../src/core/command.ts";
import type {
  AttemptRow,
  CustomerRow,
  DisputeRow,
  OrderRow,
  QuoteRow,
  QuoteStateRow,
  RefundRow,
  StockRow,
  TableName,
  WaitlistRow,
} from "../../src/core/records.ts";
import { orderMaker } from "../../src/orders/make-order.ts";
import { reportOf, type Settle } from "../../src/payments/attempt.ts";
import type {
  ProviderDispute,
  ProviderRefund,
  ReportedCheckout,
} from "../../src/payments/reported-checkout.ts";
import { settle as settleBy } from "../../src/payments/settle.ts";
import type { StartPayment } from "../../src/payments/start.ts";

/** The machine of payments, as the shop composes it. */
export const settle = settleBy(orderMaker);

export const NOW = Date.UTC(2026, 2, 2, 10);
export const MINUTE = 60_000;
const HASH = "sha256:ab";

export const quote = (change: Partial<QuoteRow> = {}): QuoteRow => ({
  id: "qte_1",
  agent_id: "agt_1",
  quote_hash: HASH,
  terms: "{}",
  buyer_email: "buyer+coffee@example.com",
  customer: "buyer@example.com",
  cart: null,
  total_minor: 3200,
  created_at: NOW - MINUTE,
  expires_at: NOW + 60 * MINUTE,
  ...change,
});

export const quoteState = (change: Partial<QuoteStateRow> = {}): QuoteStateRow => ({
  quote_id: "qte_1",
  status: "CHECKOUT_READY",
  reason: null,
  order_id: null,
  paying_until: null,
  short: null,
  replaced_by: null,
  browser: null,
  updated_at: NOW - MINUTE,
  ...change,
});

export const attempt = (change: Partial<AttemptRow> = {}): AttemptRow => ({
  id: "pay_1",
  quote_id: "qte_1",
  status: "OPEN",
  outcome: null,
  declined: 0,
  session_id: "cs_1",
  payment_ref: null,
  url: "https://provider.example/cs_1",
  created_at: NOW - MINUTE,
  expires_at: NOW + 59 * MINUTE,
  called_since: null,
  holds: "[]",
  customer: "buyer@example.com",
  page: null,
  wish: null,
  taken_at: null,
  check_at: NOW,
  answers: 0,
  ...change,
});

/** An authorized payment that has taken its bags. */
export const capturing = (change: Partial<AttemptRow> = {}): AttemptRow =>
  attempt({
    status: "CAPTURING",
    payment_ref: "pi_1",
    called_since: NOW,
    holds: JSON.stringify([{ product_id: "kenya-nyeri", quantity: 2, own: 2, entries: [] }]),
    ...change,
  });

export const stock = (change: Partial<StockRow> = {}): StockRow => ({
  product_id: "kenya-nyeri",
  on_hand: 10,
  held: 2,
  low_at: null,
  catalog_version: 0,
  ...change,
});

/** A waitlist offer of two bags to the quote's buyer. */
export const waitlistOffer = (change: Partial<WaitlistRow> = {}): WaitlistRow => ({
  id: "wl_1",
  agent_id: "agt_1",
  product_id: "kenya-nyeri",
  quantity: 2,
  buyer_email: "buyer@example.com",
  customer: "buyer@example.com",
  status: "OFFERED",
  created_at: 0,
  renewed_at: null,
  confirmed_at: 0,
  offer_expires_at: NOW + MINUTE,
  extended_at: null,
  attempt_id: null,
  ...change,
});

export const customer = (change: Partial<CustomerRow> = {}): CustomerRow => ({
  email: "buyer@example.com",
  paid_orders: 0,
  courtesy: null,
  courtesy_attempt: null,
  ...change,
});

export const order = (change: Partial<OrderRow> = {}): OrderRow => ({
  id: "ord_1",
  quote_id: "qte_1",
  number: 1001,
  agent_id: "agt_1",
  attempt_id: "pay_1",
  buyer_email: "buyer@example.com",
  status: "CONFIRMED",
  created_at: NOW - MINUTE,
  payment_status: "PAID",
  payment_method: "card",
  payment_ref: "pi_1",
  payment_mode: "test",
  amount_minor: 3200,
  refunded_minor: 0,
  paid_at: NOW - MINUTE,
  last_sequence: 2,
  ...change,
});

/** The provider says: paid, in full, for this quote and attempt. */
const word = (change: Partial<ReportedCheckout> = {}): ReportedCheckout => ({
  sessionId: "cs_1",
  attemptId: "pay_1",
  quoteHash: HASH,
  status: "complete",
  payment: "paid",
  failed: false,
  declined: false,
  totalMinor: 3200,
  amountMinor: 3200,
  currency: "usd",
  paymentRef: "pi_1",
  method: "card",
  refunds: [],
  disputes: [],
  ...change,
});

export const refundWord = (change: Partial<ProviderRefund> = {}): ProviderRefund => ({
  id: "re_1",
  refundId: null,
  amountMinor: 1000,
  status: "succeeded",
  problem: null,
  createdAt: NOW,
  ...change,
});

export const disputeWord = (change: Partial<ProviderDispute> = {}): ProviderDispute => ({
  id: "du_1",
  amountMinor: 3200,
  reason: "fraudulent",
  status: "open",
  createdAt: NOW,
  dueBy: NOW + 7 * 86_400_000,
  ...change,
});

/** A merchant's refund that is not made yet. */
export const refund = (change: Partial<RefundRow> = {}): RefundRow => ({
  id: "rf_1",
  attempt_id: "pay_1",
  order_id: "ord_1",
  payment_ref: "pi_1",
  amount_minor: 1000,
  reason: "MERCHANT",
  status: "PENDING",
  provider_ref: null,
  shipment_ids: null,
  sent_at: null,
  key_number: 1,
  tries: 0,
  try_at: NOW,
  problem: null,
  created_at: NOW,
  done_at: null,
  ...change,
});

export const dispute = (change: Partial<DisputeRow> = {}): DisputeRow => ({
  id: "du_1",
  attempt_id: "pay_1",
  order_id: "ord_1",
  payment_ref: "pi_1",
  amount_minor: 3200,
  reason: "fraudulent",
  status: "OPEN",
  created_at: NOW,
  due_by: NOW + 7 * 86_400_000,
  closed_at: null,
  ...change,
});

export const settling = (
  says: Partial<ReportedCheckout> = {},
  change: Partial<Settle> = {},
): Settle => ({
  now: NOW,
  attemptId: "pay_1",
  quote: quote(),
  bags: [{ product_id: "kenya-nyeri", quantity: 2 }],
  firstOrder: false,
  shipmentCount: 1,
  mode: "test",
  reported: word(says),
  report: reportOf(word(says)),
  seen: attempt({ check_at: NOW }),
  ids: {
    order: "ord_new",
    shipments: ["shp_new"],
    events: ["evt_1", "evt_2", "evt_3", "evt_4", "evt_5", "evt_6"],
    refund: "rf_new",
    incidents: ["inc_new", "inc_2", "inc_3", "inc_4"],
  },
  ...change,
});

/** A payment that is captured, with the stock it has taken, and changes to these rows. */
export const books = (rows: Partial<State> = {}): State =>
  stateOf({
    quote_states: [quoteState({ status: "PROCESSING", paying_until: NOW + 59 * MINUTE })],
    attempts: [capturing()],
    stock: [stock()],
    ...rows,
  });

/** Rows of one table that a decision writes: inserted rows, and the new values of updated ones. */
export function written(writes: readonly Write[], table: TableName): Record<string, unknown>[] {
  const rows = new Map<string, Record<string, unknown>>();
  for (const write of writes.filter((w) => w.table === table)) {
    const key = JSON.stringify(write.op === "insert" ? write.row : write.key);
    const values = write.op === "insert" ? write.row : write.set;
    rows.set(key, { ...rows.get(key), ...values });
  }
  return [...rows.values()];
}

/** Names of the tables that a decision writes. */
export const touched = (writes: readonly Write[]): string[] =>
  [...new Set(writes.map((write) => write.table))].sort();

/** A press of pay for two Kenya Nyeri. */
export const pressing = (change: Partial<StartPayment> = {}): StartPayment => ({
  now: NOW,
  quote: quote(),
  bags: [{ product_id: "kenya-nyeri", quantity: 2 }],
  firstOrder: false,
  wish: "wish",
  attemptId: "pay_new",
  sessionEndsAt: NOW + 40 * MINUTE,
  ...change,
});
