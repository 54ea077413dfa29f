import type { RequestListener, Server, ServerOptions } from "node:http";
import type { Socket } from "node:net";
import { startBackgroundJobs } from "./background-jobs.ts";
import { type OpenOptions, type OpenService, openService } from "./compose.ts";
import type { Config } from "./config.ts";
import { CONNECTION_TIMES, createLimitedServer, listen, oneAtATime } from "./connections.ts";
import { MERCHANT_COMMAND } from "./data-folder.ts";
import { type Observation, startWatching } from "./observation.ts";
import type { WebHandler, WebOptions } from "./web.ts";

export interface ServeOptions extends OpenOptions, WebOptions {
  /** Shows the first sign-in link of /desk to the merchant. Not the log, which is kept. */
  tell?: (text: string) => void;
  /** Replaces CONNECTION_TIMES, for tests with a faster clock. */
  times?: ServerOptions;
}

export interface RunningService extends OpenService {
  baseUrl: string;
  /** Port of this process. Behind a balancer, BASE_URL is another address. */
  port: number;
  metricsPort: number | undefined;
  /** Turns /readyz to 503 and serves on, until a balancer has removed this instance. */
  leave(): void;
  /** Takes no new requests, finishes running ones, then closes everything. */
  stop(): Promise<void>;
}

/** Time for running requests when the service stops. */
const GRACE_MS = 8_000;
const SWEEP_MS = 50;
/** Time for a connection that has sent no request yet. */
const SILENT_MS = 1_000;

/** A client on stdio has its first responses by then. */
const QUIET_MS = 1_000;

/** Listens before it opens the service, so that links have the port that PORT=0 takes. */
export async function serve(config: Config, options: ServeOptions): Promise<RunningService> {
  let { baseUrl } = config;
  const edge = { baseUrl: () => baseUrl, clock: options.clock ?? Date.now };
  const most = config.maxConnections;
  const mostOfOne = config.trustProxy > 0 ? 0 : Math.ceil(most / 4);
  const { times = CONNECTION_TIMES } = options;
  const server = createLimitedServer({ ...edge, most, mostOfOne, times });
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

/** Without MERCHANT_SECRET the first start prints a sign-in link once (contract §16). */
async function introduceDesk(
  { service }: OpenService,
  tell: (text: string) => void,
  isPublic: boolean,
): Promise<void> {
  const link = await service.merchant.desk.firstLink();
  if (link === null) return;
  tell(
    `\nSign in to your desk with this link, once within 15 minutes:\n\n  ${link}\n\n` +
      `Keep it secret. For another link, run with the same settings: ${MERCHANT_COMMAND} desk link\n` +
      (isPublic && link.startsWith("http:")
        ? "This shop is public over http: put https in front.\n"
        : "") +
      "\n",
  );
}

/** Attaches the web to the server, now or at the first request. Returns the function that closes it. */
async function openWeb(
  server: Server,
  load: () => Promise<WebHandler>,
  { webWhenAsked, log }: ServeOptions,
): Promise<() => Promise<void>> {
  if (!webWhenAsked) {
    const web = await load();
    server.removeAllListeners("request").on("request", oneAtATime(web.answer));
    return () => web.close();
  }
  let loading: Promise<WebHandler> | undefined;
  // After a failure the next request loads again.
  const tryAgain = (error: unknown) => {
    loading = undefined;
    throw error;
  };
  const loadAndAnswer: RequestListener = async (request, response) => {
    try {
      loading ??= load().catch(tryAgain);
      (await loading).answer(request, response);
    } catch (error) {
      log.error({ error }, "the pages could not be loaded");
      response.destroy();
    }
  };
  server.removeAllListeners("request").on("request", oneAtATime(loadAndAnswer));
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
      // Polls return at once, without news.
      leaving.abort();
      // A balancer must not send another request on a connection that is about to be closed.
      server.prependListener("request", (_req, res) => res.setHeader("connection", "close"));
    },
    async stop() {
      if (stopped) return;
      stopped = true;
      leaving.abort();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await closeWeb();
      // A connection is idle only after its last response was sent.
      const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
      // Node counts a connection without any request as busy.
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
