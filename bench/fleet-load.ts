import type { Child } from "./child.ts";
import { rate } from "./figures.ts";
import type { Fleet, Reviews } from "./fleets.ts";
import { expectGood, type Load, type Stretch } from "./messages.ts";

/** A stretch may be faster than those before it. Where it uses up its quotes it ends early. */
const HEADROOM = 1.4;

const wanted = ({ fastest }: Fleet, seconds: number): number =>
  Math.ceil(fastest * seconds * HEADROOM);

/** Makes the quotes that stretches of so long may pay. Nothing is measured meanwhile. */
export async function quoteAhead(fleets: readonly Fleet[], seconds: number): Promise<void> {
  const counts = new Map<Reviews, number>();
  for (const fleet of fleets) {
    const { reviews } = fleet;
    if (reviews) counts.set(reviews, (counts.get(reviews) ?? 0) + wanted(fleet, seconds));
  }
  for (const [reviews, count] of counts) await reviews.fill(count);
}

/** All instances at once, the connections divided among them; the slowest one's p99 counts. */
export async function load(
  fleet: Fleet,
  loaders: readonly Child[],
  { seconds, connections }: { seconds: number; connections: number },
): Promise<Stretch> {
  const { targets, reviews } = fleet;
  const part = (whole: number) => Math.ceil(whole / targets.length);
  const all = await Promise.all(
    targets.map(async (target, i) => {
      const stint: Load = { target, seconds, connections: part(connections) };
      if (!reviews) return loaders[i]!.ask<Stretch>(stint);
      const given = reviews.take(part(wanted(fleet, seconds)));
      const stretch = await loaders[i]!.ask<Stretch>({ ...stint, reviews: given });
      reviews.putBack(given.slice(stretch.done + stretch.failed));
      return stretch;
    }),
  );
  const sum = (of: "done" | "failed") => all.reduce((n, one) => n + one[of], 0);
  const most = (of: "seconds" | "p50Ms" | "p99Ms") => Math.max(...all.map((one) => one[of]));
  const stretch: Stretch = {
    done: sum("done"),
    failed: sum("failed"),
    seconds: most("seconds"),
    p50Ms: most("p50Ms"),
    p99Ms: most("p99Ms"),
  };
  expectGood(stretch);
  fleet.fastest = Math.max(fleet.fastest, rate(stretch));
  return stretch;
}
