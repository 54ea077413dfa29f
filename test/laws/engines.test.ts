/** Every test that needs a database runs on both engines, or says here why not. */
import { globSync } from "node:fs";
import { describe, expect, it, test } from "vitest";
import {
  EVERY_ENGINE_INSIDE,
  INTERFACES,
  NO_DATABASE,
  RUN_ONCE,
  SLOW,
} from "../support/engines.ts";
import { ROOT, sources } from "./reading.ts";

/** What opens a database: of the engine that the run is about, or of each. */
const USUAL = /service|mcp-service|usual-store|lasting-database/;
const EACH = /databases|stores|postgres|postgres-server/;

const all = new Map(sources("test").map((source) => [source.path, source]));
const found = (globs: readonly string[]) => new Set(globSync(globs, { cwd: ROOT }));

/** Its own imports and those of what it imports from a test's folder. */
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

describe("what is not run once more on PostgreSQL", () => {
  it("opens no database that the run is about", () => {
    const wrong = [...found(NO_DATABASE)].filter((path) => opens(path, EACH));
    expect(wrong).toEqual([]);
  });

  it("or opens every engine itself", () => {
    const wrong = [...found(EVERY_ENGINE_INSIDE)].filter(
      (path) => opens(path, USUAL) && !opens(path, EACH),
    );
    expect(wrong).toEqual([]);
  });
});

it("the fast run starts no browser and no process", () => {
  const slow = found(SLOW);
  const fast = [...all.keys()].filter((path) => path.endsWith(".test.ts") && !slow.has(path));
  expect(fast.filter((path) => opens(path, /browser|process|fleet|frozen-instance|cli/))).toEqual(
    [],
  );
});

it("a test that is run on both chooses no engine by itself", () => {
  const out = found(RUN_ONCE);
  const twice = [...all.keys()].filter((path) => path.endsWith(".test.ts") && !out.has(path));
  const chosen = twice.filter((path) => /"sqlite::memory:"|openSqlite/.test(all.get(path)!.text));
  expect(chosen).toEqual([]);
});

test.each([...RUN_ONCE, ...INTERFACES, ...SLOW])("%s names files that are there", (glob) =>
  expect(globSync(glob, { cwd: ROOT })).not.toEqual([]),
);
