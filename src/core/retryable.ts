import { type Intent, type OnceReply, once, type Reply, type Rule } from "./command.ts";
import type { Context } from "./context.ts";
import { MerchantError } from "./errors.ts";

type Store = Context["store"];

/** A write that runs once per intent, and how its first answer is rebuilt for a retry (contract §12). */
export interface Retryable<C, B extends object, K extends keyof B, Row> {
  rule: Rule<C & { now: number; intent: Intent }, OnceReply<B, K>>;
  /** The row that the first answer was about. */
  find(queries: Store["queries"], kept: Pick<B, K>, command: C): Promise<Row | undefined>;
  /** The first answer, whatever has happened to the row since. */
  show(row: Row, kept: Pick<B, K>, command: C): B;
}

/** `keep`: the fields of the answer that are stored, enough to rebuild the rest. */
export const retryable = <C, B extends object, K extends keyof B, Row>(
  rule: Rule<C, B>,
  { keep, ...again }: { keep: readonly K[] } & Omit<Retryable<C, B, K, Row>, "rule">,
): Retryable<C, B, K, Row> => ({ rule: once(rule, keep), ...again });

/** Runs the write, or rebuilds the answer that this intent got the first time. */
export async function runOnce<C, B extends object, K extends keyof B, Row>(
  store: Pick<Store, "run" | "queries">,
  { rule, find, show }: Retryable<C, B, K, Row>,
  command: C & { now: number; intent: Intent },
): Promise<Reply<B>> {
  const answered = await store.run(rule, command);
  if (!answered.replayed) return answered;
  const row = await find(store.queries, answered.kept, command);
  if (row !== undefined) return { body: show(row, answered.kept, command), replayed: true };
  // The row is kept longer than retries are, so somebody has erased it.
  throw new MerchantError("NOT_FOUND", "What this request was answered with has been erased.");
}
