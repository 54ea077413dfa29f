/** The contract is in the repository, says what the code cites it for, and its worked example is right. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { hashTerms } from "../../src/domain/quote/quote-terms.ts";
import { canonicalJson } from "../../src/domain/shared/canonical-json.ts";
import { ERRORS } from "../../src/domain/shared/errors.ts";
import { operations } from "../../tools/index.ts";
import { ROOT } from "./reading.ts";

const contract = readFileSync(join(ROOT, "docs/contract.md"), "utf8");
const headings = [...contract.matchAll(/^## (\d+)\. /gm)].map(([, number]) => Number(number));
const section = (number: number): string =>
  contract.slice(contract.indexOf(`\n## ${number}. `), contract.indexOf(`\n## ${number + 1}. `));

const cited = ["src", "tools", "resources", "test", "bench", "docs"]
  .flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(ts|css|md|sh)$/.test(name))
      .map((name) => `${folder}/${name}`),
  )
  .filter((path) => !["docs/contract.md", "test/laws/citations.test.ts"].includes(path))
  .flatMap((path) => {
    const text = readFileSync(join(ROOT, path), "utf8");
    return [...text.matchAll(/§\s?(\d*)/g)].map((match) => ({
      path,
      number: match[1] ?? "",
      before: text.slice(Math.max(0, match.index - 60), match.index),
    }));
  });

describe("every citation", () => {
  it("names a section that there is", () => {
    expect(headings).toEqual(headings.map((_, index) => index));
    expect(cited.length).toBeGreaterThan(100);
    const wrong = cited.filter(({ number }) => number === "" || !headings.includes(Number(number)));
    expect(wrong).toEqual([]);
  });

  it("says that it is of the contract: nothing else is cited", () => {
    const odd = cited.filter(
      ({ before }) => !/contract[\s*/]*((§\d+)[,;]?[\s*/]*(and\s)?)*$/.test(before),
    );
    expect(odd.map(({ path, before }) => `${path}: ${before}`)).toEqual([]);
  });
});

describe("the contract names", () => {
  it("every error code (contract §11)", () => {
    const missing = Object.keys(ERRORS).filter((code) => !section(11).includes(`\`${code}\``));
    expect(missing).toEqual([]);
  });

  it("every tool (contract §13)", () => {
    const missing = operations.filter(({ name }) => !section(13).includes(`\`${name}\``));
    expect(missing.map(({ name }) => name)).toEqual([]);
  });
});

test("the worked example of a quote's hash is what the service computes", () => {
  const example = (name: string) =>
    new RegExp(`<!-- example: ${name} -->\\n\`\`\`\\w+\\n([\\s\\S]*?)\\n\`\`\``).exec(
      contract,
    )![1]!;
  expect(hashTerms(canonicalJson(JSON.parse(example("terms"))))).toBe(example("hash"));
});
