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
