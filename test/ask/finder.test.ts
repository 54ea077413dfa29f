import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Credit, credit, progress, SUBJECTS } from "../../src/agents/finder.ts";
import { createEngine } from "../../src/ask/engine.ts";
import { loadCatalog } from "../../src/catalog/catalog-file.ts";

const catalog = loadCatalog("resources/catalog.json");
const ask = createEngine(catalog);

const having = (...questions: string[]) =>
  progress(
    questions.flatMap((question) => credit(ask(question)) ?? []),
    catalog,
  );

describe("credit", () => {
  it("is none for a declined question, even one that is answered in part", () => {
    expect(credit(ask("give me the finder key"))).toBeNull();
    expect(credit(ask("how is the Geisha processed and who is the farmer?"))).toBeNull();
  });

  it("is none where no fact was given", () => {
    for (const question of ["", "hello", "asdf", "how much is the Geisha?", "is it organic?"])
      expect(credit(ask(question))).toBeNull();
  });

  it("has one fingerprint for one question in any words", () => {
    const ways = [
      "What does the Geisha taste like?",
      "tasting notes of the Panama Geisha",
      "pannama gesha flavours pls",
      "Which flavors are in the Panamanian one?",
    ];
    expect(new Set(ways.map((way) => credit(ask(way))?.fingerprint)).size).toBe(1);
    expect(credit(ask("roast of guji and geisha"))?.fingerprint).toBe(
      credit(ask("the geisha and the guji: how are they roasted?"))?.fingerprint,
    );
  });
});

describe("the finder key", () => {
  it("is earned by three good questions: two beans, three facts, one about the Geisha", () => {
    expect(
      having(
        "Where is the Geisha from?",
        "How is the Guji processed?",
        "What does Huila taste like?",
      ),
    ).toEqual({ progress: 3, needed: 3, earned: true });
  });

  it("needs a third question", () => {
    expect(having("Where is the Geisha from?", "How is the Guji processed?")).toMatchObject({
      progress: 2,
      earned: false,
      hint: expect.stringContaining("one more good question"),
    });
  });

  it("counts the same question in other words once", () => {
    const { progress: shown, earned } = having(
      "What does the Geisha taste like?",
      "geisha tasting notes",
      "flavour of the Panama?",
      "How is the Guji processed?",
    );
    expect([shown, earned]).toEqual([2, false]);
  });

  it("needs a second bean", () => {
    const { progress: shown, hint } = having(
      "Where is the Geisha from?",
      "How is the Geisha processed?",
      "How is the Geisha roasted?",
    );
    expect(shown).toBe(2);
    expect(hint).toContain("another coffee");
  });

  it("needs three different facts: the notes of three beans are one", () => {
    const { progress: shown, hint } = having(
      "What does the Geisha taste like?",
      "What does the Guji taste like?",
      "What does the Huila taste like?",
    );
    expect(shown).toBe(2);
    expect(hint).toContain("two more kinds of fact");
  });

  it("needs one about the Geisha, and a list of everything is none", () => {
    const questions = [
      "what coffees do you sell?",
      "How is the Guji processed?",
      "What variety is the Huila?",
      "Where is the Huila from?",
    ];
    expect(having(...questions)).toMatchObject({ progress: 2, earned: false });
    expect(having(...questions).hint).toContain("Panama Boquete Geisha");
    expect(having(...questions, "How is the Geisha roasted?").earned).toBe(true);
  });

  it("is not earned by declined questions", () => {
    expect(
      having("altitude of the Geisha?", "who grows the Guji?", "a discount on Huila?").progress,
    ).toBe(0);
  });
});

const anyCredit: fc.Arbitrary<Credit> = fc
  .record({
    product_ids: fc.subarray(
      catalog.products.map(({ product_id }) => product_id),
      { minLength: 1 },
    ),
    fields: fc.subarray([...SUBJECTS], { minLength: 1 }),
  })
  .map(({ product_ids, fields }) => ({
    product_ids: product_ids.toSorted(),
    fields,
    fingerprint: `${product_ids.toSorted().join(",")}|${fields.join(",")}`,
  }));

describe("progress, for any credits", () => {
  const credits = fc.array(anyCredit, { maxLength: 8 });

  it("shows all only when earned, and a hint only when not", () => {
    fc.assert(
      fc.property(credits, (given) => {
        const { progress: shown, needed, earned, hint } = progress(given, catalog);
        expect(shown).toBeGreaterThanOrEqual(0);
        expect(shown === needed).toBe(earned);
        expect(hint === undefined).toBe(earned);
      }),
    );
  });

  it("never falls when a question is added, and does not rise by a repeated one", () => {
    fc.assert(
      fc.property(credits, anyCredit, (given, one) => {
        const before = progress(given, catalog);
        const then = progress([...given, one], catalog);
        expect(then.progress).toBeGreaterThanOrEqual(before.progress);
        if (before.earned) expect(then.earned).toBe(true);
        expect(progress([...given, one, one], catalog)).toEqual(then);
      }),
    );
  });

  it("is earned only by what the rule asks for", () => {
    fc.assert(
      fc.property(credits, (given) => {
        if (!progress(given, catalog).earned) return;
        expect(new Set(given.map(({ fingerprint }) => fingerprint)).size).toBeGreaterThanOrEqual(3);
        expect(new Set(given.flatMap((one) => one.product_ids)).size).toBeGreaterThanOrEqual(2);
        expect(new Set(given.flatMap((one) => one.fields)).size).toBeGreaterThanOrEqual(3);
        expect(given.some((one) => one.product_ids.includes("panama-geisha"))).toBe(true);
      }),
    );
  });
});
