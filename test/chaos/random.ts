/** Random numbers from a seed (mulberry32). The same seed gives the same numbers. */
export interface Random {
  /** From 0 to below 1. */
  next(): number;
  /** A whole number from `low` to `high`, inclusive. */
  whole(low: number, high: number): number;
  chance(probability: number): boolean;
  /** One of the values, by relative weight. */
  pick<T>(weighted: readonly (readonly [weight: number, value: T])[]): T;
  /** An independent sequence: numbers taken here do not change it. */
  fork(name: string): Random;
}

export function random(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    next,
    whole: (low, high) => low + Math.floor(next() * (high - low + 1)),
    chance: (probability) => next() < probability,
    pick(weighted) {
      let left = next() * weighted.reduce((sum, [weight]) => sum + weight, 0);
      for (const [weight, value] of weighted) {
        left -= weight;
        if (left < 0) return value;
      }
      return weighted.at(-1)![1];
    },
    fork: (name) => random(hash(seed, name)),
  };
}

/** FNV-1a over the seed and the name. */
function hash(seed: number, name: string): number {
  let value = 0x811c9dc5;
  for (const character of `${seed}:${name}`) {
    value = Math.imul(value ^ character.charCodeAt(0), 0x01000193);
  }
  return value >>> 0;
}
