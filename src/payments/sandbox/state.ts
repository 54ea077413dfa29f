/**
 * Where the sandbox keeps what Stripe would keep: sessions, coupons, answers by idempotency key,
 * and webhooks still to be delivered. Several processes may share one state, so every write is a
 * compare-and-swap.
 */
export interface SandboxState {
  get(id: string): Promise<{ body: string; version: number } | null>;
  /**
   * Inserts when version is 0, else replaces body AND kind only if the stored version matches;
   * false when it lost the race. A stored version is 1 after the insert and one more after each
   * replacement.
   */
  put(id: string, kind: string, body: string, version: number): Promise<boolean>;
  /** Rows of this kind first written at or after sinceMs, oldest first. More rows do no harm. */
  list(kind: string, sinceMs: number): Promise<{ id: string; body: string; version: number }[]>;
}

const MAX_ROUNDS = 50;

/**
 * Reads, changes and writes one record, again where another writer came in between; `change` gives
 * null where it is to stay, and must be pure, since it may run more than once. Null: no such record.
 */
export async function mutate<T>(
  state: SandboxState,
  id: string,
  change: (current: T) => { next: T; kind: string } | null,
): Promise<T | null> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const row = await state.get(id);
    if (!row) return null;
    const current = JSON.parse(row.body) as T;
    const write = change(current);
    if (!write) return current;
    const { next, kind } = write;
    if (await state.put(id, kind, JSON.stringify(next), row.version)) return next;
  }
  throw new Error(`The sandbox record ${id} is written too often at once.`);
}
