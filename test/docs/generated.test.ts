import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { contents } from "../../src/app/registry.ts";
import { generated } from "../../src/docs/generated-files.ts";

const read = (path: string): string =>
  readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

test("the tables in docs and the OpenAPI document match the operations", () => {
  for (const { path, content } of generated(contents, read)) {
    expect(read(path) === content, `${path}: run npm run generate and commit it`).toBe(true);
  }
});

test("a missing marker is an error", () => {
  expect(() => generated(contents, () => "# a page without markers\n")).toThrow(
    "docs/agents.md has no lines",
  );
});
