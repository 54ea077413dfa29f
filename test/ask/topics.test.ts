import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { correct, spelt } from "../../src/ask/correct.ts";
import { beansOf } from "../../src/ask/facts.ts";
import { createLexicon } from "../../src/ask/lexicon.ts";
import { policyAnswer } from "../../src/ask/policy-answers.ts";
import { fold, tokenise } from "../../src/ask/text.ts";
import { ANSWERS } from "../../src/ask/topic-answers.ts";
import model from "../../src/ask/topics.json" with { type: "json" };
import { topicOf } from "../../src/ask/topics.ts";
import { loadCatalog } from "../../src/catalog/catalog-file.ts";

const lexicon = createLexicon(beansOf(loadCatalog("resources/catalog.json")));
const topicsOf = (question: string) => {
  const tokens = correct(tokenise(spelt(fold(question))), lexicon, false);
  return topicOf(tokens.join(" "), lexicon, false)?.names ?? ["none"];
};

const linesOf = (file: string): string[] => readFileSync(file, "utf8").trim().split("\n");
const examples = linesOf("resources/questions.txt");
const asked = linesOf("test/ask/questions/topics.txt").flatMap((line) => {
  const [topics = "", question = ""] = line.split(" | ");
  return line.startsWith("//") ? [] : { topics: topics.split("/"), question };
});

describe("what a question is about", () => {
  const judged = asked.map(({ topics, question }) => ({
    isPolicy: !topics.includes("none"),
    told: topicsOf(question),
    isRight: topicsOf(question).some((topic) => topics.includes(topic)),
  }));
  const policy = judged.filter(({ isPolicy }) => isPolicy);
  const beans = judged.filter(({ isPolicy }) => !isPolicy);
  const shareOf = (some: unknown[], all: unknown[]) => some.length / all.length;

  it("is told of nine in ten questions of policy that it was not trained on", () => {
    expect(policy.length).toBeGreaterThan(500);
    const right = policy.filter(({ isRight }) => isRight);
    expect(shareOf(right, policy)).toBeGreaterThan(0.9);
  });

  it("is told wrongly of few: rather nothing is told", () => {
    const wrong = policy.filter(({ isRight, told }) => !isRight && !told.includes("none"));
    expect(shareOf(wrong, policy)).toBeLessThan(0.05);
  });

  it("is no policy where the beans are asked for", () => {
    const right = beans.filter(({ isRight }) => isRight);
    expect(shareOf(right, beans)).toBeGreaterThan(0.97);
  });

  it("was trained on none of these", () => {
    const plain = (text: string) => fold(text).replace(/[^a-z0-9 ]/g, "");
    const known = new Set(examples.map(plain));
    expect(asked.filter(({ question }) => known.has(plain(question)))).toEqual([]);
  });
});

describe("every topic", () => {
  const named = examples.flatMap((line) => (line.startsWith("# ") ? line.slice(2) : []));

  it("has examples, each once, and an answer; every answer has examples", () => {
    expect([...named].sort()).toEqual(model.topics);
    expect([...ANSWERS.keys(), "none"].sort()).toEqual(model.topics);
    const questions = examples.filter((line) => line !== "" && !line.startsWith("#"));
    expect(new Set(questions).size).toBe(questions.length);
  });

  it.each([...ANSWERS.keys()])("%s is answered in whole sentences", (topic) => {
    const given = {
      text: "",
      amount: null,
      bags: null,
      isExclusive: false,
      exclusive: [],
      live: {},
    };
    const { text } = policyAnswer(
      { names: [topic], chance: 1, ofBean: false, words: "", open: [] },
      given,
      [],
    );
    expect(text).toMatch(/^[A-Z].*\.$/);
    expect(text).not.toContain("undefined");
  });
});
