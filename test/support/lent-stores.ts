import pg from "pg";
import { onTestFinished } from "vitest";
import type { Store } from "../../src/store/store.ts";
import { EMPTY, handBack, takePostgres } from "./postgres.ts";

interface Pair {
  url: string;
  store: Store;
  other: Store;
  /** Empties the database while the two stay connected. */
  cleaner: pg.Client;
}

/** Those of this worker that no test has. */
const idle: Pair[] = [];

/**
 * Two instances on an empty database of PostgreSQL. They stay open for the next test, unless this one
 * failed or closed them: to connect them costs more than most tests.
 */
export async function lendPair(instancesOn: (url: string) => () => Promise<Store>) {
  const pair = idle.pop() ?? (await openPair(instancesOn));
  const [store, other] = [loanOf(pair.store), loanOf(pair.other)];
  const close = async () => {
    await Promise.all([store.lent.close(), other.lent.close()]);
  };
  onTestFinished(async ({ task }) => {
    const good = task.result?.state === "pass" && !store.isClosed() && !other.isClosed();
    if (good) {
      await Promise.all([store.end(), other.end()]);
      await pair.cleaner.query(EMPTY);
      idle.push(pair);
    } else {
      await close();
      await pair.cleaner.end();
      await handBack(pair.url);
    }
  });
  return { store: store.lent, other: other.lent, close, create: instancesOn(pair.url) };
}

async function openPair(instancesOn: (url: string) => () => Promise<Store>): Promise<Pair> {
  const url = await takePostgres();
  const open = instancesOn(url);
  const cleaner = new pg.Client({ connectionString: url });
  cleaner.on("error", () => {});
  await cleaner.connect();
  return { url, store: await open(), other: await open(), cleaner };
}

/** A store for one test: at its end nothing of it is still to come, and nothing still listens. */
function loanOf(store: Store) {
  const running = new Set<Promise<unknown>>();
  const listening: (() => void)[] = [];
  let closed = false;
  const listens = (stop: () => void) => {
    listening.push(stop);
    return stop;
  };
  const lent: Store = {
    ...store,
    run(rule, command) {
      const done = store.run(rule, command);
      running.add(done);
      return done.finally(() => running.delete(done));
    },
    onOrderEvent: (listener) => listens(store.onOrderEvent(listener)),
    onCatalogChange: (listener) => listens(store.onCatalogChange(listener)),
    close() {
      closed = true;
      return store.close();
    },
  };
  return {
    lent,
    isClosed: () => closed,
    async end() {
      await Promise.allSettled(running);
      for (const stop of listening) stop();
    },
  };
}
