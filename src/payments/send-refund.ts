import { newIds } from "../core/ids.ts";
import type { RefundRow } from "../core/records.ts";
import { type Context, ProviderRejected, ProviderUnavailable, RefundRefused } from "./provider.ts";
import { noteRefundSent, type RefundOutcome, recordRefundOutcome } from "./refund-outcome.ts";

/**
 * Requests refunds from the provider (contract §5). The row is written first, and its id is in the refund and
 * in the idempotency key. A refund that was sent before is looked up first: a process may have made it and
 * died, and the provider may have forgotten the key. After a failure at the provider the request is repeated
 * under a new key.
 */
export function refundSender({ store, clock, provider, log }: Context) {
  const made = async (refund: RefundRow): Promise<RefundOutcome | null> => {
    const known = await provider.listRefunds(refund.payment_ref);
    const ours = known.find(({ refundId }) => refundId === refund.id);
    return ours ? { kind: "made", refund: ours } : null;
  };

  async function ask(refund: RefundRow): Promise<RefundOutcome> {
    const before = refund.sent_at === null ? null : await made(refund);
    if (before) return before;
    const { id, key_number } = refund;
    try {
      const answer = await provider.refund(refund.payment_ref, {
        idempotencyKey: key_number === 1 ? id : `${id}:${key_number}`,
        refundId: id,
        // A full refund names no amount, whatever its currency.
        ...(refund.reason === "MERCHANT" && { amountMinor: refund.amount_minor }),
      });
      return { kind: "made", refund: answer };
    } catch (error) {
      if (!(error instanceof ProviderRejected)) throw error;
      log.error({ refund: id, code: error.code }, "the provider refused a refund");
      return refused(refund, error);
    }
  }

  async function refused(refund: RefundRow, error: ProviderRejected): Promise<RefundOutcome> {
    const why = error instanceof RefundRefused ? error.why : "OTHER";
    // The provider repeats its answer to the same key for a day.
    if (why === "BALANCE" || why === "DISPUTED") return { kind: "later", why, newKey: true };
    if (why !== "NOTHING_LEFT") return { kind: "refused", why: error.code ?? "refused" };
    return (await made(refund)) ?? { kind: "unneeded", why: "already_refunded" };
  }

  /** Sends the refund and records the outcome. Throws if that is unknown. */
  return async function sendRefund(known: RefundRow): Promise<void> {
    const refund = await store.run(noteRefundSent, { now: clock(), refund: known });
    if (!refund) return;
    const record = async (answer: RefundOutcome) => {
      const now = clock();
      const ids = { events: newIds("evt", now, 1), incidents: newIds("inc", now, 1) };
      await store.run(recordRefundOutcome, { now, refund, answer, ids });
    };
    try {
      await record(await ask(refund));
    } catch (error) {
      if (!(error instanceof ProviderUnavailable)) throw error;
      const why = error.failedThere ? "FAILED_THERE" : "NO_ANSWER";
      await record({ kind: "later", why, newKey: error.failedThere });
      throw error;
    }
  };
}
