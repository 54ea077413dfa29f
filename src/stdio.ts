import { serveMcpStdio } from "./mcp/stdio.ts";
import { contents } from "./operations/registry.ts";
import { type OpenService, openService } from "./server/compose.ts";
import { type Config, readConfig } from "./server/config.ts";
import { createLog } from "./server/log.ts";
import { serve } from "./server/serve.ts";
import { startProblem } from "./server/start-problem.ts";
import { startWarnings } from "./server/start-warnings.ts";
import { VERSION } from "./server/version.ts";

interface SidecarService extends OpenService {
  stop(): Promise<void>;
}

/**
 * `npm run stdio`: MCP on stdio, with the HTTP sidecar beside it for the pages people pay on. Where
 * the port is taken by this same service on the same database, that one is the sidecar (contract §16).
 */
async function main(): Promise<void> {
  const config = readConfig(process.env);
  process.env.TZ = config.timeZone;
  const log = createLog(config.logLevel);
  for (const warning of startWarnings(config)) log.warn(warning);
  // stdout is MCP's, and hosts keep stderr in files: nothing secret is told here.
  log.info("the merchant signs in at the desk by: npm run merchant -- desk link");
  const options = { log, contents, version: VERSION, webWhenAsked: true };
  const opened = await serve(config, options).catch((error: unknown) => {
    if ((error as { code?: unknown }).code !== "EADDRINUSE") throw error;
    return useRunningService(config, { log });
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
): Promise<SidecarService> {
  const opened = await openService(config, options);
  const there = await readAgentInfo(config);
  if (there?.service === "coffee-merchant" && there.installation === opened.installation.id) {
    options.log.info({ url: config.baseUrl }, "the service is there already; going on beside it");
    return { ...opened, stop: opened.close };
  }
  await opened.close();
  throw Object.assign(new Error("the port is taken by something else"), { code: "EADDRINUSE" });
}

async function readAgentInfo({ baseUrl }: Config): Promise<Record<string, unknown> | null> {
  try {
    const answer = await fetch(`${baseUrl}/healthz`, { signal: AbortSignal.timeout(2000) });
    return (await answer.json()) as Record<string, unknown>;
  } catch {
    return null;
  }
}

export const stdio = (): Promise<number> =>
  main().then(
    () => 0,
    (error: unknown) => {
      process.stderr.write(`${startProblem(error)}\n`);
      process.exit(1);
    },
  );
