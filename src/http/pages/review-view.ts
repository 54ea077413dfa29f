import type { Payment } from "../../domain/payment/payment-answer.ts";
import type { Headline, MoneyState } from "../../domain/review/order-progress.ts";
import type {
  Correction,
  InvalidReason,
  OpenPage,
  PayableProblem,
} from "../../domain/review/review.ts";
import type { AddressView, LineView, PricingView, SaleFrame } from "./views.ts";

/** What the page at `/review/{token}` shows. The same address lives on as the order's page. */
export interface ReviewView extends SaleFrame {
  /** Where the form posts: this page's own path. */
  url: string;
  /** Who made the quote. Decides whom the buyer is told to turn to for a new one. */
  origin: "AGENT" | "QUICK_CHECKOUT";
  buyerEmail: string;
  /** What the agent that made the quote calls itself; null for a buyer's own. */
  agentName: string | null;
  /** When it would arrive if it were paid now: two days, YYYY-MM-DD. */
  arrival: { earliest: string; latest: string };
  /** In full, `sha256:…`; the page shows its beginning. */
  quoteHash: string;
  expiresAt: string;
  /** One per shipping address (contract §2), each with the shipments that go there. */
  destinations: DestinationView[];
  pricing: PricingView;
  state: ReviewPageState;
  /** The buyer paid for the same bags a short while ago: probably a second click, so say it. */
  paidRecently?: { minutesAgo: number; orderId?: string | undefined } | undefined;
}

export interface DestinationView {
  subtotalMinor: number;
  /** 0 is shown as free, with the reason. */
  shippingMinor: number;
  shipments: ShipmentView[];
}

export interface ShipmentView {
  /** The agent's own name for who receives it. */
  recipientRef?: string | undefined;
  address: AddressView;
  lines: LineView[];
  /** Note i belongs to bag i, counted through the lines in their order. */
  giftNotes: string[];
  /** Once it is ordered. */
  progress?:
    | {
        status: string;
        tracking?: TrackingView | null | undefined;
        steps: StepView[];
        corrections: CorrectionView[];
      }
    | undefined;
}

/** What the shop has set right since it was told. */
export interface CorrectionView {
  kind: Correction["kind"];
  was: string | null;
  /** ISO 8601. */
  at: string;
}

export interface StepView {
  name: string;
  state: "done" | "now" | "ahead";
  /** ISO 8601, where the moment is known. */
  at: string | null;
}

export interface TrackingView {
  carrier: string;
  number: string;
  /** Shown as a link where it is an http(s) address, and left out otherwise. */
  url?: string | null | undefined;
}

export type ReviewPageState =
  /** Can be paid now; `open`: on a payment page that is open already. */
  | { kind: "payable"; problem: PayableProblem | null; open: OpenPage | null }
  /** Can be paid, but the payment provider did not answer just now. Nothing was charged. */
  | { kind: "provider_down" }
  /** Somebody else has begun to pay for the bags, or with the courtesy; nothing is lost by waiting. */
  | { kind: "held"; what: "COURTESY" | "BAGS"; until: string; fullPriceMinor: number | null }
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
  | { kind: "waitlist"; shortBeans: ShortBeanView[] };

export interface ShortBeanView {
  name: string;
  wanted: number;
}

export interface OrderView {
  orderId: string;
  /** What people call it; null on an order that an older version made. */
  number: number | null;
  /** What was paid, what went back of it and how each refund stands, and whether it is disputed. */
  payment: Payment;
  /** Where its shipments are, and what became of the money (domain/review/order-progress.ts). */
  headline: Headline;
  money: MoneyState;
  /** Something is still to arrive. */
  underWay: boolean;
  partlyCanceled: boolean;
  estimatedDelivery: { earliest: string; latest: string };
  /** Where the whole order was canceled: at whose wish, and what the shop wrote. */
  canceled?: { byBuyer: boolean; reason: string | null } | undefined;
  /** REQUESTED, ACCEPTED or DECLINED, where the buyer asked for a cancellation. */
  cancelRequest?: { status: string; decision: string | null } | undefined;
}
