import { setImmediate } from "node:timers";
import type BetterSqlite3 from "better-sqlite3";
import type { Write } from "../../domain/command.ts";
import type { OrderBell } from "../order-bell.ts";
import type { Job } from "../store.ts";
import { answerFor } from "./errors.ts";
import type { Rows } from "./rows.ts";

/**
 * Everything queued in one turn of the event loop shares one BEGIN IMMEDIATE … COMMIT, each command
 * in a savepoint of its own, and no answer leaves before COMMIT.
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

  #commit(jobs: readonly Job[]): void {
    const settled: (() => void)[] = [];
    const changed: Write[] = [];
    try {
      this.#statements.begin.run();
      for (const job of jobs) settled.push(this.#decide(job, changed));
      this.#statements.commit.run();
    } catch (error) {
      if (this.#client.inTransaction) this.#statements.rollback.run();
      for (const job of jobs) job.reject(answerFor(error));
      return;
    }
    for (const settle of settled) settle();
    this.#bell.ringFor(changed);
  }

  #decide(job: Job, changed: Write[]): () => void {
    const { savepoint, release, undo } = this.#statements;
    savepoint.run();
    try {
      const state = this.#rows.load(job.rule.reads(job.command));
      const { reply, writes } = job.rule.decide(job.command, state);
      for (const write of writes) this.#rows.apply(write);
      release.run();
      changed.push(...writes);
      return () => job.resolve(reply);
    } catch (error) {
      // On a full disk, say, SQLite gives up the whole transaction by itself, and all of it is lost.
      if (!this.#client.inTransaction) throw error;
      undo.run();
      release.run();
      return () => job.reject(answerFor(error));
    }
  }
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
