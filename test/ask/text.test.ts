import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { slipsBetween } from "../../src/ask/correct.ts";
import { fold, tokenise } from "../../src/ask/text.ts";

const words = (text: string) => tokenise(fold(text)).join(" ");

describe("a folded text", () => {
  it("is in lower case, without accents and invisible characters", () => {
    expect(words("  Café &\u200b Crème, 5% off: it’s $3.50! ")).toBe(
      "cafe and creme , 5% off : its $3.50 !",
    );
    expect(words("Gei\u00adsha")).toBe("geisha");
  });

  it("has no spelled-out words", () => {
    expect(words("m.a.s.l. or A L T I T U D E")).toBe("masl . or altitude");
    expect(words("a b c")).toBe("a b c");
  });
});

describe("a slip", () => {
  it("is one letter too many, too few, wrong or out of place", () => {
    for (const typed of ["geishaa", "gesha", "geicha", "geihsa", "giesha"])
      expect(slipsBetween(typed, "geisha")).toBeLessThan(2);
    for (const typed of ["gisa", "ghsiea", "daily"])
      expect(slipsBetween(typed, "geisha")).toBeGreaterThan(2);
  });

  it("is the same from either side", () => {
    const word = fc.string({ unit: fc.constantFrom(..."abcd"), minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(word, word, (a, b) => slipsBetween(a, b) === slipsBetween(b, a)),
      { numRuns: 2_000 },
    );
  });
});
