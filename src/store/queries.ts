import { agentQueries } from "./queries/agents.ts";
import type { QueryDatabase, QueryTables } from "./queries/database.ts";
import { deskQueries } from "./queries/desk.ts";
import { orderQueries } from "./queries/orders.ts";
import { paymentQueries } from "./queries/payments.ts";
import { privacyQueries } from "./queries/privacy.ts";
import { quoteQueries } from "./queries/quotes.ts";
import { retentionQueries } from "./queries/retention.ts";
import { taskQueries } from "./queries/tasks.ts";
import { waitlistQueries } from "./queries/waitlist.ts";

export type { QueryDatabase, QueryTables } from "./queries/database.ts";

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
  failed: (error: unknown) => unknown = (error) => error,
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

const writeQueries = (db: QueryDatabase, t: QueryTables) => ({
  ...agentQueries(db, t),
  ...quoteQueries(db, t),
  ...paymentQueries(db, t),
  ...orderQueries(db, t),
  ...waitlistQueries(db, t),
  ...deskQueries(db, t),
  ...taskQueries(db, t),
  ...retentionQueries(db, t),
  ...privacyQueries(db, t),
});
