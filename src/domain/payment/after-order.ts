import { appendEvents, type EventType } from "../order/order.ts";
import { type Decision, insert, type State, update, type Write } from "../shared/command.ts";
import type { OrderRow } from "../shared/records.ts";
import { incident, nothing, type Settle, type Settled } from "./checkout-status.ts";

/** After the order: refunds and disputes, by the provider's word only (contract §5). */
export function followOrder(c: Settle, order: OrderRow, s: State): Decision<Settled> {
  const { refundedMinor, disputed } = c.word;
  const happened: { type: EventType; data: unknown }[] = [];
  const set: Partial<OrderRow> = {};
  const incidents: Write[] = [];
  // "disputed" is said of a payment for good, also after its money has gone back.
  if (disputed && order.payment_status === "PAID") {
    set.payment_status = "DISPUTED";
    happened.push({ type: "payment.disputed", data: { amount_minor: order.amount_minor } });
    incidents.push(incident(c, "DISPUTED", order.id, "The buyer disputes this payment."));
  }
  if (refundedMinor > order.refunded_minor) {
    const amount_minor = refundedMinor - order.refunded_minor;
    const ours = s.refunds
      .filter((refund) => refund.attempt_id === order.attempt_id && refund.status !== "FAILED")
      .reduce((minor, refund) => minor + refund.amount_minor, 0);
    set.refunded_minor = refundedMinor;
    if (refundedMinor >= order.amount_minor) set.payment_status = "REFUNDED";
    const data = { amount_minor, refunded_minor: refundedMinor, currency: "usd" };
    happened.push({ type: "payment.refunded", data: { ...data, reason: "ORDER" } });
    if (refundedMinor > ours && incidents.length === 0) {
      incidents.push(incident(c, "REFUNDED_OUTSIDE", order.id, "Refunded at the provider itself."));
    }
  }
  if (happened.length === 0) return nothing(order);
  const entries = happened.map((h, i) => ({ ...h, id: c.ids.events[i]!, status: order.status }));
  const log = appendEvents(order, entries, c.now);
  return {
    reply: { orderId: order.id, refund: null, expire: [] },
    writes: [
      update("orders", { id: order.id }, { ...set, last_sequence: log.last_sequence }),
      ...log.rows.map((row) => insert("events", row)),
      ...incidents,
    ],
  };
}
