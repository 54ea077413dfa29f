/** Metrics on their own port, only if METRICS_PORT is set. */
import { readFileSync } from "node:fs";
import { get } from "node:http";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { HOUR_MS } from "../../src/core/policy.ts";
import type { CheckoutRequest } from "../../src/payments/provider.ts";
import { STOCKED } from "../support/catalog.ts";
import { ROOT } from "../support/command.ts";
import { AWAY } from "../support/faults.ts";
import { orderOf, purchase, readyQuote } from "../support/purchase.ts";
import { startService } from "../support/service.ts";
import { payAsBuyer, register, send } from "../support/shopper.ts";

async function watched(env: Record<string, string> = {}) {
  const service = await startService({ METRICS_PORT: "0", ...env });
  onTestFinished(() => service.stop());
  const address = `http://127.0.0.1:${service.metricsPort}`;
  const read = async () => (await fetch(`${address}/metrics`)).text();
  /** The value of one line of it. */
  const figure = async (line: string): Promise<number> => {
    const found = (await read()).split("\n").find((text) => text.startsWith(`${line} `));
    return Number(found?.split(" ").at(-1));
  };
  return { service, address, read, figure };
}

test("a purchase is counted: operations, the quote, the payment, the provider, the webhook", async () => {
  const { service, figure } = await watched();
  await purchase(service.baseUrl);
  expect(await figure("coffee_quotes_total")).toBe(1);
  expect(await figure("coffee_payments_total")).toBe(1);
  const quoted = 'coffee_operation_seconds_count{operation="request_quote",code="OK"}';
  expect(await figure(quoted)).toBe(1);
  const asked = 'coffee_provider_seconds_count{call="createCheckout",outcome="ok"}';
  expect(await figure(asked)).toBe(1);
  expect(await figure("coffee_webhook_seconds_count")).toBeGreaterThan(0);
  expect(await figure("coffee_webhook_oldest_seconds")).toBe(0);
  expect(await figure("coffee_commit_commands_sum")).toBeGreaterThan(3);
  expect(await figure("coffee_commit_seconds_count")).toBeGreaterThan(3);
  expect(await figure(`coffee_held_bags{product_id="${STOCKED}"}`)).toBe(0);
  expect(await figure("coffee_refunds_due")).toBe(0);
  expect(await figure("coffee_letters_due")).toBeGreaterThanOrEqual(0);
  expect(await figure("nodejs_eventloop_lag_p99_seconds")).toBeGreaterThanOrEqual(0);
});

test("a refund counts as due until the provider has it, but not while it waits for a dispute", async () => {
  const { service, figure } = await watched();
  const { merchant } = service.service;
  const { orders } = merchant.admin("cli");
  const bought = async () => {
    const { key, quote, reviewUrl } = await readyQuote(service.baseUrl);
    const { session } = await payAsBuyer(service.baseUrl, reviewUrl);
    return { session, order_id: (await orderOf(service.baseUrl, key, quote.id)).id as string };
  };
  const disputed = await bought();
  await service.control.dispute(disputed.session);
  await orders.refund({ order_id: disputed.order_id, amount_minor: 500 });
  const [waits] = (await orders.show({ order_id: disputed.order_id })).refunds;
  expect(waits).toMatchObject({ status: "PENDING", problem: "DISPUTED" });
  expect(await figure("coffee_refunds_due")).toBe(0);
  const { order_id } = await bought();
  service.control.faults.call = () => AWAY;
  await orders.refund({ order_id, amount_minor: 500 });
  expect(await figure("coffee_refunds_due")).toBe(1);
  service.control.faults.call = undefined;
  service.clock.advance(HOUR_MS);
  await merchant.reconciler.run();
  expect(await figure("coffee_refunds_due")).toBe(0);
});

