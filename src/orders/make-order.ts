import { consumeHolds, type Hold } from "../catalog/holds.ts";
import { insert, type State, setSetting, update } from "../core/command.ts";
import { CURRENCY } from "../core/money.ts";
import { appendEvents, type NewEvent } from "../core/order-log.ts";
import { type AttemptRow, LIVE, type OrderRow } from "../core/records.ts";
import { FORGOTTEN, setAttempt, setCustomer } from "../payments/attempt.ts";
import { nextCheck } from "../payments/next-check.ts";
import type { Settle } from "../payments/reported-checkout.ts";
import { setQuoteState } from "../quotes/standing.ts";

/** Where an order's bags come from: held for its attempt all along, or still there for a late one. */
export interface SoldBags {
  holds: readonly Hold[];
  held: boolean;
}

/** Order, events, stock and courtesy in one transaction (contract §5). */
export function makeOrder(c: Settle, attempt: AttemptRow, { holds, held }: SoldBags, s: State) {
  const number = nextNumber(s);
  const order = { ...orderRow(c, attempt, s), number };
  const log = appendEvents(order, confirmed(c, order), { now: c.now, eventIds: c.ids.events });
  const others = s.attempts.filter((a) => a.id !== attempt.id && LIVE.has(a.status));
  return {
    reply: { orderId: order.id, refund: null, expire: others },
    writes: [
      insert("orders", { ...order, last_sequence: log.last_sequence }),
      setSetting(s, ORDER_NUMBER_SETTING, String(number)),
      ...log.writes,
      ...c.ids.shipments
        .slice(0, c.shipmentCount)
        .map((id, position) =>
          insert("shipments", { id, order_id: order.id, position, status: "PENDING" }),
        ),
      setAttempt(attempt, {
        status: "PAID",
        url: null,
        payment_ref: c.reported.paymentRef,
        session_id: c.reported.sessionId,
        holds: "[]",
        ...FORGOTTEN,
        check_at: nextCheck({ ...attempt, status: "PAID" }, c.now),
      }),
      setQuoteState(c.quote.id, {
        status: "PAID",
        order_id: order.id,
        paying_until: null,
        updated_at: c.now,
      }),
      ...consumeHolds({ holds, held }, attempt.id, s),
      customerPaid(c, attempt, s),
      ...(c.quote.agent_id
        ? [update("agents", { id: c.quote.agent_id }, { last_order_at: order.created_at })]
        : []),
    ],
  };
}

/** The shop's counter of orders; its value is the last number given. */
export const ORDER_NUMBER_SETTING = "order_number";

const FIRST_ORDER_NUMBER = 1001;

/** Counted in the order's own transaction: no number twice, and none left out. */
const nextNumber = ({ settings: [row] }: State): number =>
  row ? Number(row.value) + 1 : FIRST_ORDER_NUMBER;

/** created_at strictly increases per key, so that no page of the order list skips one (contract §5). */
function orderRow(c: Settle, attempt: AttemptRow, s: State): Omit<OrderRow, "number"> {
  const last = s.agents[0]?.last_order_at ?? 0;
  return {
    id: c.ids.order,
    quote_id: c.quote.id,
    agent_id: c.quote.agent_id,
    attempt_id: attempt.id,
    buyer_email: c.quote.buyer_email,
    status: "CONFIRMED",
    created_at: Math.max(c.now, last + 1),
    payment_status: "PAID",
    payment_method: c.reported.method ?? "card",
    payment_ref: c.reported.paymentRef ?? c.reported.sessionId,
    payment_mode: c.mode,
    amount_minor: c.quote.total_minor,
    refunded_minor: 0,
    paid_at: c.now,
    last_sequence: 0,
  };
}

const confirmed = (c: Settle, order: OrderRow): NewEvent[] => [
  {
    type: "order.confirmed",
    data: { quote_id: c.quote.id, quote_hash: c.quote.quote_hash, shipments: c.shipmentCount },
  },
  {
    type: "payment.verified",
    data: {
      amount_minor: order.amount_minor,
      currency: CURRENCY,
      method: order.payment_method,
      mode: order.payment_mode,
    },
  },
];

function customerPaid(c: Settle, attempt: AttemptRow, s: State) {
  const redeemed = c.firstOrder
    ? ({ courtesy: "REDEEMED", courtesy_attempt: attempt.id } as const)
    : {};
  const paid_orders = (s.customers[0]?.paid_orders ?? 0) + 1;
  return setCustomer(s, c.quote.customer, { paid_orders, ...redeemed });
}
