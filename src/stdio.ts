import type { Logger } from "pino";
import { serveMcpStdio } from "./mcp/stdio.ts";
import { contents } from "./operations/registry.ts";
import { type OpenService, openService } from "./server/compose.ts";
import type { Config } from "./server/config.ts";
import { MERCHANT_COMMAND } from "./server/data-folder.ts";
import { answersAt } from "./server/running.ts";
import { serve } from "./server/serve.ts";
import { startWith } from "./server/start.ts";
import { VERSION } from "./server/version.ts";

interface SidecarService extends OpenService {
  stop(): Promise<void>;
}

/**
 * `npm run stdio`: MCP on stdio, with the HTTP sidecar beside it for the pages people pay on. Where
 * the port is taken by this same service on the same database, that one is the sidecar; where by
 * anything else, and no port was asked for, a free one does (contract §16).
 */
async function open(config: Config, log: Logger): Promise<void> {
  // stdout is MCP's, and hosts keep stderr in files: nothing secret is told here.
  log.info(`the merchant signs in at the desk by: ${MERCHANT_COMMAND} desk link`);
  const options = { log, contents, version: VERSION, webWhenAsked: true };
  const opened = await serve(config, options).catch(async (error: unknown) => {
    if ((error as { code?: unknown }).code !== "EADDRINUSE") throw error;
    const running = await useRunningService(config, { log });
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
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
  await endpoint.closed;
  await stop();
}

async function useRunningService(
  config: Config,
  options: Parameters<typeof openService>[1],
): Promise<SidecarService | null> {
  const opened = await openService(config, options);
  if (await answersAt(config.baseUrl, opened.installation.id)) {
    options.log.info({ url: config.baseUrl }, "the service is there already; going on beside it");
    return { ...opened, stop: opened.close };
  }
  await opened.close();
  return null;
}

/** The links name the port once it is known. */
const onFreePort = (config: Config): Config => ({
  ...config,
  port: 0,
  baseUrl: config.baseUrl.replace(/:\d+$/, ":0"),
});

export const stdio = (): Promise<number> => startWith(process.env, open);
