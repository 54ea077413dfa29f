import canonicalize from "canonicalize";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson, inCanonicalOrder } from "../../src/core/hash.ts";

/** Names like those in our schemas: no numbers, and none that is special in JavaScript. */
const name = fc
  .string({ unit: "grapheme", minLength: 1 })
  .filter((text) => text.isWellFormed() && !/^\d+$/.test(text) && text !== "__proto__");
const scalar = fc.oneof(
  fc.string({ unit: "grapheme" }).filter((text) => text.isWellFormed()),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(null, true, false, undefined),
);
const { tree } = fc.letrec((tie) => ({
  tree: fc.dictionary(name, tie("value") as fc.Arbitrary<unknown>),
  value: fc.oneof(scalar, tie("tree"), fc.array(tie("value"), { maxLength: 3 })),
}));

describe("canonical JSON", () => {
  it("equals the output of another RFC 8785 implementation", () => {
    fc.assert(
      fc.property(tree!, (value) => {
        expect(canonicalJson(value as object)).toBe(canonicalize(value));
      }),
    );
  });

  it("is JSON.stringify of the ordered value", () => {
    const ordered = inCanonicalOrder({ b: [{ d: 1, c: "\u20ac" }], a: null });
    expect(JSON.stringify(ordered)).toBe('{"a":null,"b":[{"c":"\u20ac","d":1}]}');
  });
});
