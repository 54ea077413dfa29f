import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/postgres-global.ts"],
    // Files share their worker's modules: they keep no state, and importing anew cost a quarter of the run.
    isolate: false,
    // Most tests wait: for disks, child processes, a browser. So a small machine runs some more at once.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    sequence: { shuffle: true },
    testTimeout: 20_000,
    hookTimeout: 60_000,
    env: { LOG_LEVEL: "silent" },
  },
});
