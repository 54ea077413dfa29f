import { unknownTo } from "../core/errors.ts";
import type { ShipmentId } from "../core/ids.ts";
import { inSequence, type LogEntry } from "../core/order-log.ts";
import type { AttemptRow, ShipmentStatus } from "../core/records.ts";
import type { Context } from "../payments/provider.ts";
import { orderOfCheckout } from "../quotes/cart-session-verbs.ts";
import type { Item } from "../quotes/quote-answer.ts";
import { isReleaseReason } from "../quotes/standing.ts";
import { standingViews } from "./found-orders.ts";
import type { Order, Shipment } from "./order-answer.ts";
import { standingSteps } from "./shipment-steps.ts";
import { hasLeft, type OrderParts } from "./standing.ts";

/**
 * The order of a session, for whoever knows the session's token (contract §20). It repeats nothing that the
 * buyer typed. Sessions sell to one address, so there is one shipment.
 */
export interface SessionOrder extends Pick<Order, "pricing" | "estimated_delivery"> {
  /** Id of the checkout, or the one that its cart makes. */
  token: string;
  number: string;
  items: readonly Item[];
  isCanceled: boolean;
  /** It left the shop and has not come back. */
  isFulfilled: boolean;
  /** Steps of its shipment that stand, oldest first. */
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
  kind: "CANCELLATION" | "REFUND" | "SECOND_PAYMENT" | "RELEASED_PAYMENT" | "DISPUTE";
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
    const [shipment] = view.shipments;
    const { id, items, status, tracking } = shipment!;
    const log = inSequence(events);
    return {
      token: paid.token,
      number: String(order.number),
      items,
      pricing: view.pricing,
      estimated_delivery: view.estimated_delivery,
      isCanceled: status === "CANCELED",
      isFulfilled: hasLeft({ status: status as ShipmentStatus }) && status !== "RETURNED",
      steps: stepsIn(log, id, tracking),
      changes: changesOf(parts, attempts, log),
    };
  };
}

/** `tracking`: the shipment's current label. A label with which it came back is only in the log. */
function stepsIn(
  log: readonly LogEntry[],
  shipmentId: ShipmentId,
  tracking: Shipment["tracking"],
): OrderStep[] {
  const steps = standingSteps(log, shipmentId);
  const left = steps.findLastIndex(({ to }) => to === "SHIPPED");
  return steps.map(({ eventId: id, to, at }, i) => {
    const logged = log.find((entry) => entry.id === id)!;
    const before = JSON.parse(logged.data) as { tracking?: Shipment["tracking"] };
    return { id, to, at, tracking: i >= left ? tracking : (before.tracking ?? null) };
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
  { refunds, disputes }: Pick<OrderParts, "refunds" | "disputes">,
  attempts: readonly Pick<AttemptRow, "id" | "status" | "outcome" | "created_at">[],
  log: readonly LogEntry[],
): OrderChange[] {
  const cancellations = log.filter(({ type }) => type === "order.canceled");
  const isReleased = ({ id, status, outcome }: (typeof attempts)[number]) =>
    status === "ENDED" &&
    isReleaseReason(outcome) &&
    !refunds.some(({ attempt_id }) => attempt_id === id);
  const changes: OrderChange[] = [
    ...cancellations.map(({ id, occurred_at: at }) => ({
      id,
      kind: "CANCELLATION" as const,
      at,
      status: "DONE" as const,
      backMinor: null,
    })),
    ...refunds.map(({ id, created_at, status, reason, amount_minor }) => ({
      id,
      kind: reason === "PAID_TWICE" ? ("SECOND_PAYMENT" as const) : ("REFUND" as const),
      at: created_at,
      status: REFUNDED[status],
      backMinor: amount_minor,
    })),
    ...attempts.filter(isReleased).map(({ id, created_at }) => ({
      id,
      kind: "RELEASED_PAYMENT" as const,
      at: created_at,
      status: "DONE" as const,
      backMinor: null,
    })),
    ...disputes.map(({ id, created_at, status, amount_minor }) => ({
      id,
      kind: "DISPUTE" as const,
      at: created_at,
      status: DISPUTED[status],
      backMinor: amount_minor,
    })),
  ];
  return changes.sort((a, b) => a.at - b.at);
}
