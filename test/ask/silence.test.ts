import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Answer } from "../../src/ask/ask.ts";
import { createEngine } from "../../src/ask/engine.ts";
import { beansOf } from "../../src/ask/facts.ts";
import { loadCatalog } from "../../src/catalog/catalog-file.ts";
import { readRows } from "./judging.ts";

const catalog = loadCatalog("resources/catalog.json");
const ask = createEngine(catalog);
const beans = beansOf(catalog);
const questions = readRows("test/ask/questions/shipped.txt").flatMap((row) => row.questions);
const answers = new Map(questions.map((question) => [question, ask(question)]));

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

/** Keys of any kind, and what only one interface understands. */
const SECRETS = /fk_|cma_|sk_|_minor|\/v1\/|GET |POST |get_catalog|request_quote/;

function expectSilence({ answer, facts }: Answer): void {
  const rest = REFUSALS.reduce((text, refusal) => text.replace(refusal, ""), answer);
  expect(rest).not.toMatch(UNSPOKEN);
  expect(JSON.stringify(facts)).not.toMatch(UNSPOKEN);
  expect(answer).not.toMatch(SECRETS);
  expect(answer).not.toBe("");
}

/** What ask may say of a bean: the catalog file's facts, unchanged. */
function expectFactsOfTheCatalog({ facts }: Answer): void {
  for (const fact of facts) {
    const bean = beans.find(({ id }) => id === fact.product_id);
    expect(bean?.facts[fact.field]).toContainEqual(fact);
  }
  const keys = facts.map((fact) => JSON.stringify(fact));
  expect(new Set(keys).size).toBe(keys.length);
}

describe("ask never speaks of altitude, producers or keys, nor in the terms of one interface", () => {
  it("in any answer of the table", () => {
    for (const answer of answers.values()) expectSilence(answer);
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
      { numRuns: 400 },
    );
  });
});

describe("answers", () => {
  it("rest on facts of the catalog, each given once", () => {
    for (const answer of answers.values()) expectFactsOfTheCatalog(answer);
  });

  it("are the same each time", () => {
    for (const [question, answer] of answers) expect(ask(question)).toEqual(answer);
  });

  it("do not depend on case, spacing or exclamation marks", () => {
    for (const [question, { facts }] of answers) {
      if (/[^\x20-\x7e]/.test(question)) continue;
      const shouted = question.toUpperCase().replaceAll(" ", "  ");
      expect(ask(`  ${shouted} !!`).facts).toEqual(facts);
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

  it("leave no part of a question unmentioned", () => {
    const asked = ask("What is the roast of the Huila? Zorp blimfax? How is the Guji processed?");
    expect(asked.not_answered).toEqual(["zorp blimfax?"]);
    expect(asked.facts.map(({ field }) => field)).toEqual(["roast", "process"]);
  });
});
