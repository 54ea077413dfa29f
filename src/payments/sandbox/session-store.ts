import { randomBytes } from "node:crypto";
import Stripe from "stripe";
import { eventBody } from "./answers.ts";
import {
  due,
  isLive,
  type SandboxRefund,
  type SessionEvent,
  type SessionRecord,
  type SessionTransition,
} from "./session.ts";
import type { SandboxRow, SandboxState } from "./state.ts";

/**
 * Stored sessions and their webhooks. A change applies first what the clock has changed. Webhooks are signed
 * and posted like Stripe's, but only once: the shop finds by itself what a lost one would have told.
 */

/** Kind of a session that the clock may still change; `tick` reads only these. */
export const LIVE = "session_live";
/** Paid, or failed after the buyer completed the page. */
const SETTLED = "session";
/** Expired: retention removes it within a day. */
const UNPAID = "session_unpaid";
export const SESSION_KINDS = [LIVE, SETTLED, UNPAID];

function kindOf(s: SessionRecord): string {
  if (isLive(s)) return LIVE;
  return s.status === "expired" ? UNPAID : SETTLED;
}

/** Rows that one tick reads, so that requests never wait for it. */
const ROWS_PER_TICK = 100;

/** Time to answer a webhook. */
const PATIENCE_MS = 10_000;

/** Null for no change. Pure: runs again after a lost race. */
export type SessionStep = (s: SessionRecord) => SessionTransition | null;

export interface SandboxLogger {
  warn(details: Record<string, unknown>, message: string): void;
}

export interface SessionStoreOptions {
  state: SandboxState;
  baseUrl: string;
  webhookUrl: string;
  webhookSecret: string;
  clock: () => number;
  logger?: SandboxLogger | undefined;
  /** Sends webhooks. */
  post?: typeof fetch | undefined;
}

export type Sessions = ReturnType<typeof sessionStore>;

/**
 * Version 0.1.0 stored no disputes, and no status of a refund. That of 0.2.0 could be on its way to its
 * `next` one.
 */
function recordOf({ body }: { body: string }): SessionRecord {
  const stored = JSON.parse(body);
  const refundOf = ({ next, ...refund }: { next?: Pick<SandboxRefund, "status"> | null }) => ({
    ...{ status: "succeeded", reason: null, metadata: {}, ...refund },
    ...(next && { status: next.status, reason: null }),
  });
  return { disputes: [], ...stored, refunds: stored.refunds.map(refundOf) };
}

export function sessionStore(options: SessionStoreOptions) {
  const { state, baseUrl, clock, logger, post = fetch } = options;
  const closing = new AbortController();
  const sending = new Set<Promise<void>>();

  /** Applies the clock, then `step`. `moved`: whether `step` changed anything. Null: no session. */
  async function change(id: string, step: SessionStep) {
    // Other records share the state, and this id may have come from a browser's address line.
    if (!id.startsWith("cs_test_")) return null;
    for (;;) {
      const row = await state.get(id);
      if (!row) return null;
      let record = recordOf(row);
      const webhooks: [SessionEvent, SessionRecord][] = [];
      const apply = ({ next, events }: SessionTransition) => {
        record = next;
        webhooks.push(...events.map((event): [SessionEvent, SessionRecord] => [event, next]));
      };
      const stored = record;
      for (let late = due(record, clock()); late; late = due(record, clock())) apply(late);
      const transition = step(record);
      if (transition) apply(transition);
      const moved = transition !== null;
      if (record === stored) return { record, moved };
      if (await state.put(id, kindOf(record), JSON.stringify(record), row.version)) {
        for (const webhook of webhooks) send(...webhook);
        return { record, moved };
      }
    }
  }

  async function deliver(event: SessionEvent, s: SessionRecord): Promise<void> {
    const id = `evt_${randomBytes(16).toString("hex")}`;
    const now = clock();
    const payload = eventBody({ ...event, id, now }, s, baseUrl);
    const signing = { payload, secret: options.webhookSecret, timestamp: Math.floor(now / 1000) };
    const signature = Stripe.webhooks.generateTestHeaderString(signing);
    const answer = await post(options.webhookUrl, {
      method: "POST",
      headers: { "content-type": "application/json", "stripe-signature": signature },
      body: payload,
      redirect: "manual",
      signal: AbortSignal.any([closing.signal, AbortSignal.timeout(PATIENCE_MS)]),
    });
    // Read to the end, or the connection stays taken.
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`status ${answer.status}`);
  }

  function send(event: SessionEvent, s: SessionRecord): void {
    const running = deliver(event, s)
      .catch((error: unknown) => {
        if (closing.signal.aborted) return;
        logger?.warn({ type: event.type, error }, "The shop did not accept a webhook");
      })
      .finally(() => sending.delete(running));
    sending.add(running);
  }

  async function read(id: string): Promise<SessionRecord | null> {
    return (await change(id, () => null))?.record ?? null;
  }

  let after: SandboxRow | undefined;

  return {
    change,
    read,

    /** False if it exists already. */
    create: (record: SessionRecord): Promise<boolean> =>
      state.put(record.id, kindOf(record), JSON.stringify(record), 0),

    /**
     * One page, newest first, after the session with the id `after`; null if there is no such session.
     * Costs the same for every page.
     */
    async list(page: {
      since: number;
      after?: string | undefined;
      limit: number;
    }): Promise<SessionRecord[] | null> {
      const { since, limit } = page;
      const edge = page.after === undefined ? undefined : await state.get(page.after);
      if (edge === null) return null;
      const query = { since, after: edge, newestFirst: true, limit };
      const kinds = await Promise.all(SESSION_KINDS.map((kind) => state.list(kind, query)));
      // A session that changes its kind between two reads is in both.
      const rows = [...new Map(kinds.flat().map((row) => [row.id, row])).values()];
      const records: SessionRecord[] = [];
      for (const row of rows.sort(newestFirst).slice(0, limit)) {
        const record = recordOf(row);
        const current = due(record, clock()) ? await read(record.id) : record;
        records.push(current ?? record);
      }
      return records;
    },

    /** Applies the clock to the next page of live sessions. */
    async tick(): Promise<void> {
      const rows = await state.list(LIVE, { after, limit: ROWS_PER_TICK });
      after = rows.length === ROWS_PER_TICK ? rows.at(-1) : undefined;
      const late = rows.filter((row) => due(recordOf(row), clock()) !== null);
      await Promise.all(late.map(({ id }) => read(id)));
    },

    /** Resolves when no webhook is on its way. */
    async idle(): Promise<void> {
      while (sending.size > 0) await Promise.all(sending);
    },

    async close(): Promise<void> {
      closing.abort();
      await Promise.all(sending);
    },
  };
}

const newestFirst = (a: SandboxRow, b: SandboxRow): number =>
  b.created_at - a.created_at || (a.id < b.id ? 1 : -1);
