import type { Write } from "../../core/command.ts";
import { TABLE_NAMES } from "../../core/records.ts";
import { changesCatalog, ordersWithEvents } from "../change-emitter.ts";
import { type BatchDecision, decideAll, type HasRoom, type RowsNeeded } from "../decide.ts";
import type { Row } from "../rows.ts";
import type { Job } from "../store.ts";
import type { PostgresSession } from "./connection.ts";
import { inBulk, type Statement, selectRows } from "./statements.ts";

/** The channels on which instances tell each other: of new events, with the order's id, … */
export const ORDER_CHANNEL = "order_events";

/** … and of another catalog. */
export const CATALOG_CHANNEL = "catalog_changes";

/**
 * Decides these commands and writes what they decided, in the session's transaction.
 *
 * A row that is not there cannot be locked. Where a rule relies on that, either a row that it locks
 * before stands for it (the quote's state for attempts and order, the agent for credits and keys,
 * the stock row for a queue, the order for events), or a unique key lets only one of two through.
 */
export async function decideIn(
  session: PostgresSession,
  jobs: readonly Job[],
  { lockMs, hasRoom }: { lockMs: number | undefined; hasRoom: HasRoom },
): Promise<BatchDecision> {
  const deciding = decideAll(jobs, hasRoom);
  let first = lockMs === undefined ? [] : [waitAtMost(lockMs)];
  let step = deciding.next();
  while (!step.done) {
    await load(session, step.value, first);
    first = [];
    step = deciding.next();
  }
  const { writes, changes } = step.value;
  const statements = [...inBulk(changes), ...notices(writes)];
  if (statements.length > 0) await session.sendAll(statements);
  return step.value;
}

/** Locks table by table and key by key, in the order that every transaction keeps. */
async function load(
  session: PostgresSession,
  { overlay, reads }: RowsNeeded,
  first: readonly Statement[],
): Promise<void> {
  const loads = [true, false].flatMap((lock) =>
    TABLE_NAMES.flatMap((table) => {
      const matches = reads
        .filter((one) => one.table === table && (one.lock !== false) === lock)
        .map(({ match }) => match as Row);
      const statement = selectRows(table, matches, lock);
      return statement ? [{ table, lock, statement }] : [];
    }),
  );
  const answers = await session.sendAll([...first, ...loads.map(({ statement }) => statement)]);
  for (const [i, { table, lock }] of loads.entries()) {
    overlay.load(table, answers[i + first.length]!.rows as Row[], lock);
  }
}

/** What other instances are told of. */
function notices(writes: readonly Write[]): Statement[] {
  const orders = [...ordersWithEvents(writes)];
  return [
    ...(orders.length > 0 ? [notify(ORDER_CHANNEL, orders)] : []),
    ...(changesCatalog(writes) ? [notify(CATALOG_CHANNEL, [""])] : []),
  ];
}

const waitAtMost = (lockMs: number): Statement => ({
  text: "select set_config('lock_timeout', $1, true)",
  values: [String(lockMs)],
});

const notify = (channel: string, payloads: string[]): Statement => ({
  text: `select pg_notify('${channel}', payload) from unnest($1::text[]) as payload`,
  values: [payloads],
});
