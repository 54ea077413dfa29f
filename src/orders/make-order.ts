import { insert, lock, type State, setSetting, update } from "../core/command.ts";
import { CURRENCY } from "../core/money.ts";
import { appendEvents, type NewEvent } from "../core/order-log.ts";
import type { AttemptRow, OrderRow } from "../core/records.ts";
import type { Settle } from "../payments/attempt.ts";
import type { OrderMaker } from "../payments/settle.ts";

/** The shop's order counter. Its value is the last assigned number. */
const ORDER_NUMBER_SETTING = "order_number";

const FIRST_ORDER_NUMBER = 1001;

/** Order, shipments and log of a captured payment. */
export const orderMaker: OrderMaker = {
  reads: ({ quote }) => [
    lock("settings", { name: ORDER_NUMBER_SETTING }),
    ...(quote.agent_id ? [lock("agents", { id: quote.agent_id })] : []),
  ],
  make(c, attempt, s) {
    const number = nextNumber(s);
    const placed = { ...orderRow(c, attempt, s), number };
    const log = appendEvents(placed, confirmed(c, placed), { now: c.now, eventIds: c.ids.events });
    const order = { ...placed, last_sequence: log.last_sequence };
    const { agent_id } = c.quote;
    return {
      order,
      writes: [
        insert("orders", order),
        setSetting(s, ORDER_NUMBER_SETTING, String(number)),
        ...log.writes,
        ...c.ids.shipments
          .slice(0, c.shipmentCount)
          .map((id, position) =>
            insert("shipments", { id, order_id: order.id, position, status: "PENDING" }),
          ),
        ...(agent_id
          ? [update("agents", { id: agent_id }, { last_order_at: order.created_at })]
          : []),
      ],
    };
  },
};

/** Assigned in the order's own transaction, so numbers neither repeat nor skip. */
const nextNumber = ({ settings: [row] }: State): number =>
  row ? Number(row.value) + 1 : FIRST_ORDER_NUMBER;

/** created_at strictly increases per key, so that pages of the order list skip none (contract §5). */
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
