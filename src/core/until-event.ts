import type { Context } from "./context.ts";

interface EventWait<T> {
  waitMs: number;
  /** What is waited for; undefined while it is not there. */
  look: () => Promise<T | undefined>;
  /** Whether an event of this order can bring it. */
  concerns: (orderId: string) => Promise<boolean>;
  gone: (() => AbortSignal) | undefined;
}

/** What `look` finds when it is there, when the time is up, or when the caller has gone. */
export async function untilEvent<T>(
  { store }: Pick<Context, "store">,
  { waitMs, look, concerns, gone }: EventWait<T>,
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
  const stop = store.onOrderEvent(async (changed) => {
    // "" is any order: an instance that had lost its line to the database has missed some.
    if (changed === "" || (await concerns(changed).catch(() => true))) void check();
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
