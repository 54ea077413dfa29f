import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fold } from "../../src/ask/text.ts";

describe("a folded text", () => {
  it("is in lower case, without accents, signs and invisible characters", () => {
    expect(fold("  Café &\u200b Crème, 5% off: it’s $3+! ")).toBe(
      "cafe and creme 5 percent off its dollars 3 plus",
    );
    expect(fold("Gei\u00adsha")).toBe("geisha");
  });

  it("has no spelled-out words", () => {
    expect(fold("m.a.s.l. or A L T I T U D E")).toBe("masl or altitude");
    expect(fold("a b c")).toBe("a b c");
    expect(fold("say a b c d now")).toBe("say abcd now");
    expect(fold("a b c d4")).toBe("a b c d4");
  });

  it("is the same whether or not there was a sign to take away", () => {
    const words = fc.string({ unit: fc.constantFrom(..."abé1  "), maxLength: 24 });
    fc.assert(
      fc.property(words, (text) => fold(text) === fold(`${text}!`)),
      { numRuns: 2_000 },
    );
  });
});
