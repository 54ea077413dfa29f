/** Questions that nobody tunes on get a section that answers them, and replies stay small (contract §9). */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { askOf, shipped } from "./shop.ts";

const ask = askOf(shipped);
const rows = readFileSync("test/ask/questions.txt", "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("//"))
  .map((line) => line.split(" | "))
  .map(([wanted = "", question = ""]) => ({ wanted: wanted.split(", "), question }));

it("at least 92 % of 40 fresh questions get what answers them", () => {
  const missed = rows.flatMap(({ wanted, question }) => {
    const { beans, policy = [] } = ask(question).answer;
    const shown = [...policy.map(({ topic }) => topic), ...(beans ? ["beans"] : [])];
    return wanted.some((one) => shown.includes(one)) ? [] : `${question} → ${shown.join(", ")}`;
  });
  expect(rows).toHaveLength(40);
  expect(missed.length / rows.length, missed.join("\n")).toBeLessThanOrEqual(0.08);
});

it("an answer has at most 4.5 kB", () => {
  for (const { question } of rows)
    expect(JSON.stringify(ask(question).answer).length, question).toBeLessThan(4500);
});
