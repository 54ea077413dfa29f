/** No test that needs a database is left out on one of the two engines. */
import { globSync } from "node:fs";
import { describe, expect, it, test } from "vitest";
import { ALSO_ON_POSTGRES } from "../support/engines.ts";
import { ROOT, sources } from "./reading.ts";

/** What opens a database: of the engine that the run is about, or of each. */
const USUAL = /service|mcp-service|usual-database|lasting-database|payments\/steps/;
const EACH = /databases|stores|postgres|postgres-server|fleet/;

/** Why a test may do with one engine. */
const ONE_ENGINE: Record<string, string> = {
  "test/docs/documents.test.ts": "what documents say, on the database that its newcomer has",
  "test/docs/openapi.test.ts": "the document, which no row is in",
};

const all = new Map(sources("test").map((source) => [source.path, source]));
const twice = new Set(globSync(ALSO_ON_POSTGRES, { cwd: ROOT }));
const tests = [...all.keys()].filter((path) => path.endsWith(".test.ts"));

/** Its own imports and those of the test's folder: a file in support is what it is called. */
function opens(path: string, pattern: RegExp, seen = new Set<string>()): boolean {
  return (all.get(path)?.imports ?? []).some(({ from, typeOnly }) => {
    if (typeOnly || seen.has(from) || !from.startsWith("test/")) return false;
    seen.add(from);
    return (
      new RegExp(`/(${pattern.source})\\.ts$`).test(from) ||
      (!from.startsWith("test/support/") && opens(from, pattern, seen))
    );
  });
}

describe("every test of a whole service", () => {
  it("is run on both engines, or has both in itself, or says why not", () => {
    const missing = tests.filter(
      (path) =>
        opens(path, USUAL) && !twice.has(path) && !opens(path, EACH) && !(path in ONE_ENGINE),
    );
    expect(missing).toEqual([]);
  });

  it("does not choose SQLite by itself where PostgreSQL is asked for", () => {
    const chosen = [...twice].filter((path) =>
      /"sqlite::memory:"|openSqlite/.test(all.get(path)!.text),
    );
    expect(chosen).toEqual([]);
  });
});

test("what is listed is there", () => {
  expect(twice.size).toBeGreaterThan(ALSO_ON_POSTGRES.length);
  expect(Object.keys(ONE_ENGINE).filter((path) => !all.has(path))).toEqual([]);
});
