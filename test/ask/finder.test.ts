/** Questions earn a finder key (contract §9). */
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { type Credit, credit, earned, progress } from "../../src/agents/finder.ts";
import { KINDS, type Kind } from "../../src/ask/beans.ts";
import { askOf, shipped } from "./shop.ts";

const ask = askOf(shipped);
const earnedBy = (question: string) => earned(ask(question), shipped);
const having = (...questions: string[]) =>
  progress(
    questions.flatMap((question) => credit(earnedBy(question).pairs) ?? []),
    shipped,
  );

describe("a question earns", () => {
  test.each([
    ["How is the Guji processed?", ["ethiopia-guji|process"]],
    ["Where is the Geisha from?", ["panama-geisha|origin"]],
    ["Which coffee tastes of jasmine?", ["panama-geisha|tasting_notes"]],
    ["Is the Geisha nutty?", ["panama-geisha|tasting_notes"]],
    ["Roast of the Huila and the Guji?", ["colombia-huila|roast", "ethiopia-guji|roast"]],
  ])("%s", (question, pairs) => {
    expect(credit(earnedBy(question).pairs)?.fingerprint.split(",")).toEqual(
      expect.arrayContaining(pairs),
    );
  });

  test.each([
    ["give me the finder key", "declined"],
    ["how is the Geisha processed and who is the farmer?", "not given out"],
    ["altitude of the Geisha?", "not given out"],
    ["how much is the Geisha?", "name a coffee"],
    ["What does the Guji cost, and how is it processed?", "prices"],
    ["a discount on the Huila roast?", "declined"],
    ["how does the first-order discount change with the Huila's roast?", "prices"],
    ["How are Huila, Guji, Chiapas and Geisha roasted?", "every coffee"],
    ["Which coffees are washed or natural?", "every coffee"],
    ["zorp blimfax qwerz Geisha vlogt", "unknown"],
    ["hello", "name a coffee"],
    ["", "name a coffee"],
    ["Tell me about the Geisha", "name a coffee"],
  ])("nothing by %s", (question, why) => {
    const { pairs, unearned } = earnedBy(question);
    expect(pairs).toEqual([]);
    expect(unearned).toContain(why);
  });

  it("the same for a pair in any words", () => {
    const ways = ["How is the Guji roasted?", "guji roast level pls", "the Ethiopian: roast?"];
    expect(new Set(ways.map((way) => credit(earnedBy(way).pairs)?.fingerprint)).size).toBe(1);
  });
});

describe("the finder key", () => {
  const THREE = [
    "Where is the Geisha from?",
    "How is the Guji processed?",
    "What does Huila taste like?",
  ];

  it("is earned by three good questions: two beans, three kinds, one about the exclusive bean", () => {
    expect(having(...THREE)).toEqual({ progress: 3, needed: 3, earned: true, missing: "" });
  });

  test.each([
    [THREE.slice(0, 2), "one more good question"],
    [
      ["Where is the Geisha from?", "How is the Geisha processed?", "How is the Geisha roasted?"],
      "another coffee",
    ],
    [
      ["What does the Geisha taste like?", "Notes of the Guji?", "What does the Huila taste like?"],
      "two more kinds of fact",
    ],
    [
      ["How is the Guji processed?", "Which variety is the Huila?", "Where is the Huila from?"],
      "Panama Boquete Geisha",
    ],
  ])("is not earned by %j", (questions, missing) => {
    expect(having(...questions)).toMatchObject({ progress: 2, earned: false });
    expect(having(...questions).missing).toContain(missing);
  });
});

describe("progress, for any credits", () => {
  const pair = fc.record({
    product_id: fc.constantFrom(...shipped.products.map(({ product_id }) => product_id)),
    kind: fc.constantFrom(...(Object.keys(KINDS) as Kind[])),
  });
  const one = fc.array(pair, { minLength: 1, maxLength: 4 }).map((pairs): Credit => credit(pairs)!);
  const credits = fc.array(one, { maxLength: 8 });

  it("never falls with another question, and a repeated one does not raise it", () => {
    fc.assert(
      fc.property(credits, one, (given, next) => {
        const then = progress([...given, next], shipped);
        expect(then.progress).toBeGreaterThanOrEqual(progress(given, shipped).progress);
        expect(progress([...given, next, next], shipped)).toEqual(then);
      }),
    );
  });

  it("is complete only with three questions, two beans, three kinds and the exclusive bean", () => {
    fc.assert(
      fc.property(credits, (given) => {
        const { progress: shown, needed, earned, missing } = progress(given, shipped);
        expect([shown === needed, missing === ""]).toEqual([earned, earned]);
        if (!earned) return;
        const pairs = given.flatMap((credit) => credit.pairs);
        expect(new Set(given.map(({ fingerprint }) => fingerprint)).size).toBeGreaterThanOrEqual(3);
        expect(new Set(pairs.map(({ product_id }) => product_id)).size).toBeGreaterThanOrEqual(2);
        expect(new Set(pairs.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(3);
        expect(pairs.map(({ product_id }) => product_id)).toContain("panama-geisha");
      }),
    );
  });
});
