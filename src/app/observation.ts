import { createServer, type Server } from "node:http";
import type { Logger } from "pino";
import type { Limits } from "../agents/limits.ts";
import type { Observer } from "../core/context.ts";
import type { OrderId, QuoteId } from "../core/ids.ts";
import { isLoopback, KEEP_ALIVE_MS, knowsHost } from "../core/network.ts";
import { currentNote, note } from "../core/request-note.ts";
import type { Store } from "../db/store.ts";
import type { Merchant } from "../merchant/merchant.ts";
import type { PaymentProvider } from "../payments/provider.ts";
import { type Config, ConfigError, urlHost } from "./config.ts";
import { listen } from "./connections.ts";
import type { createMetrics } from "./metrics.ts";

/** Metrics and traces, loaded only if they are switched on. */
export interface Observation {
  watch: Observer | undefined;
  limits?(inner: Limits): Limits;
  /** Undefined: no metrics. */
  metricsPort?: number;
  /** Adds the gauges that read the database. */
  addGauges?(store: Store, merchant: Merchant): void;
  close(): Promise<void>;
}

/** A preloaded OpenTelemetry SDK registers here. */
const OPEN_TELEMETRY = Symbol.for("opentelemetry.js.api.1");

export async function startWatching(
  { metricsHost, metricsPort, baseUrl, allowedHosts }: Config,
  clock: () => number,
): Promise<Observation> {
  const watches: Observer[] = [];
  if (OPEN_TELEMETRY in globalThis) watches.push((await import("./tracing.ts")).tracing);
  if (metricsPort === undefined) return { watch: combineObservers(watches), async close() {} };
  const metrics = (await import("./metrics.ts")).createMetrics(clock);
  // Scrapers on other machines may use any name. Then the network must guard the port.
  const hosts = [...allowedHosts, urlHost(metricsHost)];
  const isOurHost = isLoopback(metricsHost)
    ? knowsHost({ baseUrl, hosts, origins: [] })
    : () => true;
  const server = metricsServer(metrics, isOurHost);
  const port = await listen(server, { host: metricsHost, port: metricsPort }).catch((cause) => {
    throw new ConfigError(`Cannot listen on METRICS_PORT ${metricsPort}: ${cause.message}.`);
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

/** Adds the quote to the line of its request, and logs each new order. */
const noting =
  (log: Logger): Observer =>
  async (act, run) => {
    const { quoteId: quote, kind } = act;
    if (quote !== undefined && kind !== "operation") note({ quote });
    const answer = await run();
    const { fresh, orderId: order } = (answer ?? {}) as { fresh?: boolean; orderId?: OrderId };
    if (kind === "settlement" && fresh) {
      const { request_id, webhook } = currentNote() ?? {};
      log.info({ request_id, webhook, quote, order }, "an order was made");
    }
    return answer;
  };

/** The observer of everything: the log, and metrics and traces if they are switched on. */
export const observer = (log: Logger, watching: Observation | undefined): Observer =>
  combineObservers([noting(log), watching?.watch].filter((one) => one !== undefined))!;

function combineObservers(watches: readonly Observer[]): Observer | undefined {
  return watches.reduceRight<Observer | undefined>((inner, outer) => {
    if (!inner) return outer;
    return (act, run) => outer(act, () => inner(act, run));
  }, undefined);
}

/** Serves metrics on their own port, for the operator only. */
const metricsServer = (
  metrics: ReturnType<typeof createMetrics>,
  isOurHost: (host: string | undefined) => boolean,
): Server =>
  createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, async (request, response) => {
    // A web page that points its own name to this machine must not read them.
    if (!isOurHost(request.headers.host)) {
      response.writeHead(403).end();
      return;
    }
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

/** Observes each call of the provider that returns a promise, whatever calls it has. */
export function observeProvider(provider: PaymentProvider, watch: Observer): PaymentProvider {
  const observed = Object.entries(provider).map(([name, call]) => {
    if (typeof call !== "function" || UNOBSERVED.has(name)) return [name, call];
    return [
      name,
      (...words: { quoteId?: QuoteId }[]) =>
        watch({ kind: "provider", name, quoteId: words[0]?.quoteId }, () => call(...words)),
    ];
  });
  return Object.fromEntries(observed) as PaymentProvider;
}

/** The listing of checkouts is many calls; the signature is checked here. Pings and key checks move nothing. */
const UNOBSERVED: ReadonlySet<string> = new Set([
  "listCheckouts",
  "verifyWebhook",
  "ping",
  "checkKey",
]);
