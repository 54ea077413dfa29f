import { randomUUID } from "node:crypto";
import { performance } from "node:perf_hooks";
import { sha256 } from "../src/domain/shared/sha256.ts";
import type { RunningService } from "../src/server/serve.ts";
import type { Stretch } from "./messages.ts";
import { REQUEST } from "./variants.ts";

/** The same quotes by the same verb, without HTTP: what the store and the rules can do at most. */
export async function runInProcess(
  { service: { merchant } }: RunningService,
  { seconds, inFlight }: { seconds: number; inFlight: number },
): Promise<Stretch> {
  const { agent_id: agentId } = await newAgent(merchant);
  const latencies: number[] = [];
  const began = performance.now();
  const end = began + seconds * 1000;
  const asker = async () => {
    while (performance.now() < end) {
      const id = randomUUID();
      const asked = performance.now();
      const request = { ...REQUEST, buyer: { email: `buyer-${id}@example.com` } };
      const intent = { scope: agentId, keyHash: sha256(id), requestHash: sha256(id) };
      await merchant.quotes.create(request, { agentId, finderKey: null }, intent);
      latencies.push(performance.now() - asked);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, asker));
  const took = (performance.now() - began) / 1000;
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? 0;
  return { done: latencies.length, failed: 0, seconds: took, p50Ms: at(0.5), p99Ms: at(0.99) };
}

export async function newAgent({ agents }: RunningService["service"]["merchant"]) {
  const id = randomUUID();
  const input = { name: "Bench", contact_email: "bench@example.com" };
  const intent = { scope: "bench", keyHash: sha256(id), requestHash: sha256(id) };
  return (await agents.register(input, intent)).body;
}
