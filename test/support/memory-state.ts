import type { SandboxState } from "../../src/payments/sandbox/state.ts";

/** An emulator's state without a database; ignores sinceMs, as the interface allows. */
export function memoryState(): SandboxState {
  const rows = new Map<string, { kind: string; body: string; version: number }>();
  return {
    get: async (id) => rows.get(id) ?? null,
    put: async (id, kind, body, version) => {
      if ((rows.get(id)?.version ?? 0) !== version) return false;
      rows.set(id, { kind, body, version: version + 1 });
      return true;
    },
    list: async (kind) =>
      [...rows].filter(([, row]) => row.kind === kind).map(([id, row]) => ({ id, ...row })),
  };
}
