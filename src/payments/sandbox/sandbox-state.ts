import { sealedLinks } from "../../core/sealed-links.ts";
import type { Store } from "../../db/store.ts";
import { putSandboxObject } from "./sandbox-object.ts";
import type { SandboxState } from "./state.ts";

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
    list: async (kind, sinceMs) => (await store.queries.sandboxObjects(kind, sinceMs)).map(opened),
  };
}
