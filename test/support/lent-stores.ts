import pg from "pg";
import { openPostgres } from "../../src/store/postgres/postgres-store.ts";
import type { Store } from "../../src/store/store.ts";
import { EMPTY, freshPostgres } from "./postgres.ts";
import type { OpenedStore } from "./stores.ts";

/** A database of PostgreSQL and the instances on it, which stay connected from test to test. */
interface Place {
  url: string;
  store: Store;
  /** Decides a few commands at a time: more transactions get in the way. */
  other?: Store;
  cleaner: pg.Client;
  /** Its instances were really closed. */
  closed?: true;
}

/** Those of this worker that are empty, and that no test has. */
const idle: Place[] = [];

/**
 * An instance on an empty database. Its close hands it back for the next test: to connect one costs
 * more than most tests.
 */
export async function lendStore(): Promise<{ url: string; store: Store }> {
  const place = idle.pop() ?? (await openPlace());
  return { url: place.url, store: loanOf(place.store, () => handBack(place)) };
}

/** Two instances on an empty database, which is handed back when both are closed. */
export async function lendPair(): Promise<OpenedStore> {
  const place = idle.pop() ?? (await openPlace());
  const { url, store } = place;
  place.other ??= await openPostgres({ url, batch: 3 });
  const { other } = place;
  let open = 2;
  const ended = async () => {
    if (--open === 0) await handBack(place);
  };
  return {
    store: loanOf(store, ended),
    other: loanOf(other, ended),
    async reopen() {
      place.closed = true;
      await Promise.all([store.close(), other.close()]);
      return openPostgres({ url });
    },
  };
}

async function openPlace(): Promise<Place> {
  const url = await freshPostgres();
  const cleaner = new pg.Client({ connectionString: url });
  cleaner.on("error", () => {});
  await cleaner.connect();
  // For the cleaner alone the guards of what is immutable sleep. On a server of your own only a superuser
  // may put them to sleep; where they are awake and refuse, the next test gets a database of its own.
  await cleaner.query("set session_replication_role = replica").catch(() => {});
  return { url, store: await openPostgres({ url }), cleaner };
}

async function handBack(place: Place): Promise<void> {
  try {
    if (place.closed) throw new Error("nothing is left to hand back");
    await place.cleaner.query(EMPTY);
    idle.push(place);
  } catch {
    await Promise.all([place.store.close(), place.other?.close(), place.cleaner.end()]);
  }
}

/** A store for one test: at its end nothing of it is still to come, and nothing still listens. */
function loanOf(store: Store, ended: () => Promise<void>): Store {
  const running = new Set<Promise<unknown>>();
  const listening: (() => void)[] = [];
  const listens = (stop: () => void) => {
    listening.push(stop);
    return stop;
  };
  const end = async () => {
    await Promise.allSettled(running);
    for (const stop of listening) stop();
    await ended();
  };
  let ending: Promise<void> | undefined;
  return {
    ...store,
    run(rule, command) {
      const done = store.run(rule, command);
      running.add(done);
      return done.finally(() => running.delete(done));
    },
    onOrderEvent: (listener) => listens(store.onOrderEvent(listener)),
    onCatalogChange: (listener) => listens(store.onCatalogChange(listener)),
    close() {
      ending ??= end();
      return ending;
    },
  };
}
