import { createHmac, randomBytes } from "node:crypto";
import { CURRENCY } from "../../core/money.ts";
import { DAY_MS, MINUTE_MS } from "../../core/policy.ts";
import type { Store } from "../../db/store.ts";
import {
  BadSignature,
  type CheckoutState,
  type PaymentProvider,
  type ProviderEvent,
  type ProviderRefund,
  ProviderRejected,
  RefundRefused,
} from "../provider.ts";
import { sessionParams } from "../stripe/requests.ts";
import { sandboxBuyer } from "./buyer.ts";
import {
  capture,
  expire,
  leftMinor,
  newSession,
  pageUrl,
  paymentId,
  receivedMinor,
  refund,
  release,
  type SandboxRefund,
  type SessionRecord,
  type SessionStep,
  sessionIdOf,
} from "./session.ts";
import { sandboxSessions } from "./sessions.ts";

/**
 * A payment provider in this process: a page with test cards, and sessions in the shop's database. No
 * account, no network, no money (contract §16).
 */

export interface SandboxOptions {
  store: Store;
  /** Address of the application, which serves the payment page. */
  baseUrl: string;
  /** Makes ids that nobody can guess and that a repeated call finds again. */
  secret: string;
  clock: () => number;
  /** Stripe's names. */
  paymentMethods?: readonly string[] | undefined;
  /** Receives what a webhook would tell, and must not reject. The shop also finds it by asking. */
  nudge: (event: ProviderEvent) => Promise<void>;
  /** Time that a bank debit takes to succeed, in milliseconds. */
  bankDebitDelayMs?: number;
}

export type Sandbox = ReturnType<typeof openSandbox>;

/** Stripe's limits. */
const LIMITS = { minTtlMs: 30 * MINUTE_MS, maxTtlMs: DAY_MS };

export function openSandbox(options: SandboxOptions) {
  const { store, baseUrl, secret, clock, nudge, paymentMethods = ["card"] } = options;
  const { bankDebitDelayMs = MINUTE_MS / 2 } = options;
  const sessions = sandboxSessions({
    store,
    clock,
    tell: (events, s) =>
      nudge({
        id: `evt_${randomBytes(16).toString("hex")}`,
        type: events.at(-1)!.type,
        livemode: false,
        apiVersion: null,
        sessionId: s.id,
        paymentRef: s.method === null ? null : paymentId(s),
      }),
  });
  const idFor = (key: string) =>
    createHmac("sha256", secret).update(key).digest("hex").slice(0, 48);
  const stateOf = (s: SessionRecord) => checkoutState(s, baseUrl);

  async function get(id: string): Promise<CheckoutState> {
    const s = await sessions.read(id);
    if (!s) throw unknown("checkout.session", id);
    return stateOf(s);
  }

  /** State after a step that the session may allow or not. */
  async function after(id: string, step: SessionStep): Promise<CheckoutState> {
    const done = await sessions.change(id, step);
    if (!done) throw unknown("checkout.session", id);
    return stateOf(done.record);
  }

  /** The session of a payment that was tried. */
  async function paying(paymentRef: string): Promise<SessionRecord | null> {
    const s = await sessions.read(sessionIdOf(paymentRef));
    return s && s.method !== null && paymentId(s) === paymentRef ? s : null;
  }

  const provider: PaymentProvider = {
    mode: "sandbox",
    limits: LIMITS,
    checkoutOrigins: [new URL(baseUrl).origin],
    async createCheckout(request) {
      // The same attempt is one session, whatever happened to it since.
      const id = `cs_test_${idFor(request.attemptId)}`;
      const params = sessionParams(request, { mode: "sandbox", paymentMethods });
      const discountMinor = request.courtesy?.amountMinor ?? 0;
      const { expiresAt, totalMinor } = request;
      const fresh = newSession({ id, params, discountMinor, expiresAt, now: clock() });
      if (fresh.totalMinor !== totalMinor) {
        const message = `The lines add up to ${fresh.totalMinor}, not ${totalMinor}.`;
        throw new ProviderRejected(message, "mismatch");
      }
      return stateOf((await sessions.change(id, () => null, fresh))!.record);
    },
    lookAtCheckout: get,
    getCheckout: get,
    async findByPayment(paymentRef) {
      const s = await paying(paymentRef);
      return s && stateOf(s);
    },
    expireCheckout: (id) => after(id, (s) => (s.status === "open" ? expire(s) : null)),
    captureCheckout: (id) => after(id, (s) => (s.payment === "authorized" ? capture(s) : null)),
    releaseCheckout: (id) => after(id, (s) => (s.payment === "authorized" ? release(s) : null)),
    async *listCheckouts(sinceMs) {
      for await (const s of sessions.list(sinceMs)) yield stateOf(s);
    },
    async refund(paymentRef, { idempotencyKey, refundId, amountMinor }) {
      const id = `re_${idFor(idempotencyKey)}`;
      if (!(await paying(paymentRef))) throw unknown("payment_intent", paymentRef);
      const done = await sessions.change(sessionIdOf(paymentRef), (s) => {
        if (s.refunds.some((row) => row.id === id)) return null;
        const amount = amountMinor ?? leftMinor(s);
        refuseRefund(s, amount);
        const metadata = { refund_id: refundId };
        const made = { status: "succeeded", reason: null, metadata } as const;
        return refund(s, { id, amountMinor: amount, createdAt: clock(), ...made });
      });
      return refundOf(done!.record.refunds.find((row) => row.id === id)!);
    },
    listRefunds: async (paymentRef) => ((await paying(paymentRef))?.refunds ?? []).map(refundOf),
    verifyWebhook() {
      throw new BadSignature("The sandbox sends no webhooks.");
    },
    ping: async () => {},
    checkKey: async () => null,
  };

  const buyer = sandboxBuyer(sessions, { baseUrl, clock, bankDebitDelayMs });
  const { tick, idle } = sessions;
  return { provider, buyer, sessions, tick, idle };
}

