import { describe, expect, it, test } from "vitest";
import { Address, addressKey, US_REGIONS } from "../../src/core/address.ts";
import {
  canonicalEmail,
  Email,
  meantEmail,
  namesCustomer,
  withoutCustomer,
} from "../../src/core/email.ts";

describe("a customer", () => {
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

  it("needs more than a tag or dots in the name", () => {
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
    "buyer@exa/mple.com",
    "buyer@exa?mple.com",
    "buyer@exa#mple.com",
    "buyer@ex%61mple.com",
    "buyer@exam_ple!.com",
    "buyer@127.0.0.1",
    `buyer@${"a".repeat(64)}.com`,
    "buy\u200ber@example.com",
    "buy\u034fer@example.com",
    "buy\u3164er@example.com",
    "buyer@exam\u00adple.com",
  ])("%j is refused", (text) => {
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

describe("two shipments go to one address", () => {
  test.each<[string, Partial<Address>]>([
    ["the recipient's name", { name: "Somebody Else" }],
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

  it("but not if the same words are in other fields", () => {
    const one = { ...home, line1: "1 Main", line2: "Street" };
    expect(addressKey(one)).not.toBe(addressKey({ ...home, line1: "1", line2: "Main Street" }));
  });

  it("with an empty second line or none", () => {
    const { line2: _, ...without } = home;
    expect(addressKey({ ...without, line2: "" })).toBe(addressKey(without));
  });
});

describe("an address", () => {
  const regions =
    "AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ " +
    "NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY AS GU MP PR VI AA AE AP";

  const wrongIn = (change: Record<string, unknown>) =>
    Address.safeParse({ ...home, ...change }).error?.issues.map(({ path }) => path.join("/"));

  it("may be in every state, DC, the territories, or with the armed forces", () => {
    expect(Object.keys(US_REGIONS).sort()).toEqual(regions.split(" ").sort());
    const refused = regions
      .split(" ")
      .filter((region) => (wrongIn({ region }) ?? []).includes("region"));
    expect(refused).toEqual([]);
  });

  test.each([
    ["Texas", "78701", "TX"],
    ["Tex.", "78701", "TX"],
    ["Fla.", "33101", "FL"],
    ["Calif.", "94107", "CA"],
    ["tx", "78701", "TX"],
    [" tX ", "78701", "TX"],
    ["new york", "10001", "NY"],
    ["NEW YORK", "06390", "NY"],
    ["District of Columbia", "20001", "DC"],
    ["puerto rico", "00901", "PR"],
    ["ae", "09012", "AE"],
  ])("accepts the region %j and stores its code", (region, postal_code, code) => {
    expect(Address.parse({ ...home, region, postal_code }).region).toBe(code);
  });

  const ZIP_CODES = `
    AL 35203, AK 99501 99950, AZ 85001 86503, AR 72201, CA 90001 96161, CO 80202, CT 06103, DE
    19801, DC 20001 20500, FL 33101 34997, GA 30303 39901, HI 96813, ID 83702, IL 60601 62999, IN
    46204, IA 50309 52801, KS 66603, KY 40202 42701, LA 70112 71497, ME 03901 04101, MD 20701
    21201, MA 01001 02108 05544, MI 48226 49971, MN 55401 56763, MS 39201, MO 63101 65897, MT
    59601, NE 68102 69367, NV 89101 89883, NH 03031 03897, NJ 07001 08989, NM 87102 88439, NY
    00501 06390 10001 14925, NC 27601 28909, ND 58102 58856, OH 43215 45999, OK 73102 74966, OR
    97201 97920, PA 15222 19640, RI 02801 02940, SC 29201, SD 57104 57799, TN 37201 38589, TX
    73301 75001 79999 88510, UT 84101, VT 05001 05401 05907, VA 20101 22314 24658, WA 98101 99403,
    WV 24701 26886, WI 53202 54990, WY 82001 83128 83414, AS 96799, GU 96910, MP 96950, PR 00601
    00901, VI 00801, AA 34002, AE 09012, AP 96201 96601
  `;

  test.each(ZIP_CODES.trim().split(/,\s+/))("in a region with its ZIP codes: %s", (row) => {
    const [region, ...codes] = row.split(/\s+/);
    expect(codes.length).toBeGreaterThan(0);
    expect(codes.filter((postal_code) => wrongIn({ region, postal_code }))).toEqual([]);
  });

  it("with a ZIP code of another region names that region and the expected codes", () => {
    const [issue] = Address.safeParse({ ...home, postal_code: "97205" }).error!.issues;
    expect(issue).toMatchObject({ path: ["postal_code"] });
    for (const named of ["97205", "Oregon (OR)", "TX", "733, 750-799, 885"]) {
      expect(issue!.message).toContain(named);
    }
    expect(wrongIn({ postal_code: "00101" })).toEqual(["postal_code"]);
    expect(wrongIn({ postal_code: "97205", name: " " })).toEqual(["name", "postal_code"]);
  });

  it("trims a ZIP code", () => {
    expect(Address.parse({ ...home, postal_code: " 78701-1234\n" }).postal_code).toBe("78701-1234");
  });

  test.each<[string, Record<string, unknown>]>([
    ["no state", { region: "XX" }],
    ["half a state's name", { region: "Tex" }],
    ["a province", { region: "ON" }],
    ["a name every object has", { region: "constructor" }],
    ["another country", { country: "CA" }],
    ["four digits of ZIP", { postal_code: "7870" }],
    ["letters in the ZIP", { postal_code: "7870A" }],
    ["ZIP digits of another script", { postal_code: "٧٨٧٠١" }],
    ["a ZIP with a line break in it", { postal_code: "787\n01" }],
    ["a direction-changing character", { line1: "1 Main \u202eteertS" }],
    ["an invisible character", { city: "Aus\u200btin" }],
    ["a filler that is a letter to computers", { name: "\u3164" }],
    ["accents up to the next line", { name: `A${"\u0301".repeat(20)}` }],
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

describe("a mistyped domain", () => {
  test.each([
    ["ann@gmial.con", "ann@gmail.com"],
    ["ann@gmai.com", "ann@gmail.com"],
    ["ann@yaho.com", "ann@yahoo.com"],
    ["ann@outlok.com", "ann@outlook.com"],
    ["ann@roastery.con", "ann@roastery.com"],
    ["ann@gmail.com", null],
    ["ann@mail.com", null],
    ["ann@ymail.com", null],
    ["ann@example.com", null],
    ["ann@company.co", null],
  ])("%s was probably meant as %s", (typed, meant) => {
    expect(meantEmail(typed)).toBe(meant);
  });
});

describe("an address in a text", () => {
  const CUSTOMER = "annlee@gmail.com";
  test.each([
    ["Write to Ann.Lee@Gmail.com.", "Write to erased."],
    ["<ann.lee+tea@googlemail.com>, mailto:annlee@gmail.com", "<erased>, mailto:erased"],
    ["to=annlee@gmail.com/--annlee@gmail.com", "to=erased/--erased"],
    ["joannlee@gmail.com annlee@gmail.com.au annlee@gmail.community", null],
    ["annlee@example.com @gmail.com annlee", null],
  ])("%s", (text, without) => {
    expect(withoutCustomer(text, CUSTOMER, "erased")).toBe(without ?? text);
    expect(namesCustomer(text, CUSTOMER)).toBe(without !== null);
    expect(namesCustomer(`Hello,\n\n${text}`, CUSTOMER)).toBe(without !== null);
    expect(namesCustomer(JSON.stringify({ text: `\n${text}\t` }), CUSTOMER)).toBe(without !== null);
  });
});
