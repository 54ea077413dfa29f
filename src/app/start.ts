import type { Logger } from "pino";
import { type Config, readConfig } from "./config.ts";
import { createLog } from "./log.ts";
import { startProblem } from "./start-problem.ts";
import { startWarnings } from "./start-warnings.ts";

/**
 * Starts as this process's environment says, by the shop's own clock, and logs what of it is seldom
 * meant. Answers the exit code; what is wrong with the start is told, and ends the process.
 */
export async function startWith(
  env: NodeJS.ProcessEnv,
  run: (config: Config, log: Logger) => Promise<void>,
): Promise<number> {
  try {
    const config = readConfig(env);
    env.TZ = config.timeZone;
    const log = createLog(config.logLevel);
    for (const warning of startWarnings(config)) log.warn(warning);
    await run(config, log);
    return 0;
  } catch (error) {
    process.stderr.write(`${startProblem(error)}\n`);
    process.exit(1);
  }
}
