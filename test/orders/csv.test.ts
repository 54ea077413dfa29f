import fc from "fast-check";
import { expect, it } from "vitest";
import { csvLine, dollars } from "../../src/orders/csv.ts";

it("quotes cells with a comma, a quote or a line break, and doubles quotes", () => {
  expect(csvLine(["plain", 'a "b", c', "two\nlines", null, 12])).toBe(
    'plain,"a ""b"", c","two\nlines",,12\r\n',
  );
});

it("never lets a stranger's text start a formula", () => {
  const starts = fc.constantFrom("=", "+", "-", "@", "＝", "＠", "\t", "\r", " =", "\n=");
  fc.assert(
    fc.property(starts, fc.string(), (start, rest) => {
      const line = csvLine([start + rest]);
      expect(line.replace(/^"/, "")).toMatch(/^'/);
    }),
  );
});

it.each([
  ["Bob;=1+1;", "Bob;'=1+1;"],
  ["a\t =2", "a\t '=2"],
  ["a;\t@b", "a;\t'@b"],
])("disarms a formula behind a semicolon or a tab: %j", (typed, written) => {
  expect(csvLine([typed])).toBe(`"${written}"\r\n`);
});

it("writes money as exact decimals", () => {
  fc.assert(
    fc.property(fc.integer({ min: -99_999_999, max: 99_999_999 }), (minor) => {
      const [whole, cents = ""] = String(Math.abs(dollars(minor))).split(".");
      expect(Number(whole) * 100 + Number(cents.padEnd(2, "0"))).toBe(Math.abs(minor));
    }),
  );
});
