import { insert, lock, type Rule, update } from "../shared/command.ts";

export interface PutSandboxObject {
  now: number;
  id: string;
  kind: string;
  body: string;
  version: number;
}

/** Of the emulated provider's memory. Compare and swap: false where the race was lost. */
export const putSandboxObject: Rule<PutSandboxObject, boolean> = {
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
