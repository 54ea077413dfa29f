import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { answersAt, type OpenService, openService } from "./app/compose.ts";
import type { Config } from "./app/config.ts";
import { MERCHANT_COMMAND } from "./app/data-folder.ts";
import { contents } from "./app/registry.ts";
import { type RunningService, type ServeOptions, serve } from "./app/serve.ts";
import { startProblem, startWith } from "./app/start.ts";
import { onStop } from "./app/stop-signals.ts";
import { VERSION } from "./app/version.ts";
import { serveMcpStdio } from "./mcp/stdio.ts";

interface SidecarService extends OpenService {
  stop(): Promise<void>;
}

/**
 * `npm run stdio` runs MCP on stdio and serves the buyer pages over HTTP. If this installation's service
 * already has the port, that one serves the pages for as long as it runs. If something else has it and no
 * port is configured, a free port is used (contract §16).
 */
async function open(config: Config, log: Logger): Promise<void> {
  // Hosts keep stderr in files, so no secret is logged.
  log.info(`sign in at the desk with: ${MERCHANT_COMMAND} desk link`);
  const options = { log, contents, version: VERSION, webWhenAsked: true };
  const opened = await serve(config, options).catch(async (error: unknown) => {
    if (!isTaken(error)) throw error;
    const running = await useRunningService(config, options);
    if (running) return running;
    if (!config.anyPortWillDo) throw error;
    return serve(onFreePort(config), options);
  });
  const endpoint = serveMcpStdio({
    service: opened.service,
    ...contents,
    version: VERSION,
    apiKey: config.merchantApiKey,
  });
  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    await endpoint.close();
    await opened.stop();
    process.exit(0);
  };
  onStop(() => void stop(), process.env);
  await endpoint.closed;
  await stop();
}

async function useRunningService(
  config: Config,
  options: ServeOptions,
): Promise<SidecarService | null> {
  const { log } = options;
  const opened = await openService(config, { log });
  const running = await answersAt(config.baseUrl, opened.installation);
  if (!running) {
    await opened.close();
    return null;
  }
  log.info({ url: config.baseUrl }, "the service is already running and serves the pages");
  // A service that was started on its own will be started again on its port, which must stay free.
  if (!running.endsWithClient) return { ...opened, stop: opened.close };
  const ended = new AbortController();
  const serving = serveLater(config, options, ended.signal);
  return {
    ...opened,
    async stop() {
      ended.abort();
      await (await serving)?.stop();
      await opened.close();
    },
  };
}

/** How long links fail after the process that served their pages has exited. */
const LOOK_MS = 1000;

/** Serves the pages once the process that serves them now has exited with its client. */
async function serveLater(
  config: Config,
  options: ServeOptions,
  signal: AbortSignal,
): Promise<RunningService | null> {
  let lastWarning: string | undefined;
  for (;;) {
    await delay(LOOK_MS, undefined, { signal }).catch(() => {});
    if (signal.aborted) return null;
    try {
      const served = await serve(config, options);
      options.log.info({ url: served.baseUrl }, "the pages are served here now");
      return served;
    } catch (error) {
      if (isTaken(error)) continue;
      const why = startProblem(error);
      options.log[why === lastWarning ? "debug" : "warn"](`the pages are not served: ${why}`);
      lastWarning = why;
    }
  }
}

const isTaken = (error: unknown): boolean => (error as { code?: unknown }).code === "EADDRINUSE";

const onFreePort = (config: Config): Config => ({
  ...config,
  port: 0,
  baseUrl: config.baseUrl.replace(/:\d+$/, ":0"),
});

export const stdio = (): Promise<number> => startWith(process.env, open);
