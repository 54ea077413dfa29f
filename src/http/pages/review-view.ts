import type { Catalog } from "../../domain/catalog/catalog.ts";
import type { PaymentObstacle } from "../../domain/payment/refusal.ts";
import type { Review } from "../../domain/review/review.ts";
import type { QuoteRow } from "../../domain/shared/records.ts";
import type { PaymentMode } from "./layout.ts";

/** What the page at `/review/{token}` shows. The same address lives on as the order's page. */
export interface ReviewView extends Omit<Review, "quote" | "state" | "revoked"> {
  /** Who made it decides whom the buyer is told to turn to for a new one. */
  quote: Pick<QuoteRow, "agent_id" | "buyer_email" | "quote_hash" | "expires_at">;
  /** What the buyer met who has just pressed pay. */
  notNow?: PaymentObstacle | undefined;
  /** This page's own path. */
  url: string;
  catalog: Catalog;
  mode: PaymentMode;
  /** Where buyers without an agent can write to. */
  supportEmail?: string | undefined;
}
