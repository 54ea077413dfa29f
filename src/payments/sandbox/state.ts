import { insert, lock, type Rule, update } from "../../core/command.ts";
import type { Tables } from "../../core/records.ts";
import { sealedLinks } from "../../core/sealed-links.ts";
import type { Store } from "../../db/store.ts";

/**
 * Where the sandbox keeps what Stripe would keep: sessions, coupons, answers by idempotency key,
 * and webhooks still to be delivered. Several processes may share one state, so every write is a
 * compare-and-swap.
 */
export interface SandboxState {
  get(id: string): Promise<SandboxRow | null>;
  /**
   * Inserts when version is 0, else replaces body AND kind only if the stored version matches;
   * false when it lost the race. A stored version is 1 after the insert and one more after each
   * replacement.
   */
  put(id: string, kind: string, body: string, version: number): Promise<boolean>;
  /** One page of a kind, in the order of first writing. */
  list(kind: string, page: SandboxPage): Promise<SandboxRow[]>;
}

export type SandboxRow = Pick<Tables["sandbox"], "id" | "body" | "version" | "created_at">;

export interface SandboxPage {
  /** First written at or after this moment, in milliseconds. */
  since?: number;
  /** The last row of the page before. */
  after?: Pick<SandboxRow, "id" | "created_at"> | undefined;
  newestFirst?: boolean;
  limit: number;
}

/** Rows that one background run reads of a kind, so that requests never wait for it. */
const ROWS_PER_RUN = 100;

/** Walks a kind page by page, one page a call, and begins again after the last. */
export function rounds(state: SandboxState, kind: string): () => Promise<SandboxRow[]> {
  let after: SandboxRow | undefined;
  return async () => {
    const rows = await state.list(kind, { after, limit: ROWS_PER_RUN });
    after = rows.length === ROWS_PER_RUN ? rows.at(-1) : undefined;
    return rows;
  };
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

/** Of the emulated provider's memory. Compare and swap by `version`: false where the race was lost. */
const putSandboxObject: Rule<Tables["sandbox"], boolean> = {
  reads: ({ id }) => [lock("sandbox", { id })],
  decide({ id, kind, body, version, created_at }, { sandbox: [row] }) {
    if ((row?.version ?? 0) !== version) return { reply: false, writes: [] };
    const next = { kind, body, version: version + 1 };
    const write = row
      ? update("sandbox", { id }, next, { version })
      : insert("sandbox", { id, ...next, created_at });
    return { reply: true, writes: [write] };
  },
};

/**
 * The emulated provider's memory, in our own database: it survives restarts and is shared. What it
 * keeps of the way back to the shop is a review link, which is never stored in readable form.
 */
export function sandboxState(
  { store, secret }: { store: Store; secret: Buffer },
  clock: () => number,
): SandboxState {
  const { seal, unseal } = sealedLinks(secret);
  const opened = <R extends { body: string }>(row: R): R => ({ ...row, body: unseal(row.body) });
  return {
    async get(id) {
      const row = await store.queries.sandboxObject(id);
      return row ? opened(row) : null;
    },
    put: (id, kind, body, version) =>
      store.run(putSandboxObject, { id, kind, body: seal(body), version, created_at: clock() }),
    list: async (kind, page) => (await store.queries.sandboxObjects(kind, page)).map(opened),
  };
}
