/**
 * Tests the checks in type-check.ts and request-check.ts: every field of a full request is spoiled in four
 * ways, one at a time. Each change must be noticed or listed as an exception.
 */
import type Stripe from "stripe";
import { expect, test } from "vitest";
import { couponParams, sessionParams } from "../../src/payments/stripe/requests.ts";
import { cart, NOW } from "./harness.ts";
import { lintAgreement, lintSession, lintValues } from "./request-check.ts";
import type { TypeCheck } from "./type-check.ts";

interface Pair {
  session: Stripe.Checkout.SessionCreateParams;
  coupon: Stripe.CouponCreateParams;
}
type Tree = Record<string, unknown>;
type Path = string[];
type Spoil = (parent: Tree, key: string) => void;

const FULL = cart({}, "every line there can be");
const original: Pair = {
  session: sessionParams(FULL, {
    mode: "test",
    paymentMethods: ["card", "us_bank_account"],
  }),
  coupon: couponParams(FULL)!,
};

function noticed({ session, coupon }: Pair, check: TypeCheck): boolean {
  const odd = [...check("SessionCreate", session), ...check("CouponCreate", coupon)];
  if (odd.length > 0) return true;
  const found = [
    ...lintValues(session),
    ...lintValues(coupon),
    ...lintSession(session, NOW),
    ...lintAgreement(session, coupon, FULL),
  ];
  return found.length > 0;
}

function paths(value: unknown, at: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [at];
  const below = Object.entries(value).flatMap(([key, v]) => paths(v, [...at, key]));
  return at.length > 0 ? [at, ...below] : below;
}

function spoilt(path: Path, spoil: Spoil): Pair {
  const copy = structuredClone(original) as unknown as Tree;
  const parent = path.slice(0, -1).reduce<Tree>((at, key) => at[key] as Tree, copy);
  spoil(parent, path.at(-1)!);
  return copy as unknown as Pair;
}

function otherValue(value: unknown): unknown {
  if (typeof value === "number") return value + 1;
  if (typeof value === "boolean") return !value;
  return typeof value === "string" ? `${value}x` : value;
}

const SPOILS: Record<string, Spoil> = {
  "a misspelled name": (parent, key) => {
    if (Array.isArray(parent)) parent[Number(key)] = { odd: parent[Number(key)] };
    else {
      parent[`${key}x`] = parent[key];
      delete parent[key];
    }
  },
  "a wrong type": (parent, key) => {
    parent[key] = typeof parent[key] === "number" ? (parent[key] as number) + 0.5 : { odd: true };
  },
  "another value": (parent, key) => {
    const value = parent[key];
    if (typeof value === "object") parent[key] = Array.isArray(value) ? [] : {};
    else parent[key] = otherValue(value);
  },
  "being left out": (parent, key) => {
    if (Array.isArray(parent)) parent.splice(Number(key), 1);
    else delete parent[key];
  },
};

/** Changes that the checks may miss, with the reason. */
const ANY_TEXT = "a text for people: any other text is as good, only its length can be wrong";
const DEFAULT = "Stripe's own default, or the lack of the text, changes neither total nor safety";
const PART_OF_LIST = "a list that may be shorter: the rest is still a right request";
const EXCEPTIONS: [spoil: string, path: RegExp, reason: string][] = [
  ["another value", /product_data\.name$/, ANY_TEXT],
  ["another value", /custom_text\.submit\.message$/, ANY_TEXT],
  ["another value", /payment_intent_data\.description$/, ANY_TEXT],
  ["another value", /^coupon\.name$/, ANY_TEXT],
  ["being left out", /^session\.(submit_type|custom_text|expand)$/, DEFAULT],
  ["being left out", /^session\.payment_intent_data\.description$/, DEFAULT],
  ["being left out", /^coupon\.name$/, DEFAULT],
  ["being left out", /^session\.allowed_payment_method_types\.\d$/, PART_OF_LIST],
];

const ALL = paths(original).filter((path) => path.length > 1);

/** Registers the tests with a check of Stripe's types. */
export function mutationTests(check: TypeCheck): void {
  const isNoticed = (pair: Pair) => noticed(pair, check);

  test("the full request itself passes the check", () => {
    expect(isNoticed(original)).toBe(false);
  });

  test.each(Object.entries(SPOILS))(
    "every field spoiled by %s is noticed, except the listed ones",
    (name, spoil) => {
      const missed = ALL.filter((path) => !isNoticed(spoilt(path, spoil))).map((path) =>
        path.join("."),
      );
      const excused = EXCEPTIONS.filter(([spoilName]) => spoilName === name);
      const unexpected = missed.filter(
        (path) => !excused.some(([, pattern]) => pattern.test(path)),
      );
      expect(unexpected).toEqual([]);
      const idle = excused.filter(([, pattern]) => !missed.some((path) => pattern.test(path)));
      expect(idle.map(([, pattern]) => String(pattern))).toEqual([]);
    },
  );

  test("texts over Stripe's limits are noticed everywhere", () => {
    const texts = ALL.filter((path) => {
      const value = path.reduce<unknown>((at, key) => (at as Tree)[key], original);
      return typeof value === "string";
    });
    const missed = texts.filter((path) => {
      const tooLong = spoilt(path, (parent, key) => {
        parent[key] = `${parent[key]}${"x".repeat(5001)}`;
      });
      return !isNoticed(tooLong);
    });
    expect(texts.length).toBeGreaterThan(20);
    expect(missed.map((path) => path.join("."))).toEqual([]);
  });

  test("the check knows Stripe's rules beyond single fields", () => {
    const forbidden: Partial<Stripe.Checkout.SessionCreateParams>[] = [
      { allow_promotion_codes: true },
      { adaptive_pricing: { enabled: true } },
      { discounts: [{ coupon: original.coupon.id! }, { coupon: "another" }] },
      { expires_at: NOW / 1000 + 1799 },
      { expires_at: NOW / 1000 + 86_401 },
      { line_items: Array.from({ length: 101 }, () => original.session.line_items![0]!) },
      { ui_mode: "hosted" },
      { payment_method_types: ["card"] } as never,
      { shipping_address_collection: { allowed_countries: ["USA"] } } as never,
      { metadata: { ...(original.session.metadata as object), note: "x".repeat(501) } },
    ];
    for (const change of forbidden) {
      expect(isNoticed({ ...original, session: { ...original.session, ...change } })).toBe(true);
    }
  });
}
