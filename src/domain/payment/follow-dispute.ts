import { insert, update } from "../shared/command.ts";
import { CURRENCY, display } from "../shared/money.ts";
import type { DisputeRow } from "../shared/records.ts";
import type { MoneyBack } from "./money-back.ts";
import type { ProviderDispute } from "./reported-checkout.ts";

/** A dispute of a payment, from the bank's question to its decision (contract §5). */

const DISPUTE = { open: "OPEN", won: "WON", lost: "LOST" } as const;

export function followDispute(back: MoneyBack, reported: ProviderDispute): void {
  const status = DISPUTE[reported.status];
  const amount = display(reported.amountMinor);
  const data = { amount_minor: reported.amountMinor, currency: CURRENCY, reason: reported.reason };
  const known = back.disputes.find(({ id }) => id === reported.id);
  if (known?.status === status) return;
  const said = {
    status,
    amount_minor: reported.amountMinor,
    due_by: status === "OPEN" ? reported.dueBy : null,
    closed_at: status === "OPEN" ? null : back.now,
  };
  if (known) {
    back.writes.push(update("disputes", { id: known.id }, said));
    back.disputes = back.disputes.map((row) => (row.id === known.id ? { ...row, ...said } : row));
  } else {
    const row: DisputeRow = {
      id: reported.id,
      attempt_id: back.attemptId,
      order_id: back.order?.id ?? null,
      payment_ref: back.paymentRef,
      reason: reported.reason,
      created_at: reported.createdAt,
      ...said,
    };
    back.writes.push(insert("disputes", row));
    back.disputes.push(row);
    back.events.push({ type: "payment.disputed", data });
    back.incidents.push({
      kind: "DISPUTED",
      detail: `The buyer's bank disputes ${amount} (${reported.reason}). Answer it at the provider.`,
    });
  }
  if (status === "OPEN") return;
  back.events.push({ type: "payment.dispute_closed", data: { ...data, outcome: status } });
  if (status === "LOST") {
    back.incidents.push({
      kind: "DISPUTE_LOST",
      detail: `The dispute of ${amount} is lost: the money is back with the buyer.`,
    });
  }
}
