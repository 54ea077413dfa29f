import { describe, expect, it, test } from "vitest";
import { Address, addressKey } from "../../../src/domain/shared/address.ts";
import { canonicalEmail, Email } from "../../../src/domain/shared/email.ts";

describe("who a customer is", () => {
  test.each([
    ["Buyer@Example.com", "buyer@example.com"],
    ["  buyer@example.com\n", "buyer@example.com"],
    ["buyer+coffee@example.com", "buyer@example.com"],
    ["buyer+a+b@example.com", "buyer@example.com"],
    ["b.u.y.e.r@example.com", "b.u.y.e.r@example.com"],
    ["b.u.y.er@gmail.com", "buyer@gmail.com"],
    ["B.uyer+x@GoogleMail.com", "buyer@gmail.com"],
    ["buyer@münchen.example", "buyer@xn--mnchen-3ya.example"],
    ["buyer@XN--MNCHEN-3YA.example", "buyer@xn--mnchen-3ya.example"],
  ])("%j counts as %s", (typed, customer) => {
    expect(canonicalEmail(typed)).toBe(customer);
  });

  it("is nobody where only a tag or dots are left", () => {
    expect(canonicalEmail("+tag@example.com")).toBeNull();
    expect(canonicalEmail("...@gmail.com")).toBeNull();
  });
});

describe("an email", () => {
  it("is shown as typed, trimmed and in lower case; tag and dots stay", () => {
    expect(Email.parse("  B.uyer+Coffee@Gmail.com ")).toBe("b.uyer+coffee@gmail.com");
  });

  test.each([
    "",
    "buyer",
    "buyer@",
    "@example.com",
    "buyer@localhost",
    "buyer@example.",
    "buyer@@example.com",
    "buyer @example.com",
    "buyer@exam ple.com",
    "buyer@example.com, other@example.com",
    "Buyer <buyer@example.com>",
    "buyer@example.com\nBcc: other@example.com",
    "buy\u0000er@example.com",
    "buy\ud800er@example.com",
    "buyer@b..example",
    "+tag@example.com",
    `${"a".repeat(250)}@example.com`,
  ])("%j is none", (text) => {
    expect(Email.safeParse(text).success).toBe(false);
  });
});

const home: Address = {
  name: "Test Buyer",
  line1: "1 Main Street",
  line2: "Apt 4",
  city: "Austin",
  region: "TX",
  postal_code: "78701",
  country: "US",
};

describe("two parcels go to one address", () => {
  test.each<[string, Partial<Address>]>([
    ["whoever receives them", { name: "Somebody Else" }],
    ["whatever their case", { line1: "1 MAIN street", city: "AUSTIN" }],
    ["however they are spaced", { line1: "  1   Main\u00a0Street ", line2: " Apt  4" }],
    ["with or without ZIP+4", { postal_code: "78701-1234" }],
  ])("%s", (_, change) => {
    expect(addressKey({ ...home, ...change })).toBe(addressKey(home));
  });

  test.each<[string, Partial<Address>]>([
    ["line1", { line1: "2 Main Street" }],
    ["line2", { line2: "Apt 5" }],
    ["city", { city: "Dallas" }],
    ["region", { region: "OK" }],
    ["ZIP", { postal_code: "78702" }],
  ])("but not with another %s", (_, change) => {
    expect(addressKey({ ...home, ...change })).not.toBe(addressKey(home));
  });

  it("but not where words merely stand in other fields", () => {
    const one = { ...home, line1: "1 Main", line2: "Street" };
    expect(addressKey(one)).not.toBe(addressKey({ ...home, line1: "1", line2: "Main Street" }));
  });

  it("with an empty second line as without one", () => {
    const { line2: _, ...without } = home;
    expect(addressKey({ ...without, line2: "" })).toBe(addressKey(without));
  });
});

describe("an address", () => {
  const regions =
    "AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ " +
    "NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY AS GU MP PR VI AA AE AP";

  it("may be in every state, DC, the territories and the armed forces", () => {
    const refused = regions
      .split(" ")
      .filter((region) => !Address.safeParse({ ...home, region }).success);
    expect(refused).toEqual([]);
  });

  test.each<[string, Record<string, unknown>]>([
    ["no state", { region: "XX" }],
    ["a state's name", { region: "Texas" }],
    ["a province", { region: "ON" }],
    ["a name every object has", { region: "constructor" }],
    ["another country", { country: "CA" }],
    ["the country in other words", { country: "USA" }],
    ["the country in lower case", { country: "us" }],
    ["four digits of ZIP", { postal_code: "7870" }],
    ["ZIP and 4 without the dash", { postal_code: "787011234" }],
    ["letters in the ZIP", { postal_code: "7870A" }],
    ["ZIP digits of another script", { postal_code: "٧٨٧٠١" }],
    ["a ZIP with a line break after it", { postal_code: "78701\n" }],
    ["a blank name", { name: "   " }],
    ["a line break", { line1: "1 Main\nStreet" }],
    ["NUL", { city: "Aus\u0000tin" }],
    ["half a character", { city: "Aus\ud800tin" }],
    ["a name without end", { name: "x".repeat(101) }],
    ["a street without end", { line1: "x".repeat(121) }],
    ["a field of its own", { planet: "Earth" }],
    ["a number for a street", { line1: 1 }],
  ])("is refused with %s", (_, change) => {
    expect(Address.safeParse({ ...home, ...change }).success).toBe(false);
  });
});
