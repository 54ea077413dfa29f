import { pageUrl } from "./answers.ts";
import { answerChallenge, decline, type PayOutcome, pay, type SessionRecord } from "./payment.ts";
import type { SessionStep, Sessions } from "./sessions.ts";

/**
 * The ways to pay that the sandbox page offers (contract §16). The numbers are Stripe's published
 * test numbers. There is no free number field anywhere: a real card cannot be typed in.
 */
export type PayEffect =
  /** `refund`, `disputed`: what comes after the payment, as Stripe's own test cards do it. */
  | { kind: "pay"; refund?: "pends" | "fails"; disputed?: boolean }
  | { kind: "decline"; message: string }
  | { kind: "challenge" }
  | { kind: "debit" };

export interface PayMethod {
  value: string;
  label: string;
  hint: string;
  /** Stripe's payment method type; a session offers it only if it was created with it. */
  type: "card" | "us_bank_account";
  effect: PayEffect;
}

const card = (value: string, label: string, hint: string, effect: PayEffect): PayMethod => ({
  value,
  label,
  hint,
  type: "card",
  effect,
});

const declined = (value: string, label: string, message: string): PayMethod =>
  card(value, label, "The payment fails and the buyer can try again.", {
    kind: "decline",
    message,
  });

export const PAY_METHODS: readonly PayMethod[] = [
  card("4242424242424242", "Visa 4242, pays", "The payment succeeds at once.", { kind: "pay" }),
  card("4000000000003220", "Visa 3220, asks for 3-D Secure", "A second page asks for approval.", {
    kind: "challenge",
  }),
  card("4000000000007726", "Visa 7726, refunds take their time", "A refund is pending at first.", {
    kind: "pay",
    refund: "pends",
  }),
  card("4000000000005126", "Visa 5126, refunds fail later", "A refund fails after it was made.", {
    kind: "pay",
    refund: "fails",
  }),
  card("4000000000000259", "Visa 0259, disputed", "It pays, and the bank disputes it at once.", {
    kind: "pay",
    disputed: true,
  }),
  {
    value: "bank_debit",
    label: "Bank debit, settles later",
    hint: "The payment is accepted now and succeeds half a minute later.",
    type: "us_bank_account",
    effect: { kind: "debit" },
  },
  declined("4000000000000002", "Visa 0002, declined", "Your card was declined."),
  declined(
    "4000000000009995",
    "Visa 9995, insufficient funds",
    "Your card has insufficient funds. Try a different card.",
  ),
  declined("4000000000009987", "Visa 9987, reported lost", "Your card was declined."),
  declined(
    "4000000000000069",
    "Visa 0069, expired card",
    "Your card has expired. Try another one.",
  ),
  declined("4000000000000127", "Visa 0127, wrong CVC", "Your card's security code is incorrect."),
  declined(
    "4000000000000119",
    "Visa 0119, processing error",
    "An error occurred while processing your card. Try again in a little bit.",
  ),
];

/** Spaces and dashes as people group a number. Anything but a listed value is null. */
export function payMethod(value: string, types: readonly string[]): PayMethod | null {
  const plain = value.trim().replaceAll(/[\s-]/g, "");
  return PAY_METHODS.find((m) => m.value === plain && types.includes(m.type)) ?? null;
}

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
