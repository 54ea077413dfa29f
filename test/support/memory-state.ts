import type { SandboxRow, SandboxState } from "../../src/payments/sandbox/state.ts";

/** State of a sandbox without a database. */
export function memoryState(clock: () => number = Date.now): SandboxState {
  const rows = new Map<string, SandboxRow & { kind: string }>();
  return {
    get: async (id) => rows.get(id) ?? null,
    put: async (id, kind, body, version) => {
      const known = rows.get(id);
      if ((known?.version ?? 0) !== version) return false;
      const created_at = known?.created_at ?? clock();
      rows.set(id, { id, kind, body, version: version + 1, created_at });
      return true;
    },
    list: async (kind, { since = 0, after, newestFirst, limit }) => {
      const of = [...rows.values()].filter((r) => r.kind === kind && r.created_at >= since);
      const inTurn = of.sort((a, b) => inOrder(a, b) * (newestFirst ? -1 : 1));
      const left = after
        ? inTurn.filter((r) => inOrder(r, after) * (newestFirst ? -1 : 1) > 0)
        : inTurn;
      return left.slice(0, limit);
    },
  };
}

type Place = Pick<SandboxRow, "id" | "created_at">;

const inOrder = (a: Place, b: Place): number =>
  a.created_at - b.created_at || Number(a.id > b.id) - Number(a.id < b.id);
