import { unknownTo } from "../core/errors.ts";
import { inSequence, type LogEntry } from "../core/order-log.ts";
import type { AttemptRow, ShipmentStatus } from "../core/records.ts";
import type { Context } from "../payments/provider.ts";
import { orderOfCheckout } from "../quotes/cart-session-verbs.ts";
import { isReleaseReason } from "../quotes/standing.ts";
import { standingViews } from "./found-orders.ts";
import type { OpenOrder, Order, Shipment } from "./order-answer.ts";
import { openOrder } from "./order-view.ts";
import { standingSteps } from "./shipment-steps.ts";
import type { OrderParts } from "./standing.ts";

/** The order of a checkout, for whoever knows the checkout's id (contract §20). */
export interface SessionOrder extends OpenOrder, Pick<Order, "pricing"> {
  /** Id of the checkout, or the one that its cart makes. */
  token: string;
  /** Steps of its shipment that stand, oldest first: it goes to one address. */
  steps: readonly OrderStep[];
  /** What changed after the sale, oldest first. */
  changes: readonly OrderChange[];
}

interface OrderStep {
  id: string;
  at: number;
  to: ShipmentStatus;
  tracking: Shipment["tracking"];
}

export interface OrderChange {
  id: string;
  /**
   * SECOND_PAYMENT: another payment for the same order, which went back in full. RELEASED_PAYMENT: one that
   * was authorized and never charged.
   */
  kind:
    | "CANCEL_REQUEST"
    | "CANCELLATION"
    | "REFUND"
    | "SECOND_PAYMENT"
    | "RELEASED_PAYMENT"
    | "DISPUTE";
  at: number;
  status: "PENDING" | "DONE" | "FAILED";
  /** Money that goes back to the buyer; null for a change without money. */
  backMinor: number | null;
}

export function sessionOrder(context: Context) {
  const { queries } = context.store;
  /** Throws NOT_FOUND before payment, and for a token that was not made here. */
  return async (token: string): Promise<SessionOrder> => {
    const paid = await orderOfCheckout(queries, token);
    const order = paid && (await queries.order(paid.orderId));
    if (!order) throw unknownTo("order");
    const [[found], events, attempts] = await Promise.all([
      standingViews(context, [order]),
      queries.eventsOfOrders([order.id]),
      queries.attemptsOfQuotes([order.quote_id]),
    ]);
    const { view, parts } = found!;
    const log = inSequence(events);
    return {
      token: paid.token,
      pricing: view.pricing,
      ...openOrder(view),
      steps: stepsIn(log, view.shipments[0]!),
      changes: changesOf(parts, attempts, log),
    };
  };
}

/** The shipment has its current label. One with which it came back is only in the log. */
function stepsIn(log: readonly LogEntry[], { id, tracking }: Shipment): OrderStep[] {
  const steps = standingSteps(log, id);
  const left = steps.findLastIndex(({ to }) => to === "SHIPPED");
  return steps.map(({ eventId, to, at }, i) => {
    const logged = log.find((entry) => entry.id === eventId)!;
    const before = JSON.parse(logged.data) as { tracking?: Shipment["tracking"] };
    return { id: eventId, to, at, tracking: i >= left ? tracking : (before.tracking ?? null) };
  });
}

const REFUNDED = {
  PENDING: "PENDING",
  DONE: "DONE",
  FAILED: "FAILED",
  CANCELED: "FAILED",
} as const;

/** A dispute that the shop wins returns nothing. */
const DISPUTED = { OPEN: "PENDING", LOST: "DONE", WON: "FAILED" } as const;

export function changesOf(
  {
    refunds,
    disputes,
    cancelRequests,
  }: Pick<OrderParts, "refunds" | "disputes" | "cancelRequests">,
  attempts: readonly Pick<AttemptRow, "id" | "status" | "outcome" | "created_at">[],
  log: readonly LogEntry[],
): OrderChange[] {
  const isReleased = ({ id, status, outcome }: (typeof attempts)[number]) =>
    status === "ENDED" &&
    isReleaseReason(outcome) &&
    !refunds.some(({ attempt_id }) => attempt_id === id);
  const done = { status: "DONE", backMinor: null } as const;
  const changes: OrderChange[] = [
    ...cancelRequests
      .filter(({ status }) => status === "REQUESTED" || status === "DECLINED")
      .map(({ id, created_at: at, status }) => ({
        ...{ id, at, kind: "CANCEL_REQUEST" as const, backMinor: null },
        status: status === "REQUESTED" ? ("PENDING" as const) : ("FAILED" as const),
      })),
    ...log
      .filter(({ type }) => type === "order.canceled")
      .map(({ id, occurred_at: at }) => ({ id, at, kind: "CANCELLATION" as const, ...done })),
    ...refunds.map(({ id, created_at: at, status, reason, amount_minor: backMinor }) => {
      const kind = reason === "PAID_TWICE" ? ("SECOND_PAYMENT" as const) : ("REFUND" as const);
      return { id, at, kind, status: REFUNDED[status], backMinor };
    }),
    ...attempts
      .filter(isReleased)
      .map(({ id, created_at: at }) => ({ id, at, kind: "RELEASED_PAYMENT" as const, ...done })),
    ...disputes.map(({ id, created_at: at, status, amount_minor: backMinor }) => {
      return { id, at, kind: "DISPUTE" as const, status: DISPUTED[status], backMinor };
    }),
  ];
  return changes.sort((a, b) => a.at - b.at);
}
