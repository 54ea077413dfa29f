import type { Context } from "./context.ts";

interface EventWait<T> {
  /** The longest wait, milliseconds. */
  waitMs: number;
  /** What is waited for; undefined while it is not there. */
  look: () => Promise<T | undefined>;
  /** Only its events can bring it; where that is not known, any order's. */
  orderId?: string;
  gone: (() => AbortSignal) | undefined;
}

/** What `look` finds when it is there, when the time is up, or when the caller has gone. */
export async function untilEvent<T>(
  { store }: Pick<Context, "store">,
  { waitMs, look, orderId, gone }: EventWait<T>,
): Promise<T | undefined> {
  const { promise, resolve } = Promise.withResolvers<T | undefined>();
  const giveUp = () => resolve(undefined);
  const timer = setTimeout(giveUp, waitMs);
  const signal = gone?.();
  if (signal?.aborted) giveUp();
  signal?.addEventListener("abort", giveUp);
  // A look that fails is not the last: a database that comes back tells its readers to look again.
  const check = () =>
    look().then(
      (found) => found !== undefined && resolve(found),
      () => {},
    );
  const stop = store.onOrderEvent((changed) => {
    // "" is any order: an instance that had lost its line to the database has missed some.
    if (changed === "" || orderId === undefined || changed === orderId) void check();
  });
  // What came between the first look and the listening would otherwise wait for the whole time.
  void check();
  const found = await promise;
  clearTimeout(timer);
  stop();
  // A signal that follows others is never freed while something listens to it.
  signal?.removeEventListener("abort", giveUp);
  return found ?? look();
}
