import { insert, lock, type Rule, update } from "../../core/command.ts";
import type { Tables } from "../../core/records.ts";

/** Of the emulated provider's memory. Compare and swap by `version`: false where the race was lost. */
export const putSandboxObject: Rule<Tables["sandbox"], boolean> = {
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
