/** Names, comments and texts keep to the glossary; what it does not say is not said (docs/architecture.md). */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT, sources } from "./reading.ts";

/** What others say: questions, names of fields as agents guess them, addresses in examples. */
const NOT_OURS = ["src/ask/", "test/ask/", "src/domain/shared/field-aliases.ts", "test/laws/"];
const QUOTED = /"nobody"|=nobody|nobody@/g;

const architecture = readFileSync(join(ROOT, "docs/architecture.md"), "utf8");
const [, table = ""] = /\| Not \| But \|\n.*\n((?:\|.*\n)+)/.exec(architecture) ?? [];
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
  const found = sources("src", "tools", "resources", "test", "bench")
    .filter(({ path }) => !NOT_OURS.some((place) => path.startsWith(place)))
    .flatMap(({ path, text }) =>
      [path, ...text.split("\n")].flatMap((line) =>
        said.test(plain(line)) ? [`${path}: ${line.trim()}`] : [],
      ),
    );
  expect(found).toEqual([]);
});
