import { expect, it } from "vitest";
import { plain, wordsOf } from "../../src/orders/search.ts";

it("words are looked for as they were typed, accents and apostrophe too, the longest first", () => {
  expect(wordsOf("Zoë O’Neill, GARCÍA")).toEqual(["o’neill", "garcía", "zoë"]);
});

it("and then as somebody types them who heard them", () => {
  expect(wordsOf(plain("Zoë O’Neill, GARCÍA"))).toEqual(["o'neill", "garcia", "zoe"]);
});
