/** `npm start` on a clock that goes faster, and with its connections' limits as much shorter. */
import { contents } from "../../src/operations/registry.ts";
import { readConfig } from "../../src/server/config.ts";
import { createLog } from "../../src/server/log.ts";
import { serve } from "../../src/server/serve.ts";
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
