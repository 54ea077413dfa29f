import { createServer } from "node:http";
import express from "express";
import { readConfig } from "../src/app/config.ts";
import { createLog } from "../src/app/log.ts";
import { contents } from "../src/app/registry.ts";
import { type RunningService, serve } from "../src/app/serve.ts";
import { VERSION } from "../src/app/version.ts";
import { listenLocally } from "../test/support/loopback.ts";
import { runInProcess } from "./in-process.ts";
import type { Ask, CreatedQuote, Target } from "./messages.ts";
import { quoteTarget } from "./quote-target.ts";
import { instantProvider, quoteBags } from "./shop.ts";
import { slowDisk } from "./slow-disk.ts";

/** A server under test, alone in its process, so that its CPU time is its own. */
let served: RunningService | undefined;

process.on("message", async (ask: Ask) => {
  const answered = await answer(ask).catch((error: Error) => ({ error: error.stack }));
  process.send?.(answered);
});
process.on("disconnect", () => process.exit(0));

async function answer(ask: Ask): Promise<unknown> {
  switch (ask.do) {
    case "open":
      return ask.variant.kind === "express" ? bareExpress() : open(ask);
    case "cpu":
      return process.cpuUsage();
    case "run":
      return runInProcess(served!, ask);
    case "quote":
      return { reviews: await quoteBags(served!, ask) } satisfies CreatedQuote;
  }
}

/** The service as it runs in earnest, log lines included, but for the limits on callers. */
async function open({ variant, file, shop }: Extract<Ask, { do: "open" }>): Promise<Target> {
  slowDisk(variant.fsyncMs);
  const config = readConfig({
    PORT: "0",
    DATABASE_URL: named(file),
    RATE_LIMITS: "off",
    CATALOG_FILE: shop?.catalogFile,
  });
  served = await serve(config, {
    log: createLog(config.logLevel),
    contents,
    version: VERSION,
    ...(variant.batch !== undefined && { batch: variant.batch }),
    ...(shop && { provider: instantProvider }),
  });
  return quoteTarget(served.baseUrl);
}

/** A file of SQLite's, or a server that is named whole. */
const named = (file: string): string => (file.includes("://") ? file : `sqlite:${file}`);

/** The least an HTTP server of this stack can do: read JSON, answer JSON of a quote's size. */
async function bareExpress(): Promise<Target> {
  const app = express();
  app.post("/", express.json(), (req, res) => {
    res.status(201).json({ got: req.body, filler: "x".repeat(1500) });
  });
  return { url: `http://127.0.0.1:${await listenLocally(createServer(app))}/`, headers: {} };
}
