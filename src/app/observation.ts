import { createServer, type Server } from "node:http";
import type { Limits } from "../agents/limits.ts";
import type { ObservedCall, Observer } from "../core/observer.ts";
import type { Store } from "../db/store.ts";
import type { PaymentProvider } from "../payments/provider.ts";
import { type Config, ConfigError } from "./config.ts";
import { listen } from "./connections.ts";
import type { createMetrics } from "./metrics.ts";

/** What looks on while the service works; nothing of it is loaded where it is not switched on. */
export interface Observation {
  watch: Observer | undefined;
  limits?(inner: Limits): Limits;
  /** Where metrics are read; undefined where they are not switched on. */
  metricsPort?: number;
  /** From now on this database is looked at, too. */
  look?(store: Store): void;
  close(): Promise<void>;
}

/** Where an SDK of OpenTelemetry that was preloaded has left its word. */
const OPEN_TELEMETRY = Symbol.for("opentelemetry.js.api.1");

export async function startWatching(
  { metricsHost, metricsPort, mail }: Config,
  clock: () => number,
): Promise<Observation> {
  const watches: Observer[] = [];
  if (OPEN_TELEMETRY in globalThis) watches.push((await import("./tracing.ts")).tracing);
  if (metricsPort === undefined) return { watch: combineObservers(watches), async close() {} };
  const metrics = (await import("./metrics.ts")).createMetrics(clock, mail !== undefined);
  const server = metricsServer(metrics);
  const port = await listen(server, { host: metricsHost, port: metricsPort }).catch((cause) => {
    throw new ConfigError(`METRICS_PORT ${metricsPort} cannot be listened on: ${cause.message}.`);
  });
  return {
    ...metrics,
    watch: combineObservers([...watches, metrics.watch]),
    metricsPort: port,
    async close() {
      metrics.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function combineObservers(watches: readonly Observer[]): Observer | undefined {
  return watches.reduceRight<Observer | undefined>((inner, outer) => {
    if (!inner) return outer;
    return (act, run) => outer(act, () => inner(act, run));
  }, undefined);
}

/** On a port of its own: what it says is for the operator. */
const metricsServer = (metrics: ReturnType<typeof createMetrics>): Server =>
  createServer(async (request, response) => {
    if (request.method !== "GET" || request.url !== "/metrics") {
      response.writeHead(404).end();
      return;
    }
    try {
      const text = await metrics.read();
      response.writeHead(200, { "content-type": metrics.contentType }).end(text);
    } catch {
      response.writeHead(503).end();
    }
  });

/** Every call about a payment is an act; the list of checkouts is many calls, and not one of them. */
export function observed(provider: PaymentProvider, watch: Observer | undefined): PaymentProvider {
  if (!watch) return provider;
  const { createCheckout, lookAtCheckout, getCheckout, findByPayment, expireCheckout } = provider;
  const { refund, listRefunds } = provider;
  const act = (name: string, quoteId?: string): ObservedCall => ({
    kind: "provider",
    name,
    quoteId,
  });
  return {
    ...provider,
    createCheckout: (...words) =>
      watch(act("createCheckout", words[0].quoteId), () => createCheckout(...words)),
    lookAtCheckout: (...words) => watch(act("lookAtCheckout"), () => lookAtCheckout(...words)),
    getCheckout: (...words) => watch(act("getCheckout"), () => getCheckout(...words)),
    findByPayment: (...words) => watch(act("findByPayment"), () => findByPayment(...words)),
    expireCheckout: (...words) => watch(act("expireCheckout"), () => expireCheckout(...words)),
    refund: (...words) => watch(act("refund"), () => refund(...words)),
    listRefunds: (...words) => watch(act("listRefunds"), () => listRefunds(...words)),
  };
}
