import { join } from "node:path";
import { type Child, startChild } from "./child.ts";
import type { Stretch, Target } from "./messages.ts";
import type { Progress } from "./progress.ts";
import type { Variant } from "./variants.ts";

export interface Plan {
  variants: readonly Variant[];
  rounds: number;
  seconds: number;
  connections: number;
  /** Where the databases live while it runs. */
  folder: string;
  profileTo?: string | undefined;
}

export interface Sample extends Stretch {
  perSecond: number;
  /** CPU time of the server's process, user and system. */
  cpuMs: number;
}

interface Server {
  variant: Variant;
  child: Child;
  target: Target;
}

/**
 * All variants side by side: every round measures each once, so that a noisy moment hits them all.
 */
export async function measure(plan: Plan, progress: Progress): Promise<Map<string, Sample[]>> {
  const loader = startChild("./load.ts");
  const servers: Server[] = [];
  const samples = new Map<string, Sample[]>(plan.variants.map(({ name }) => [name, []]));
  try {
    for (const variant of plan.variants) servers.push(await openServer(variant, plan));
    for (const server of servers) {
      progress.step(`warming up: ${server.variant.label}`);
      await stretch(server, loader, { ...plan, seconds: 2 });
    }
    for (let round = 1; round <= plan.rounds; round++) {
      for (const server of turned(servers, round)) {
        progress.step(`round ${round} of ${plan.rounds}: ${server.variant.label}`);
        samples.get(server.variant.name)?.push(await stretch(server, loader, plan));
      }
    }
  } finally {
    await Promise.all([...servers.map(({ child }) => child.stop()), loader.stop()]);
  }
  return samples;
}

/** Another first one in every round, so that none always follows the same neighbour. */
const turned = <T>(list: readonly T[], by: number): T[] => [
  ...list.slice(by % list.length),
  ...list.slice(0, by % list.length),
];

async function openServer(variant: Variant, { folder, profileTo }: Plan): Promise<Server> {
  const child = startChild("./server.ts", { profileTo });
  const file = join(folder, `${variant.name}.db`);
  return { variant, child, target: await child.ask<Target>({ do: "open", variant, file }) };
}

async function stretch({ variant, child, target }: Server, loader: Child, plan: Plan) {
  const { seconds, connections } = plan;
  const before = await child.ask<NodeJS.CpuUsage>({ do: "cpu" });
  const result =
    variant.kind === "in-process"
      ? await child.ask<Stretch>({ do: "run", seconds, inFlight: connections })
      : await loader.ask<Stretch>({ target, connections, seconds });
  const after = await child.ask<NodeJS.CpuUsage>({ do: "cpu" });
  if (result.failed > 0 || result.done === 0) {
    throw new Error(`${variant.label}: ${result.failed} of ${result.done} answers were not 2xx`);
  }
  const cpu = after.user + after.system - before.user - before.system;
  const sample: Sample = {
    ...result,
    perSecond: result.done / result.seconds,
    cpuMs: cpu / 1000 / result.done,
  };
  return sample;
}
