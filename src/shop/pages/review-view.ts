import type { Catalog } from "../../catalog/catalog.ts";
import type { QuoteRow } from "../../core/records.ts";
import type { Pause, Shop } from "../../core/shop.ts";
import type { Review } from "../../orders/review-verbs.ts";
import type { PaymentObstacle } from "../../quotes/standing.ts";
import type { FieldProblem } from "../../web/form-parts.ts";
import type { PaymentMode } from "../../web/layout.ts";

/** The page at `/review/{token}`, before payment and after it. */
export interface ReviewView extends Omit<Review, "quote" | "state"> {
  /** `agent_id` decides whom the buyer can ask for a new quote. */
  quote: Pick<QuoteRow, "agent_id" | "buyer_email" | "quote_hash" | "expires_at">;
  /** The buyer was led here from an older version of this order. */
  isFromOlder?: boolean | undefined;
  /** Why the press of pay that led here opened no payment page. */
  obstacle?: PaymentObstacle | undefined;
  /** Address where a buyer without an agent changes details and bags before paying. */
  change?: string | undefined;
  /** Why the request to cancel, or to withdraw one, was refused. */
  refusedForm?: RefusedCancelForm | undefined;
  /** This page's own path. */
  url: string;
  catalog: Catalog;
  shop: Shop;
  mode: PaymentMode;
  /** This shop sends emails. */
  mailing?: boolean;
  /** The running break, in which nothing can be paid. */
  pause?: Pause | null;
  /** Whether the quote outlasts the break, in words. */
  afterBreak?: string | undefined;
  /** Address for questions. */
  supportEmail?: string | undefined;
}

/** The cancellation form as its buyer sent it. */
export interface CancelForm {
  shipments: readonly string[];
  reason: string;
  message: string;
}

export interface RefusedCancelForm {
  problems: readonly FieldProblem[];
  sent?: CancelForm | undefined;
}
