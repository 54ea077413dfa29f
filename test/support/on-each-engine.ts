import { registerHooks } from "node:module";
import { matchesGlob, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, TestRunner } from "vitest";
import { type Engine, useEngine } from "./engine.ts";
import { INTERFACES, RUN_ONCE } from "./engines.ts";
import { resolve } from "./quick-start.ts";

const ENGINES: Record<string, Engine> = { "on SQLite": "sqlite", "on PostgreSQL": "postgres" };

// Asked before Vitest's own, which tells its main process of every import: only who watches needs that.
if (process.env.VITEST_MODE === "RUN") registerHooks({ resolve });

// Types are blanked out in place: there is no map to look for in each stack, and Stripe takes one a call.
process.setSourceMapsEnabled(false);

/**
 * Reads a test file once for each engine, as two suites of one file. As two projects they would have
 * workers of their own, and each worker loads and compiles everything once more.
 */
export default class OnEachEngine extends TestRunner {
  override importFile(path: string, source: "collect" | "setup"): unknown {
    useEngine("sqlite");
    const name = relative(this.config.root, path);
    if (
      source === "setup" ||
      [...RUN_ONCE, ...INTERFACES].some((glob) => matchesGlob(name, glob))
    ) {
      return import(moduleOf(path));
    }
    for (const [copy, [title, engine]] of Object.entries(ENGINES).entries()) {
      describe(title, async () => {
        useEngine(engine);
        beforeAll(() => useEngine(engine));
        await import(moduleOf(path, copy));
      });
    }
  }
}

/**
 * A query in the form that Vitest leaves out of what it prints. In its own stands the time: of such a
 * module nothing is found that was stripped and compiled before.
 */
const moduleOf = (path: string, copy = 0) =>
  `${pathToFileURL(path)}?vitest=${String(copy).padStart(13, "0")}`;
