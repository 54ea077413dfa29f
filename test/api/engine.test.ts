/** The PostgreSQL projects of vitest.config.ts really use PostgreSQL. */
import { expect, onTestFinished, test } from "vitest";
import { startMcp } from "../support/mcp-service.ts";
import { startService } from "../support/service.ts";
import { engine } from "../support/stores.ts";

test("a service without a database setting uses the run's engine", async () => {
  const services = [await startService(), await startMcp()];
  onTestFinished(async () => {
    for (const service of services) await service.stop();
  });
  for (const { store } of services) {
    const refusal = await store.backup("/nowhere/at-all").catch((error: Error) => error.message);
    expect(/pg_dump/.test(String(refusal)) ? "postgres" : "sqlite").toBe(engine());
  }
});
