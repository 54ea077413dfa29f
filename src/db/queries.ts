import {
  type ListForm,
  type QueryDatabase,
  type QueryTables,
  readsOf,
} from "./queries/database.ts";
import { deskQueries, taskQueries } from "./queries/desk.ts";
import { orderQueries, paymentQueries } from "./queries/orders.ts";
import { agentQueries, quoteQueries } from "./queries/quotes.ts";
import { privacyQueries, retentionQueries } from "./queries/retention.ts";
import { waitlistQueries } from "./queries/waitlist.ts";

type UntracedQueries = ReturnType<typeof writeQueries>;

/** Every read outside commands. A read never locks, and never runs inside a command. */
export type Queries = {
  [K in keyof UntracedQueries]: (
    ...parameters: Parameters<UntracedQueries[K]>
  ) => Promise<Awaited<ReturnType<UntracedQueries[K]>>>;
};

/** Runs one read of an engine: turns its error into the caller's, and may read again. */
export type Attempt = <T>(read: () => Promise<T>) => Promise<T>;

export function createQueries(
  db: QueryDatabase,
  t: QueryTables,
  list: ListForm,
  attempt: Attempt,
): Queries {
  const queries = Object.entries(writeQueries(db, t, list)).map(([name, query]) => [
    name,
    (...parameters: never[]) =>
      attempt(async () => (query as (...parameters: never[]) => unknown)(...parameters)),
  ]);
  return Object.fromEntries(queries) as Queries;
}

function writeQueries(db: QueryDatabase, t: QueryTables, list: ListForm) {
  const reads = readsOf(db, t, list);
  return {
    ...agentQueries(reads),
    ...quoteQueries(reads),
    ...paymentQueries(reads),
    ...orderQueries(reads),
    ...waitlistQueries(reads),
    ...deskQueries(reads),
    ...taskQueries(reads),
    ...retentionQueries(reads),
    ...privacyQueries(reads),
  };
}
