/** `npm start` with a faster clock and accordingly shorter connection limits. */

import { readConfig } from "../../src/app/config.ts";
import { createLog } from "../../src/app/log.ts";
import { contents } from "../../src/app/registry.ts";
import { serve } from "../../src/app/serve.ts";
import { FAST_TIMES, fastClock } from "./fast-clock.ts";

const log = createLog("info");
await serve(readConfig(process.env), {
  log,
  contents,
  clock: fastClock(Number(process.env.CLOCK_BEGUN)),
  times: FAST_TIMES,
  version: "0.0.0-fast",
});
log.info("open for business");
