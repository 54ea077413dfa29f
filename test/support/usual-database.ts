/**
 * What a service runs on where no database is named: see vitest.config.ts. Outside a test run,
 * where examples are captured, there is no PostgreSQL to ask for.
 */
export async function usualDatabase(): Promise<string> {
  if (process.env.VITEST === undefined) return "sqlite::memory:";
  const { inject } = await import("vitest");
  if (inject("engine") !== "postgres") return "sqlite::memory:";
  return (await import("./postgres.ts")).lentPostgres();
}
