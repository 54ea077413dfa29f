import { channel } from "node:diagnostics_channel";
import type { Write } from "../core/command.ts";
import { ANYTHING, bagsOnHand, type Subject } from "../core/news.ts";
import { CATALOG_VERSION_SETTING } from "../core/policy.ts";
import type { TableName, Tables } from "../core/records.ts";
import type { WriteStep } from "./overlay.ts";

type NewsListener = (subject: Subject) => void;
type CatalogListener = () => void;

/** Signals possible changes. Listeners read the database to see what changed. */
export class ChangeEmitter {
  readonly #news = new Set<NewsListener>();
  readonly #catalog = new Set<CatalogListener>();

  onNews(listener: NewsListener): () => void {
    this.#news.add(listener);
    return () => this.#news.delete(listener);
  }

  onCatalogChange(listener: CatalogListener): () => void {
    this.#catalog.add(listener);
    return () => this.#catalog.delete(listener);
  }

  hasNews(subject: Subject): void {
    for (const listener of this.#news) notify(() => listener(subject));
  }

  catalogChanged(): void {
    for (const listener of this.#catalog) notify(listener);
  }

  anythingChanged(): void {
    this.hasNews(ANYTHING);
    this.catalogChanged();
  }

  /** Signals the changes of a commit, once each. */
  signal({ writes, changes }: Committed): void {
    if (this.#news.size > 0) {
      for (const subject of newsIn(changes)) this.hasNews(subject);
    }
    if (changesCatalog(writes)) this.catalogChanged();
  }
}

interface Committed {
  writes: readonly Write[];
  changes: readonly WriteStep[];
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

/** What others may wait for in a changed row; undefined if nobody does. `touched`: the updated columns. */
const NEWS: {
  [N in TableName]?: (
    row: Tables[N],
    touched: readonly (keyof Tables[N])[],
  ) => Subject | null | undefined;
} = {
  events: ({ order_id }) => order_id,
  // An opened page or a taken bag is not the end of a wait.
  attempts: ({ page, status }, touched) =>
    touched.includes("outcome") ||
    touched.includes("declined") ||
    (touched.includes("status") && status !== "OPEN" && status !== "CAPTURING")
      ? page
      : undefined,
  quote_states: ({ quote_id }, touched) =>
    touched.includes("replaced_by") || touched.includes("reason") ? quote_id : undefined,
  checkouts: ({ page }, touched) => (touched.includes("canceled_at") ? page : undefined),
  waitlist: ({ id }, touched) => (touched.includes("status") ? id : undefined),
  stock: ({ product_id, on_hand }, touched) =>
    touched.includes("on_hand") ? bagsOnHand(product_id, on_hand) : undefined,
};

/** The subjects that a commit has news about. */
export const newsIn = (changes: readonly WriteStep[]): Set<Subject> =>
  new Set(
    changes.flatMap(
      ({ table, row, touched }) => NEWS[table]?.(row as never, touched as never) ?? [],
    ),
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
