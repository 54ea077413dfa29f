import { matchesGlob, relative } from "node:path";
import { beforeAll, describe, TestRunner } from "vitest";
import { type Engine, useEngine } from "./engine.ts";
import { RUN_ONCE } from "./engines.ts";

const ENGINES: Record<string, Engine> = { "on SQLite": "sqlite", "on PostgreSQL": "postgres" };

/**
 * Reads a test file once for each engine, as two suites of one file. As two projects they would have
 * workers of their own, and each worker loads and compiles everything once more.
 */
export default class OnEachEngine extends TestRunner {
  override importFile(path: string, source: "collect" | "setup"): unknown {
    useEngine("sqlite");
    const read = () => super.importFile(path, source);
    const name = relative(this.config.root, path);
    if (source === "setup" || RUN_ONCE.some((glob) => matchesGlob(name, glob))) return read();
    for (const [title, engine] of Object.entries(ENGINES)) {
      describe(title, async () => {
        useEngine(engine);
        beforeAll(() => useEngine(engine));
        await read();
      });
    }
  }
}
