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

/** Runs at most `width` pieces of each caller's work at once, so that callers share fairly. */
export function limitConcurrencyPerCaller(width: number) {
  const callers = new Map<
    string,
    { limited: ReturnType<typeof limitConcurrency>; pieces: number }
  >();
  return async function limited<T>(caller: string, work: () => Promise<T>): Promise<T> {
    const own = callers.get(caller) ?? { limited: limitConcurrency(width), pieces: 0 };
    callers.set(caller, own);
    own.pieces++;
    try {
      return await own.limited(work);
    } finally {
      if (--own.pieces === 0) callers.delete(caller);
    }
  };
}
