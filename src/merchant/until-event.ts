import type { Context } from "./context.ts";

interface EventWait {
  /** The longest wait, milliseconds. */
  waitMs: number;
  /** Whether an event of this order can be it. */
  concerns: (orderId: string) => boolean;
  /** Whether it is there. */
  there: () => Promise<boolean>;
}

/** Resolves when it is there, when the time is up, or when the caller has gone. */
export async function untilEvent(
  { store }: Pick<Context, "store">,
  { waitMs, concerns, there }: EventWait,
  signal?: AbortSignal,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, waitMs);
  if (signal?.aborted) resolve();
  signal?.addEventListener("abort", () => resolve(), { once: true });
  const check = () =>
    there().then(
      (yes) => yes && resolve(),
      () => resolve(),
    );
  const stop = store.onOrderEvent((changed) => {
    // "" is any order: an instance that had lost its line to the database has missed some.
    if (changed === "" || concerns(changed)) void check();
  });
  // What came between the first look and the listening would otherwise wait for the whole time.
  void check();
  await promise;
  clearTimeout(timer);
  stop();
}
