import { isUnderWay } from "./time-windows.ts";

/** More different questions than this are not remembered: the oldest go. */
const MOST = 10_000;

/** A failure is shared for a second only: what is back is to be found soon. */
const FAILED_FOR_MS = 1000;

/**
 * Everybody who asks the same within a while gets the one answer, or the one failure: a buyer who
 * presses or polls a thousand times costs the provider one call (contract §14). Never for what
 * settles money.
 */
export function sharedAnswers<T>(
  ask: (about: string) => Promise<T>,
  { forMs, clock }: { forMs: number; clock: () => number },
): (about: string) => Promise<T> {
  const asked = new Map<string, { until: number; answer: Promise<T> }>();
  return (about) => {
    const now = clock();
    const known = asked.get(about);
    if (known && isUnderWay(known.until, forMs, now)) return known.answer;
    // Inserted anew, so that the first of the map is always the oldest.
    asked.delete(about);
    const [oldest] = asked.keys();
    if (asked.size >= MOST && oldest !== undefined) asked.delete(oldest);
    const one = { until: now + forMs, answer: ask(about) };
    // The callers hear of a failure; here it must not become an unhandled rejection.
    one.answer.catch(() => {
      one.until = now + Math.min(forMs, FAILED_FOR_MS);
    });
    asked.set(about, one);
    return one.answer;
  };
}
