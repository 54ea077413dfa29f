import autocannon from "autocannon";
import type { Load, Sample } from "./http.ts";
import { answerParent } from "./measure.ts";

// The load runs in its own process, so that its CPU time is not counted as the server's.
answerParent(async ({ target, connections, seconds }: Load): Promise<Omit<Sample, "cpuMs">> => {
  const result = await autocannon({
    ...target,
    headers: {
      "content-type": "application/json",
      "idempotency-key": "[<id>]",
      ...target.headers,
    },
    connections,
    duration: seconds,
    idReplacement: true,
  });
  const done = result["2xx"];
  const failed = result.non2xx + result.errors + result.timeouts;
  if (failed > 0 || done === 0) throw new Error(`${failed} failed and ${done} good responses`);
  return { done, perSecond: done / result.duration, p99Ms: result.latency.p99 };
});
