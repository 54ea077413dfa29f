import { openService } from "./app/compose.ts";
import { readConfig } from "./app/config.ts";
import { MERCHANT_COMMAND } from "./app/data-folder.ts";
import { createLog } from "./app/log.ts";
import { startProblem } from "./app/start.ts";
import type { CliEnvironment } from "./cli/command.ts";
import { runCli } from "./cli/run.ts";
import { MerchantError } from "./core/errors.ts";

/** `npm run merchant`: works on the database itself and needs no running service (contract §16). */
const world: CliEnvironment = {
  command: MERCHANT_COMMAND,
  async withMerchant(act) {
    const config = { ...readConfig(process.env), rateLimits: null };
    process.env.TZ = config.timeZone;
    const opened = await openService(config, { log: createLog("silent") }).catch(named);
    // A wrong folder or DATABASE_URL would look like a shop without orders.
    if (opened.installation.isNew) {
      const named = config.databaseUrl.replace(/\/\/.*@|\?.*/g, "");
      world.err(`There was no shop in ${named}: this is a new one (DATABASE_URL).\n`);
    }
    try {
      return await act(opened.service.merchant);
    } finally {
      await opened.close();
    }
  },
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
};

/** At the command line an unavailable database is usually a wrong DATABASE_URL. */
function named(error: unknown): never {
  const unopened = error instanceof MerchantError && error.code === "STORE_UNAVAILABLE";
  throw unopened ? new MerchantError(error.code, startProblem(error)) : error;
}

export function merchant(words: readonly string[]): Promise<number> {
  return runCli(words, world);
}
