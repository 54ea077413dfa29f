import { setImmediate } from "node:timers";
import type BetterSqlite3 from "better-sqlite3";
import type { Decision, Write } from "../../domain/shared/command.ts";
import type { OrderBell } from "../order-events.ts";
import type { Job } from "../store.ts";
import { answerFor } from "./errors.ts";
import type { Rows } from "./rows.ts";

/**
 * Everything queued in one turn of the event loop shares one BEGIN IMMEDIATE … COMMIT, and no answer
 * leaves before COMMIT. Rules decide before they write, so a batch fails half-way only where a write
 * meets a constraint or a guard: then it is rolled back and decided again, each command in a savepoint
 * of its own, which would be dear to have always.
 */
export class GroupCommit {
  readonly #client: BetterSqlite3.Database;
  readonly #rows: Rows;
  readonly #batch: number;
  readonly #bell: OrderBell;
  readonly #statements: Statements;
  readonly #queue: Job[] = [];
  #idle: (() => void)[] = [];

  constructor(client: BetterSqlite3.Database, rows: Rows, batch: number, bell: OrderBell) {
    this.#client = client;
    this.#rows = rows;
    this.#batch = batch;
    this.#bell = bell;
    this.#statements = prepare(client);
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
    const jobs = this.#queue.splice(0, this.#batch);
    if (this.#queue.length > 0) setImmediate(() => this.#flush());
    this.#commit(jobs);
    if (this.#queue.length === 0) for (const resolve of this.#idle.splice(0)) resolve();
  }

  #commit(jobs: readonly Job[], careful = false): void {
    const settled: (() => void)[] = [];
    const changed: Write[] = [];
    try {
      this.#statements.begin.run();
      for (const job of jobs) {
        settled.push(careful ? this.#apart(job, changed) : this.#decide(job, changed));
      }
      this.#statements.commit.run();
    } catch (error) {
      const whole = this.#client.inTransaction;
      if (whole) this.#statements.rollback.run();
      if (whole && error instanceof HalfWritten && jobs.length > 1) {
        this.#commit(jobs, true);
        return;
      }
      const reason = error instanceof HalfWritten ? error.cause : error;
      for (const job of jobs) job.reject(answerFor(reason));
      return;
    }
    for (const settle of settled) settle();
    this.#bell.ringFor(changed);
  }

  /** A refusal comes before the first write, so that it leaves nothing to undo. */
  #decide(job: Job, changed: Write[]): () => void {
    let decision: Decision<unknown>;
    try {
      decision = job.rule.decide(job.command, this.#rows.load(job.rule.reads(job.command)));
    } catch (error) {
      // On a full disk, say, SQLite gives up the whole transaction by itself, and all of it is lost.
      if (!this.#client.inTransaction) throw error;
      return () => job.reject(answerFor(error));
    }
    try {
      for (const write of decision.writes) this.#rows.apply(write);
    } catch (cause) {
      throw new HalfWritten("a write failed", { cause });
    }
    changed.push(...decision.writes);
    return () => job.resolve(decision.reply);
  }

  /** In a savepoint of its own: what a failing write leaves behind is undone alone. */
  #apart(job: Job, changed: Write[]): () => void {
    const { savepoint, release, undo } = this.#statements;
    savepoint.run();
    try {
      const settle = this.#decide(job, changed);
      release.run();
      return settle;
    } catch (error) {
      if (!this.#client.inTransaction || !(error instanceof HalfWritten)) throw error;
      undo.run();
      release.run();
      return () => job.reject(answerFor(error.cause));
    }
  }
}

/** A write failed behind others of the same command. Nobody but this file meets it. */
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
