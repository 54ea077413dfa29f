import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import express from "express";
import { readConfig } from "../src/app/config.ts";
import { createLog } from "../src/app/log.ts";
import { contents } from "../src/app/registry.ts";
import { serve } from "../src/app/serve.ts";
import { VERSION } from "../src/app/version.ts";
import { listenLocally } from "../test/support/loopback.ts";
import { answerParent } from "./measure.ts";

export type Ask =
  | { do: "express" }
  | { do: "serve"; databaseUrl: string; batch?: number }
  | { do: "cpu" };

/** A server's URL, and the headers of an agent with an API key. */
export interface Server {
  url: string;
  headers: Record<string, string>;
}

answerParent(async (ask: Ask): Promise<Server | NodeJS.CpuUsage> => {
  switch (ask.do) {
    case "express":
      return bareExpress();
    case "serve":
      return openService(ask);
    case "cpu":
      return process.cpuUsage();
  }
});

/** The service as in production, with log lines and without rate limits. */
async function openService({ databaseUrl, batch }: { databaseUrl: string; batch?: number }) {
  const config = readConfig({ PORT: "0", DATABASE_URL: databaseUrl, RATE_LIMITS: "off" });
  const { baseUrl } = await serve(config, {
    log: createLog(config.logLevel),
    contents,
    version: VERSION,
    ...(batch !== undefined && { batch }),
  });
  const response = await fetch(`${baseUrl}/v1/agents/register`, {
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": randomUUID() },
    body: JSON.stringify({ name: "Bench", contact_email: "bench@example.com" }),
  });
  const { api_key } = (await response.json()) as { api_key: string };
  return { url: baseUrl, headers: { authorization: `Bearer ${api_key}` } };
}

/** The least this stack can do: read JSON and answer JSON of a quote's size. */
async function bareExpress(): Promise<Server> {
  const app = express();
  app.post("/", express.json(), (req, res) => {
    res.status(201).json({ got: req.body, filler: "x".repeat(1500) });
  });
  return { url: `http://127.0.0.1:${await listenLocally(createServer(app))}/`, headers: {} };
}
