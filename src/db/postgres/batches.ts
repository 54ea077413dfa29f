import { setImmediate } from "node:timers";
import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { TABLE_NAMES } from "../../core/records.ts";
import { changesCatalog, newsIn, reportCommit } from "../changes.ts";
import {
  type BatchDecision,
  type CommandOutcome,
  decideAll,
  type HasRoom,
  type Job,
  type RowsNeeded,
  settle,
} from "../decide.ts";
import type { Row } from "../rows.ts";
import { unavailable } from "../store.ts";
import { CATALOG_CHANNEL, NEWS_CHANNEL } from "./change-listener.ts";
import { type Log, type SendAll, transaction } from "./connection.ts";
import { answerFor, failureOf, type StatementFailed } from "./errors.ts";
import { inBulk, type Statement, selectRows } from "./statements.ts";

export interface BatchOptions {
  pool: pg.Pool;
  batch: number;
  /** Transactions of commands that run at once. */
  concurrency: number;
  onCommit: (committed: BatchDecision) => void;
  hasRoom: HasRoom;
  onFailure: (error: unknown) => void;
  log: Log;
}

/** How often a command that loses races is decided. */
const TRIES = 10;

/** A command that waited for a lock with its batch waits only this much longer alone. */
const IMPATIENT_MS = 100;

/** After this time in the queue the caller has given up. */
const STALE_MS = 10_000;

interface QueuedJob extends Job {
  since: number;
  /** It was tried before, without a connection or on one that ended. */
  again?: true;
}

/**
 * Commands that are queued together are decided together, in one transaction. If that fails for a
 * reason that one of them may have caused, each is decided alone.
 */
export class Batches {
  readonly #options: BatchOptions;
  readonly #queue: QueuedJob[] = [];
  #running = 0;
  #scheduled = false;
  #idle: (() => void)[] = [];

  constructor(options: BatchOptions) {
    this.#options = options;
  }

  enqueue(job: Job): void {
    this.#queue.push({ ...job, since: performance.now() });
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#start();
    });
  }

  /** Resolves when every queued command has its reply. */
  async drained(): Promise<void> {
    if (this.#running === 0 && this.#queue.length === 0) return;
    await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  #start(): void {
    while (this.#running < this.#options.concurrency && this.#queue.length > 0) {
      const jobs = this.#queue.splice(0, this.#options.batch);
      this.#running++;
      void this.#runBatch(jobs).finally(() => {
        this.#running--;
        this.#start();
      });
    }
    if (this.#running === 0) for (const resolve of this.#idle.splice(0)) resolve();
  }

  async #runBatch(queued: readonly QueuedJob[]): Promise<void> {
    const oldest = performance.now() - STALE_MS;
    const jobs = queued.filter((job) => job.since >= oldest);
    for (const job of queued) if (job.since < oldest) job.reject(unavailable("the queue is long"));
    if (jobs.length === 0) return;
    try {
      const outcomes = await this.#transact(jobs);
      for (const one of outcomes) if (one.kind !== "again") settle(one);
      for (const one of outcomes) if (one.kind === "again") await this.#runAlone(one.job);
    } catch (error) {
      const failure = failureOf(error);
      if (failure === "gone") {
        this.#options.log(`the database does not answer: ${(error as Error).message}`);
        this.#retry(error as StatementFailed, jobs);
      } else if (jobs.length === 1 && failure !== "race" && failure !== "taken") {
        jobs[0]!.reject(answerFor(error));
      } else {
        const lockMs = failure === "waited" ? IMPATIENT_MS : undefined;
        for (const job of jobs) await this.#runAlone(job, lockMs);
      }
    }
  }

  /** A restarting server ends connections and accepts new ones. Retries commands that wrote nothing, once. */
  #retry(error: StatementFailed, jobs: readonly QueuedJob[]): void {
    for (const job of jobs) {
      if (error.uncommitted && !job.again) this.#queue.unshift({ ...job, again: true });
      else job.reject(unavailable(error));
    }
  }

  /** Decides one command in its own transaction, again while it loses races. */
  async #runAlone(job: Job, lockMs?: number): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        const [outcome] = await this.#transact([job], lockMs);
        if (outcome!.kind === "again") throw outcome!.error;
        settle(outcome!);
        return;
      } catch (error) {
        const failure = failureOf(error);
        const lost = failure === "race" || failure === "taken";
        if (!lost || tries >= TRIES) {
          if (lost) this.#options.log(`gave up after ${tries} tries: ${(error as Error).message}`);
          job.reject(answerFor(error));
          return;
        }
        await delay(Math.random() * Math.min(200, 4 * 2 ** tries));
      }
    }
  }

  async #transact(jobs: readonly Job[], lockMs?: number): Promise<CommandOutcome[]> {
    const since = performance.now();
    try {
      const decided = await transaction(this.#options.pool, (sendAll) =>
        decideIn(sendAll, decideAll(jobs, this.#options.hasRoom), lockMs),
      );
      reportCommit(jobs.length, since);
      this.#options.onCommit(decided);
      return decided.outcomes;
    } catch (error) {
      this.#options.onFailure(error);
      throw error;
    }
  }
}

/**
 * Loads the rows that the commands need, and writes what they decided.
 *
 * A missing row cannot be locked. Where a rule relies on its absence, either a row that it has locked
 * stands for it (the quote's state for attempts and order, the agent for credits and keys, the stock row
 * for a queue, the order for events), or a unique key lets only one of two insert it.
 */
async function decideIn(
  sendAll: SendAll,
  deciding: Generator<RowsNeeded, BatchDecision, void>,
  lockMs: number | undefined,
): Promise<BatchDecision> {
  let first = lockMs === undefined ? [] : [lockTimeout(lockMs)];
  let step = deciding.next();
  while (!step.done) {
    await load(sendAll, step.value, first);
    first = [];
    step = deciding.next();
  }
  const statements = [...inBulk(step.value.changes), ...notices(step.value)];
  if (statements.length > 0) await sendAll(statements);
  return step.value;
}

/** Locks table by table and key by key: the same order in every transaction. */
async function load(
  sendAll: SendAll,
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
  const answers = await sendAll([...first, ...loads.map(({ statement }) => statement)]);
  for (const [i, { table, lock }] of loads.entries()) {
    overlay.load(table, answers[i + first.length]!.rows as Row[], lock);
  }
}

/** Notifies other instances. */
function notices({ writes, changes }: BatchDecision): Statement[] {
  const subjects = [...newsIn(changes)];
  return [
    ...(subjects.length > 0 ? [notify(NEWS_CHANNEL, subjects)] : []),
    ...(changesCatalog(writes) ? [notify(CATALOG_CHANNEL, [""])] : []),
  ];
}

const lockTimeout = (ms: number): Statement => ({
  text: "select set_config('lock_timeout', $1, true)",
  values: [String(ms)],
});

const notify = (channel: string, payloads: string[]): Statement => ({
  text: `select pg_notify('${channel}', payload) from unnest($1::text[]) as payload`,
  values: [payloads],
});
