import { setImmediate } from "node:timers";
import type BetterSqlite3 from "better-sqlite3";
import type { ChangeEmitter } from "../change-emitter.ts";
import { committed } from "../commits.ts";
import { type BatchDecision, decideAll, type HasRoom, settle } from "../decide.ts";
import type { Job } from "../store.ts";
import { isBusy } from "./errors.ts";
import type { Rows } from "./statements.ts";

export interface GroupCommitOptions {
  client: BetterSqlite3.Database;
  rows: Rows;
  batch: number;
  emitter: ChangeEmitter;
  /** Throws where what is written now would be lost. */
  expectFile: () => void;
  hasRoom: HasRoom;
  /** What callers are told of an error. */
  failed: (error: unknown) => unknown;
}

/** How long commands wait for another connection's lock, and how often it is tried again. */
const LOCK_PATIENCE_MS = 5000;
const LOCK_AGAIN_MS = 10;

/**
 * Everything queued in one turn of the event loop shares one BEGIN IMMEDIATE … COMMIT, and no answer
 * leaves before COMMIT. All of it is decided before anything is written, so a batch fails half-way
 * only where a write meets a constraint: then it is rolled back, and each command gets a transaction
 * of its own.
 */
export class GroupCommit {
  readonly #options: GroupCommitOptions;
  readonly #statements: Statements;
  readonly #queue: Job[] = [];
  /** How many at the head of the queue get a transaction of their own. */
  #alone = 0;
  /** Since when another connection has kept us from writing, on the clock of `performance`. */
  #lockedOutSince: number | null = null;
  #idle: (() => void)[] = [];

  constructor(options: GroupCommitOptions) {
    this.#options = options;
    this.#statements = prepare(options.client);
  }

  enqueue(job: Job): void {
    this.#queue.push(job);
    if (this.#queue.length === 1) setImmediate(() => this.#flush());
  }

  /** When everything queued has its answer. */
  async drained(): Promise<void> {
    if (this.#queue.length === 0) return;
    await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  #flush(): void {
    if (this.#begin()) {
      const most = this.#alone > 0 ? 1 : this.#options.batch;
      this.#alone = Math.max(0, this.#alone - 1);
      this.#commit(this.#queue.splice(0, most));
      if (this.#queue.length > 0) setImmediate(() => this.#flush());
    }
    if (this.#queue.length === 0) for (const resolve of this.#idle.splice(0)) resolve();
  }

  /**
   * Whether the lock is ours. Where another connection has it, its turn is awaited without standing
   * in everybody's way: SQLite itself waits in the event loop's place, so it may do so only briefly.
   */
  #begin(): boolean {
    try {
      this.#options.expectFile();
      this.#statements.begin.run();
      this.#lockedOutSince = null;
      return true;
    } catch (error) {
      const now = performance.now();
      this.#lockedOutSince ??= now;
      if (isBusy(error) && now - this.#lockedOutSince < LOCK_PATIENCE_MS) {
        setTimeout(() => this.#flush(), LOCK_AGAIN_MS);
        return false;
      }
      this.#lockedOutSince = null;
      this.#alone = 0;
      const reason = this.#options.failed(error);
      for (const job of this.#queue.splice(0)) job.reject(reason);
      return false;
    }
  }

  #commit(jobs: readonly Job[]): void {
    const since = performance.now();
    let decided: BatchDecision;
    try {
      decided = this.#decide(jobs);
      this.#statements.commit.run();
    } catch (error) {
      this.#rolledBack(jobs, error);
      return;
    }
    committed(jobs.length, since);
    // Also what has lost: nothing comes in between here, so deciding again would end the same.
    for (const outcome of decided.outcomes) settle(outcome);
    this.#options.emitter.committed(decided.writes);
  }

  #decide(jobs: readonly Job[]): BatchDecision {
    const { rows, hasRoom } = this.#options;
    const deciding = decideAll(jobs, hasRoom);
    let step = deciding.next();
    while (!step.done) {
      rows.load(step.value);
      step = deciding.next();
    }
    rows.write(step.value.changes);
    return step.value;
  }

  #rolledBack(jobs: readonly Job[], error: unknown): void {
    const { client, failed } = this.#options;
    // On a full disk, say, SQLite gives up the whole transaction by itself.
    const whole = client.inTransaction;
    if (whole) this.#statements.rollback.run();
    const reason = failed(error);
    // It is not the database that failed, so one of them has brought it.
    if (whole && jobs.length > 1 && reason === error) {
      this.#queue.unshift(...jobs);
      this.#alone = jobs.length;
      return;
    }
    for (const job of jobs) job.reject(reason);
  }
}

type Statements = ReturnType<typeof prepare>;

const prepare = (client: BetterSqlite3.Database) => ({
  begin: client.prepare("BEGIN IMMEDIATE"),
  commit: client.prepare("COMMIT"),
  rollback: client.prepare("ROLLBACK"),
});
