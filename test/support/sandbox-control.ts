/** What happens to payments at the emulated provider without us, and what goes wrong on the way. */
import { randomBytes } from "node:crypto";
import { sum } from "../../src/core/money.ts";
import type { ReportedCheckout } from "../../src/payments/reported-checkout.ts";
import type { Sandbox } from "../../src/payments/sandbox/sandbox.ts";
import {
  closeDispute,
  dispute,
  endRefund,
  refund,
  refundedMinor,
  type SessionRecord,
  type SessionTransition,
  settle,
} from "../../src/payments/sandbox/session.ts";
import type { Faults } from "./faults.ts";

/** What has gone back of a payment and arrived, by the provider's word. */
export const arrivedMinor = ({ refunds }: Pick<ReportedCheckout, "refunds">): number =>
  sum(refunds.map(({ status, amountMinor }) => (status === "succeeded" ? amountMinor : 0)));

export interface SandboxControl {
  /** Switched while the emulator runs; the object that it was started with. */
  faults: Faults;
  /** The buyer's bank takes the money back. False where nothing was paid. */
  dispute(sessionId: string): Promise<boolean>;
  /** The bank has decided on the open dispute. */
  closeDispute(sessionId: string, status: "won" | "lost"): Promise<boolean>;
  /** A refund made in the provider's dashboard, not by us; all that is left without an amount. */
  refundOutside(sessionId: string, amountMinor?: number): Promise<boolean>;
  /** The bank's word on the newest refund, also on one that had succeeded. */
  endRefund(sessionId: string, status: "succeeded" | "failed"): Promise<boolean>;
  /** Overwrites fields: another total, or how refunds go from now on. */
  alter(sessionId: string, fields: Partial<SessionRecord>): Promise<boolean>;
  /** Ends a bank debit's waiting; false where none is under way. */
  settleBankDebit(sessionId: string, ok: boolean): Promise<boolean>;
}

export function sandboxControl(sandbox: Sandbox, faults: Faults): SandboxControl {
  const { clock } = sandbox;
  async function move(
    id: string,
    step: (s: SessionRecord) => SessionTransition | null,
  ): Promise<boolean> {
    return (await sandbox.sessions.change(id, step))?.moved ?? false;
  }
  const ofPaid = (id: string, step: (s: SessionRecord) => SessionTransition | null) =>
    move(id, (s) => (s.payment === "paid" ? step(s) : null));
  const newId = (kind: string): string => `${kind}_${randomBytes(24).toString("hex")}`;

  return {
    faults,
    dispute: (id) =>
      ofPaid(id, (s) => {
        // Refunds that are still pending fail with it.
        const pending = s.refunds.filter(({ status }) => status === "pending");
        return pending.reduce(
          (step, { id: refundId }) => {
            const why = "charge_for_pending_refund_disputed";
            const ended = endRefund(step.next, refundId, "failed", why);
            return { next: ended.next, events: [...step.events, ...ended.events] };
          },
          dispute(s, newId("du"), clock()),
        );
      }),
    closeDispute: (id, status) =>
      ofPaid(id, (s) => {
        const open = s.disputes.find((d) => d.status === "needs_response");
        return open ? closeDispute(s, open.id, status) : null;
      }),
    refundOutside: (id, amountMinor) =>
      ofPaid(id, (s) => {
        const left = s.totalMinor - refundedMinor(s);
        const amount = amountMinor ?? left;
        if (amount < 1 || amount > left) return null;
        const at = { now: clock(), delayMs: 30_000 };
        return refund(s, { id: newId("re"), amountMinor: amount, metadata: {}, ...at });
      }),
    endRefund: (id, status) =>
      ofPaid(id, (s) => {
        const newest = s.refunds.at(-1);
        const can = newest && (newest.status === "pending" || newest.status !== status);
        return can && newest.status !== "failed" ? endRefund(s, newest.id, status) : null;
      }),
    alter: (id, fields) => move(id, (s) => ({ next: { ...s, ...fields }, events: [] })),
    settleBankDebit: (id, ok) =>
      move(id, (s) => (s.payment === "processing" ? settle(s, ok) : null)),
  };
}
