import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import express from "express";
import { readConfig } from "../src/app/config.ts";
import { createLog } from "../src/app/log.ts";
import { contents } from "../src/app/registry.ts";
import { type RunningService, serve } from "../src/app/serve.ts";
import { VERSION } from "../src/app/version.ts";
import { sum } from "../src/core/money.ts";
import type { CheckoutState } from "../src/payments/provider.ts";
import { allRows } from "../test/support/all-rows.ts";
import { problemsOf, readBooks, unfinished } from "../test/support/books.ts";
import { listenLocally } from "../test/support/loopback.ts";
import { answerParent } from "./measure.ts";

export type Ask =
  | { do: "express" }
  | { do: "serve"; databaseUrl: string; batch?: number; catalogFile?: string }
  | { do: "cpu" }
  | { do: "finish" }
  | { do: "audit"; broughtIn: Record<string, number> };

/** A server's URL, and the headers of an agent with an API key. */
export interface Server {
  url: string;
  headers: Record<string, string>;
}

/** Payments and bags of a shop without work in progress. */
export interface Audit {
  orders: number;
  /** Payments that the provider charged, released, or closed before anybody paid. */
  captured: number;
  released: number;
  closed: number;
  refunds: number;
  incidents: number;
  /** Broken promises and leftovers, one line each. */
  problems: string[];
}

let service: RunningService;

answerParent(async (ask: Ask): Promise<object> => {
  switch (ask.do) {
    case "express":
      return bareExpress();
    case "serve":
      return openService(ask);
    case "cpu":
      return process.cpuUsage();
    case "finish":
      return finish();
    case "audit":
      return audit(ask.broughtIn);
  }
});

/** The service as in production, with log lines and without rate limits. */
async function openService({
  databaseUrl,
  batch,
  catalogFile,
}: Extract<Ask, { do: "serve" }>): Promise<Server> {
  const config = readConfig({
    ...{ PORT: "0", DATABASE_URL: databaseUrl, RATE_LIMITS: "off" },
    CATALOG_FILE: catalogFile,
  });
  service = await serve(config, {
    log: createLog(config.logLevel),
    contents,
    version: VERSION,
    ...(batch !== undefined && { batch }),
  });
  const { baseUrl } = service;
  const response = await fetch(`${baseUrl}/v1/agents/register`, {
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": randomUUID() },
    body: JSON.stringify({ name: "Bench", contact_email: "bench@example.com" }),
  });
  const { api_key } = (await response.json()) as { api_key: string };
  return { url: baseUrl, headers: { authorization: `Bearer ${api_key}` } };
}

/** Settles the webhooks that came, then everything open. */
async function finish() {
  const { sandbox } = service;
  const { webhooks, reconciler } = service.service.merchant;
  await sandbox?.idle();
  await webhooks.finished();
  return { done: await reconciler.first() };
}

/** Checks the whole shop against the provider. */
async function audit(broughtIn: Record<string, number>): Promise<Audit> {
  const { store, provider } = service;
  const sessions: CheckoutState[] = [];
  for await (const session of provider.listCheckouts(0)) sessions.push(session);
  const books = await readBooks(store);
  const charged = sessions.filter(({ payment }) => payment === "paid");
  const released = sessions.filter(({ payment }) => payment === "canceled");
  const closed = sessions.filter((one) => one.payment === "unpaid" && one.status === "expired");
  return {
    orders: books.orders.length,
    captured: charged.length,
    released: released.length,
    closed: closed.length,
    refunds: books.refunds.length + sum(sessions.map(({ refunds }) => refunds.length)),
    incidents: (await allRows(store, "incidents")).length,
    problems: [...problemsOf(books, { broughtIn, sessions }), ...unfinished(books)],
  };
}

/** The least this stack can do: read JSON and answer JSON of a quote's size. */
async function bareExpress(): Promise<Server> {
  const app = express();
  app.post("/", express.json(), (req, res) => {
    res.status(201).json({ got: req.body, filler: "x".repeat(1500) });
  });
  return { url: `http://127.0.0.1:${await listenLocally(createServer(app))}/`, headers: {} };
}
