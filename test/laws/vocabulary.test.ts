/** Names, comments, texts and documents keep to the glossary (docs/architecture.md). */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "./reading.ts";

/** What others say: questions, names of fields as agents guess them, addresses in examples. */
const NOT_OURS = [
  "src/ask/gates.ts",
  "src/ask/vocabulary.ts",
  "src/domain/shared/field-aliases.ts",
  "test/laws/",
];
const FOLDERS = "{src,tools,resources,test,bench,docs,deploy,.github}";
const READ = [`${FOLDERS}/**/*.{ts,js,mjs,py,css,md,yaml,yml,conf}`, "*.{md,ts}"];
const QUOTED = /"nobody"|=nobody|nobody@/g;

const architecture = readFileSync(join(ROOT, "docs/architecture.md"), "utf8");
const [whole = "", table = ""] = /\| Not \| But \|\n.*\n((?:\|.*\n)+)/.exec(architecture) ?? [];
const avoided = table.split("\n").flatMap((row) => (row.split("|")[1] ?? "").split(","));
const words = avoided.map((word) => word.trim()).filter((word) => word !== "");

/** `wasGivenBack`, `given_back` and "given back" are the same words. */
const plain = (text: string): string =>
  text
    .replace(QUOTED, "")
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replace(/[_-]/g, " ");

it("no word stands for what the glossary calls by another name", () => {
  expect(words.length).toBeGreaterThan(5);
  const said = new RegExp(`\\b(${words.join("|")})s?\\b`, "i");
  const found = globSync(READ, { cwd: ROOT })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => !NOT_OURS.some((place) => path.startsWith(place)))
    .flatMap((path) => {
      const text = readFileSync(join(ROOT, path), "utf8").replace(whole, "");
      return [path, ...text.split("\n")].flatMap((line) =>
        said.test(plain(line)) ? [`${path}: ${line.trim()}`] : [],
      );
    });
  expect(found).toEqual([]);
});
