import { z } from "zod";
import { insert, lock, type Rule, type State } from "../shared/command.ts";
import { MerchantError } from "../shared/errors.ts";
import { step } from "../shared/next-step.ts";
import { LIMITS } from "../shared/policy.ts";
import type { CancelRequestRow, OrderRow } from "../shared/records.ts";
import { noSecrets } from "../shared/secrets.ts";
import { prose } from "../shared/text-rules.ts";
import { cancelRequestView } from "./order.ts";
import type { CancelAnswer } from "./order-answer.ts";
import { logOrder } from "./order-log.ts";

/** An agent's wish to cancel an order; the merchant decides (contract §5). */
const REASONS = [
  "CHANGED_MIND",
  "WRONG_ITEM",
  "WRONG_ADDRESS",
  "DUPLICATE",
  "DELIVERY_TIME",
  "OTHER",
] as const;

export const CancelWish = z.strictObject({
  reason_code: z.enum(REASONS),
  message: prose("The message", LIMITS.cancel_message_characters, noSecrets)
    .optional()
    .describe("In the buyer's words. No secrets."),
});

export type CancelWish = z.infer<typeof CancelWish>;

const POLICY_NOTE =
  "This is a request: the merchant decides, and the order goes on until then. " +
  "The policy is no refunds; what the merchant does is read in the order and its events.";

export interface RequestCancellation {
  now: number;
  id: string;
  orderId: string;
  wish: CancelWish;
  eventIds: readonly string[];
}

export const requestCancellation: Rule<RequestCancellation, CancelAnswer> = {
  reads: (c) => [
    lock("orders", { id: c.orderId }),
    lock("shipments", { order_id: c.orderId }),
    lock("cancel_requests", { order_id: c.orderId }),
  ],
  decide(c, s) {
    const order = s.orders[0];
    if (!order) throw new Error(`no order ${c.orderId}`);
    refuseWish(order, s);
    const request: CancelRequestRow = {
      id: c.id,
      order_id: order.id,
      reason_code: c.wish.reason_code,
      message: c.wish.message ?? null,
      status: "REQUESTED",
      created_at: c.now,
      decided_at: null,
      decision: null,
    };
    const data = { cancel_request_id: request.id, reason_code: request.reason_code };
    return {
      reply: requestReceived(request),
      writes: [
        insert("cancel_requests", request),
        ...logOrder(order, s.shipments, [{ type: "cancel_request.received", data }], c),
      ],
    };
  },
};

/** The request as it was answered when it was made, whatever was decided since: also for retries. */
export const requestReceived = (row: CancelRequestRow): CancelAnswer => ({
  ...cancelRequestView({ ...row, status: "REQUESTED", decided_at: null, decision: null }),
  policy_note: POLICY_NOTE,
  next: [step("list_order_events", "The merchant's decision is an event.", row.order_id)],
});

/** Nothing is left to cancel once every shipment has gone; one request is open at a time. */
function refuseWish(order: OrderRow, s: State): void {
  const look = step("get_order", "Read the order as it is now.", order.id);
  if (["CANCELED", "COMPLETED", "SHIPPED"].includes(order.status)) {
    const why =
      order.status === "CANCELED"
        ? "it is canceled already"
        : "all of its shipments have left; coffee under way cannot be called back";
    const detail = `This order is ${order.status}: ${why}.`;
    throw new MerchantError("ILLEGAL_STEP", detail, { next: [look] });
  }
  const open = s.cancel_requests.find((row) => row.status === "REQUESTED");
  if (!open) return;
  throw new MerchantError(
    "CANCEL_REQUEST_OPEN",
    `Cancel request ${open.id} is open for this order. Wait for the merchant's decision.`,
    {
      problems: [{ pointer: "/order_id", code: "CANCEL_REQUEST_OPEN", detail: open.id }],
      next: [step("list_order_events", "The merchant's decision is an event.", order.id)],
    },
  );
}
