/** What is loaded with the first question: a failure is told and not kept. */
import { expect, it } from "vitest";
import { contents } from "../../src/app/registry.ts";
import type { Catalog } from "../../src/catalog/catalog.ts";
import { madeFrom } from "../../src/catalog/live-catalog.ts";
import { createMcpEndpoint } from "../../src/mcp/http.ts";
import { serveTest } from "../support/service.ts";

it("pages that could not be loaded are loaded by the next request, and a stop closes all else", async () => {
  let fails = 2;
  const served = await serveTest(
    {},
    {
      webWhenAsked: true,
      mcpEndpoint: (service) => {
        if (fails-- > 0) throw new Error("a file cannot be read");
        return createMcpEndpoint({ service, ...contents, version: "0.0.0-test" });
      },
    },
  );
  const health = () => fetch(`${served.baseUrl}/healthz`);
  await expect(health()).rejects.toThrow();
  await expect(health()).rejects.toThrow();
  expect((await health()).status).toBe(200);
  await served.stop();
});

it("what is made of a catalog and could not be is made anew by the next who asks", () => {
  const catalog = { products: [] } as unknown as Catalog;
  let fails = 1;
  const made = madeFrom(catalog, () => {
    if (fails-- > 0) throw new Error("it could not be made");
    return "made";
  });
  expect(made).toThrow();
  expect(made()).toBe("made");
});

it("a service whose pages were never loaded stops all the same", async () => {
  const mcpEndpoint = () => {
    throw new Error("a file cannot be read");
  };
  const served = await serveTest({}, { webWhenAsked: true, mcpEndpoint });
  await expect(fetch(served.baseUrl)).rejects.toThrow();
  await served.stop();
  await expect(served.service.merchant.database.health()).rejects.toThrow();
});
