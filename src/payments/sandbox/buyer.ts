import { pageUrl } from "./answers.ts";
import {
  answerChallenge,
  decline,
  PAY_METHODS,
  type PayOutcome,
  pay,
  payMethod,
  type SessionRecord,
} from "./payment.ts";
import type { SessionStep, Sessions } from "./sessions.ts";

/**
 * The buyer's side of the sandbox: what the hosted payment page shows and does (contract §16).
 * Amounts are minor units of usd, times milliseconds.
 */

export type SandboxView = ReturnType<typeof toView>;

export interface SandboxPayResult {
  outcome: PayOutcome;
  message?: string;
  /** Where the browser goes now: the shop, or the payment page again while the session is open. */
  redirectTo: string;
}

export type SandboxBuyer = ReturnType<typeof sandboxBuyer>;

/** The value is never repeated or stored: somebody may have sent a real card's number. */
const NO_TEST_CARD = "Only the test cards listed on this page work here. Nothing was charged.";
const OVER = "This payment session is over. Go back to the shop to start again.";

/** `moved`: this very act has changed the session. */
function outcomeOf(s: SessionRecord, moved: boolean): PayOutcome {
  if (s.status === "open") return s.awaiting3ds ? "challenge" : "declined";
  if (s.payment === "paid") return moved ? "paid" : "already_paid";
  return s.payment === "processing" ? "processing" : "expired";
}

function toResult(s: SessionRecord, outcome: PayOutcome, baseUrl: string): SandboxPayResult {
  if (outcome === "declined" || outcome === "challenge") {
    const message = outcome === "declined" && s.lastError ? { message: s.lastError } : {};
    return { outcome, ...message, redirectTo: pageUrl(baseUrl, s.id) };
  }
  if (outcome === "expired") return { outcome, message: OVER, redirectTo: cancelUrl(s) };
  return { outcome, redirectTo: successUrl(s) };
}

/** Every call answers null where there is no such session. */
export function sandboxBuyer(
  sessions: Sessions,
  options: { baseUrl: string; clock: () => number; bankDebitDelayMs: number },
) {
  const { baseUrl, clock, bankDebitDelayMs } = options;

  /** Only an open session moves. */
  async function act(id: string, step: SessionStep) {
    const done = await sessions.change(id, (s) => (s.status === "open" ? step(s) : null));
    return done && toResult(done.record, outcomeOf(done.record, done.moved), baseUrl);
  }

  return {
    async view(sessionId: string): Promise<SandboxView | null> {
      const s = await sessions.read(sessionId);
      return s && toView(s);
    },
    pay: (id: string, card: string) =>
      act(id, (s) => {
        const method = payMethod(card, s.params.allowed_payment_method_types);
        if (!method) return decline(s, NO_TEST_CARD);
        return pay(s, method, { now: clock(), debitMs: bankDebitDelayMs });
      }),
    /** Without a challenge there is nothing to approve: back to the page. */
    completeChallenge: (id: string, ok: boolean) =>
      act(id, (s) => (s.awaiting3ds ? answerChallenge(s, ok) : null)),
    /** Back to the shop. As with Stripe, the session stays open. */
    async cancel(sessionId: string): Promise<{ redirectTo: string } | null> {
      const s = await sessions.read(sessionId);
      return s && { redirectTo: cancelUrl(s) };
    },
  };
}

const successUrl = (s: SessionRecord): string =>
  s.params.success_url.replaceAll("{CHECKOUT_SESSION_ID}", s.id);

const cancelUrl = (s: SessionRecord): string => s.params.cancel_url ?? successUrl(s);

/** "failed": a bank debit that failed; this session cannot be paid any more. */
function statusOf(s: SessionRecord): "open" | "processing" | "paid" | "failed" | "expired" {
  if (s.status !== "complete") return s.status;
  return s.payment === "unpaid" ? "failed" : s.payment;
}

function toView(s: SessionRecord) {
  return {
    status: statusOf(s),
    amountMinor: s.totalMinor,
    lines: s.params.line_items.map(({ quantity, price_data }) => ({
      name: price_data.product_data.name,
      quantity,
      amountMinor: quantity * price_data.unit_amount,
    })),
    discountMinor: s.discountMinor,
    email: s.params.customer_email ?? null,
    /** What the shop has the provider say where it is paid. */
    said: s.params.custom_text?.submit?.message ?? null,
    lastError: s.lastError,
    awaiting3ds: s.awaiting3ds,
    cancelUrl: cancelUrl(s),
    successUrl: successUrl(s),
    methods: PAY_METHODS.filter((m) => s.params.allowed_payment_method_types.includes(m.type)).map(
      ({ value, label, hint }) => ({ value, label, hint }),
    ),
  };
}
