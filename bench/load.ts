import autocannon from "autocannon";
import type { Load, Stretch } from "./messages.ts";
import { press } from "./press.ts";
import { REQUEST } from "./variants.ts";

/** The load, in a process of its own: what it costs must not be counted as the server's. */
process.on("message", async (load: Load) => {
  const loading = load.reviews ? press(load, load.reviews) : askAgain(load);
  process.send?.(await loading.catch((error: Error) => ({ error: error.stack })));
});
process.on("disconnect", () => process.exit(0));

/** The same request again and again: for a quote, where the target names no other. */
async function askAgain({ target, connections, seconds }: Load): Promise<Stretch> {
  const { method, body } = target.send ?? { method: "POST", body: JSON.stringify(REQUEST) };
  const result = await autocannon({
    url: target.url,
    method,
    headers: {
      "content-type": "application/json",
      "idempotency-key": "[<id>]",
      ...target.headers,
    },
    ...(body !== undefined && { body }),
    connections,
    duration: seconds,
    idReplacement: true,
  });
  return {
    done: result["2xx"],
    failed: result.non2xx + result.errors + result.timeouts,
    seconds: result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
  };
}
