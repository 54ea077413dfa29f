/** Parts loaded at the first request: a failure is reported and not cached. */
import { expect, it } from "vitest";
import { contents } from "../../src/app/registry.ts";
import type { Catalog } from "../../src/catalog/catalog.ts";
import { madeFrom } from "../../src/catalog/live-catalog.ts";
import { createMcpEndpoint } from "../../src/mcp/http.ts";
import { REAL_CLOCK, startService } from "../support/service.ts";

it("pages that failed to load are loaded by the next request, and a stop closes everything", async () => {
  let fails = 2;
  const served = await startService({}, REAL_CLOCK, {
    webWhenAsked: true,
    mcpEndpoint: (service) => {
      if (fails-- > 0) throw new Error("a file cannot be read");
      return createMcpEndpoint({ service, ...contents, version: "0.0.0-test" });
    },
  });
  const health = () => fetch(`${served.baseUrl}/healthz`);
  await expect(health()).rejects.toThrow();
  await expect(health()).rejects.toThrow();
  expect((await health()).status).toBe(200);
  await served.stop();
});

it("a value that could not be computed from a catalog is computed again by the next caller", () => {
  const catalog = { products: [] } as unknown as Catalog;
  let fails = 1;
  const made = madeFrom(catalog, () => {
    if (fails-- > 0) throw new Error("it could not be made");
    return "made";
  });
  expect(made).toThrow();
  expect(made()).toBe("made");
});

it("a service whose pages were never loaded stops", async () => {
  const mcpEndpoint = () => {
    throw new Error("a file cannot be read");
  };
  const served = await startService({}, REAL_CLOCK, { webWhenAsked: true, mcpEndpoint });
  await expect(fetch(served.baseUrl)).rejects.toThrow();
  await served.stop();
  await expect(served.service.merchant.database.health()).rejects.toThrow();
});