const unknown = (what: string, id: string): ProviderRejected =>
  new ProviderRejected(`No such ${what}: '${id}'`, "resource_missing");

function refuseRefund(s: SessionRecord, amountMinor: number): void {
  const left = leftMinor(s);
  if (s.payment !== "paid") {
    const code = "payment_intent_unexpected_state";
    throw new RefundRefused("OTHER", "The payment has no successful charge to refund.", code);
  }
  if (left === 0) {
    const code = "charge_already_refunded";
    throw new RefundRefused("NOTHING_LEFT", "The charge has already been refunded.", code);
  }
  if (amountMinor > left) {
    const message = `The refund of ${amountMinor} is greater than the ${left} that are left.`;
    throw new RefundRefused("OTHER", message, "amount_too_large");
  }
}

const refundOf = (r: SandboxRefund): ProviderRefund => ({
  id: r.id,
  refundId: r.metadata.refund_id ?? null,
  amountMinor: r.amountMinor,
  status: r.status,
  problem: r.reason,
  createdAt: r.createdAt,
});

/** The same state that Stripe's answers lead to. */
function checkoutState(s: SessionRecord, baseUrl: string): CheckoutState {
  const { params, payment } = s;
  const wasTried = s.method !== null;
  const amounts = { authorized: s.totalMinor, paid: receivedMinor(s) } as Record<string, number>;
  return {
    sessionId: s.id,
    attemptId: params.client_reference_id,
    quoteHash: params.metadata.quote_hash ?? null,
    status: s.status,
    payment: payment === "failed" ? "unpaid" : payment,
    failed: payment === "failed",
    declined: s.status === "open" && wasTried && s.lastError !== null,
    totalMinor: s.totalMinor,
    amountMinor: amounts[payment] ?? null,
    currency: CURRENCY,
    livemode: false,
    url: s.status === "open" ? pageUrl(baseUrl, s.id) : null,
    returnUrl: params.success_url,
    createdAt: s.createdAt,
    paymentRef: wasTried ? paymentId(s) : null,
    method: s.awaiting3ds ? null : s.method,
    refunds: s.refunds.map(refundOf),
    disputes: s.disputes.map(({ id, amountMinor, createdAt, status, dueBy }) => {
      const isOpen = status === "needs_response";
      const reason = "fraudulent";
      return {
        id,
        amountMinor,
        createdAt,
        reason,
        status: isOpen ? "open" : status,
        dueBy: isOpen ? dueBy : null,
      };
    }),
  };
}
