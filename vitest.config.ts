import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { QUICK_START } from "./test/support/child-env.ts";
import { ALSO_ON_POSTGRES } from "./test/support/engines.ts";
import { LastLine } from "./test/support/last-line.ts";
import { SlowFilesFirst } from "./test/support/order.ts";

/** Files share their worker's modules: they keep no state, and importing anew cost a quarter of the run. */
const SHARED = { isolate: false, pool: "forks" } as const;

// Of the workers, and of whatever a test starts from its source.
Object.assign(process.env, QUICK_START);

export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { ...SHARED, name: "on SQLite", include: ["test/**/*.test.ts"] } },
      {
        extends: true,
        test: {
          ...SHARED,
          name: "on PostgreSQL",
          include: ALSO_ON_POSTGRES,
          provide: { engine: "postgres" },
        },
      },
    ],
    globalSetup: ["test/support/build-global.ts", "test/support/postgres-global.ts"],
    // Most tests wait: for disks, child processes, a browser. So a small machine runs some more at once.
    maxWorkers: Math.max(5, availableParallelism() - 1),
    sequence: { shuffle: true, sequencer: SlowFilesFirst },
    reporters: ["default", new LastLine()],
    // A machine that is busy with other things is slow, not wrong.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    env: { LOG_LEVEL: "silent", TZ: "UTC" },
  },
});
