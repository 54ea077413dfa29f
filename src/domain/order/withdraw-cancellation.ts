import { type Rule, update } from "../shared/command.ts";
import { illegalStep, type MerchantError } from "../shared/errors.ts";
import { step } from "../shared/next-step.ts";
import type { CancelRequestRow, OrderRow } from "../shared/records.ts";
import { requestData } from "./cancel-request.ts";
import { cancelRequestView } from "./order.ts";
import { cancelRequestReads, type OrderAct, orderOf } from "./order-act.ts";
import type { CancelAnswer } from "./order-answer.ts";
import { logOrder } from "./order-log.ts";

/** The agent takes its request back while it is not decided; taking it back twice answers the same. */
export const withdrawCancellation: Rule<Omit<OrderAct, "by">, CancelAnswer> = {
  reads: cancelRequestReads,
  decide(c, s) {
    const order = orderOf(s);
    const request = s.cancel_requests
      .toSorted((a, b) => a.created_at - b.created_at || (a.id < b.id ? -1 : 1))
      .at(-1);
    if (request?.status === "WITHDRAWN") return { reply: requestWithdrawn(request), writes: [] };
    if (request?.status !== "REQUESTED") throw nothingToWithdraw(order, request);
    const withdrawn = { status: "WITHDRAWN", decided_at: c.now } as const;
    const happened = { type: "cancel_request.withdrawn", data: requestData(request) } as const;
    return {
      reply: requestWithdrawn({ ...request, ...withdrawn }),
      writes: [
        update("cancel_requests", { id: request.id }, withdrawn),
        ...logOrder(order, s.shipments, [happened], c),
      ],
    };
  },
};

export const requestWithdrawn = (row: CancelRequestRow): CancelAnswer => ({
  ...cancelRequestView({ ...row, status: "WITHDRAWN" }),
  policy_note: "The request is taken back: the order goes on.",
  next: [step("get_order", "Read the order as it is now.", row.order_id)],
});

function nothingToWithdraw(order: OrderRow, request: CancelRequestRow | undefined): MerchantError {
  const detail =
    request === undefined
      ? "No cancellation of this order was asked for."
      : `Cancel request ${request.id} is ${request.status}: it is decided, and cannot be taken back.`;
  return illegalStep(detail, step("get_order", "Read the order as it is now.", order.id));
}
