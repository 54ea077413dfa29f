import { availableParallelism } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { LastLine } from "./test/support/last-line.ts";
import "./test/support/quick-imports.ts";

/**
 * The name of a file tells when it runs. `.slow`: with `npm run test:slow`. `.pg`: it opens PostgreSQL itself.
 * `.both`: on both engines, at its own time.
 */
const named = (ends: string) => `test/**/*.${ends}.test.ts`;

/** `npm run test:postgres` runs everything else above the store on PostgreSQL. */
const ABOVE_THE_STORE =
  "test/{agents,api,catalog,cli,desk,journeys,mail,mcp,merchant,orders,payments,shop,ucp,waitlist,web}/**";

/** The protocol's suites call tools of their own, which read no database. */
const WITHOUT_STORE = "test/mcp/conformance.test.ts";

const WITH_POSTGRES = { globalSetup: "test/support/postgres-global.ts" };
const ON_POSTGRES = { ...WITH_POSTGRES, env: { TEST_ENGINE: "postgres" } };

const project = (
  name: string,
  test: TestProjectInlineConfiguration["test"],
): TestProjectInlineConfiguration => ({ extends: true, test: { name, ...test } });

export default defineConfig({
  test: {
    projects: [
      project("sqlite", {
        include: ["test/**/*.test.ts"],
        exclude: [named("{slow,slow.both,pg}")],
      }),
      project("postgres", {
        include: [named("{both,pg}")],
        exclude: [named("slow.both")],
        ...ON_POSTGRES,
      }),
      project("postgres-rest", {
        include: [`${ABOVE_THE_STORE}/*.test.ts`],
        exclude: [named("{slow,pg}"), "test/**/!(*.slow).both.test.ts", WITHOUT_STORE],
        ...ON_POSTGRES,
      }),
      project("slow", { include: [named("{slow,slow.both}")], ...WITH_POSTGRES }),
    ],
    globalSetup: "test/support/build-global.ts",
    setupFiles: "test/support/cleanup.ts",
    // Test files share a worker's modules: importing them again for each file costs a quarter of the run.
    isolate: false,
    pool: "forks",
    // Tests wait for processes, browsers and databases, so a small machine runs more workers than cores.
    maxWorkers: Math.max(4, availableParallelism() - 1),
    // Vitest orders the files by project and duration: a worker is reused only for its own project.
    sequence: { shuffle: { files: false, tests: true } },
    reporters: ["default", new LastLine()],
    // A busy machine is slow, not wrong.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A service sets its own time zone when it starts; services inside a test process get this one.
    env: { LOG_LEVEL: "silent", TZ: "UTC" },
    restoreMocks: true,
    // Node imports the TypeScript sources itself, as it does in production.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    execArgv: [
      `--import=${pathToFileURL(join(import.meta.dirname, "test/support/quick-imports.ts"))}`,
      // Tests create and drop hundreds of services: more room for new objects saves garbage collection.
      "--max-semi-space-size=64",
    ],
  },
});
