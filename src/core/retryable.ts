import type { Intent, OnceReply, Reply, Rule } from "./command.ts";
import { MerchantError } from "./errors.ts";

/**
 * Runs a write once per intent (contract §12). A retry reads what the first call made, as it is now: an answer
 * from yesterday could lead to a second order.
 */
export async function runOnce<C, B extends object, K extends keyof B>(
  store: { run<C, R>(rule: Rule<C, R>, command: C): Promise<R> },
  rule: Rule<C & { now: number; intent: Intent }, OnceReply<B, K>>,
  command: C & { now: number; intent: Intent },
  read: (kept: Pick<B, K>) => Promise<B | undefined>,
): Promise<Reply<B>> {
  const answered = await store.run(rule, command);
  if (!answered.replayed) return answered;
  const body = await read(answered.kept);
  if (body !== undefined) return { body, replayed: true };
  // The row is kept longer than retries are, so somebody has erased it.
  throw new MerchantError("NOT_FOUND", "What this request was answered with has been erased.");
}
