import { insert, lock, type Rule, update } from "../domain/shared/command.ts";
import type { SandboxState } from "../payments/sandbox/state.ts";
import type { Store } from "../store/store.ts";
import { sealedLinks } from "./sealed-links.ts";

interface PutSandboxRow {
  now: number;
  id: string;
  kind: string;
  body: string;
  version: number;
}

/** Compare and swap: false where the race was lost. */
const put: Rule<PutSandboxRow, boolean> = {
  reads: (c) => [lock("sandbox", { id: c.id })],
  decide(c, s) {
    const row = s.sandbox[0];
    if ((row?.version ?? 0) !== c.version) return { reply: false, writes: [] };
    const next = { kind: c.kind, body: c.body, version: c.version + 1 };
    return {
      reply: true,
      writes: [
        row
          ? update("sandbox", { id: c.id }, next, { version: c.version })
          : insert("sandbox", { id: c.id, ...next, created_at: c.now }),
      ],
    };
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
      store.run(put, { now: clock(), id, kind, body: seal(body), version }),
    list: async (kind, sinceMs) => (await store.queries.sandboxObjects(kind, sinceMs)).map(opened),
  };
}
