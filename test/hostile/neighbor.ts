/**
 * Somebody else at the same shop, in a thread of its own: asks for /healthz again and again, and says
 * how long it had to wait. What blocks the service blocks it; what keeps the attacker busy does not.
 */
import { once } from "node:events";
import { Agent, get } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { parentPort, Worker, workerData } from "node:worker_threads";

export interface Waits {
  /** Milliseconds of each answer, in order. */
  all: number[];
  /** Asked and not answered, or answered otherwise than well. */
  failed: number;
}

export interface Neighbor {
  /** What it met since it was last asked. */
  waits(): Promise<Waits>;
  leave(): Promise<void>;
}

export function neighbor(baseUrl: string, pauseMs: number): Neighbor {
  const worker = new Worker(new URL(import.meta.url), { workerData: [baseUrl, pauseMs] });
  return {
    async waits() {
      const said = once(worker, "message") as Promise<[Waits]>;
      worker.postMessage("waits");
      return (await said)[0];
    },
    leave: async () => {
      await worker.terminate();
    },
  };
}

async function visit(baseUrl: string, pauseMs: number): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  let met: Waits = { all: [], failed: 0 };
  parentPort!.on("message", () => {
    parentPort!.postMessage(met);
    met = { all: [], failed: 0 };
  });
  for (;;) {
    const began = performance.now();
    const well = await asked(`${baseUrl}/healthz`, agent);
    met.all.push(performance.now() - began);
    if (!well) met.failed++;
    await delay(pauseMs);
  }
}

const asked = (url: string, agent: Agent) =>
  new Promise<boolean>((resolve) => {
    const request = get(url, { agent, headers: { "x-forwarded-for": "192.0.2.200" } }, (answer) => {
      answer.resume().once("end", () => resolve(answer.statusCode === 200));
    });
    request.once("error", () => resolve(false));
  });

if (parentPort) await visit(...(workerData as [string, number]));
