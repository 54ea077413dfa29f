import type { Rule } from "../domain/command.ts";
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
  /** Throws where the database cannot answer now. */
  health(): Promise<void>;
  /** A consistent copy while the service runs. SQLite writes one file; PostgreSQL has pg_dump. */
  backup(file: string): Promise<void>;
  close(): Promise<void>;
}

/** A write met a row that is no longer as decided upon: decide again. Never leaves the store. */
export class GuardFailed extends Error {
  override name = "GuardFailed";
}
