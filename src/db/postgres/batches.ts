import { setImmediate } from "node:timers";
import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import type { Write } from "../../core/command.ts";
import { committed } from "../commits.ts";
import { type CommandOutcome, type HasRoom, settle } from "../decide.ts";
import { type Job, unavailable } from "../store.ts";
import { type Log, transaction } from "./connection.ts";
import { decideIn } from "./decide.ts";
import { answerFor, failureOf, type StatementFailed } from "./errors.ts";

export interface BatchOptions {
  pool: pg.Pool;
  batch: number;
  /** How many transactions of commands are under way at once. */
  concurrency: number;
  committed: (writes: readonly Write[]) => void;
  /** Whether the server's disk has room, as far as that is known. */
  hasRoom: HasRoom;
  failed: (error: unknown) => void;
  log: Log;
}

/** How often a command that loses races is decided again. */
const TRIES = 10;

/** After its batch did not get a lock in time, a command alone waits only this much longer. */
const IMPATIENT_MS = 100;

/** After this long no caller waits for an answer any more. */
const STALE_MS = 10_000;

interface QueuedJob extends Job {
  since: number;
  /** Its first connection was ended under it. */
  again?: true;
}

/**
 * Commands that wait together are decided together, in one transaction. Where that fails for a
 * reason which one of them may have brought, they are decided one by one, so that none has to
 * suffer for another.
 */
export class Batches {
  readonly #options: BatchOptions;
  readonly #queue: QueuedJob[] = [];
  #busy = 0;
  #woken = false;
  #idle: (() => void)[] = [];

  constructor(options: BatchOptions) {
    this.#options = options;
  }

  enqueue(job: Job): void {
    this.#queue.push({ ...job, since: performance.now() });
    if (this.#woken) return;
    this.#woken = true;
    setImmediate(() => {
      this.#woken = false;
      this.#start();
    });
  }

  /** When everything queued has its answer. */
  async drained(): Promise<void> {
    if (this.#busy === 0 && this.#queue.length === 0) return;
    await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  #start(): void {
    while (this.#busy < this.#options.concurrency && this.#queue.length > 0) {
      const jobs = this.#queue.splice(0, this.#options.batch);
      this.#busy++;
      void this.#decide(jobs).finally(() => {
        this.#busy--;
        this.#start();
      });
    }
    if (this.#busy > 0) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  async #decide(queued: readonly QueuedJob[]): Promise<void> {
    const oldest = performance.now() - STALE_MS;
    const jobs = queued.filter((job) => job.since >= oldest);
    for (const job of queued) if (job.since < oldest) job.reject(unavailable("the queue is long"));
    if (jobs.length === 0) return;
    try {
      const outcomes = await this.#transact(jobs);
      for (const one of outcomes) if (one.kind !== "again") settle(one);
      for (const one of outcomes) if (one.kind === "again") await this.#alone(one.job);
    } catch (error) {
      const failure = failureOf(error);
      if (failure === "gone") {
        this.#options.log(`the database does not answer: ${(error as Error).message}`);
        this.#tryAgain(error as StatementFailed, jobs);
      } else if (jobs.length === 1 && failure !== "race" && failure !== "taken") {
        jobs[0]!.reject(answerFor(error));
      } else {
        const lockMs = failure === "waited" ? IMPATIENT_MS : undefined;
        for (const job of jobs) await this.#alone(job, lockMs);
      }
    }
  }

  /**
   * A server that restarts or took over ends connections, and is there for the next one. Once, and only
   * where that connection certainly wrote nothing.
   */
  #tryAgain(error: StatementFailed, jobs: readonly QueuedJob[]): void {
    const again = jobs.filter((job) => error.uncommitted && !job.again);
    this.#queue.unshift(...again.map((job) => ({ ...job, again: true as const })));
    for (const job of jobs) if (!again.includes(job)) job.reject(unavailable(error));
  }

  /** One command in a transaction of its own, again while it loses races. */
  async #alone(job: Job, lockMs?: number): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        const [outcome] = await this.#transact([job], lockMs);
        if (outcome!.kind === "again") throw outcome!.error;
        settle(outcome!);
        return;
      } catch (error) {
        const failure = failureOf(error);
        const again = failure === "race" || failure === "taken";
        if (!again || tries >= TRIES) {
          if (again)
            this.#options.log(`given up after ${tries} tries: ${(error as Error).message}`);
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
      const { outcomes, writes } = await transaction(this.#options.pool, (session) =>
        decideIn(session, jobs, { lockMs, hasRoom: this.#options.hasRoom }),
      );
      committed(jobs.length, since);
      this.#options.committed(writes);
      return outcomes;
    } catch (error) {
      this.#options.failed(error);
      throw error;
    }
  }
}
