/** The PostgreSQL projects of vitest.config.ts really use PostgreSQL. */
import { expect, onTestFinished, test } from "vitest";
import { REAL_CLOCK, startService } from "../support/service.ts";
import { engine } from "../support/stores.ts";

test("a service without a database setting uses the run's engine", async () => {
  const services = [await startService(), await startService({}, REAL_CLOCK)];
  onTestFinished(async () => {
    for (const service of services) await service.stop();
  });
  for (const { store } of services) {
    const refusal = await store.backup("/nowhere/at-all").catch((error: Error) => error.message);
    expect(/pg_dump/.test(String(refusal)) ? "postgres" : "sqlite").toBe(engine());
  }
});
