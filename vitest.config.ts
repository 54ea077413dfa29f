import { enableCompileCache } from "node:module";
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { QUICK_START } from "./test/support/child-env.ts";
import { INTERFACES, RUN_ONCE, SLOW } from "./test/support/engines.ts";
import { LastLine } from "./test/support/last-line.ts";
import { SlowFilesEarly } from "./test/support/order.ts";
import "./test/support/quick-start.ts";

// Of the workers, and of whatever a test starts from its source; this process loads sources, too.
Object.assign(process.env, QUICK_START);
enableCompileCache(QUICK_START.NODE_COMPILE_CACHE);

/** Files share their worker's modules: they keep no state, and importing anew cost a quarter of the run. */
const SHARED = { isolate: false, pool: "forks", include: ["test/**/*.test.ts"] } as const;

const GLOBAL = ["test/support/build-global.ts", "test/support/postgres-global.ts"];

/** Interfaces on SQLite, everything else on every engine. */
const WHOLE = { ...SHARED, runner: "test/support/on-each-engine.ts", globalSetup: GLOBAL } as const;

const ON_POSTGRES = {
  ...SHARED,
  name: "on PostgreSQL",
  exclude: RUN_ONCE,
  provide: { onlyEngine: "postgres" },
} as const;

/** One engine's tests alone, by `--project "on PostgreSQL"`. */
const BY_ENGINE = {
  projects: [
    { extends: true, test: { ...SHARED, name: "on SQLite" } },
    { extends: true, test: ON_POSTGRES },
  ],
  globalSetup: GLOBAL,
} as const;

/** `npm run test:interfaces`: what a whole run opens on SQLite only. */
const INTERFACES_ON_POSTGRES = {
  projects: [{ extends: true, test: { ...ON_POSTGRES, include: INTERFACES } }],
  globalSetup: GLOBAL,
} as const;

/** `npm run test:fast`: SQLite in memory only, and nothing slow. */
const FAST = {
  projects: [
    { extends: true, test: { ...SHARED, name: "fast", exclude: SLOW, provide: { fast: true } } },
  ],
} as const;

const BY_MODE: Record<string, object> = { interfaces: INTERFACES_ON_POSTGRES, fast: FAST };
const oneEngine = process.argv.some((argument) => argument.startsWith("--project"));

export default defineConfig(({ mode }) => ({
  test: {
    ...(BY_MODE[mode] ?? (oneEngine ? BY_ENGINE : WHOLE)),
    // Many tests wait, for a process, a browser or a database: so a small machine runs two more than it
    // has cores. Each worker more loads and compiles everything once more: of five, a sixth of the run.
    maxWorkers: mode === "fast" ? availableParallelism() : Math.max(4, availableParallelism() - 1),
    sequence: { shuffle: true, sequencer: SlowFilesEarly },
    reporters: ["default", new LastLine()],
    // A machine that is busy with other things is slow, not wrong.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    env: { LOG_LEVEL: "silent" },
    // Stores are lent from test to test: what one watches or replaces ends with it.
    restoreMocks: true,
    // Node reads the tests as it reads the sources: nothing here needs Vite's own loading of each module.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // A worker makes and drops hundreds of services: with more room for new objects fewer are collected twice.
    execArgv: ["--max-semi-space-size=64"],
  },
}));
