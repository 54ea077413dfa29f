import type { Child } from "./child.ts";
import type { Fleet, Reviews } from "./fleets.ts";
import type { Load, Stretch } from "./messages.ts";
import type { Progress } from "./progress.ts";

export interface Rounds {
  seconds: number;
  rounds: number;
  connections: number;
}

/** Payments for a fleet's warming up, which shows how fast it is; it may end early. */
const FIRST_GUESS = 1500;
/** A stretch may be faster than those before it. Where it uses up its quotes it ends early. */
const HEADROOM = 1.4;
const WARM_UP_SECONDS = 1;

/** Every fleet once a round, the first round only for warming up. */
export async function measure(
  fleets: readonly Fleet[],
  loaders: readonly Child[],
  { plan, progress }: { plan: Rounds; progress: Progress },
): Promise<Stretch[][]> {
  const samples: Stretch[][] = fleets.map(() => []);
  const wanted = fleets.map(() => FIRST_GUESS);
  for (let round = 0; round <= plan.rounds; round++) {
    const name = round === 0 ? "warming up" : `round ${round} of ${plan.rounds}`;
    progress.step(`${name}: quotes to be paid`);
    await quoteAhead(fleets, wanted);
    const seconds = round === 0 ? WARM_UP_SECONDS : plan.seconds;
    for (const [i, fleet] of fleets.entries()) {
      progress.step(`${name}: ${fleet.subject}, ${fleet.label}`);
      const { connections } = plan;
      const stretch = await load(fleet, loaders, { seconds, connections, wanted: wanted[i]! });
      if (round > 0) samples[i]!.push(stretch);
      const next = Math.ceil((stretch.done / stretch.seconds) * plan.seconds * HEADROOM);
      wanted[i] = round === 0 ? next : Math.max(wanted[i]!, next);
    }
  }
  progress.done();
  return samples;
}

/** Nothing is measured meanwhile. */
async function quoteAhead(fleets: readonly Fleet[], wanted: readonly number[]): Promise<void> {
  const counts = new Map<Reviews, number>();
  for (const [i, { reviews }] of fleets.entries()) {
    if (reviews) counts.set(reviews, (counts.get(reviews) ?? 0) + wanted[i]!);
  }
  for (const [reviews, count] of counts) await reviews.fill(count);
}

interface Stint {
  seconds: number;
  connections: number;
  wanted: number;
}

/** All instances at once, the connections divided among them; the slowest one's p99 counts. */
async function load(
  { subject, label, targets, reviews }: Fleet,
  loaders: readonly Child[],
  { seconds, connections, wanted }: Stint,
): Promise<Stretch> {
  const all = await Promise.all(
    targets.map(async (target, i) => {
      const each = Math.ceil(connections / targets.length);
      const stint: Load = { target, seconds, connections: each };
      if (!reviews) return loaders[i]!.ask<Stretch>(stint);
      const given = reviews.take(Math.ceil(wanted / targets.length));
      const stretch = await loaders[i]!.ask<Stretch>({ ...stint, reviews: given });
      reviews.putBack(given.slice(stretch.done + stretch.failed));
      return stretch;
    }),
  );
  const sum = (of: (stretch: Stretch) => number) => all.reduce((n, one) => n + of(one), 0);
  const most = (of: (stretch: Stretch) => number) => Math.max(...all.map(of));
  const failed = sum((one) => one.failed);
  if (failed > 0)
    throw new Error(`${subject}, ${label}: ${failed} answers were not as they should`);
  return {
    done: sum((one) => one.done),
    failed,
    seconds: most((one) => one.seconds),
    p50Ms: most((one) => one.p50Ms),
    p99Ms: most((one) => one.p99Ms),
  };
}
