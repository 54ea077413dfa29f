import type { Server, ServerOptions } from "node:http";
import type { Socket } from "node:net";
import { startBackgroundJobs } from "./background-jobs.ts";
import { type OpenOptions, type OpenService, openService } from "./compose.ts";
import type { Config } from "./config.ts";
import { CONNECTION_TIMES, createLines, listen } from "./connections.ts";
import { MERCHANT_COMMAND } from "./data-folder.ts";
import { type Observation, startWatching } from "./observation.ts";
import type { WebHandler, WebOptions } from "./web.ts";

export interface ServeOptions extends OpenOptions, WebOptions {
  /**
   * Told once what only the merchant may read: the sign-in link of /desk. Never the log, which is
   * kept. Without a listener no link is made.
   */
  tell?: (text: string) => void;
  /** What a connection may take, in place of CONNECTION_TIMES, for a clock that goes faster. */
  times?: ServerOptions;
}

export interface RunningService extends OpenService {
  baseUrl: string;
  /** Where this process itself listens; behind a balancer, BASE_URL is another address. */
  port: number;
  /** Where metrics are read, if anywhere. */
  metricsPort: number | undefined;
  /** Says on /readyz that it leaves, and serves on: a balancer takes it out meanwhile. */
  leave(): void;
  /** Nothing new, requests under way finish, then everything is closed. */
  stop(): Promise<void>;
}

/** How long a request under way may still take when the service stops. */
const GRACE_MS = 8_000;
const SWEEP_MS = 50;
/** A line that asked for nothing yet may be about to: so long it is waited for. */
const SILENT_MS = 1_000;

/** A client on stdio has its first answers by then. */
const QUIET_MS = 1_000;

/** Listens first, so that PORT=0 has a number for every link, then opens and serves. */
export async function serve(config: Config, options: ServeOptions): Promise<RunningService> {
  let { baseUrl } = config;
  const edge = { baseUrl: () => baseUrl, clock: options.clock ?? Date.now };
  const most = config.maxConnections;
  const mostOfOne = config.trustProxy > 0 ? 0 : Math.ceil(most / 4);
  const { times = CONNECTION_TIMES } = options;
  const server = createLines({ ...edge, most, mostOfOne, times });
  const port = await listen(server, config);
  if (config.port === 0) baseUrl = baseUrl.replace(/:0$/, `:${port}`);
  let watching: Observation | undefined;
  let opened: OpenService | undefined;
  try {
    watching = await startWatching(config, edge.clock);
    opened = await openService({ ...config, baseUrl }, { ...options, watching, serving: true });
    if (options.tell) await introduceDesk(opened, options.tell, config.public);
    return await attach(server, { ...config, baseUrl, port }, { ...opened, watching }, options);
  } catch (error) {
    await opened?.close();
    await watching?.close();
    server.close();
    throw error;
  }
}

/**
 * Without MERCHANT_SECRET the first start prints a link to sign in with, this once (contract §16).
 */
async function introduceDesk(
  { service }: OpenService,
  tell: (text: string) => void,
  reached: boolean,
): Promise<void> {
  const link = await service.merchant.desk.firstLink();
  if (link === null) return;
  tell(
    `\nYour desk, for anybody who has this link:\n\n  ${link}\n\n` +
      `It works once, within 15 minutes. For another, with the same settings: ${MERCHANT_COMMAND} desk link\n` +
      (reached && link.startsWith("http:")
        ? "This address is http and others reach it: put https in front.\n"
        : "") +
      "\n",
  );
}

/**
 * Puts everything that answers HTTP behind the server: now, or with the first request. Answers how it
 * is closed.
 */
async function openWeb(
  server: Server,
  load: () => Promise<WebHandler>,
  { webWhenAsked, log }: ServeOptions,
): Promise<() => Promise<void>> {
  if (!webWhenAsked) {
    const web = await load();
    server.removeAllListeners("request").on("request", web.answer);
    return () => web.close();
  }
  let loading: Promise<WebHandler> | undefined;
  // A failure is not kept: the next request loads anew.
  const tryAgain = (error: unknown) => {
    loading = undefined;
    throw error;
  };
  server.removeAllListeners("request").on("request", async (request, response) => {
    try {
      loading ??= load().catch(tryAgain);
      (await loading).answer(request, response);
    } catch (error) {
      log.error({ error }, "the pages could not be loaded");
      response.destroy();
    }
  });
  return async () => (await loading?.catch(() => undefined))?.close();
}

async function attach(
  server: Server,
  config: Config,
  opened: OpenService & { watching: Observation },
  options: ServeOptions,
): Promise<RunningService> {
  const leaving = new AbortController();
  const loadWeb = async () => {
    const { createWeb } = await import("./web.ts");
    return createWeb(config, opened, { ...options, leaving: leaving.signal });
  };
  const closeWeb = await openWeb(server, loadWeb, options);
  const silent = new Set<Socket>();
  server.on("connection", (socket) => {
    silent.add(socket);
    socket.once("close", () => silent.delete(socket));
  });
  server.prependListener("request", ({ socket }) => silent.delete(socket));
  const afterMs = options.webWhenAsked ? QUIET_MS : 0;
  const stopJobs = startBackgroundJobs(opened, options.log, afterMs);
  let stopped = false;
  return {
    ...opened,
    baseUrl: config.baseUrl,
    port: config.port,
    metricsPort: opened.watching.metricsPort,
    leave() {
      // Requests that wait for news are answered now, without any.
      leaving.abort();
      // A balancer must not send one more request on a connection that is about to be closed.
      server.prependListener("request", (_req, res) => res.setHeader("connection", "close"));
    },
    async stop() {
      if (stopped) return;
      stopped = true;
      leaving.abort();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await closeWeb();
      // A connection is idle only after its last answer, which may still be on its way.
      const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
      // Node counts a line that never asked for anything among those that are busy.
      const quiet = setTimeout(() => {
        for (const socket of silent) socket.destroy();
      }, SILENT_MS);
      const grace = setTimeout(() => server.closeAllConnections(), GRACE_MS);
      await closed;
      clearTimeout(quiet);
      clearTimeout(grace);
      clearInterval(sweep);
      await stopJobs();
      await opened.close();
      await opened.watching.close();
    },
  };
}
