import { refundDone, refundFailed } from "../domain/payment/refund.ts";
import type { RefundRow } from "../domain/shared/records.ts";
import { ProviderRejected } from "../payments/provider.ts";
import type { Context } from "./context.ts";
import { newId } from "./ids.ts";

/** The provider forgets idempotency keys after a day; from then on a repeat would pay out again. */
const KEY_LIFE_MS = 20 * 3_600_000;

/** What a refund ends as that was taken and then came to nothing. */
const CAME_TO_NOTHING = new Set(["failed", "canceled"]);

/**
 * Money on its way back (contract §5): the row is written first and its id is the provider's
 * idempotency key, so that a refund whose answer was lost is not made twice.
 */
export function refundVerbs({ store, clock, provider, log }: Context) {
  /** Throws where nothing is known and it is to be tried again. */
  async function make(refund: RefundRow): Promise<"DONE" | "FAILED"> {
    if (clock() - refund.created_at > KEY_LIFE_MS && (await isBack(refund))) return "DONE";
    try {
      const { status } = await provider.refund(refund.payment_ref, {
        idempotencyKey: refund.id,
        // What must not be kept goes back whole, whatever currency it came in.
        ...(refund.reason === "SELLER" && { amountMinor: refund.amount_minor }),
      });
      return CAME_TO_NOTHING.has(status) ? "FAILED" : "DONE";
    } catch (error) {
      if (!(error instanceof ProviderRejected)) throw error;
      log.error({ refund: refund.id, code: error.code }, "the provider refused a refund");
      return error.code === "charge_already_refunded" ? "DONE" : "FAILED";
    }
  }

  async function isBack(refund: RefundRow): Promise<boolean> {
    const state = await provider.findByPayment(refund.payment_ref);
    return state !== null && state.refundedMinor >= refund.amount_minor;
  }

  /** Sends the money back and notes that. Throws where it is to be tried again later. */
  return async function sendBack(refund: RefundRow): Promise<void> {
    const made = await make(refund);
    const now = clock();
    if (made === "DONE") {
      await store.run(refundDone, { now, refund, eventId: newId("evt", now) });
      return;
    }
    const incident = {
      id: newId("inc", now),
      kind: "REFUND_FAILED",
      subject: refund.order_id ?? refund.attempt_id,
      detail: `The provider will not send back payment ${refund.payment_ref}. Refund it by hand.`,
      created_at: now,
    };
    await store.run(refundFailed, { refund, incident });
  };
}
