import { insert, lock, type Rule, update } from "../../core/command.ts";
import type { Tables } from "../../core/records.ts";
import type { Store } from "../../db/store.ts";

/**
 * Storage of the sandbox: sessions, coupons and idempotency keys. Several processes may share it, so
 * every write is a compare-and-swap.
 */
export interface SandboxState {
  get(id: string): Promise<SandboxRow | null>;
  /**
   * Inserts if `version` is 0, else replaces body and kind if the stored version matches; false if it
   * lost the race. The version is 1 after the insert and grows by one with each replacement.
   */
  put(id: string, kind: string, body: string, version: number): Promise<boolean>;
  /** One page of a kind, in the order of first writing. */
  list(kind: string, page: SandboxPage): Promise<SandboxRow[]>;
}

export type SandboxRow = Pick<Tables["sandbox"], "id" | "body" | "version" | "created_at">;

interface SandboxPage {
  /** First written at or after this time, in milliseconds. */
  since?: number;
  /** The last row of the page before. */
  after?: Pick<SandboxRow, "id" | "created_at"> | undefined;
  newestFirst?: boolean;
  limit: number;
}

/** Compare-and-swap by `version`; false if the race was lost. */
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

/** State in the shop's database. */
export const sandboxState = (store: Store, clock: () => number): SandboxState => ({
  get: async (id) => (await store.queries.sandboxObject(id)) ?? null,
  put: (id, kind, body, version) =>
    store.run(putSandboxObject, { id, kind, body, version, created_at: clock() }),
  list: (kind, page) => store.queries.sandboxObjects(kind, page),
});
