import { ANYTHING, type Subject } from "./news.ts";
import { isUnderWay } from "./time.ts";

/** Runs at most `width` pieces of work at once; the others wait in order. */
export function limitConcurrency(width: number) {
  let busy = 0;
  const waiting: (() => void)[] = [];
  return async function limited<T>(work: () => Promise<T>): Promise<T> {
    if (busy < width) busy++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else busy--;
    }
  };
}

/**
 * Counts what each caller has open, up to a limit. Returns the function that releases one, or null at the
 * limit.
 */
export function openCounts(most: number): (who: string) => (() => void) | null {
  const open = new Map<string, number>();
  return (who) => {
    const before = open.get(who) ?? 0;
    if (before >= most) return null;
    open.set(who, before + 1);
    return () => {
      const left = open.get(who)! - 1;
      if (left === 0) open.delete(who);
      else open.set(who, left);
    };
  };
}

/** Most answers kept; the oldest are dropped first. */
const MOST_ANSWERS = 10_000;

/** A failure is shared only briefly, so that a recovery is noticed soon. */
const FAILED_FOR_MS = 1000;

/**
 * Shares one answer, or one failure, among all callers that ask the same within `forMs`: a buyer who
 * presses or polls a thousand times costs the provider one call (contract §14). Never for settling money.
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
    // Inserted again, so that the first entry of the map is always the oldest.
    asked.delete(about);
    const [oldest] = asked.keys();
    if (asked.size >= MOST_ANSWERS && oldest !== undefined) asked.delete(oldest);
    const one = { until: now + forMs, answer: ask(about) };
    // Callers get the failure; without this it would also be an unhandled rejection.
    one.answer.catch(() => {
      one.until = now + Math.min(forMs, FAILED_FOR_MS);
    });
    asked.set(about, one);
    return one.answer;
  };
}

/**
 * Builds one answer for all who wait: whoever asks while one is being built gets the next one, which
 * nothing precedes that had been committed before the question.
 */
export function buildForAll<T>(build: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | null = null;
  return () => {
    next ??= running.then(() => {
      next = null;
      const built = build();
      running = built.catch(() => {});
      return built;
    });
    return next;
  };
}

interface NewsWait<T> {
  waitMs: number;
  /** Looks for the result; undefined while there is none. */
  look: () => Promise<T | undefined>;
  /** Whether a change of this can bring the result. */
  concerns: (changed: Subject) => boolean;
  /** Aborted when the caller has disconnected. */
  gone: (() => AbortSignal) | undefined;
}

/** Shortens a wait to `endsAt`, because no news tells that a time is over. */
export function waitBefore(endsAt: number, { waitMs, now }: { waitMs: number; now: number }) {
  const leftMs = endsAt - now;
  return leftMs > 0 ? Math.min(waitMs, leftMs) : waitMs;
}

/** Waits until `look` finds something, the time is up, or the caller has disconnected. */
export async function untilNews<T>(
  { store }: { store: { onNews(listener: (subject: Subject) => void): () => void } },
  { waitMs, look, concerns, gone }: NewsWait<T>,
): Promise<T | undefined> {
  const { promise, resolve } = Promise.withResolvers<T | undefined>();
  const giveUp = () => resolve(undefined);
  const timer = setTimeout(giveUp, waitMs);
  const signal = gone?.();
  if (signal?.aborted) giveUp();
  signal?.addEventListener("abort", giveUp);
  // A look may fail: a database that comes back tells its readers to look again.
  const check = () =>
    look().then(
      (found) => found !== undefined && resolve(found),
      () => {},
    );
  const stop = store.onNews((changed) => {
    // An instance that had lost its connection missed some news.
    if (changed === ANYTHING || concerns(changed)) void check();
  });
  // News between the first look and the subscription would otherwise be missed.
  void check();
  const found = await promise;
  clearTimeout(timer);
  stop();
  // A dependent signal is never freed while something listens to it.
  signal?.removeEventListener("abort", giveUp);
  return found ?? look();
}
