import { setImmediate } from "node:timers";
import type BetterSqlite3 from "better-sqlite3";
import { withFollowUps } from "../../domain/desk/tasks.ts";
import type { Decision, Write } from "../../domain/shared/command.ts";
import type { ChangeEmitter } from "../change-emitter.ts";
import { committed } from "../commits.ts";
import { type Job, noRoom } from "../store.ts";
import { isBusy } from "./errors.ts";
import { type Rows, SeenRows } from "./rows.ts";

export interface GroupCommitOptions {
  client: BetterSqlite3.Database;
  rows: Rows;
  /** How many commands may share one transaction. */
  batch: number;
  emitter: ChangeEmitter;
  /** Whether the disk has so many free bytes. */
  hasRoom: (bytes: number) => boolean;
  /** What callers are told of an error. */
  failed: (error: unknown) => unknown;
}

/** How long commands wait for another connection's lock, and how often it is tried again. */
const LOCK_PATIENCE_MS = 5000;
const LOCK_AGAIN_MS = 10;

/**
 * Everything queued in one turn of the event loop shares one BEGIN IMMEDIATE … COMMIT, and no answer
 * leaves before COMMIT. Rules decide before they write, so a batch fails half-way only where a write
 * meets a constraint or a guard: then it is rolled back and decided again, each command in a
 * savepoint of its own, which would be expensive to have always.
 */
export class GroupCommit {
  readonly #options: GroupCommitOptions;
  readonly #statements: Statements;
  readonly #queue: Job[] = [];
  /** How many at the head of the queue are to be decided each in a savepoint of its own. */
  #careful = 0;
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
      const careful = this.#careful > 0;
      const jobs = this.#queue.splice(0, careful ? this.#careful : this.#options.batch);
      this.#careful = 0;
      this.#commit(jobs, careful);
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
      this.#careful = 0;
      const reason = this.#options.failed(error);
      for (const job of this.#queue.splice(0)) job.reject(reason);
      return false;
    }
  }

  #commit(jobs: readonly Job[], careful: boolean): void {
    const { client, failed, emitter } = this.#options;
    const settled: (() => void)[] = [];
    const batch: Batch = { changed: [], seen: careful ? undefined : new SeenRows() };
    const since = performance.now();
    try {
      for (const job of jobs) {
        settled.push(careful ? this.#apart(job, batch) : this.#decide(job, batch));
      }
      this.#statements.commit.run();
      committed(jobs.length, since);
    } catch (error) {
      const whole = client.inTransaction;
      if (whole) this.#statements.rollback.run();
      if (whole && error instanceof HalfWritten && jobs.length > 1) {
        this.#queue.unshift(...jobs);
        this.#careful = jobs.length;
        return;
      }
      const reason = failed(error instanceof HalfWritten ? error.cause : error);
      for (const job of jobs) job.reject(reason);
      return;
    }
    for (const settle of settled) settle();
    emitter.committed(batch.changed);
  }

  /** A refusal comes before the first write, so that it leaves nothing to undo. */
  #decide(job: Job, { changed, seen }: Batch): () => void {
    let decision: Decision<unknown>;
    try {
      const rows = this.#options.rows.load(job.rule.reads(job.command), seen);
      decision = withFollowUps(job.rule.decide(job.command, rows));
      if (decision.room !== undefined && !this.#options.hasRoom(decision.room)) throw noRoom();
    } catch (error) {
      // On a full disk, say, SQLite gives up the whole transaction by itself, and all of it is lost.
      if (!this.#options.client.inTransaction) throw error;
      return () => job.reject(this.#options.failed(error));
    }
    try {
      for (const write of decision.writes) this.#options.rows.apply(write, seen);
    } catch (cause) {
      throw new HalfWritten("a write failed", { cause });
    }
    changed.push(...decision.writes);
    return () => job.resolve(decision.reply);
  }

  /** In a savepoint of its own: what a failing write leaves behind is undone alone. */
  #apart(job: Job, batch: Batch): () => void {
    const { savepoint, release, undo } = this.#statements;
    savepoint.run();
    try {
      const settle = this.#decide(job, batch);
      release.run();
      return settle;
    } catch (error) {
      if (!this.#options.client.inTransaction || !(error instanceof HalfWritten)) throw error;
      undo.run();
      release.run();
      return () => job.reject(this.#options.failed(error.cause));
    }
  }
}

/** What the commands of one transaction share. */
interface Batch {
  changed: Write[];
  /** None where a command may be undone, and with it what others have seen of it. */
  seen: SeenRows | undefined;
}

/** A write failed behind others of the same command. Only used in this file. */
class HalfWritten extends Error {
  override name = "HalfWritten";
}

type Statements = ReturnType<typeof prepare>;

const prepare = (client: BetterSqlite3.Database) => ({
  begin: client.prepare("BEGIN IMMEDIATE"),
  commit: client.prepare("COMMIT"),
  rollback: client.prepare("ROLLBACK"),
  savepoint: client.prepare("SAVEPOINT command"),
  release: client.prepare("RELEASE command"),
  undo: client.prepare("ROLLBACK TO command"),
});
