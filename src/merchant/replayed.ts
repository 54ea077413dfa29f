import type { OnceReply, Reply } from "../domain/shared/command.ts";
import { MerchantError } from "../domain/shared/errors.ts";

/** The answer; of one given before, `again` finds the rest, as it was then (contract §12). */
export async function replayed<B, K extends keyof B>(
  answered: OnceReply<B, K>,
  again: (kept: Pick<B, K>) => Promise<B | undefined>,
): Promise<Reply<B>> {
  if (!answered.replayed) return answered;
  const body = await again(answered.kept);
  if (body) return { body, replayed: true };
  // What it was about is kept for longer than retries are, so somebody has erased it.
  throw new MerchantError("NOT_FOUND", "What this request was answered with has been erased.");
}
