import { randomBytes } from "node:crypto";
import { eventBody } from "./answers.ts";
import {
  due,
  moneyWaits,
  recordOf,
  type SessionRecord,
  type SessionTransition,
} from "./payment.ts";
import { mutate, rounds, type SandboxRow, type SandboxState } from "./state.ts";
import type { Deliveries } from "./webhooks.ts";

/**
 * The emulated sessions, stored. Every change first applies what the clock alone has done, and
 * writes its events together with itself; so a webhook is owed exactly where a change is on disk.
 */

/** "Live" needs the clock or still owes a webhook; `tick` looks at these only. */
export const LIVE = "session_live";
/** Paid, or failed after the buyer had completed the page. */
const SETTLED = "session";
/** Canceled or expired: nobody pays it any more, and retention removes it within a day. */
const UNPAID = "session_unpaid";
export const SESSION_KINDS = [LIVE, SETTLED, UNPAID];

/** Null where nothing is to change. Pure: asked again where another writer came in between. */
export type SessionStep = (s: SessionRecord) => SessionTransition | null;

export type Sessions = ReturnType<typeof sessionStore>;

function kindOf(s: SessionRecord): string {
  const open = s.status === "open" || s.payment === "processing";
  if (open || s.outbox.length > 0 || moneyWaits(s)) return LIVE;
  return s.status === "expired" ? UNPAID : SETTLED;
}

/** What a list is asked for; `after` is the id of the last session of the page before. */
interface SessionPage {
  since: number;
  after?: string | undefined;
  limit: number;
}

interface SessionContext {
  state: SandboxState;
  deliveries: Deliveries;
  baseUrl: string;
  clock: () => number;
}

export function sessionStore({ state, deliveries, baseUrl, clock }: SessionContext) {
  function withEvents({ next, events }: SessionTransition): SessionRecord {
    const owed = events.map((told) => {
      const id = `evt_${randomBytes(16).toString("hex")}`;
      return { id, body: eventBody({ ...told, id, now: clock() }, next, baseUrl) };
    });
    return { ...next, outbox: [...next.outbox, ...owed] };
  }

  /** The event's id is the queue's key: done twice, after a crash in between, it is one event. */
  async function flush(record: SessionRecord): Promise<void> {
    if (record.outbox.length === 0) return;
    for (const event of record.outbox) await deliveries.enqueue(event);
    const queued = new Set(record.outbox.map((event) => event.id));
    await mutate<SessionRecord>(state, record.id, (s) => {
      const outbox = s.outbox.filter((event) => !queued.has(event.id));
      const next = { ...s, outbox };
      return outbox.length < s.outbox.length ? { next, kind: kindOf(next) } : null;
    });
  }

  /** `step` sees the record as the clock left it; whether it changed that. Null: no session. */
  async function change(id: string, step: SessionStep) {
    // Other records share the state, and this id may have come from a browser's address line.
    if (!id.startsWith("cs_test_")) return null;
    let moved = false;
    const found = await mutate<SessionRecord>(state, id, (row) => {
      const stored = recordOf(row);
      let current = stored;
      for (let step = due(current, clock()); step; step = due(current, clock())) {
        current = withEvents(step);
      }
      const asked = step(current);
      moved = asked !== null;
      const next = asked ? withEvents(asked) : current;
      return next === stored ? null : { next, kind: kindOf(next) };
    });
    if (!found) return null;
    await flush(found);
    return { record: recordOf(found), moved };
  }

  const nextLive = rounds(state, LIVE);

  async function read(id: string): Promise<SessionRecord | null> {
    return (await change(id, () => null))?.record ?? null;
  }

  return {
    change,
    read,

    /** False where it is there already. */
    create: (record: SessionRecord): Promise<boolean> =>
      state.put(record.id, kindOf(record), JSON.stringify(record), 0),

    /** One page, newest first; null where there is no session `after`. Costs the same for every page. */
    async list({ since, after, limit }: SessionPage): Promise<SessionRecord[] | null> {
      const edge = after === undefined ? undefined : await state.get(after);
      if (edge === null) return null;
      const page = { since, after: edge, newestFirst: true, limit };
      const kinds = await Promise.all(SESSION_KINDS.map((kind) => state.list(kind, page)));
      // A session that changes its kind between two reads is in both.
      const rows = [...new Map(kinds.flat().map((row) => [row.id, row])).values()];
      const records: SessionRecord[] = [];
      for (const row of rows.sort(newestFirst).slice(0, limit)) {
        const record = recordOf(JSON.parse(row.body));
        const current = due(record, clock()) ? await read(record.id) : record;
        records.push(current ?? record);
      }
      return records;
    },

    async tick(): Promise<void> {
      for (const row of await nextLive()) {
        const record = recordOf(JSON.parse(row.body));
        if (record.outbox.length > 0 || due(record, clock())) await read(record.id);
      }
    },
  };
}

const newestFirst = (a: SandboxRow, b: SandboxRow): number =>
  b.created_at - a.created_at || (a.id < b.id ? 1 : -1);
