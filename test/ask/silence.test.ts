import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Answer } from "../../src/ask/answer.ts";
import { createAsk } from "../../src/ask/ask.ts";
import { catalogValue } from "../../src/ask/describe.ts";
import type { Product } from "../../src/domain/catalog/catalog.ts";
import { loadCatalog } from "../../src/server/catalog-file.ts";

const catalog = loadCatalog("resources/catalog.json");
const ask = createAsk(catalog);
const questions = (
  JSON.parse(readFileSync(new URL("./questions.json", import.meta.url), "utf8")) as { q: string }[]
).map(({ q }) => q);

/** The two sentences that name what is not given out; nothing else may come near it. */
const REFUSALS = [
  "Altitude is something we do not give out.",
  "Who produced a coffee is something we do not give out.",
];
const UNSPOKEN = new RegExp(
  [
    "altitude|elevation|masl|m\\.a\\.s\\.l|sea level|\\bmet(re|er)s?\\b|\\d\\s?(m|ft)\\b|feet",
    "farm|estate|producer|produced|grower|finca|hacienda|cooperative|co-op|smallholder",
    "plantation|washing station",
  ].join("|"),
  "i",
);

const SECRETS = /FIRSTBAG|fk_|cma_|sk_|\$\d|_minor|\b(2200|2050|2450|6500|5000)\b/;

function expectSilence({ answer, facts, declined }: Answer): void {
  const rest = REFUSALS.reduce((text, refusal) => text.replace(refusal, ""), answer);
  expect(rest).not.toMatch(UNSPOKEN);
  expect(JSON.stringify(facts)).not.toMatch(UNSPOKEN);
  expect(answer).not.toMatch(SECRETS);
  expect(answer).not.toBe("");
  if (declined !== undefined) expect(typeof declined).toBe("string");
}

/** What ask may say besides its own sentences: the catalog file's facts, unchanged. */
function expectFactsOfTheCatalog({ facts }: Answer): void {
  for (const { product_id, field, value } of facts) {
    const product = catalog.find(product_id) as Product;
    expect(product).toBeDefined();
    expect(catalogValue(product, field)).toContain(value);
  }
  const keys = facts.map((fact) => JSON.stringify(fact));
  expect(new Set(keys).size).toBe(keys.length);
}

describe("ask never speaks of altitude, producers, prices or codes", () => {
  it("in any answer of the table", () => {
    for (const question of questions) expectSilence(ask(question));
  });

  it("whatever is typed", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 600, unit: "grapheme" }), (question) => {
        expectSilence(ask(question));
      }),
    );
  });

  const words = questions.flatMap((question) => question.split(/\s+/));
  const facts = JSON.stringify(catalog.products).split(/[^\p{L}-]+/u);
  const word = fc.constantFrom(...new Set([...words, ...facts]));

  it("for any words of the questions and the catalog thrown together", () => {
    fc.assert(
      fc.property(fc.array(word, { maxLength: 14 }), (picked) => {
        const answer = ask(picked.join(" "));
        expectSilence(answer);
        expectFactsOfTheCatalog(answer);
      }),
      { numRuns: 1000 },
    );
  });

  it("for any few words of the catalog", () => {
    const own = fc.constantFrom(...new Set(facts));
    fc.assert(
      fc.property(fc.array(own, { minLength: 1, maxLength: 3 }), (picked) => {
        expectSilence(ask(picked.join(" ")));
      }),
      { numRuns: 1000 },
    );
  });
});

describe("answers", () => {
  it("rest on facts of the catalog, each given once", () => {
    for (const question of questions) expectFactsOfTheCatalog(ask(question));
  });

  it("are the same each time", () => {
    for (const question of questions) expect(ask(question)).toEqual(ask(question));
  });

  it("do not depend on case, accents, spacing or punctuation", () => {
    for (const question of questions) {
      if (/[^\x20-\x7e]/.test(question)) continue;
      const shouted = question.toUpperCase().replaceAll(" ", "  ");
      expect(ask(`  ${shouted} !!`).facts).toEqual(ask(question).facts);
    }
  });

  it("never repeat the asker's own words", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[bcdfghjkmnpqrstvwxz]{7,12}$/), (nonsense) => {
        const { answer } = ask(`${nonsense} <b>${nonsense}</b> tasting notes of the Geisha`);
        expect(answer).not.toContain(nonsense);
        expect(answer).not.toContain("<");
      }),
    );
  });
});
