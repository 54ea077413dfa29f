import type { OrderStatus, ShipmentStatus } from "../core/records.ts";
import { days } from "../core/time.ts";
import type { CancelRequest } from "./order-answer.ts";
import { doubtsAbout } from "./order-steps.ts";
import type { OrderReason, OrderStanding } from "./standing.ts";

/** Good news, work to do, trouble, or over. */
export type Tone = "good" | "waiting" | "trouble" | "over";

export interface StatusWord {
  text: string;
  tone: Tone;
}

const PLACES: Record<OrderReason, readonly [text: string, tone: Tone]> = {
  ORDERED: ["To roast", "waiting"],
  ROASTING: ["Roasting", "waiting"],
  PARTLY_ON_ITS_WAY: ["Partly shipped", "waiting"],
  ON_ITS_WAY: ["Shipped", "good"],
  OUT_FOR_DELIVERY: ["Out for delivery", "good"],
  PARTLY_DELIVERED: ["Partly delivered", "good"],
  DELIVERED: ["Delivered", "good"],
  DELIVERY_FAILED: ["Delivery failed", "trouble"],
  PARTLY_RETURNED: ["Partly returned", "over"],
  RETURNED: ["Returned", "over"],
  CANCELED: ["Canceled", "over"],
};

interface OrderFacts {
  standing: OrderStanding;
  cancel_request?: Pick<CancelRequest, "status"> | undefined;
  refunding_minor: number;
}

/** The status of an order in every list: where the coffee is, then what happened to its money. */
export function statusWords(order: OrderFacts): StatusWord[] {
  const { standing, cancel_request: request, refunding_minor } = order;
  const { reason, lateness, money, canceled, isReturnUndecided } = standing;
  const [text, tone] = PLACES[reason];
  const words: StatusWord[] = [{ text, tone: isReturnUndecided ? "trouble" : tone }];
  const add = (when: boolean, text: string, tone: Tone) => {
    if (when) words.push({ text, tone });
  };
  add(canceled === "PARTLY", "Partly canceled", "over");
  const doubts = doubtsAbout(money.state, request?.status);
  add(doubts.includes("CANCEL_REQUESTED"), "Asks to cancel", "trouble");
  add(money.dispute === "LOST", "Dispute lost", "trouble");
  add(money.dispute !== "LOST" && money.state === "DISPUTED", "Disputed", "trouble");
  add(money.state === "REFUNDED", "Refunded", "over");
  add(money.state !== "REFUNDED" && money.refundedMinor > 0, "Partly refunded", "over");
  add(refunding_minor > 0, "Refund pending", "waiting");
  add(money.owedMinor > 0, "Refund failed", "trouble");
  if (lateness?.isAtShop) add(true, `${days(lateness.days)} late`, "trouble");
  return words;
}

/** Word for a status alone, without the reason and money of its order. */
export const statusText = (status: string): string => TEXTS[status as keyof typeof TEXTS] ?? status;

const TEXTS: Record<ShipmentStatus | OrderStatus | "PAID", string> = {
  PAID: "Paid",
  PENDING: PLACES.ORDERED[0],
  CONFIRMED: PLACES.ORDERED[0],
  ROASTING: PLACES.ROASTING[0],
  PARTIALLY_SHIPPED: PLACES.PARTLY_ON_ITS_WAY[0],
  SHIPPED: "Shipped",
  IN_TRANSIT: "In transit",
  OUT_FOR_DELIVERY: PLACES.OUT_FOR_DELIVERY[0],
  DELIVERED: PLACES.DELIVERED[0],
  FAILED: PLACES.DELIVERY_FAILED[0],
  RETURNED: PLACES.RETURNED[0],
  COMPLETED: "Completed",
  CANCELED: PLACES.CANCELED[0],
};

/** `SQLITE_BUSY` → `Sqlite busy`, for codes without their own word. */
export function humanStatus(status: string): string {
  const words = status.toLowerCase().replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Tone of one status of a shipment, refund, dispute, waitlist entry or cancel request. */
export const toneOf = (status: string): Tone => TONES[status] ?? "waiting";

const TONES: Record<string, Tone> = {
  SHIPPED: "good",
  IN_TRANSIT: "good",
  OUT_FOR_DELIVERY: "good",
  DELIVERED: "good",
  DONE: "good",
  WON: "good",
  FAILED: "trouble",
  RETURNED: "trouble",
  LOST: "trouble",
  OPEN: "trouble",
  CANCELED: "over",
  REVOKED: "over",
};
