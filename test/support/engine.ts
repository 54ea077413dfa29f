export type Engine = "sqlite" | "postgres";

/** Engine of the running Vitest project (vitest.config.ts); SQLite outside a test run. */
export const engine = (): Engine =>
  process.env.TEST_ENGINE === "postgres" ? "postgres" : "sqlite";
