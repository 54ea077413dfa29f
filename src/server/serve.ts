import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Logger } from "pino";
import { createApp } from "../http/app.ts";
import { mountDesk } from "../http/desk/desk.ts";
import { createMcpFace, type McpFace } from "../mcp/http.ts";
import type { Service } from "../operations/perform.ts";
import type { Contents } from "../operations/registry.ts";
import { startRounds } from "./background-jobs.ts";
import { type Opened, type OpenOptions, openService } from "./compose.ts";
import type { Config } from "./config.ts";
import { createLines } from "./connections.ts";
import { documents } from "./documents.ts";

export interface ServeOptions extends OpenOptions {
  contents: Contents;
  /** Another MCP face than the product's own, such as the one that is tested for conformance. */
  face?: (service: Service) => McpFace;
  version: string;
  log: Logger;
  /**
   * Told once what only the merchant may read: the sign-in link of /desk. Never the log, which is
   * kept. Where nobody listens no secret is made.
   */
  tell?: (text: string) => void;
}

export interface Served extends Opened {
  baseUrl: string;
  /** Where this process itself listens; behind a balancer, BASE_URL is another address. */
  port: number;
  /** Says on /readyz that it leaves, and serves on: a balancer takes it out meanwhile. */
  leave(): void;
  /** Nothing new, requests under way finish, then everything is closed. */
  stop(): Promise<void>;
}

/** How long a request under way may still take when the service stops. */
const GRACE_MS = 8_000;
const SWEEP_MS = 50;

/** Listens first, so that PORT=0 has a number for every link, then opens and serves. */
export async function serve(config: Config, options: ServeOptions): Promise<Served> {
  let { baseUrl } = config;
  const edge = { baseUrl: () => baseUrl, clock: options.clock ?? Date.now };
  const most = config.maxConnections;
  const mostOfOne = config.trustProxy > 0 ? 0 : Math.ceil(most / 4);
  const server = createLines({ ...edge, most, mostOfOne });
  const port = await listen(server, config);
  if (config.port === 0) baseUrl = baseUrl.replace(/:0$/, `:${port}`);
  try {
    const opened = await openService({ ...config, baseUrl }, options);
    if (options.tell) await introduceDesk(opened, options.tell, config.public);
    return attach(server, { ...config, baseUrl, port }, opened, options);
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

/** Without MERCHANT_SECRET the first start makes a secret, and says it this once (contract §16). */
async function introduceDesk(
  { service }: Opened,
  tell: (text: string) => void,
  reached: boolean,
): Promise<void> {
  const link = await service.merchant.desk.firstLink();
  if (link === null) return;
  tell(
    `\nYour desk, for whoever has this link:\n\n  ${link}\n\n` +
      "It is shown this once. For a new one: npm run merchant -- desk renew\n" +
      (reached && link.startsWith("http:")
        ? "This address is http and others reach it: put https in front.\n"
        : "") +
      "\n",
  );
}

function attach(server: Server, config: Config, opened: Opened, options: ServeOptions): Served {
  const { service, sandbox, installation } = opened;
  const { contents, version } = options;
  const face = (options.face ?? productFace(config, options))(service);
  const leaving = new AbortController();
  const { clock } = service;
  const edge = { baseUrl: config.baseUrl, clock, log: options.log, leaving: leaving.signal };
  const app = createApp({
    service,
    edge,
    operations: contents.operations,
    documents: documents(service, contents.operations),
    mcp: face.mountable,
    desk: (to) => mountDesk(to, { service, edge }),
    ...(sandbox && { buyer: sandbox.buyer }),
    trustProxy: config.trustProxy,
    corsOrigins: config.corsOrigins,
    version,
    installation: installation.id,
  });
  server.removeAllListeners("request");
  server.on("request", app);
  const stopRounds = startRounds(opened, options.log);
  let stopped = false;
  return {
    ...opened,
    baseUrl: config.baseUrl,
    port: config.port,
    leave() {
      // Whoever waits for news is answered now, without any.
      leaving.abort();
      // A balancer must not send one more request on a connection that is about to be closed.
      server.prependListener("request", (_req, res) => res.setHeader("connection", "close"));
    },
    async stop() {
      if (stopped) return;
      stopped = true;
      leaving.abort();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await face.close();
      // A connection is idle only after its last answer, which may still be on its way.
      const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
      const grace = setTimeout(() => server.closeAllConnections(), GRACE_MS);
      await closed;
      clearTimeout(grace);
      clearInterval(sweep);
      await stopRounds();
      await opened.close();
    },
  };
}

const productFace =
  (config: Config, { contents, version }: ServeOptions) =>
  (service: Service) =>
    createMcpFace({
      service,
      ...contents,
      version,
      allowedHosts: config.allowedHosts,
      allowedOrigins: config.corsOrigins,
    });
