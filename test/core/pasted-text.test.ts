/** Text that was pasted has one certain meaning, or the problem in it is named (contract §3). */
import { describe, expect, test } from "vitest";
import { Address } from "../../src/core/address.ts";
import { ProductId } from "../../src/core/bags.ts";
import { Email } from "../../src/core/email.ts";
import { identifier, trimmed } from "../../src/core/fields.ts";
import { pastedKey } from "../../src/core/ids.ts";
import { readInput } from "../../src/core/read-input.ts";
import { DiscountCode, normalCode } from "../../src/quotes/quote-request.ts";

const HOME = {
  name: "Test Buyer",
  line1: "1 Main Street",
  city: "Austin",
  region: "TX",
  postal_code: "78701",
  country: "US",
};
const zip = (postal_code: unknown, region = "TX") =>
  Address.parse(readInput(Address, { ...HOME, region, postal_code }).input).postal_code;

const EDGES = ["\u200b", "\ufeff", "\u00a0", "\u200e", "\u2060", " ", "\u00ad", "\u202c"];

describe.each(EDGES)("%j at the edges", (edge) => {
  test("is no part of an email, a ZIP code, a state, a code, an id or a key", () => {
    const around = (text: string) => `${edge}${text}${edge}${edge}`;
    expect(Email.parse(around("Ann@Example.com"))).toBe("ann@example.com");
    expect(zip(around("78701"))).toBe("78701");
    expect(Address.parse({ ...HOME, region: around("tx") }).region).toBe("TX");
    expect(DiscountCode.parse(around("FIRSTBAG"))).toBe("FIRSTBAG");
    expect(normalCode(around("firstbag"))).toBe("FIRSTBAG");
    expect(ProductId.parse(around("kenya-nyeri"))).toBe("kenya-nyeri");
    expect(identifier().parse(around("ord_1"))).toBe("ord_1");
    expect(pastedKey(around("cma_1aB"))).toBe("cma_1aB");
    expect(trimmed(around(""))).toBe("");
  });
});

test.each<[string, () => unknown]>([
  ["an email", () => Email.parse("a\u200bnn@example.com")],
  ["a ZIP code", () => zip("78\u200b701")],
  ["a state", () => Address.parse({ ...HOME, region: "T\u200bX" })],
  ["a code", () => DiscountCode.parse("FIRST\u200bBAG")],
  ["a product", () => ProductId.parse("kenya\u200b-nyeri")],
  ["an id", () => identifier().parse("ord\u200b_1")],
])("an invisible character inside %s is named", (_, parse) => {
  expect(parse).toThrow("U+200B");
});

test.each([
  ["787011234", "TX", "78701-1234"],
  [787011234, "TX", "78701-1234"],
  ["78701 1234", "TX", "78701-1234"],
  ["78701\u20131234", "TX", "78701-1234"],
  ["2138", "MA", "02138"],
  [2138, "MA", "02138"],
  [21381234, "MA", "02138-1234"],
  [601, "PR", "00601"],
])("the ZIP code %j in %s is %s", (typed, region, read) => {
  expect(zip(typed, region)).toBe(read);
});

test.each(["787", "7870", "787 01", "7870112345", "78701-12", "78701--1234", ""])(
  "the ZIP code %j has no certain meaning in Texas",
  (typed) => {
    expect(Address.safeParse({ ...HOME, postal_code: typed }).success).toBe(false);
  },
);

test.each([
  ["D.C.", "DC", "20001"],
  ["d. c.", "DC", "20001"],
  ["Washington, D.C.", "DC", "20001"],
  ["N.Y.", "NY", "10001"],
  ["US Virgin Islands", "VI", "00801"],
  ["new  mexico", "NM", "87001"],
])("the state %j is %s", (typed, code, postal_code) => {
  expect(Address.parse({ ...HOME, region: typed, postal_code }).region).toBe(code);
});

test.each([
  "mailto:ann@example.com",
  "MAILTO:Ann@Example.com?subject=Coffee",
  "ann@example.com.",
  "<ann@example.com>",
])("the email %j is ann@example.com", (typed) => {
  expect(Email.parse(typed)).toBe("ann@example.com");
});
