import type { Decision, State, Write } from "../shared/command.ts";
import type { AttemptRow, RefundRow } from "../shared/records.ts";
import type { AttemptCommand } from "./attempt.ts";
import type { ReportedCheckout } from "./reported-checkout.ts";

export interface Settle extends AttemptCommand {
  /** The quote carries the first-order courtesy. */
  firstOrder: boolean;
  shipmentCount: number;
  /** Where the money is: "live", "test" or "sandbox". */
  mode: string;
  reported: ReportedCheckout;
  /** Fresh ids; unused ones are dropped. */
  ids: {
    order: string;
    shipments: string[];
    events: string[];
    refund: string;
    incidents: string[];
  };
}

export interface SettleResult {
  orderId: string | null;
  /** The refund to make, now that its row is written. */
  refund: RefundRow | null;
  /** Live attempts of the same quote, which must not be paid any more. */
  expire: AttemptRow[];
}

/** Nothing is left to be done outside. */
export const settled = ({ orders }: State, writes: Write[] = []): Decision<SettleResult> => ({
  reply: { orderId: orders[0]?.id ?? null, refund: null, expire: [] },
  writes,
});
