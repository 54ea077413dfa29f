import { setImmediate } from "node:timers";
import type BetterSqlite3 from "better-sqlite3";
import { type ChangeEmitter, reportCommit } from "../changes.ts";
import { type BatchDecision, decideAll, type Job, settle } from "../decide.ts";
import { unavailable } from "../store.ts";
import type { DatabaseFile } from "./database-file.ts";
import type { Statements } from "./statements.ts";

export interface GroupCommitOptions {
  client: BetterSqlite3.Database;
  statements: Statements;
  batch: number;
  emitter: ChangeEmitter;
  /** Undefined in memory. */
  file: DatabaseFile | undefined;
}

/** How long commands wait for another connection's lock, and how often they try again. */
const LOCK_PATIENCE_MS = 5000;
const LOCK_AGAIN_MS = 10;

/**
 * Everything queued in one turn of the event loop shares one BEGIN IMMEDIATE … COMMIT, and no reply
 * leaves before COMMIT. All commands are decided before anything is written, so a batch fails half-way
 * only where a write violates a constraint. Then it is rolled back, and each command gets its own
 * transaction.
 */
export class GroupCommit {
  readonly #options: GroupCommitOptions;
  readonly #begin: BetterSqlite3.Statement;
  readonly #commit: BetterSqlite3.Statement;
  readonly #queue: Job[] = [];
  /** Number of jobs at the head of the queue to run alone. */
  #alone = 0;
  /** Since when another connection has kept us from writing, on the clock of `performance`. */
  #lockedSince: number | undefined;
  #idle: (() => void)[] = [];

  constructor(options: GroupCommitOptions) {
    this.#options = options;
    this.#begin = options.client.prepare("BEGIN IMMEDIATE");
    this.#commit = options.client.prepare("COMMIT");
  }

  enqueue(job: Job): void {
    this.#queue.push(job);
    if (this.#queue.length === 1) setImmediate(() => this.#flush());
  }

  /** Resolves when every queued command has its reply. */
  async drained(): Promise<void> {
    if (this.#queue.length === 0) return;
    await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  #flush(): void {
    if (this.#lock()) {
      const jobs = this.#queue.splice(0, this.#alone > 0 ? 1 : this.#options.batch);
      this.#alone = Math.max(0, this.#alone - 1);
      this.#run(jobs);
      if (this.#queue.length > 0) setImmediate(() => this.#flush());
    }
    if (this.#queue.length === 0) for (const resolve of this.#idle.splice(0)) resolve();
  }

  /**
   * Begins a transaction, or tries again later. SQLite's own waiting blocks the event loop, so its
   * busy_timeout is short.
   */
  #lock(): boolean {
    try {
      expectFile(this.#options.file);
      this.#begin.run();
      this.#lockedSince = undefined;
      return true;
    } catch (error) {
      const now = performance.now();
      this.#lockedSince ??= now;
      if (codeOf(error).startsWith("SQLITE_BUSY") && now - this.#lockedSince < LOCK_PATIENCE_MS) {
        setTimeout(() => this.#flush(), LOCK_AGAIN_MS);
        return false;
      }
      this.#lockedSince = undefined;
      this.#alone = 0;
      for (const job of this.#queue.splice(0)) job.reject(answerFor(error));
      return false;
    }
  }

  #run(jobs: readonly Job[]): void {
    const since = performance.now();
    let decided: BatchDecision;
    try {
      decided = this.#decide(jobs);
      this.#commit.run();
    } catch (error) {
      this.#rollback(jobs, error);
      return;
    }
    reportCommit(jobs.length, since);
    // Nothing else writes meanwhile, so a command that lost to a neighbor would lose again.
    for (const outcome of decided.outcomes) settle(outcome);
    this.#options.emitter.signal(decided);
  }

  #decide(jobs: readonly Job[]): BatchDecision {
    const { statements, file } = this.#options;
    const deciding = decideAll(jobs, (bytes) => file?.hasRoom(bytes) ?? true);
    let step = deciding.next();
    while (!step.done) {
      statements.load(step.value);
      step = deciding.next();
    }
    statements.write(step.value.changes);
    return step.value;
  }

  #rollback(jobs: readonly Job[], error: unknown): void {
    const { client } = this.#options;
    // On a full disk, for example, SQLite rolls back by itself.
    const open = client.inTransaction;
    if (open) client.exec("ROLLBACK");
    const reason = answerFor(error);
    // The database works, so one of the commands caused the error.
    if (open && jobs.length > 1 && reason === error) {
      this.#queue.unshift(...jobs);
      this.#alone = jobs.length;
      return;
    }
    for (const job of jobs) job.reject(reason);
  }
}

/** Throws when the files of the database were moved, replaced or overwritten. */
export function expectFile(file: DatabaseFile | undefined): void {
  const problem = file?.problem();
  if (problem !== undefined) throw unavailable(new Error(problem));
}

/** Locked for too long, no disk space, no disk, or a file that is damaged or can't be written. */
const GONE = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY|NOMEM|PROTOCOL|CORRUPT|NOTADB)/;

const codeOf = (error: unknown): string => {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === "string" ? code : "";
};

/** The caller's error: STORE_UNAVAILABLE when the database failed, otherwise the error itself. */
export function answerFor(error: unknown): unknown {
  if (GONE.test(codeOf(error))) return unavailable(error);
  // Drizzle's own error has the statement's values in its message.
  return error instanceof Error && error.name === "DrizzleQueryError" && error.cause
    ? answerFor(error.cause)
    : error;
}
