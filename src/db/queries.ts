import { type QueryDatabase, type QueryTables, readsOf } from "./queries/database.ts";
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

/** `failed` turns an engine's error into what callers are told. */
export function createQueries(
  db: QueryDatabase,
  t: QueryTables,
  failed: (error: unknown) => unknown,
): Queries {
  const queries = Object.entries(writeQueries(db, t)).map(([name, query]) => [
    name,
    async (...parameters: never[]) => {
      try {
        return await (query as (...parameters: never[]) => unknown)(...parameters);
      } catch (error) {
        throw failed(error);
      }
    },
  ]);
  return Object.fromEntries(queries) as Queries;
}

function writeQueries(db: QueryDatabase, t: QueryTables) {
  const reads = readsOf(db, t);
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
