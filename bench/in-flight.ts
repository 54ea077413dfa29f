import { performance } from "node:perf_hooks";
import type { Stretch } from "./messages.ts";

/**
 * So many ask at once, each again and again, until the time is over or nothing is left to ask.
 * `ask` answers whether it went well.
 */
export async function keepAsking(
  { connections, seconds }: { connections: number; seconds: number },
  ask: () => Promise<boolean> | undefined,
): Promise<Stretch> {
  const latencies: number[] = [];
  let failed = 0;
  const began = performance.now();
  const end = began + seconds * 1000;
  const asker = async () => {
    while (performance.now() < end) {
      const asked = performance.now();
      const answer = ask();
      if (answer === undefined) return;
      if (!(await answer)) failed++;
      latencies.push(performance.now() - asked);
    }
  };
  await Promise.all(Array.from({ length: connections }, asker));
  const took = (performance.now() - began) / 1000;
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? 0;
  const done = latencies.length - failed;
  return { done, failed, seconds: took, p50Ms: at(0.5), p99Ms: at(0.99) };
}
