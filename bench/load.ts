import { askAgain } from "./ask-again.ts";
import type { Load, Stretch } from "./messages.ts";
import { press } from "./press.ts";

/** The load, in a process of its own: what it costs must not be counted as the server's. */
process.on("message", async (load: Load) => {
  const loading = load.reviews ? press(load, load.reviews) : ask(load);
  process.send?.(await loading.catch((error: Error) => ({ error: error.stack })));
});
process.on("disconnect", () => process.exit(0));

async function ask({ target, connections, seconds }: Load): Promise<Stretch> {
  const result = await askAgain(target, { connections, duration: seconds });
  return {
    done: result["2xx"],
    failed: result.non2xx + result.errors + result.timeouts,
    seconds: result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
  };
}
