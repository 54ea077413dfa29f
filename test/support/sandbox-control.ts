/** Changes payments in the sandbox from outside: disputes, refunds in the dashboard, bank decisions. */
import { randomBytes } from "node:crypto";
import { sum } from "../../src/core/money.ts";
import type { ReportedCheckout } from "../../src/payments/reported-checkout.ts";
import type { Sandbox } from "../../src/payments/sandbox/sandbox.ts";
import {
  capture,
  closeDispute,
  dispute,
  endRefund,
  leftMinor,
  refund,
  release,
  type SessionRecord,
  type SessionTransition,
  settle,
} from "../../src/payments/sandbox/session.ts";
import type { Faults } from "./faults.ts";

/** Refunded amount that has arrived, in minor units. */
export const arrivedMinor = ({ refunds }: Pick<ReportedCheckout, "refunds">): number =>
  sum(refunds.map(({ status, amountMinor }) => (status === "succeeded" ? amountMinor : 0)));

export interface SandboxControl {
  /** The `interference` of this sandbox. */
  faults: Faults;
  /** The buyer's bank takes the money back. False if nothing was paid. */
  dispute(sessionId: string): Promise<boolean>;
  /** The bank decides the open dispute. */
  closeDispute(sessionId: string, status: "won" | "lost"): Promise<boolean>;
  /** Captures an authorized payment in the provider's dashboard, in full by default. */
  captureOutside(sessionId: string, amountMinor?: number): Promise<boolean>;
  /** Cancels an authorized payment in the dashboard; it is as if it had lapsed. */
  cancelOutside(sessionId: string): Promise<boolean>;
  /** Makes a refund in the provider's dashboard, of everything left by default. */
  refundOutside(sessionId: string, amountMinor?: number): Promise<boolean>;
  /** Ends the newest refund, even one that had succeeded. */
  endRefund(sessionId: string, status: "succeeded" | "failed"): Promise<boolean>;
  /** Overwrites fields, such as the total, or the fate of refunds or of a capture. */
  alter(sessionId: string, fields: Partial<SessionRecord>): Promise<boolean>;
  /** Ends a processing bank debit; false if there is none. */
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
  const ofAuthorized = (id: string, step: (s: SessionRecord) => SessionTransition) =>
    move(id, (s) => (s.payment === "authorized" ? step(s) : null));
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
    captureOutside: (id, amountMinor) => ofAuthorized(id, (s) => capture(s, clock(), amountMinor)),
    cancelOutside: (id) => ofAuthorized(id, release),
    refundOutside: (id, amountMinor) =>
      ofPaid(id, (s) => {
        const left = leftMinor(s);
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
