import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { newId, newKey } from "../../src/core/ids.ts";
import { secretIn } from "../../src/core/secrets.ts";
import { BulkLead, Feedback } from "../../src/merchant/feedback.ts";

/** Built at run time, so that no file contains text that looks like a key. */
const made = (prefix: string) => `${prefix}${"aB3dE6gH9".repeat(3)}`;

describe("a secret in a message", () => {
  it.each([
    "4242424242424242",
    "my card is 4242 4242 4242 4242, exp 12/29",
    "4242-4242-4242-4242 12 29 123",
    "visa4242.4242.4242.4242",
    "3782 822463 10005",
    "6011 0009 9013 9424",
    "5555\u00a05555\u00a05555\u00a04444",
    "４２４２ ４２４２ ４２４２ ４２４２",
    "4 2 4 2 4 2 4 2 4 2 4 2 4 2 4 2",
    "order 17: 4000 0566 5566 5556",
    "4111\n1111\n1111\n1111",
    "4111,1111,1111,1111",
    "4111, 1111\n1111 | 1111",
    "4111 (1111) [1111] {1111}",
    "my numbers: 4111;\n\n1111;\n\n1111;\n\n1111.",
    "4111 → 1111 → 1111 → 1111",
    "4111     1111     1111     1111",
    "41,11,11,11,11,11,11,11",
    "4,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1",
    "41111111\n11111111",
    "3782,822463,10005",
    "1001\n4111\n1111\n1111\n1111\n12\n29",
    "٤١١١١١١١١١١١١١١١",
    "٤١١١، ١١١١، ١١١١، ١١١١",
    "४१११ ११११ ११११ ११११",
    "𞥔𞥑𞥑𞥑𞥑𞥑𞥑𞥑𞥑𞥑𞥑𞥑𞥑𞥑𞥑𞥑",
    "4️⃣1️⃣1️⃣1️⃣ 1️⃣1️⃣1️⃣1️⃣ 1️⃣1️⃣1️⃣1️⃣ 1️⃣1️⃣1️⃣1️⃣",
  ])("is a card number in any spelling: %s", (text) => {
    expect(secretIn(text)).toBe("a card number");
  });

  it("is a key of ours or of the payment provider", () => {
    const keys = [newKey("cma_"), newKey("fk_"), made("sk_live_"), made("sk_test_")];
    for (const key of [...keys, made("rk_test_"), made("whsec_"), made("ghp_")])
      expect(secretIn(`use ${key}, it works`)).toBe("a key");
  });

  it("is a token, a password, a security code", () => {
    expect(secretIn("I sent Authorization: Bearer abc123def456ghi")).toBe("a token");
    expect(secretIn("password: correct-horse")).toBe("a password");
    expect(secretIn("cvv 123")).toBe("a card's security code");
  });

  it.each([
    "The Huye was lovely, thank you!",
    "My cma_ key does not work, and Bearer authentication fails.",
    "Call +1 (555) 010-4477 or +1 (555) 010-4478.",
    "About 400 bags a month from 2026-03-02 to 2026-12-31, $20,000 in all.",
    "Order 1234567890123 (13 digits, no card)",
    "12 bags\n1500 guests\n2026\n0704",
    "1994, 2003, 2011, 2026, 2031, 2044",
    "78701, 10001, 60601, 94103, 33101",
    "12, 24, 36, 48, 60, 72, 84, 96, 108, 120",
    "5, 4, 5, 3, 4, 5, 5, 4, 2, 5, 4",
    "$4,500.00; $5,200.00; $6,100.00; $4,800.00",
    "(512) 555-0100, (512) 555-0134, (737) 555-0199",
    "Boxes: 100, 200, 300, 400, 500, 600",
    "4111\nbags for\n1111\nguests\n1111\nrows\n1111",
  ])("is not found in ordinary text: %s", (text) => {
    expect(secretIn(text)).toBeNull();
  });

  it("is not one of our ids", () => {
    for (let i = 0; i < 2000; i++) {
      expect(secretIn(`about ${newId("ord", Date.UTC(2026, 0, 1) + i * 997)} again`)).toBeNull();
    }
  });

  it("is any number that passes the card check, with any separators", () => {
    const digits = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 12, maxLength: 18 });
    fc.assert(
      fc.property(digits, fc.constantFrom("", " ", "-", " - ", "."), (body, between) => {
        const number = body.join("") + checkDigit(body);
        const groups = number.match(/.{1,4}/g)!.join(between);
        expect(secretIn(`pay with ${groups} now`)).toBe("a card number");
      }),
    );
  });
});

function checkDigit(body: readonly number[]): number {
  const sum = [...body].reverse().reduce((total, digit, i) => {
    const value = i % 2 === 0 ? digit * 2 : digit;
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return (10 - (sum % 10)) % 10;
}

describe("messages to the merchant", () => {
  const codes = (result: { error?: { issues: readonly object[] } | undefined }) =>
    (result.error?.issues ?? []).map((issue) => (issue as { params?: { code: string } }).params);

  it("are refused with a secret in any free-text field", () => {
    const secret = "4242 4242 4242 4242";
    const lead = { email: "a@example.com", purpose: "An office." };
    for (const body of [
      { ...lead, purpose: secret },
      { ...lead, quantity: secret },
      { ...lead, organization: secret },
    ])
      expect(codes(BulkLead.safeParse(body))).toEqual([{ code: "SECRET_IN_MESSAGE" }]);
    expect(codes(Feedback.safeParse({ message: secret }))).toEqual([{ code: "SECRET_IN_MESSAGE" }]);
  });

  it("take 2000 characters but not 2001, in Unicode code points", () => {
    expect(Feedback.safeParse({ message: "☕".repeat(2000) }).success).toBe(true);
    expect(Feedback.safeParse({ message: "🫘".repeat(2000) }).success).toBe(true);
    expect(Feedback.safeParse({ message: "a".repeat(2001) }).success).toBe(false);
    expect(Feedback.safeParse({ message: "   " }).success).toBe(false);
  });
});
