/**
 * `npm run ask:score [-- --all] [-- CATALOG QUESTIONS]`: how the answers stand, kind by kind. What
 * is not good is printed below the table, with what an answer costs; --all prints every answer.
 */
import { parseArgs } from "node:util";
import { createEngine } from "../../src/ask/engine.ts";
import { loadCatalog } from "../../src/catalog/catalog-file.ts";
import { costOf } from "./cost.ts";
import { judge, readRows, type Verdict } from "./judging.ts";

const { values, positionals } = parseArgs({
  options: { all: { type: "boolean", default: false } },
  allowPositionals: true,
});
const sets =
  positionals.length > 0
    ? [positionals]
    : [
        ["resources/catalog.json", "test/ask/questions/shipped.txt"],
        ["test/ask/questions/other-catalog.json", "test/ask/questions/other.txt"],
      ];

for (const [catalogFile = "", rowsFile = ""] of sets) {
  const catalog = loadCatalog(catalogFile);
  const ask = createEngine(catalog);
  const table: Record<string, Record<Verdict, number>> = {};
  const shown: string[] = [];
  const rows = readRows(rowsFile);
  for (const row of rows)
    for (const question of row.questions) {
      const answer = ask(question);
      const verdict = judge(row, answer, catalog);
      for (const kind of [row.kind, "all"]) {
        table[kind] ??= { good: 0, evasive: 0, wrong: 0 };
        table[kind][verdict] += 1;
      }
      if (verdict === "good" && !values.all) continue;
      const about = [...new Set(answer.facts.map(({ product_id }) => product_id))].join(",");
      const wanted = row.checks.map((check) => check.join("/")).join(" | ");
      shown.push(
        `${verdict} [${row.kind}] ${question}\n   wanted: ${wanted}\n` +
          `   ${answer.declined ?? ""} (${about}) ${answer.answer}`,
      );
    }
  const { all, ...kinds } = table;
  const lines = Object.entries({ ...kinds, all }).map(
    ([kind, counts = { good: 0, evasive: 0, wrong: 0 }]) =>
      [
        kind.padEnd(24),
        ...[counts.good, counts.evasive, counts.wrong].map((n) => String(n).padStart(8)),
      ].join(""),
  );
  const head = `${"".padEnd(24)}    good evasive   wrong`;
  const cost = costOf(
    ask,
    rows.flatMap((row) => row.questions),
  );
  process.stdout.write([`${rowsFile}`, head, ...lines, ...shown, cost].join("\n"));
}
