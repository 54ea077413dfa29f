/**
 * Metrics for Prometheus at METRICS_PORT, loaded only if that is set. Counters count in this process;
 * gauges read the database at each scrape.
 */
import { setTimeout as delay } from "node:timers/promises";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { type Limits, RateLimited } from "../agents/limits.ts";
import type { Observer } from "../core/context.ts";
import { MerchantError } from "../core/errors.ts";
import { onCommit } from "../db/changes.ts";
import type { Store } from "../db/store.ts";
import type { Merchant } from "../merchant/merchant.ts";
import { isHeldUp } from "../payments/refund-outcome.ts";
import { onResponse } from "../web/request-log.ts";

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const COMMANDS = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/** Scrapers wait ten seconds. */
const PROVIDER_WITHIN_MS = 2_000;

/** Most rows counted for a gauge that should be near 0. */
const MOST_DUE = 1000;

export function createMetrics(clock: () => number) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 10 });
  const metrics = counters(registry);
  const stop = onCommit(({ commands, ms }) => {
    metrics.commitCommands.observe(commands);
    metrics.commitSeconds.observe(ms / 1000);
  });
  const stopResponses = onResponse(({ route, status, ms }) =>
    metrics.responses.observe({ route, status }, ms / 1000),
  );
  return {
    watch: observerOf(metrics),
    limits: (inner: Limits): Limits => ({
      ...inner,
      charge(...words) {
        try {
          return inner.charge(...words);
        } catch (error) {
          if (error instanceof RateLimited) metrics.limited.inc({ limit: error.metered.name });
          throw error;
        }
      },
    }),
    addGauges: (store: Store, merchant: Merchant) =>
      addGauges(registry, { store, merchant, clock }),
    /** The text of one scrape. */
    read: () => registry.metrics(),
    contentType: registry.contentType,
    close() {
      stop();
      stopResponses();
      registry.clear();
    },
  };
}

type MetricCounters = ReturnType<typeof counters>;

function counters(registry: Registry) {
  const registers = [registry];
  const histogram = <L extends string>(name: string, help: string, labelNames: L[] = []) =>
    new Histogram({ name, help, labelNames, buckets: SECONDS, registers });
  const counter = <L extends string>(name: string, help: string, labelNames: L[] = []) =>
    new Counter({ name, help, labelNames, registers });
  return {
    operations: histogram("coffee_operation_seconds", "Duration of operations by name and result", [
      "operation",
      "code",
    ]),
    provider: histogram("coffee_provider_seconds", "Duration of calls to the payment provider", [
      "call",
      "outcome",
    ]),
    webhooks: histogram("coffee_webhook_seconds", "Duration of settling a webhook"),
    missed: counter(
      "coffee_payments_without_webhook_total",
      "Payments that were found by asking, while no webhook arrived",
    ),
    refused: counter("coffee_webhooks_refused_total", "Webhooks with a wrong signature"),
    responses: histogram(
      "coffee_response_seconds",
      "Duration of HTTP responses by route and status",
      ["route", "status"],
    ),
    payments: counter("coffee_payments_total", "Orders made by this instance"),
    quotes: counter("coffee_quotes_total", "New quotes, without retries"),
    limited: counter("coffee_limited_total", "Calls refused by a rate limit", ["limit"]),
    commitCommands: new Histogram({
      name: "coffee_commit_commands",
      help: "Commands per transaction",
      buckets: COMMANDS,
      registers,
    }),
    commitSeconds: histogram(
      "coffee_commit_seconds",
      "Duration of a transaction until it is durable",
    ),
  };
}

const observerOf =
  (metrics: MetricCounters): Observer =>
  async (act, run) => {
    const began = performance.now();
    let [code, outcome] = ["OK", "ok"];
    try {
      const answer = await run();
      const { replayed, fresh } = (answer ?? {}) as { replayed?: boolean; fresh?: boolean };
      if (act.name === "request_quote" && !replayed) metrics.quotes.inc();
      if (act.kind === "settlement" && fresh) metrics.payments.inc();
      return answer;
    } catch (error) {
      [code, outcome] = [codeOf(error), nameOf(error)];
      throw error;
    } finally {
      const seconds = (performance.now() - began) / 1000;
      if (act.kind === "operation")
        metrics.operations.observe({ operation: act.name, code }, seconds);
      if (act.kind === "provider") metrics.provider.observe({ call: act.name, outcome }, seconds);
      if (act.kind === "webhook") {
        if (act.name === "missed") metrics.missed.inc();
        else if (act.name === "refused") metrics.refused.inc();
        else metrics.webhooks.observe(seconds);
      }
    }
  };

const codeOf = (error: unknown): string =>
  error instanceof MerchantError ? error.code : "INTERNAL";
const nameOf = (error: unknown): string => (error instanceof Error ? error.name : "unknown");

/** Gauges of the database have the same value at every instance: scrape one, or take the largest. */
function addGauges(
  registry: Registry,
  { store, merchant, clock }: { store: Store; merchant: Merchant; clock: () => number },
): void {
  const { queries } = store;
  const admin = merchant.admin("cli");
  const gauge = (name: string, help: string, read: (gauge: Gauge<string>) => Promise<void>) => {
    const labelNames = name === "coffee_held_bags" ? ["product_id"] : [];
    new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      async collect() {
        // Without an answer from the database, no value is better than an old one.
        await read(this).catch(() => {
          this.reset();
          this.remove({});
        });
      },
    });
  };
  const EVER = Number.MAX_SAFE_INTEGER;
  gauge("coffee_webhook_oldest_seconds", "Age of the oldest unsettled webhook", async (to) => {
    const due = await queries.dueWebhooks(EVER, MOST_DUE);
    const oldest = Math.min(clock(), ...due.map(({ received_at }) => received_at));
    to.set((clock() - oldest) / 1000);
  });
  gauge("coffee_refunds_due", "Refunds that are due and not blocked", async (to) => {
    const due = await queries.dueRefunds(EVER, MOST_DUE);
    to.set(due.filter((row) => !isHeldUp(row)).length);
  });
  gauge("coffee_letters_due", "Letters waiting for the mail server", async (to) => {
    to.set((await merchant.mail.waiting()).count);
  });
  gauge("coffee_letters_oldest_seconds", "Age of the oldest waiting letter", async (to) => {
    to.set((await merchant.mail.waiting()).oldestSeconds);
  });
  gauge("coffee_provider_up", "1, or 0 if the payment provider does not answer", async (to) => {
    const up = merchant.payments.ping().then(
      () => 1,
      () => 0,
    );
    to.set(await Promise.race([up, delay(PROVIDER_WITHIN_MS, 0, { ref: false })]));
  });
  gauge("coffee_open_incidents", "Unhandled incidents", async (to) => {
    to.set((await queries.openTasks("INCIDENT", 1)).count);
  });
  gauge("coffee_late_orders", "Orders past their estimated delivery", async (to) => {
    to.set((await admin.views.late()).count);
  });
  gauge(
    "coffee_disk_room",
    "1, or 0 if the disk is nearly full and new quotes are refused",
    async (to) => {
      to.set((await store.health()).room ? 1 : 0);
    },
  );
  gauge("coffee_held_bags", "Bags held by open payments and waitlist offers", async (to) => {
    for (const { product_id, held } of await queries.stock()) to.set({ product_id }, held);
  });
}
