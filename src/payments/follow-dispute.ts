import { insert, update } from "../core/command.ts";
import { CURRENCY, display } from "../core/money.ts";
import type { EventType } from "../core/order-log.ts";
import type { DisputeRow } from "../core/records.ts";
import type { MoneyBack } from "./money-back.ts";
import type { ProviderDispute } from "./reported-checkout.ts";

/** A dispute of a payment, from the bank's question to its decision (contract §5). */

const DISPUTE = { open: "OPEN", won: "WON", lost: "LOST" } as const;

export function followDispute(back: MoneyBack, reported: ProviderDispute): void {
  const { amountMinor: amount_minor, reason } = reported;
  const status = DISPUTE[reported.status];
  const isOpen = status === "OPEN";
  const due_by = isOpen ? reported.dueBy : null;
  const known = back.disputes.find(({ id }) => id === reported.id);
  const isToldAgain = known?.status === status;
  if (isToldAgain && known.amount_minor === amount_minor && known.due_by === due_by) return;
  const closed_at = isToldAgain ? known.closed_at : isOpen ? null : back.now;
  const said = { status, amount_minor, due_by, closed_at };
  const amount = display(amount_minor);
  const data = { amount_minor, currency: CURRENCY, reason };
  const tell = (type: EventType, told: object) => {
    if (back.isOrders) back.events.push({ type, data: told });
  };
  if (known) {
    back.writes.push(update("disputes", { id: known.id }, said));
    back.disputes = back.disputes.map((row) => (row.id === known.id ? { ...row, ...said } : row));
  } else {
    const row: DisputeRow = {
      id: reported.id,
      attempt_id: back.attempt.id,
      order_id: back.order?.id ?? null,
      payment_ref: back.paymentRef,
      reason,
      created_at: reported.createdAt,
      ...said,
    };
    back.writes.push(insert("disputes", row));
    back.disputes.push(row);
  }
  // A bank may take its decision back: then there is a question to answer again.
  if (!known || (isOpen && !isToldAgain)) {
    tell("payment.disputed", data);
    back.incidents.push({
      kind: "DISPUTED",
      detail: `The buyer's bank disputes ${amount} (${reason}). Answer it at the provider.`,
    });
  }
  if (isOpen || isToldAgain) return;
  tell("payment.dispute_closed", { ...data, outcome: status });
  if (status === "LOST") {
    back.incidents.push({
      kind: "DISPUTE_LOST",
      detail: `The dispute of ${amount} is lost: the money is back with the buyer.`,
    });
  }
}
