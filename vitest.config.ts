import { availableParallelism } from "node:os";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { LastLine } from "./test/support/last-line.ts";

/** No test of these depends on the project's engine. */
const SLOW_ON_ANY_ENGINE = [
  "test/{build,hostile,instances}/**/*.test.ts",
  "test/ucp/{cli,python}.test.ts",
  "test/docs/{demo,documents}.test.ts",
  "test/shop/pages/browser.test.ts",
  "test/mcp/card.test.ts",
  "test/payments/chaos.test.ts",
  "test/app/stalls.test.ts",
  "test/merchant/large-erasure.test.ts",
];

/** `npm run test:slow` runs these, which start many processes, browsers or instances. */
const SLOW = [
  ...SLOW_ON_ANY_ENGINE,
  "test/desk/{journey,slips-print}.test.ts",
  "test/journeys/{crash,desk-day,processes}.test.ts",
  "test/mcp/process.test.ts",
];

/** These open PostgreSQL themselves, most of them to compare it with SQLite. */
const NEEDS_POSTGRES = [
  "test/db/{crash,versions,move,postgres,postgres-connections,schema}.test.ts",
];

/** `npm test` runs these on PostgreSQL too: the store's contract, races and three journeys. */
const POSTGRES = [
  ...NEEDS_POSTGRES,
  "test/db/{contract,events,immutable,payments}.test.ts",
  "test/api/idempotency.test.ts",
  "test/catalog/catalog-at-once.test.ts",
  "test/waitlist/waitlist-offers.test.ts",
  "test/payments/{courtesy,reconcilers,take-over,webhooks}.test.ts",
  "test/journeys/{buying,changed-mind,waitlist-offer}.test.ts",
];

/** `npm run test:postgres` runs everything else above the store on PostgreSQL. */
const REST_ON_POSTGRES = [
  "test/{agents,api,catalog,cli,desk,journeys,mail,mcp,merchant,orders,shop,ucp,waitlist,web}/**/*.test.ts",
  "test/payments/*.test.ts",
];

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
        exclude: [...SLOW, ...NEEDS_POSTGRES],
      }),
      project("postgres", {
        include: POSTGRES,
        ...ON_POSTGRES,
      }),
      project("postgres-rest", {
        include: REST_ON_POSTGRES,
        exclude: [...POSTGRES, ...SLOW_ON_ANY_ENGINE],
        ...ON_POSTGRES,
      }),
      project("slow", { include: SLOW, ...WITH_POSTGRES }),
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
    // Tests create and drop hundreds of services: more room for new objects saves garbage collection.
    execArgv: ["--max-semi-space-size=64"],
  },
});
