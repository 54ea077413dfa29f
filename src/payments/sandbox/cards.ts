/** Ways to pay on the sandbox's page. The numbers are Stripe's published test numbers (contract §16). */

export interface TestCard {
  value: string;
  label: string;
  hint: string;
  effect:
    | { kind: "pay" }
    | { kind: "decline"; message: string }
    | { kind: "challenge" }
    | { kind: "debit" };
}

const RETRY = "The payment fails and the buyer can try again.";

const TEST_CARDS: readonly TestCard[] = [
  {
    value: "4242424242424242",
    label: "Visa 4242, pays",
    hint: "The payment succeeds at once.",
    effect: { kind: "pay" },
  },
  {
    value: "4000000000003220",
    label: "Visa 3220, asks for 3-D Secure",
    hint: "A second page asks for approval.",
    effect: { kind: "challenge" },
  },
  {
    value: "bank_debit",
    label: "Bank debit, settles later",
    hint: "The payment is accepted now and succeeds half a minute later.",
    effect: { kind: "debit" },
  },
  {
    value: "4000000000000002",
    label: "Visa 0002, declined",
    hint: RETRY,
    effect: { kind: "decline", message: "Your card was declined." },
  },
  {
    value: "4000000000009995",
    label: "Visa 9995, insufficient funds",
    hint: RETRY,
    effect: {
      kind: "decline",
      message: "Your card has insufficient funds. Try a different card.",
    },
  },
];

/** Stripe's payment method type. */
export const methodOf = ({ effect }: TestCard): "card" | "us_bank_account" =>
  effect.kind === "debit" ? "us_bank_account" : "card";

/** The cards that a session with these payment method types offers. */
export const cardsOf = (types: readonly string[]): TestCard[] =>
  TEST_CARDS.filter((card) => types.includes(methodOf(card)));
