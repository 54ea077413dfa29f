import { Agent, request } from "node:http";
import { performance } from "node:perf_hooks";
import type { Load, Stretch } from "./messages.ts";
import { CHECKOUT_ORIGIN } from "./shop.ts";

/** Buyers press pay, each on a page of his own: a page that is pressed twice starts nothing. */
export async function press(
  { target, connections, seconds }: Load,
  reviews: readonly string[],
): Promise<Stretch> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const latencies: number[] = [];
  let next = 0;
  let failed = 0;
  const began = performance.now();
  const end = began + seconds * 1000;
  const buyer = async () => {
    while (next < reviews.length && performance.now() < end) {
      const asked = performance.now();
      const location = await pay(new URL(reviews[next++]!, target.url), agent);
      latencies.push(performance.now() - asked);
      if (!location?.startsWith(CHECKOUT_ORIGIN)) failed++;
    }
  };
  await Promise.all(Array.from({ length: connections }, buyer));
  const took = (performance.now() - began) / 1000;
  agent.destroy();
  latencies.sort((a, b) => a - b);
  const at = (share: number) => Math.round(latencies[Math.floor(next * share)] ?? 0);
  return { done: next - failed, failed, seconds: took, p50Ms: at(0.5), p99Ms: at(0.99) };
}

/** Where the browser is sent. */
function pay(url: URL, agent: Agent): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { method: "POST", agent }, (answer) => {
      answer.once("error", reject);
      answer.once("end", () => resolve(answer.headers.location));
      answer.resume();
    });
    asked.once("error", reject);
    asked.end();
  });
}
