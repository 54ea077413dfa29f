/**
 * The shop reads exactly the fields in READ: leaving out or changing one of them is noticed, leaving out all
 * others is not.
 */
import Stripe from "stripe";
import { expect, test } from "vitest";
import {
  READ,
  toDispute,
  toRefund,
  toState,
  toStateOfPayment,
} from "../../src/payments/stripe/answers.ts";
import { READ_OF_EVENTS, verifyEvent } from "../../src/payments/stripe/webhook.ts";
import { everything } from "./exchange.ts";
import { BASE_URL, NOW, SECRET } from "./harness.ts";

type Tree = Record<string, unknown>;
type Kind = keyof typeof READ | "event";

const FIELDS: Record<Kind, readonly string[]> = { ...READ, event: READ_OF_EVENTS };

const tree = (value: unknown): Tree | null =>
  typeof value === "object" && value !== null ? (value as Tree) : null;

/** Finds the object of a kind in an answer. */
const AT: Record<Kind, (answer: Tree) => Tree | null> = {
  session: (answer) => answer,
  payment: (answer) => tree(answer.payment_intent),
  charge: (answer) => tree(tree(answer.payment_intent)?.latest_charge),
  calledPayment: (answer) => answer,
  refund: (answer) => answer,
  dispute: (answer) => answer,
  event: (answer) => answer,
};

function signed(answer: Tree) {
  const payload = JSON.stringify(answer);
  const timestamp = NOW / 1000;
  const header = Stripe.webhooks.generateTestHeaderString({ payload, secret: SECRET, timestamp });
  return verifyEvent(Buffer.from(payload), header, [SECRET], NOW);
}

const session = (answer: Tree) => toState(answer, [BASE_URL]);
const READ_BY: Record<Kind, (answer: Tree) => unknown> = {
  session,
  payment: session,
  charge: session,
  calledPayment: (answer) => toStateOfPayment(answer, "cs_1"),
  refund: toRefund,
  dispute: toDispute,
  event: signed,
};

/** The shop's reading of an answer, or the name of its error. */
function understood(kind: Kind, answer: Tree): string {
  try {
    return JSON.stringify(READ_BY[kind](answer));
  } catch (error) {
    return (error as Error).name;
  }
}

async function gathered(): Promise<Record<Kind, Tree[]>> {
  const { made, events } = await everything();
  const of = (wanted: string) =>
    made.flatMap(({ call, status, answer }) =>
      call?.answer === wanted && status === 200 ? [answer as Tree] : [],
    );
  const session = of("Session").flatMap((one) => [
    one,
    // A session without metadata, a debit that the bank refused, and an authorized payment.
    { ...one, metadata: {} },
    { ...one, payment_intent: withStatus(one, "requires_payment_method") },
    { ...one, payment_intent: withStatus(one, "requires_capture") },
  ]);
  const listed = (list: unknown) => (tree(list)?.data as Tree[] | undefined) ?? [];
  const refund = [
    ...of("Refund"),
    ...of("Refunds").flatMap(listed),
    ...session.flatMap((one) => listed(AT.charge(one)?.refunds)),
  ];
  const dispute = of("Disputes").flatMap(listed);
  const event = events as Tree[];
  const calledPayment = of("Payment").flatMap((one) => [
    one,
    { ...one, status: "requires_capture" },
  ]);
  return { session, payment: session, charge: session, calledPayment, refund, dispute, event };
}

/** Shared by these tests. */
let asked: ReturnType<typeof gathered> | null = null;
const answersOf = async (kind: Kind): Promise<Tree[]> => {
  asked ??= gathered();
  return (await asked)[kind];
};

const withStatus = ({ payment_intent }: Tree, status: string): unknown => {
  const payment = tree(payment_intent);
  return payment && { ...payment, status };
};

function other(value: unknown): unknown {
  if (typeof value === "number") return value + 1;
  if (typeof value === "boolean") return !value;
  return typeof value === "string" ? `${value}x` : {};
}

const SPOILS: Record<string, (of: Tree, field: string) => void> = {
  "left out": (of, field) => delete of[field],
  changed: (of, field) => {
    of[field] = other(of[field]);
  },
};

const ROWS = Object.entries(FIELDS).flatMap(([kind, fields]) =>
  Object.keys(SPOILS).flatMap((how) => fields.map((field) => [kind as Kind, field, how] as const)),
);

test.each(ROWS)("%s.%s, %s, is noticed", async (kind, field, how) => {
  const noticed = (await answersOf(kind)).some((answer) => {
    const copy = structuredClone(answer);
    const of = AT[kind](copy);
    if (!of || of[field] === undefined || of[field] === null) return false;
    SPOILS[how]!(of, field);
    return understood(kind, copy) !== understood(kind, answer);
  });
  expect(noticed).toBe(true);
});

const only = (of: Tree, fields: readonly string[]): Tree =>
  Object.fromEntries(Object.entries(of).filter(([field]) => fields.includes(field)));

/** The answer reduced to the fields that are read. */
function stripped(kind: Kind, answer: Tree): Tree {
  const bare = only(answer, FIELDS[kind]);
  const payment = AT.payment(bare);
  if (!payment) return bare;
  bare.payment_intent = only(payment, READ.payment);
  const charge = AT.charge(bare);
  if (!charge) return bare;
  const refunds = tree(charge.refunds);
  const data = (refunds?.data as Tree[] | undefined)?.map((one) => only(one, READ.refund));
  const bareCharge = only(charge, READ.charge);
  const list = refunds && { refunds: { data, has_more: refunds.has_more } };
  (bare.payment_intent as Tree).latest_charge = { ...bareCharge, ...list };
  return bare;
}

test.each(["session", "refund", "dispute", "event"] as const)(
  "no other field of a %s is read",
  async (kind) => {
    const answers = await answersOf(kind);
    expect(answers.length).toBeGreaterThan(0);
    for (const answer of answers) {
      expect(understood(kind, stripped(kind, answer))).toBe(understood(kind, answer));
    }
  },
);
