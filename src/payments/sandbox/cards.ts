/** Ways to pay on the sandbox's page. The numbers are Stripe's published test numbers (contract §16). */

export interface TestCard {
  value: string;
  label: string;
  hint: string;
  /** Stripe's payment method type; a session offers only the types it was created with. */
  type: "card" | "us_bank_account";
  effect:
    | { kind: "pay"; refunds?: "pends" | "fails"; disputed?: boolean }
    | { kind: "decline"; message: string }
    | { kind: "challenge" }
    | { kind: "debit" };
}

type CardText = Pick<TestCard, "value" | "label" | "hint">;

const card = (text: CardText, effect: TestCard["effect"]): TestCard => ({
  ...text,
  type: "card",
  effect,
});

const RETRY = "The payment fails and the buyer can try again.";

export const TEST_CARDS: readonly TestCard[] = [
  card(
    { value: "4242424242424242", label: "Visa 4242, pays", hint: "The payment succeeds at once." },
    { kind: "pay" },
  ),
  card(
    {
      value: "4000000000003220",
      label: "Visa 3220, asks for 3-D Secure",
      hint: "A second page asks for approval.",
    },
    { kind: "challenge" },
  ),
  card(
    {
      value: "4000000000007726",
      label: "Visa 7726, refunds take their time",
      hint: "A refund is pending at first.",
    },
    { kind: "pay", refunds: "pends" },
  ),
  card(
    {
      value: "4000000000005126",
      label: "Visa 5126, refunds fail later",
      hint: "A refund fails after it was made.",
    },
    { kind: "pay", refunds: "fails" },
  ),
  card(
    {
      value: "4000000000000259",
      label: "Visa 0259, disputed",
      hint: "It pays, and the bank disputes it at once.",
    },
    { kind: "pay", disputed: true },
  ),
  {
    value: "bank_debit",
    label: "Bank debit, settles later",
    hint: "The payment is accepted now and succeeds half a minute later.",
    type: "us_bank_account",
    effect: { kind: "debit" },
  },
  card(
    { value: "4000000000000002", label: "Visa 0002, declined", hint: RETRY },
    { kind: "decline", message: "Your card was declined." },
  ),
  card(
    { value: "4000000000009995", label: "Visa 9995, insufficient funds", hint: RETRY },
    { kind: "decline", message: "Your card has insufficient funds. Try a different card." },
  ),
];

/** Ignores spaces and dashes. Null for any other number: nobody can type in a real card. */
export function findTestCard(value: string, types: readonly string[]): TestCard | null {
  const digits = value.replaceAll(/[\s-]/g, "");
  return TEST_CARDS.find((one) => one.value === digits && types.includes(one.type)) ?? null;
}
