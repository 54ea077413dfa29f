import { cardsOf } from "./cards.ts";
import {
  answerChallenge,
  decline,
  pageUrl,
  pay,
  type SessionRecord,
  type SessionStep,
} from "./session.ts";
import type { Sessions } from "./sessions.ts";

/** Data and actions of the hosted payment page (contract §16). Amounts are minor units of usd. */

export type SandboxView = ReturnType<typeof toView>;

export interface SandboxPayResult {
  outcome: "paid" | "declined" | "challenge" | "processing" | "already_paid" | "expired";
  /** Next page for the browser: the shop, or the payment page again while the session is open. */
  redirectTo: string;
}

export type SandboxBuyer = ReturnType<typeof sandboxBuyer>;

/** Never repeats the value: somebody may have sent a real card's number. */
const NO_TEST_CARD = "Only the test cards listed on this page work here. Nothing was charged.";

/** Every function returns null if there is no such session. */
export function sandboxBuyer(
  sessions: Sessions,
  options: { baseUrl: string; clock: () => number; bankDebitDelayMs: number },
) {
  const { baseUrl, clock, bankDebitDelayMs } = options;

  /** Only an open session changes. */
  async function act(id: string, step: SessionStep): Promise<SandboxPayResult | null> {
    const done = await sessions.change(id, (s) => (s.status === "open" ? step(s) : null));
    if (!done) return null;
    const { params, awaiting3ds } = done.record;
    const status = statusOf(done.record);
    if (status === "open") {
      return { outcome: awaiting3ds ? "challenge" : "declined", redirectTo: pageUrl(baseUrl, id) };
    }
    if (status === "expired" || status === "failed") {
      return { outcome: "expired", redirectTo: params.cancel_url };
    }
    const outcome = status === "canceled" ? "expired" : status;
    const isRepeated = outcome === "paid" && !done.moved;
    return { outcome: isRepeated ? "already_paid" : outcome, redirectTo: params.success_url };
  }

  return {
    async view(sessionId: string): Promise<SandboxView | null> {
      const s = await sessions.read(sessionId);
      return s && toView(s);
    },
    pay: (id: string, card: string) =>
      act(id, (s) => {
        const value = card.replaceAll(/[\s-]/g, "");
        const known = cardsOf(s.params.allowed_payment_method_types).find((c) => c.value === value);
        if (!known) return decline(s, NO_TEST_CARD);
        return pay(s, known, { now: clock(), debitMs: bankDebitDelayMs });
      }),
    completeChallenge: (id: string, ok: boolean) =>
      act(id, (s) => (s.awaiting3ds ? answerChallenge(s, ok, clock()) : null)),
  };
}

/**
 * The buyer's view. "paid": also an authorized payment. "failed": a bank debit that failed; this session
 * cannot be paid any more.
 */
function statusOf(s: SessionRecord) {
  if (s.status !== "complete") return s.status;
  if (s.payment === "authorized") return "paid";
  return s.payment === "unpaid" ? "failed" : s.payment;
}

function toView(s: SessionRecord) {
  const { params } = s;
  return {
    status: statusOf(s),
    amountMinor: s.totalMinor,
    lines: params.line_items.map(({ quantity, price_data }) => ({
      name: price_data.product_data.name,
      quantity,
      amountMinor: quantity * price_data.unit_amount,
    })),
    discountMinor: s.discountMinor,
    email: params.customer_email ?? null,
    /** The shop's text beside the pay button. */
    submitMessage: params.custom_text.submit.message,
    lastError: s.lastError,
    awaiting3ds: s.awaiting3ds,
    cancelUrl: params.cancel_url,
    successUrl: params.success_url,
    methods: cardsOf(params.allowed_payment_method_types).map(({ effect: _, ...card }) => card),
  };
}
