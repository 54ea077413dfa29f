import { bagList } from "../core/bags.ts";
import { oneLine, testMoneyNotice } from "../core/letter.ts";
import { display } from "../core/money.ts";
import { merchantWords } from "../orders/cancel-order.ts";
import type { Order } from "../orders/order-answer.ts";
import { backAround } from "../payments/payment-answer.ts";
import type { OrderLetters } from "./shipment-letters.ts";

/**
 * What the buyer is told of canceling: what was decided, and what becomes of the money by then. What is
 * refunded has a letter of its own once it is on its way.
 */
export const CANCEL_LETTERS: OrderLetters = {
  CANCELED: (order, { reason, cancel_request_id, canceled_at }) => ({
    subject: "your order was canceled",
    blocks: [
      cancel_request_id === undefined
        ? "The shop canceled your order."
        : "Your order was canceled, as you asked.",
      theirWords(merchantWords(reason)),
      testMoneyNotice(order),
      whatGoesBack(order, canceled_at),
    ],
  }),

  /** Null where all of it was canceled before this letter left: that is told by another. */
  CANCELED_IN_PART: (order, { shipment_ids = [], reason, canceled_at }) =>
    order.status === "CANCELED"
      ? null
      : {
          subject: "a part of your order was canceled",
          blocks: [
            reason === undefined
              ? "The shop canceled what was asked for:"
              : "The shop canceled a part of your order:",
            order.shipments
              .filter(({ id }) => shipment_ids.includes(id))
              .map(({ address, items }) => `To ${oneLine(address.name)}: ${bagList(items)}`)
              .join("\n"),
            theirWords(merchantWords(reason)),
            order.status === "COMPLETED" ? null : "The rest of your order goes on.",
            testMoneyNotice(order),
            whatGoesBack(order, canceled_at),
          ],
        },

  /** Null where it was canceled after all before this letter left. */
  CANCEL_DECLINED: ({ status }, { decision }) =>
    status === "CANCELED"
      ? null
      : {
          subject: "your order goes on",
          blocks: [
            "The shop was asked to cancel, and declined that. Your order goes on.",
            theirWords(decision ?? null),
          ],
        },
};

const theirWords = (words: string | null): string | null =>
  words && `The shop wrote:\n> ${oneLine(words)}`;

function whatGoesBack({ payment }: Order, canceledAt = 0): string {
  const { amount_minor: paid, dispute } = payment;
  const { before, since } = backAround(payment, canceledAt);
  const earlier = before > 0 ? `, beside ${display(before)} before it` : "";
  if (before + since >= paid) return "Your money goes back the way you paid.";
  if (since > 0) {
    return `${display(since)} of your ${display(paid)} goes back or went back the way you paid${earlier}.`;
  }
  if (dispute?.status === "LOST") return "Your bank has returned the money to you.";
  return before > 0
    ? `Nothing has been refunded for this so far; ${display(before)} of your ${display(paid)} was refunded before it.`
    : "Nothing of your payment has been refunded so far.";
}
