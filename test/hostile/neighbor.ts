/**
 * Another client of the same shop, in a thread of its own: it asks for /healthz again and again and
 * measures each wait. A blocked service delays it; a busy attacker does not.
 */
import { once } from "node:events";
import { Agent, get } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { parentPort, Worker, workerData } from "node:worker_threads";

export interface Waits {
  /** Milliseconds of each answer, in order. */
  all: number[];
  /** Requests without an answer, or with another than 200. */
  failed: number;
}

export function neighbor(baseUrl: string, pauseMs: number) {
  const worker = new Worker(new URL(import.meta.url), { workerData: [baseUrl, pauseMs] });
  return {
    /** Waits since the last call. */
    async waits(): Promise<Waits> {
      const message = once(worker, "message") as Promise<[Waits]>;
      worker.postMessage("waits");
      return (await message)[0];
    },
    leave: () => worker.terminate(),
  };
}

async function visit(baseUrl: string, pauseMs: number): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  let waits: Waits = { all: [], failed: 0 };
  parentPort!.on("message", () => {
    parentPort!.postMessage(waits);
    waits = { all: [], failed: 0 };
  });
  for (;;) {
    const began = performance.now();
    const isWell = await isHealthy(`${baseUrl}/healthz`, agent);
    waits.all.push(performance.now() - began);
    if (!isWell) waits.failed++;
    await delay(pauseMs);
  }
}

const isHealthy = (url: string, agent: Agent) =>
  new Promise<boolean>((resolve) => {
    const request = get(url, { agent, headers: { "x-forwarded-for": "192.0.2.200" } }, (answer) => {
      answer.resume().once("end", () => resolve(answer.statusCode === 200));
    });
    request.once("error", () => resolve(false));
  });

if (parentPort) await visit(...(workerData as [string, number]));
