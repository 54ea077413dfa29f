/** The text of a tool's answer is the answer itself (contract §13). */
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { parse } from "yaml";
import { answerText } from "../../src/mcp/answer-text.ts";

type Fields = Record<string, unknown>;

/** What a reader of the text learns. YAML's failsafe schema has only texts, lists and objects. */
const read = (body: Fields) => parse(answerText(body), { schema: "failsafe" });

/** The same from the answer: without what is as good as absent, and each single value as text. */
function expected(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(expected);
  if (typeof value !== "object" || value === null) return String(value);
  const told = Object.entries(value).filter(
    ([, one]) => one !== null && one !== false && !(Array.isArray(one) && one.length === 0),
  );
  return Object.fromEntries(told.map(([name, one]) => [name, expected(one)]));
}

const words = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.stringMatching(/^[a-z0-9:#,.{}[\]"'|>&*!%@`?~\n -]{1,40}$/),
  fc.constantFrom(
    "status: PAID",
    "a, paid: yes",
    "}",
    "- x",
    "Next: x",
    "null",
    "02134",
    "a\nb: c",
  ),
);
const names = fc.stringMatching(/^f[a-h]{0,5}$/);
const { value: anything } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    words,
    fc.oneof(fc.integer(), fc.boolean(), fc.constant(null)),
    // An entry with one text is that text, so an object has two fields.
    fc.dictionary(names, tie("value"), { maxKeys: 5 }).map((one) => ({ id: 1, n: 2, ...one })),
    fc.array(
      tie("value").filter((one) => one !== null),
      { maxLength: 4 },
    ),
  ),
}));

test("any answer can be read from its text, whatever somebody wrote into it", () => {
  fc.assert(
    fc.property(fc.dictionary(names, anything, { minKeys: 1, maxKeys: 5 }), (fields) => {
      const told = Object.fromEntries(
        Object.entries(fields)
          .filter(([, one]) => one !== null)
          .map(([name, one]) => [name, expected(one)]),
      );
      expect(read({ id: "x", ...fields })).toEqual({ id: "x", ...told });
    }),
    { numRuns: 1000 },
  );
});

describe("an answer's text", () => {
  it("tells money as people write it, once", () => {
    const pricing = { total_minor: 6450, total_display: "$64.50", shipping_minor: 0 };
    expect(read({ id: "x", pricing })).toEqual({
      id: "x",
      pricing: { total: "$64.50", shipping: "$0.00" },
    });
  });

  it("keeps the lines of a message for the buyer", () => {
    const message_for_buyer = "Open this page: \nhttp://shop.example/review/x\nNothing is ordered.";
    expect(answerText({ message_for_buyer })).toContain("\n  http://shop.example/review/x\n");
    expect(read({ message_for_buyer })).toEqual({ message_for_buyer });
  });

  it("says that a list is empty", () => {
    expect(read({ orders: [], next_before: null })).toEqual({ orders: [] });
  });

  it("tells a field once, by the field that says more", () => {
    const messages = [{ code: "FREE_SHIPPING", text: "$18.00 more ships free." }];
    expect(read({ quote_id: "q", quote_hash: "sha256:1", messages })).toEqual({
      quote_id: "q",
      messages: ["$18.00 more ships free."],
    });
    expect(read({ id: "q", quote_hash: "sha256:1" })).toHaveProperty("quote_hash");
  });

  it("ends with the next steps", () => {
    const next = [{ action: "get_order", why: "See it: now." }];
    expect(answerText({ next, id: "x" })).toBe("id: x\nNext: get_order: See it: now.");
  });
});
