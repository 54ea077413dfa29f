import { withFollowUps } from "../../domain/desk/tasks.ts";
import type { Decision, Read, Write } from "../../domain/shared/command.ts";
import { TABLE_NAMES, type TableName } from "../../domain/shared/records.ts";
import { changesCatalog, ordersWithEvents } from "../change-emitter.ts";
import type { Row } from "../match.ts";
import { Overlay } from "../overlay.ts";
import { GuardFailed, type Job, KeyTaken, noRoom } from "../store.ts";
import type { PostgresSession } from "./connection.ts";
import { inBulk, type Statement, selectRows } from "./statements.ts";

/** What became of one command; not answered before COMMIT. */
export type CommandOutcome =
  | { job: Job; kind: "accepted"; reply: unknown }
  | { job: Job; kind: "refused"; error: unknown }
  /** Lost against a neighbour in its own batch, or against a row that it had not read. */
  | { job: Job; kind: "again"; error: unknown };

export interface BatchDecision {
  outcomes: CommandOutcome[];
  writes: Write[];
}

export interface DecideOptions {
  lockMs?: number | undefined;
  /** Whether there is room for what a decision would leave room for. */
  hasRoom?: () => boolean;
}

/** The channels on which instances tell each other: of new events, with the order's id, … */
export const ORDER_CHANNEL = "order_events";

/** … and of another catalog. */
export const CATALOG_CHANNEL = "catalog_changes";

/**
 * Decides these commands one after the other in one transaction: what all of them read is locked
 * first, then each is decided on what the ones before it left.
 *
 * A row that is not there cannot be locked. Where a rule relies on that, either a row that it locks
 * before stands for it (the quote's state for attempts and order, the agent for credits and keys,
 * the stock row for a queue, the order for events), or a unique key lets only one of two through.
 */
export async function decideAll(
  session: PostgresSession,
  jobs: readonly Job[],
  { lockMs, hasRoom = () => true }: DecideOptions = {},
): Promise<BatchDecision> {
  const outcomes: CommandOutcome[] = [];
  const asked = jobs.flatMap((job) => {
    try {
      return [{ job, reads: job.rule.reads(job.command) }];
    } catch (error) {
      outcomes.push({ job, kind: "refused", error });
      return [];
    }
  });
  const overlay = new Overlay();
  const reads = asked.flatMap((one) => one.reads);
  await loadAll(session, overlay, reads, lockMs);
  const writes: Write[] = [];
  const deciding: BatchInProgress = { session, overlay, writes, hasRoom };
  for (const { job, reads } of asked) outcomes.push(await decideOne(deciding, job, reads));
  const statements = inBulk(overlay.changes());
  const orders = [...ordersWithEvents(writes)];
  if (orders.length > 0) statements.push(notify(ORDER_CHANNEL, orders));
  if (changesCatalog(writes)) statements.push(notify(CATALOG_CHANNEL, [""]));
  if (statements.length > 0) await session.sendAll(statements);
  return { outcomes, writes };
}

interface BatchInProgress {
  session: PostgresSession;
  overlay: Overlay;
  /** What the accepted ones do, so far. */
  writes: Write[];
  hasRoom: () => boolean;
}

async function decideOne(
  { session, overlay, writes, hasRoom }: BatchInProgress,
  job: Job,
  reads: readonly Read[],
): Promise<CommandOutcome> {
  let decision: Decision<unknown>;
  try {
    decision = withFollowUps(job.rule.decide(job.command, overlay.state(reads)));
    if (decision.room !== undefined && !hasRoom()) throw noRoom();
  } catch (error) {
    return { job, kind: "refused", error };
  }
  await lockTargets(session, overlay, decision.writes);
  try {
    overlay.apply(decision.writes);
  } catch (error) {
    const lost = error instanceof GuardFailed || error instanceof KeyTaken;
    return { job, kind: lost ? "again" : "refused", error };
  }
  writes.push(...decision.writes);
  return { job, kind: "accepted", reply: decision.reply };
}

/** Locks table by table and key by key, in the order that every transaction keeps. */
async function loadAll(
  session: PostgresSession,
  overlay: Overlay,
  reads: readonly Read[],
  lockMs: number | undefined,
): Promise<void> {
  const loads = [true, false].flatMap((lock) =>
    TABLE_NAMES.flatMap((table) => {
      const matches = reads
        .filter((one) => one.table === table && (one.lock !== false) === lock)
        .map((one) => one.match as Row);
      const statement = selectRows(table, matches, lock);
      return statement ? [{ table, lock, statement }] : [];
    }),
  );
  const patience = lockMs === undefined ? [] : [waitAtMost(lockMs)];
  const answers = await session.sendAll([...patience, ...loads.map(({ statement }) => statement)]);
  for (const [i, { table, lock }] of loads.entries()) {
    overlay.load(table, answers[i + patience.length]!.rows as Row[], lock);
  }
}

/** Rows that a rule changes without having asked for them under lock. */
async function lockTargets(
  session: PostgresSession,
  overlay: Overlay,
  writes: readonly Write[],
): Promise<void> {
  const targets = overlay.unlocked(writes);
  for (const table of new Set(targets.map((target) => target.table))) {
    const matches = targets.filter((target) => target.table === table).map(({ match }) => match);
    const statement = selectRows(table as TableName, matches, true);
    if (!statement) continue;
    const [answer] = await session.sendAll([statement]);
    overlay.load(table, answer!.rows as Row[], true);
  }
}

const waitAtMost = (lockMs: number): Statement => ({
  text: "select set_config('lock_timeout', $1, true)",
  values: [String(lockMs)],
});

const notify = (channel: string, payloads: string[]): Statement => ({
  text: `select pg_notify('${channel}', payload) from unnest($1::text[]) as payload`,
  values: [payloads],
});
