import type { Shipment } from "../../domain/order/order-answer.ts";
import type { OutAddress } from "../../domain/quote/quote-answer.ts";
import type { OrderProgress, ProgressStep } from "../../domain/review/order-progress.ts";
import type {
  Correction,
  InvalidReason,
  OpenPage,
  PayableProblem,
  ReviewedOrder,
} from "../../domain/review/review.ts";
import type { CancelRequestRow, OrderRow, QuoteRow } from "../../domain/shared/records.ts";
import type { PaymentMode } from "./layout.ts";
import type { Line, Prices } from "./parts.ts";

/** What the page at `/review/{token}` shows. The same address lives on as the order's page. */
export interface ReviewView {
  mode: PaymentMode;
  /** Where buyers without an agent can write to. */
  supportEmail?: string | undefined;
  /** Where the form posts: this page's own path. */
  url: string;
  /** Who made it decides whom the buyer is told to turn to for a new one. */
  quote: Pick<QuoteRow, "agent_id" | "buyer_email" | "quote_hash" | "expires_at">;
  /** What the agent that made the quote calls itself; null for a buyer's own. */
  agentName: string | null;
  /** When it would arrive if it were paid now: two days, YYYY-MM-DD. */
  arrival: { earliest: string; latest: string };
  /** One per shipping address (contract §2), each with the shipments that go there. */
  destinations: DestinationView[];
  pricing: Prices;
  state: ReviewPageState;
  /** Since the buyer paid for the same bags: probably a second click, so say it. */
  minutesSinceSamePaid: number | null;
}

export interface DestinationView {
  subtotalMinor: number;
  /** 0 is shown as free, with the reason. */
  shippingMinor: number;
  shipments: ShipmentView[];
}

export interface ShipmentView {
  /** The agent's own name for who receives it. */
  recipient_ref?: string | undefined;
  address: OutAddress;
  items: Line[];
  /** Note i belongs to bag i, counted through the items in their order. */
  gift_notes: string[];
  /** Once it is ordered. */
  progress?: ShipmentProgress | undefined;
}

interface ShipmentProgress {
  status: string;
  tracking: Shipment["tracking"];
  steps: ProgressStep[];
  /** What the shop has set right since it was told. */
  corrections: Omit<Correction, "shipmentId">[];
}

export type ReviewPageState =
  /** Can be paid now; `open`: on a payment page that is open already. */
  | { kind: "payable"; problem: PayableProblem | null; open: OpenPage | null }
  /** Can be paid, but the payment provider did not answer just now. Nothing was charged. */
  | { kind: "provider_down" }
  /** Somebody else has begun to pay for the bags, or with the courtesy; nothing is lost by waiting. */
  | { kind: "held"; what: "COURTESY" | "BAGS"; until: number; fullPriceMinor: number | null }
  /** More of one bean than can be kept for somebody who has not paid. */
  | { kind: "too_many"; name: string; most: number }
  /** Back from the payment page, the provider has not confirmed yet: a matter of moments. */
  | { kind: "confirming" }
  /** Paid by a method that settles in days, such as a bank debit. */
  | { kind: "processing" }
  | { kind: "paid"; order: OrderView }
  | { kind: "expired" }
  | { kind: "invalidated"; reason: InvalidReason }
  /** Short of a waitlist bean: priced for information, cannot be paid. */
  | { kind: "waitlist"; shortBeans: { name: string; wanted: number }[] };

/** What was paid and what went back, where its shipments are, and who canceled it. */
export interface OrderView extends OrderProgress, Pick<ReviewedOrder, "payment" | "canceled"> {
  order: Pick<OrderRow, "id" | "number">;
  estimatedDelivery: { earliest: string; latest: string };
  cancelRequest?: Pick<CancelRequestRow, "status" | "decision"> | undefined;
}
