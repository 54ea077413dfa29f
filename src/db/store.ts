import type { Rule } from "../core/command.ts";
import { MerchantError } from "../core/errors.ts";
import type { Queries } from "./queries.ts";

/**
 * The port to the database. `run` is one rule in one transaction: durable before it answers, all of
 * its writes or none. `queries` read without locking and never inside a command.
 */
export interface Store {
  run<C, R>(rule: Rule<C, R>, command: C): Promise<R>;
  readonly queries: Queries;
  /** Told of every order that got new events, also by other processes, sooner or later. */
  onOrderEvent(listener: (orderId: string) => void): () => void;
  /** Told when what is sold may have changed, also by other processes, sooner or later. */
  onCatalogChange(listener: () => void): () => void;
  /**
   * Throws where the database cannot answer now. `room`: whether the disk has some left for what
   * agents and buyers bring; where it has none, only what was begun is brought to its end.
   */
  health(): Promise<{ room: boolean }>;
  /** A consistent copy while the service runs. SQLite writes one file; PostgreSQL has pg_dump. */
  backup(file: string): Promise<void>;
  /** Lets what was begun come to its end, then lets go of the database. */
  close(): Promise<void>;
}

/**
 * A write met a row that is no longer as decided upon: decide again. On SQLite nothing can come in
 * between, so there it is a mistake of a rule and surfaces.
 */
export class GuardFailed extends Error {
  override name = "GuardFailed";
}

/** An insert met a row with the same key. */
export class KeyTaken extends Error {
  override name = "KeyTaken";
}

/** What callers are told where the database does not answer; why, is for the log only. */
export const unavailable = (cause: unknown): MerchantError =>
  Object.assign(
    new MerchantError("STORE_UNAVAILABLE", "The store does not answer. Try again in a moment.", {
      retryAfter: 1,
    }),
    { cause },
  );

/** The rest of the disk is for what was begun: payments that settle, orders that move (contract §14). */
export const noRoom = (): MerchantError =>
  new MerchantError("STORE_UNAVAILABLE", NO_ROOM, { retryAfter: 60 });

const NO_ROOM =
  "The disk is nearly full, so nothing new is taken now. What is paid is safe. Try again later.";

/** A command on its way to its decision and back. */
export interface Job {
  rule: Rule<unknown, unknown>;
  command: unknown;
  resolve(reply: unknown): void;
  reject(error: unknown): void;
}

/** A promise of the reply, and the job that keeps it. */
export const jobFor = <C, R>(
  rule: Rule<C, R>,
  command: C,
  enqueue: (job: Job) => void,
): Promise<R> =>
  new Promise<R>((resolve, reject) => {
    enqueue({
      rule: rule as Rule<unknown, unknown>,
      command,
      resolve: resolve as (reply: unknown) => void,
      reject,
    });
  });
