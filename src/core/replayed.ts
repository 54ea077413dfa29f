import type { OnceReply, Reply } from "./command.ts";
import { MerchantError } from "./errors.ts";

/**
 * The answer; of one given before, `find` reads again what it was about, and `shown` tells it as it was
 * then (contract §12).
 */
export async function replayed<B, K extends keyof B, Row>(
  answered: OnceReply<B, K>,
  find: (kept: Pick<B, K>) => Promise<Row | undefined>,
  shown: (row: Row, kept: Pick<B, K>) => B,
): Promise<Reply<B>> {
  if (!answered.replayed) return answered;
  const { kept } = answered;
  const row = await find(kept);
  if (row !== undefined) return { body: shown(row, kept), replayed: true };
  // What it was about is kept for longer than retries are, so somebody has erased it.
  throw new MerchantError("NOT_FOUND", "What this request was answered with has been erased.");
}
