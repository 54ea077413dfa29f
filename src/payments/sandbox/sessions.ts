import { setImmediate } from "node:timers/promises";
import { insert, lock, type Rule, update } from "../../core/command.ts";
import type { Tables } from "../../core/records.ts";
import type { Store } from "../../db/store.ts";
import { due, isLive, type SessionEvent, type SessionRecord, type SessionStep } from "./session.ts";

/** Kind of a session that the clock may still change; `tick` reads only these. */
const LIVE = "session_live";
/** "session": paid, or failed later. "session_unpaid": expired; retention removes it within a day. */
const KINDS = [LIVE, "session", "session_unpaid"];

const kindOf = (s: SessionRecord): string =>
  isLive(s) ? LIVE : s.status === "expired" ? "session_unpaid" : "session";

/** Rows that one read returns, so that requests never wait for a long one. */
const ROWS_AT_ONCE = 100;

const recordOf = ({ body }: { body: string }): SessionRecord => JSON.parse(body);

export interface Changed {
  record: SessionRecord;
  /** Whether the step changed anything. */
  moved: boolean;
  events: SessionEvent[];
}

interface Change {
  id: string;
  now: number;
  step: SessionStep;
  /** Stored if there is no session with this id. */
  fresh?: SessionRecord | undefined;
}

/** Applies what the clock has changed, then the step. Replies null if there is no session. */
const changeSession: Rule<Change, Changed | null> = {
  reads: ({ id }) => [lock("sandbox", { id })],
  decide({ id, now, step, fresh }, { sandbox: [row] }) {
    // Earlier versions stored other records here, and this id may come from a browser's address line.
    if (row ? !KINDS.includes(row.kind) : !fresh) return { reply: null, writes: [] };
    const before = row ? recordOf(row) : fresh!;
    const done: Changed = { record: before, moved: false, events: [] };
    const apply = (transition: ReturnType<SessionStep>): boolean => {
      if (!transition) return false;
      done.record = transition.next;
      done.events.push(...transition.events);
      return true;
    };
    while (apply(due(done.record, now)));
    done.moved = apply(step(done.record));
    if (row && done.record === before) return { reply: done, writes: [] };
    const set = { kind: kindOf(done.record), body: JSON.stringify(done.record) };
    const write = row
      ? update("sandbox", { id }, { ...set, version: row.version + 1 })
      : insert("sandbox", { id, ...set, version: 1, created_at: now });
    return { reply: done, writes: [write] };
  },
};

export type Sessions = ReturnType<typeof sandboxSessions>;

/** Sessions in a database, which several processes may share. */
export function sandboxSessions(options: {
  store: Store;
  clock: () => number;
  /** Receives the events of each change after its commit. Nobody waits for it; it must not reject. */
  tell: (events: readonly SessionEvent[], s: SessionRecord) => Promise<void>;
}) {
  const { store, clock, tell } = options;
  const telling = new Set<Promise<void>>();
  let after: Tables["sandbox"] | undefined;

  async function change(id: string, step: SessionStep, fresh?: SessionRecord) {
    const done = await store.run(changeSession, { id, now: clock(), step, fresh });
    if (done && done.events.length > 0) {
      const told = tell(done.events, done.record).finally(() => telling.delete(told));
      telling.add(told);
    }
    return done;
  }

  /** The session as the clock has changed it. */
  async function current(row: Tables["sandbox"]): Promise<SessionRecord> {
    const record = recordOf(row);
    const isLate = due(record, clock()) !== null;
    return (isLate && (await change(row.id, () => null))?.record) || record;
  }

  return {
    change,

    async read(id: string): Promise<SessionRecord | null> {
      // PostgreSQL stores no NUL character, so a typed address could fail in the query.
      if (!/^[\w-]+$/.test(id)) return null;
      const row = await store.queries.sandboxObject(id);
      return row && KINDS.includes(row.kind) ? current(row) : null;
    },

    /** All sessions since a time. One that changes meanwhile may come twice. */
    async *list(since: number): AsyncGenerator<SessionRecord> {
      for (const kind of KINDS) {
        for (let last: Tables["sandbox"] | undefined; ; ) {
          const page = { since, after: last, limit: ROWS_AT_ONCE };
          const rows = await store.queries.sandboxObjects(kind, page);
          for (const row of rows) yield current(row);
          last = rows.at(-1);
          if (!last) break;
          // SQLite answers at once, so without a turn of the loop all pages would be one long step.
          await setImmediate();
        }
      }
    },

    /** Applies the clock to the next live sessions. Call it regularly. */
    async tick(): Promise<void> {
      const rows = await store.queries.sandboxObjects(LIVE, { after, limit: ROWS_AT_ONCE });
      after = rows.length === ROWS_AT_ONCE ? rows.at(-1) : undefined;
      await Promise.all(rows.map(current));
    },

    /** Resolves when everything is told. */
    async idle(): Promise<void> {
      while (telling.size > 0) await Promise.all(telling);
    },
  };
}
