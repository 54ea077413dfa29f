import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createAsk } from "../../src/ask/ask.ts";
import { loadCatalog } from "../../src/server/catalog-file.ts";

interface Row {
  q: string;
  must?: string[];
  must_not?: string[];
  /** The beans the facts are of, exactly. Left out where several sets would do. */
  products?: string[];
  /** The fields of the facts, exactly. */
  fields?: string[];
  declined: string | null;
}

const rows = JSON.parse(
  readFileSync(new URL("./questions.json", import.meta.url), "utf8"),
) as Row[];
const ask = createAsk(loadCatalog("resources/catalog.json"));

const sorted = (values: Iterable<string>) => [...new Set(values)].sort();

describe("what people ask", () => {
  it.each(rows)("$q", (row) => {
    const { answer, facts, declined } = ask(row.q);
    expect(declined ?? null).toBe(row.declined);
    for (const text of row.must ?? []) expect(answer).toContain(text);
    for (const text of row.must_not ?? []) expect(answer).not.toContain(text);
    if (row.products)
      expect(sorted(facts.map((fact) => fact.product_id))).toEqual(sorted(row.products));
    if (row.fields) expect(sorted(facts.map((fact) => fact.field))).toEqual(sorted(row.fields));
  });
});
