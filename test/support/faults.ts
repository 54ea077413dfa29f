/** Failures between the shop and the sandbox, switched while it runs. */
import { setTimeout } from "node:timers/promises";
import { sha256 } from "../../src/core/hash.ts";
import {
  type PaymentProvider,
  type ProviderEvent,
  ProviderRejected,
  ProviderUnavailable,
  RefundRefused,
  type RefundRequest,
} from "../../src/payments/provider.ts";
import type { Sandbox } from "../../src/payments/sandbox/sandbox.ts";
import {
  leftMinor,
  refund,
  type SandboxRefund,
  type SessionRecord,
  sessionIdOf,
} from "../../src/payments/sandbox/session.ts";

/** Fates of a refund, which the account and the session decide. */
export interface RefundFaults {
  /** The merchant's balance, minor units of usd; by default it covers every refund. */
  balanceMinor?: number | undefined;
  /** A refund above the balance is accepted and stays pending until the balance covers it. */
  takesWithoutBalance?: boolean | undefined;
  /** Sessions whose refunds stay pending until a test ends them. */
  slowRefunds: Set<string>;
  /** Payments whose capture the bank refuses. */
  refusedCaptures: Set<string>;
}

export interface Faults extends RefundFaults {
  webhook?: WebhookFault | undefined;
  call?: CallFault | undefined;
}

export type WebhookFault = (event: {
  id: string;
  type: string;
}) => "deliver" | "drop" | "double" | "delay";

/**
 * `effect`: the call is carried out although its answer is lost. A "spent" key fails there, and its failure
 * is repeated for the key.
 */
export type Fault =
  | { kind: "away" | "spent"; effect?: boolean }
  | { kind: "late"; ms: number; effect?: boolean }
  | { kind: "rejected"; code: string };

export type CallFault = (call: Call, key: string | undefined) => Fault | null;

export const AWAY: Fault = { kind: "away" };

/** Calls whose answers can be lost. */
const CALLS = [
  "createCheckout",
  "lookAtCheckout",
  "getCheckout",
  "findByPayment",
  "expireCheckout",
  "captureCheckout",
  "releaseCheckout",
  "refund",
  "listRefunds",
] as const satisfies (keyof PaymentProvider)[];

export type Call = (typeof CALLS)[number];

/** Long enough for later webhooks to arrive first. */
const LATE_MS = 100;

export const newFaults = (begin: Partial<Faults> = {}): Faults => ({
  slowRefunds: new Set(),
  refusedCaptures: new Set(),
  ...begin,
});

/** Calls `send` as the fault decides. */
export async function deliverAs<T>(fate: ReturnType<WebhookFault>, send: () => Promise<T>) {
  if (fate === "drop") return [];
  if (fate === "delay") await setTimeout(LATE_MS);
  return Promise.all(Array.from({ length: fate === "double" ? 2 : 1 }, send));
}

export const faultyNudge =
  (faults: Faults, nudge: (event: ProviderEvent) => Promise<void>) =>
  async (event: ProviderEvent): Promise<void> => {
    await deliverAs(faults.webhook?.(event) ?? "deliver", () => nudge(event));
  };

/** Fate of a refund: a code of a refusal, or how it stands at first. */
export function refundFate(
  faults: RefundFaults,
  s: SessionRecord,
  amountMinor: number,
): "charge_disputed" | "balance_insufficient" | Pick<SandboxRefund, "status" | "reason"> {
  if (s.disputes.some(({ status }) => status !== "won")) return "charge_disputed";
  if (amountMinor > (faults.balanceMinor ?? Infinity)) {
    return faults.takesWithoutBalance
      ? { status: "pending", reason: "insufficient_funds" }
      : "balance_insufficient";
  }
  return faults.slowRefunds.has(s.id)
    ? { status: "pending", reason: "processing" }
    : { status: "succeeded", reason: null };
}

/** The sandbox's provider with these failures. */
export function faultyProvider(
  { provider, sessions }: Pick<Sandbox, "provider" | "sessions">,
  faults: Faults,
  clock: () => number,
): PaymentProvider {
  const spent = new Map<string, boolean>();

  /** Like the sandbox's, but some refunds are refused or wait. */
  async function makeRefund(paymentRef: string, request: RefundRequest) {
    const { idempotencyKey: key, refundId, amountMinor } = request;
    const sessionId = sessionIdOf(paymentRef);
    const s = await sessions.read(sessionId);
    const amount = amountMinor ?? (s ? leftMinor(s) : 0);
    const id = `re_slow_${sha256(key).slice(0, 16)}`;
    const fate = s?.payment === "paid" ? refundFate(faults, s, amount) : null;
    const isKnown = s?.refunds.some((row) => row.id === id);
    if (!isKnown && typeof fate === "string") {
      const why = fate === "charge_disputed" ? "DISPUTED" : "BALANCE";
      throw new RefundRefused(why, "The refund is not possible now.", fate);
    }
    const waits = typeof fate === "object" && fate?.status === "pending";
    if (!isKnown && !(waits && amount > 0 && amount <= leftMinor(s!))) {
      return provider.refund(paymentRef, request);
    }
    await sessions.change(sessionId, (now) => {
      if (isKnown || now.refunds.some((row) => row.id === id)) return null;
      const metadata = { refund_id: refundId };
      const made = { ...(fate as SandboxRefund), metadata, createdAt: clock() };
      return refund(now, { ...made, id, amountMinor: amount });
    });
    return (await provider.listRefunds(paymentRef)).find((row) => row.id === id)!;
  }

  const own: PaymentProvider = {
    ...provider,
    refund: makeRefund,
    captureCheckout: (sessionId, paymentRef) =>
      faults.refusedCaptures.has(paymentRef)
        ? provider.getCheckout(sessionId)
        : provider.captureCheckout(sessionId, paymentRef),
  };

  async function make(call: Call, key: string | undefined, run: () => Promise<unknown>) {
    const fault = faults.call?.(call, key) ?? null;
    if (key !== undefined && spent.get(key)) {
      throw new ProviderUnavailable("It failed before.", { failedThere: true });
    }
    if (fault?.kind === "rejected") {
      throw call === "refund"
        ? new RefundRefused("OTHER", "It was refused.", fault.code)
        : new ProviderRejected("It was refused.", fault.code);
    }
    if (fault === null || (fault.kind === "spent" && key !== undefined && spent.has(key))) {
      if (key !== undefined) spent.set(key, false);
      return run();
    }
    if (fault.effect) await run().catch(() => undefined);
    if (fault.kind === "late") await setTimeout(fault.ms, undefined, { ref: false });
    const failedThere = fault.kind === "spent";
    if (failedThere && key !== undefined) spent.set(key, true);
    throw new ProviderUnavailable("No answer came.", { failedThere });
  }

  const calls = CALLS.map((call) => {
    const run = own[call] as (...words: unknown[]) => Promise<unknown>;
    const through = (...words: unknown[]) => make(call, keyOf(words), () => run(...words));
    return [call, through];
  });
  return { ...own, ...Object.fromEntries(calls) };
}

/** Idempotency key of a call, if it has one. */
function keyOf(words: readonly unknown[]): string | undefined {
  for (const word of words) {
    if (typeof word !== "object" || word === null) continue;
    const { attemptId, idempotencyKey } = word as Record<string, string | undefined>;
    return idempotencyKey ?? attemptId;
  }
  return undefined;
}
