/** Changes payments in the sandbox from outside: disputes, refunds in the dashboard, bank decisions. */
import { randomBytes } from "node:crypto";
import { sum } from "../../src/core/money.ts";
import { DAY_MS } from "../../src/core/policy.ts";
import type { ReportedCheckout } from "../../src/payments/reported-checkout.ts";
import type { Sandbox } from "../../src/payments/sandbox/sandbox.ts";
import {
  capture,
  endDebit,
  leftMinor,
  paymentId,
  refund,
  release,
  type SandboxDispute,
  type SandboxRefund,
  type SessionRecord,
  type SessionTransition,
} from "../../src/payments/sandbox/session.ts";
import type { Emulator } from "../stripe/emulator.ts";
import type { Faults, RefundFaults } from "./faults.ts";

/** Refunded amount that has arrived, in minor units. */
export const arrivedMinor = ({ refunds }: Pick<ReportedCheckout, "refunds">): number =>
  sum(refunds.map(({ status, amountMinor }) => (status === "succeeded" ? amountMinor : 0)));

export interface SandboxControl<F extends RefundFaults = Faults> {
  /** Failures to come. */
  faults: F;
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
  /** Ends every pending refund. */
  endPending(sessionId: string): Promise<void>;
  /** Leaves the refunds that follow pending until `endRefund`. */
  slowRefunds(sessionId: string): void;
  /** The bank refuses each capture from now on. */
  refuseCapture(sessionId: string): void;
  /** Overwrites fields, such as the total. */
  alter(sessionId: string, fields: Partial<SessionRecord>): Promise<boolean>;
  /** Ends a processing bank debit; false if there is none. */
  settleBankDebit(sessionId: string, ok: boolean): Promise<boolean>;
}

/** Of the sandbox or the emulator, which has the same sessions. */
export function sandboxControl<F extends RefundFaults>(
  sandbox: Pick<Sandbox | Emulator, "sessions">,
  faults: F,
  clock: () => number,
): SandboxControl<F> {
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

  const endNewest = (
    id: string,
    status: "succeeded" | "failed",
    fits: (r: SandboxRefund) => boolean,
  ) =>
    ofPaid(id, (s) => {
      const newest = s.refunds.findLast(fits);
      return newest ? endRefund(s, newest.id, status) : null;
    });

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
        if (!open) return null;
        const disputes = s.disputes.map((d) => (d === open ? { ...d, status } : d));
        const closed = { type: "charge.dispute.closed", about: open.id } as const;
        return { next: { ...s, disputes }, events: [closed] };
      }),
    captureOutside: (id, amountMinor) =>
      ofAuthorized(id, (s) => {
        const { next, events } = capture(s);
        return { next: { ...next, ...(amountMinor && { capturedMinor: amountMinor }) }, events };
      }),
    cancelOutside: (id) => ofAuthorized(id, release),
    refundOutside: (id, amountMinor) =>
      ofPaid(id, (s) => {
        const left = leftMinor(s);
        const amount = amountMinor ?? left;
        if (amount < 1 || amount > left) return null;
        const made = { status: "succeeded", reason: null, metadata: {} } as const;
        return refund(s, { id: newId("re"), amountMinor: amount, createdAt: clock(), ...made });
      }),
    endRefund: async (id, status) => {
      const newest = (await sandbox.sessions.read(id))?.refunds.at(-1);
      const can = newest && newest.status !== "failed" && newest.status !== status;
      return can ? endNewest(id, status, (row) => row.id === newest.id) : false;
    },
    endPending: async (id) => {
      while (await endNewest(id, "succeeded", ({ status }) => status === "pending"));
    },
    slowRefunds: (id) => void faults.slowRefunds.add(id),
    refuseCapture: (id) => void faults.refusedCaptures.add(paymentId({ id })),
    alter: (id, fields) => move(id, (s) => ({ next: { ...s, ...fields }, events: [] })),
    settleBankDebit: (id, ok) =>
      move(id, (s) => {
        if (s.payment !== "processing") return null;
        return endDebit(s, ok ? "paid" : "failed");
      }),
  };
}

/** The buyer's bank takes back everything that was not refunded. */
function dispute(s: SessionRecord, id: string, now: number): SessionTransition {
  const row: SandboxDispute = {
    id,
    amountMinor: leftMinor(s),
    createdAt: now,
    status: "needs_response",
    dueBy: now + 7 * DAY_MS,
  };
  return {
    next: { ...s, disputes: [...s.disputes, row] },
    events: [{ type: "charge.dispute.created", about: id }],
  };
}

function endRefund(
  s: SessionRecord,
  id: string,
  status: "succeeded" | "failed",
  why = "expired_or_canceled_card",
): SessionTransition {
  const end = { status, reason: status === "failed" ? why : null };
  return {
    next: { ...s, refunds: s.refunds.map((r) => (r.id === id ? { ...r, ...end } : r)) },
    events: [
      { type: "refund.updated", about: id },
      ...(status === "failed" ? ([{ type: "refund.failed", about: id }] as const) : []),
    ],
  };
}
