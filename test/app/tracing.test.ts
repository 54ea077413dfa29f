/**
 * With a preloaded OpenTelemetry SDK an operator sees each purchase. Without one, tracing is not
 * loaded.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { purchaseTrace } from "../../src/app/tracing.ts";
import { ROOT } from "../support/command.ts";
import { startProcess } from "../support/process.ts";
import { purchase } from "../support/purchase.ts";
import { scratchFile } from "../support/stores.ts";

interface Span {
  name: string;
  traceId: string;
  spanId: string;
  parent: string | undefined;
  linked: string[];
}

test("a purchase is one trace, from the agent's call to the webhook's settlement", async () => {
  const file = await scratchFile("spans");
  const preload = pathToFileURL(join(ROOT, "test/app/record-spans.ts")).href;
  const service = await startProcess({
    DATABASE_URL: "sqlite::memory:",
    NODE_OPTIONS: `--import=${preload}`,
    SPANS_FILE: file,
  });
  onTestFinished(() => void service.end("SIGKILL"));
  const { order } = await purchase(service.baseUrl);
  await service.end("SIGTERM");
  const spans: Span[] = (await readFile(file, "utf8"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const { traceId, spanId } = purchaseTrace(order.quote_id);
  const bought = spans.filter((span) => span.traceId === traceId);
  const names = bought.map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining([
      "operation create_checkout",
      "provider createCheckout",
      "settlement paid",
    ]),
  );
  for (const { name, parent } of bought) {
    if (name !== "provider createCheckout") expect(parent, name).toBe(spanId);
  }
  const webhooks = spans.filter(({ name }) => name === "webhook settle").map((s) => s.spanId);
  const settled = bought.filter(({ name }) => name === "settlement paid");
  expect(settled.some(({ linked }) => linked.some((id) => webhooks.includes(id)))).toBe(true);
});