test("each call to the provider is counted by its outcome", async () => {
  const { service, read } = await watched();
  const { provider } = service;
  await Promise.allSettled([
    provider.createCheckout({} as CheckoutRequest),
    provider.lookAtCheckout("cs_none"),
    provider.getCheckout("cs_none"),
    provider.findByPayment("pi_none"),
    provider.expireCheckout("cs_none"),
    provider.captureCheckout("cs_none", "pi_none"),
    provider.releaseCheckout("cs_none", "pi_none"),
    provider.refund("pi_none", { idempotencyKey: "none", refundId: "rf_none" }),
    provider.listRefunds("pi_none"),
  ]);
  const counted = [...(await read()).matchAll(/coffee_provider_seconds_count{call="(\w+)"/g)];
  expect(counted.map(([, call]) => call).sort()).toEqual([
    "captureCheckout",
    "createCheckout",
    "expireCheckout",
    "findByPayment",
    "getCheckout",
    "listRefunds",
    "lookAtCheckout",
    "refund",
    "releaseCheckout",
  ]);
});

test("every metric of the dashboard and the alerts exists", async () => {
  const { read } = await watched();
  const asked = ["deploy/grafana.json", "deploy/alerts.yml"].flatMap((path) =>
    [...readFileSync(join(ROOT, path), "utf8").matchAll(/coffee_\w+/g)].map(([name]) => name),
  );
  const there = await read();
  const missing = new Set(asked).values().filter((name) => {
    const metric = name.replace(/_(bucket|sum|count)$/, "");
    return !there.includes(`# TYPE ${metric} `);
  });
  expect(asked.length).toBeGreaterThan(20);
  expect([...missing]).toEqual([]);
});

test("refusals are counted by their code, and limits by their name", async () => {
  const { service, figure } = await watched({ RATE_LIMITS: "requests=10" });
  const key = await register(service.baseUrl);
  await send(service.baseUrl, "/v1/quotes/qt_none", { key });
  expect(
    await figure('coffee_operation_seconds_count{operation="get_quote",code="NOT_FOUND"}'),
  ).toBe(1);
  const ask = () => send(service.baseUrl, "/v1/ask?q=milk", {});
  let answer = await ask();
  for (let i = 0; i < 500 && answer.status === 200; i++) answer = await ask();
  expect(answer.status).toBe(429);
  expect(await figure('coffee_limited_total{limit="requests"}')).toBe(1);
});

test("without a mail server no letter counts as waiting", async () => {
  const { service, figure } = await watched({ MERCHANT_EMAIL: "merchant@example.com" });
  await purchase(service.baseUrl);
  expect(await service.store.queries.dueLetters(Number.MAX_SAFE_INTEGER, 1)).toHaveLength(1);
  expect(await figure("coffee_letters_due")).toBe(0);
});

test("without the database, the process's metrics are there and the database's are missing", async () => {
  const { service, address, read } = await watched();
  await read();
  for (const name of ["dueWebhooks", "dueRefunds", "dueLetters", "stock"] as const) {
    vi.spyOn(service.store.queries, name).mockRejectedValue(new Error("it is away"));
  }
  const answer = await fetch(`${address}/metrics`);
  const text = await answer.text();
  expect(answer.status).toBe(200);
  expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m);
  expect(text).not.toMatch(/^coffee_(webhook_oldest_seconds|refunds_due|held_bags)/m);
});

test("open incidents, late orders and room on the disk are gauges", async () => {
  const { service, figure } = await watched();
  await purchase(service.baseUrl);
  const figures = () =>
    Promise.all(["coffee_open_incidents", "coffee_late_orders", "coffee_disk_room"].map(figure));
  expect(await figures()).toEqual([0, 0, 1]);
  service.clock.advance(30 * 86_400_000);
  vi.spyOn(service.store, "health").mockResolvedValue({ room: false });
  const { queries } = service.store;
  vi.spyOn(queries, "openTasks").mockResolvedValue({ count: 2, tasks: [] });
  expect(await figures()).toEqual([2, 1, 0]);
});

test("their port serves nothing else, and no web page under another host name", async () => {
  const { service, address } = await watched();
  expect((await fetch(`${address}/`)).status).toBe(404);
  expect((await fetch(`${address}/metrics`, { method: "POST" })).status).toBe(404);
  expect((await send(service.baseUrl, "/metrics", {})).status).toBe(404);
  const status = (host: string) =>
    new Promise((resolve, reject) => {
      get(`${address}/metrics`, { headers: { host } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      }).on("error", reject);
    });
  expect(await status("rebound.example")).toBe(403);
  expect(await status("localhost:9464")).toBe(200);
});

test("without METRICS_PORT nothing is measured", async () => {
  const service = await startService();
  onTestFinished(() => service.stop());
  expect(service.metricsPort).toBeUndefined();
  expect(service.service.watch).toBeUndefined();
});
