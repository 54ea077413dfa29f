import { describe, expect, it } from "vitest";
import { createEngine } from "../../src/ask/engine.ts";
import { loadCatalog } from "../../src/catalog/catalog-file.ts";
import { judge, namedBeans, readRows } from "./judging.ts";

describe.each([
  ["the shipped catalog", "resources/catalog.json", "test/ask/questions/shipped.txt"],
  ["another shop's", "test/ask/questions/other-catalog.json", "test/ask/questions/other.txt"],
])("what people ask, over %s", (_, catalogFile, rowsFile) => {
  const catalog = loadCatalog(catalogFile);
  const ask = createEngine(catalog);
  const rows = readRows(rowsFile);

  it.each(rows)("$questions.0", (row) => {
    for (const question of row.questions) {
      const answer = ask(question);
      expect([question, answer.answer, judge(row, answer, catalog)]).toEqual([
        question,
        answer.answer,
        "good",
      ]);
    }
  });

  it("names the same beans in whatever words it is asked", () => {
    for (const { questions, checks } of rows) {
      if (!checks.some(([check]) => check?.startsWith("="))) continue;
      const named = questions.map((question) => [...namedBeans(ask(question), catalog)].sort());
      for (const one of named) expect(one).toEqual(named[0]);
    }
  });
});
