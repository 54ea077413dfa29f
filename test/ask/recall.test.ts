/** Policy questions in everyday words find a passage that answers them, and replies stay small. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { askOf, shipped } from "./shop.ts";

const ask = askOf(shipped);
const rows = readFileSync("test/ask/policy-questions.txt", "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("//"))
  .map((line) => line.split(" | "))
  .map(([topics = "", question = ""]) => ({ topics: topics.split(" "), question }));

it("nine in ten policy questions get the passage that answers them", () => {
  const missed = rows.filter(({ topics, question }) => {
    const shown = ask(question).answer.policy?.map(({ topic }) => topic) ?? [];
    return !topics.some((topic) => shown.includes(topic));
  });
  expect(rows.length).toBeGreaterThan(300);
  expect(missed.length / rows.length).toBeLessThan(0.1);
});

it("half of the replies have at most 1.8 kB, nine in ten at most 3.6 kB", () => {
  const bytes = rows
    .map(({ question }) => Buffer.byteLength(JSON.stringify(ask(question).answer)))
    .sort((a, b) => a - b);
  expect(bytes[Math.floor(bytes.length / 2)]).toBeLessThanOrEqual(1800);
  expect(bytes[Math.floor(bytes.length * 0.9)]).toBeLessThanOrEqual(3600);
});
