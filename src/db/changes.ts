import { channel } from "node:diagnostics_channel";
import type { Write } from "../core/command.ts";
import type { OrderId } from "../core/ids.ts";
import { CATALOG_VERSION_SETTING } from "../core/policy.ts";

type NewsListener = (orderId: OrderId) => void;
type CatalogListener = () => void;

/** Signals possible changes. Listeners read the database to see what changed. */
export class ChangeEmitter {
  readonly #orders = new Set<NewsListener>();
  readonly #catalog = new Set<CatalogListener>();

  onNews(listener: NewsListener): () => void {
    this.#orders.add(listener);
    return () => this.#orders.delete(listener);
  }

  onCatalogChange(listener: CatalogListener): () => void {
    this.#catalog.add(listener);
    return () => this.#catalog.delete(listener);
  }

  hasNews(orderId: OrderId): void {
    for (const listener of this.#orders) notify(() => listener(orderId));
  }

  catalogChanged(): void {
    for (const listener of this.#catalog) notify(listener);
  }

  /** Something unknown changed: "" stands for any order. */
  anythingChanged(): void {
    this.hasNews("");
    this.catalogChanged();
  }

  /** Signals the changes of committed writes, once each. */
  signalWrites(writes: readonly Write[]): void {
    if (this.#orders.size > 0) {
      for (const orderId of ordersWithEvents(writes)) this.hasNews(orderId);
    }
    if (changesCatalog(writes)) this.catalogChanged();
  }
}

/**
 * A listener's error must not reach the caller, which has just committed and would take its commands
 * for failed ones. Diagnostics channels do the same.
 */
function notify(listener: () => void): void {
  try {
    listener();
  } catch (error) {
    process.nextTick(() => {
      throw error;
    });
  }
}

export const ordersWithEvents = (writes: readonly Write[]): Set<string> =>
  new Set(
    writes.flatMap((w) => (w.op === "insert" && w.table === "events" ? [w.row.order_id] : [])),
  );

/** Every change of the catalog increments its version. */
export const changesCatalog = (writes: readonly Write[]): boolean =>
  writes.some(
    (w) =>
      w.table === "settings" &&
      (w.op === "insert" ? w.row : w.key).name === CATALOG_VERSION_SETTING,
  );

/** A durable transaction: its number of commands, and its duration in milliseconds. */
export interface CommitStats {
  commands: number;
  ms: number;
}

const commits = channel("coffee-merchant:commit");

/** Calls back after every commit of this process, for metrics. Returns the function that unsubscribes. */
export function onCommit(listener: (commit: CommitStats) => void): () => void {
  const subscriber = (message: unknown) => listener(message as CommitStats);
  commits.subscribe(subscriber);
  return () => void commits.unsubscribe(subscriber);
}

/** Reports a commit whose transaction began at `since`, on the clock of `performance`. */
export function reportCommit(commands: number, since: number): void {
  if (!commits.hasSubscribers) return;
  const message: CommitStats = { commands, ms: performance.now() - since };
  commits.publish(message);
}
