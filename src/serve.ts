import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Request, Response } from "express";
import type { Logger } from "pino";
import { type Opened, type OpenOptions, openService } from "./compose.ts";
import type { Config } from "./config.ts";
import { createApp } from "./http/app.ts";
import type { Document } from "./http/public.ts";
import type { Operation, Service } from "./operation.ts";
import { startRounds } from "./rounds.ts";

export interface Face {
  mountable: (req: Request, res: Response) => Promise<void>;
  close(): Promise<void>;
}

export interface ServeOptions extends OpenOptions {
  operations: readonly Operation[];
  /** Public documents that are made once, from the opened service. */
  documents: (service: Service) => Document[];
  /** Builds the MCP face. */
  mcp?: (service: Service) => Face;
  version: string;
  log: Logger;
}

export interface Served extends Opened {
  baseUrl: string;
  /** Nothing new, requests under way finish, then everything is closed. */
  stop(): Promise<void>;
}

/** How long a request under way may still take when the service stops. */
const GRACE_MS = 8_000;

/** Listens first, so that PORT=0 has a number for every link, then opens and serves. */
export async function serve(config: Config, options: ServeOptions): Promise<Served> {
  const server = createServer((_req, res) => {
    res.writeHead(503, { "retry-after": "1" }).end();
  });
  const port = await listen(server, config);
  const baseUrl = config.port === 0 ? config.baseUrl.replace(/:0$/, `:${port}`) : config.baseUrl;
  try {
    const opened = await openService({ ...config, baseUrl }, options);
    return attach(server, { ...config, baseUrl }, opened, options);
  } catch (error) {
    server.close();
    throw error;
  }
}

async function listen(server: Server, { host, port }: Config): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen(port, host, resolve);
  await promise;
  return (server.address() as AddressInfo).port;
}

function attach(server: Server, config: Config, opened: Opened, options: ServeOptions): Served {
  const { service, sandbox, installation } = opened;
  const face = options.mcp?.(service);
  let draining = false;
  const app = createApp({
    service,
    edge: { baseUrl: config.baseUrl, clock: service.merchant.context.clock, log: options.log },
    operations: options.operations,
    documents: options.documents(service),
    ...(face && { mcp: face.mountable }),
    ...(sandbox && { buyer: sandbox.buyer }),
    trustProxy: config.trustProxy,
    corsOrigins: config.corsOrigins,
    version: options.version,
    installation: installation.id,
    draining: () => draining,
  });
  server.removeAllListeners("request");
  server.on("request", app);
  const stopRounds = startRounds(opened, options.log);
  return {
    ...opened,
    baseUrl: config.baseUrl,
    async stop() {
      if (draining) return;
      draining = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await face?.close();
      server.closeIdleConnections();
      const grace = setTimeout(() => server.closeAllConnections(), GRACE_MS);
      await closed;
      clearTimeout(grace);
      await stopRounds();
      await opened.close();
    },
  };
}
