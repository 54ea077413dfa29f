import { expect, it } from "vitest";
import { plain, wordsOf } from "../../src/orders/search.ts";

it("words are searched as typed, with accents and apostrophes, the longest first", () => {
  expect(wordsOf("Zoë O’Neill, GARCÍA")).toEqual(["o’neill", "garcía", "zoë"]);
});

it("and also without accents", () => {
  expect(wordsOf(plain("Zoë O’Neill, GARCÍA"))).toEqual(["o'neill", "garcia", "zoe"]);
});
