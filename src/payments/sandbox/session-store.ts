import { randomBytes } from "node:crypto";
import Stripe from "stripe";
import { DAY_MS } from "../../core/policy.ts";
import { eventBody } from "./answers.ts";
import {
  due,
  isLive,
  type OwedWebhook,
  type SessionEvent,
  type SessionRecord,
  type SessionTransition,
} from "./session.ts";
import type { SandboxRow, SandboxState } from "./state.ts";

/**
 * Stored sessions and their webhooks. A change applies first what the clock has changed, and is written
 * together with the webhooks that report it. Webhooks are signed and posted like Stripe's, and retried
 * with growing pauses until the answer is 2xx; a restart loses none.
 */

/** Kind of a session that the clock or a webhook may still change; `tick` reads only these. */
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

/**
 * Pauses between the attempts, in milliseconds. The first is longer than an attempt may take, so two
 * processes never send at once.
 */
const PAUSES_MS = [15, 60, 300, 1800, 7200, 28_800].map((s) => s * 1000);
const ATTEMPT_MS = 10_000;

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

/** Version 0.1.0 stored no disputes and only the first three fields of a refund. */
function recordOf({ body }: { body: string }): SessionRecord {
  const stored = JSON.parse(body) as SessionRecord;
  const { refundFate = "succeeds", disputes = [] } = stored;
  const refund = { status: "succeeded", reason: null, metadata: {}, next: null } as const;
  const refunds = stored.refunds.map((row) => ({ ...refund, ...row }));
  return { ...stored, refundFate, refunds, disputes };
}

export function sessionStore(options: SessionStoreOptions) {
  const { state, baseUrl, clock, logger, post = postWithin(ATTEMPT_MS) } = options;
  const closing = new AbortController();
  const sending = new Set<Promise<void>>();

  /** Claims the next attempt: another process sees the pause that follows it. */
  function claimed(webhook: OwedWebhook): OwedWebhook {
    const pause = PAUSES_MS[webhook.attempts] ?? DAY_MS;
    return { ...webhook, attempts: webhook.attempts + 1, nextAt: clock() + pause };
  }

  function owed(event: SessionEvent, s: SessionRecord): OwedWebhook {
    const id = `evt_${randomBytes(16).toString("hex")}`;
    const body = eventBody({ ...event, id, now: clock() }, s, baseUrl);
    return claimed({ id, body, attempts: 0, nextAt: 0 });
  }

  /** Applies the clock, then `step`. `moved`: whether `step` changed anything. Null: no session. */
  async function change(id: string, step: SessionStep) {
    // Other records share the state, and this id may have come from a browser's address line.
    if (!id.startsWith("cs_test_")) return null;
    for (;;) {
      const row = await state.get(id);
      if (!row) return null;
      let record = recordOf(row);
      const webhooks: OwedWebhook[] = [];
      const apply = ({ next, events }: SessionTransition) => {
        record = next;
        webhooks.push(...events.map((event) => owed(event, next)));
      };
      const stored = record;
      for (let late = due(record, clock()); late; late = due(record, clock())) apply(late);
      const transition = step(record);
      if (transition) apply(transition);
      const moved = transition !== null;
      if (record === stored) return { record, moved };
      record = { ...record, outbox: [...record.outbox, ...webhooks] };
      if (await state.put(id, kindOf(record), JSON.stringify(record), row.version)) {
        for (const webhook of webhooks) void send(id, webhook);
        return { record, moved };
      }
    }
  }

  /** Null after a 2xx, else the reason. */
  async function attempt(payload: string): Promise<string | null> {
    const timestamp = Math.floor(clock() / 1000);
    const signing = { payload, secret: options.webhookSecret, timestamp };
    const signature = Stripe.webhooks.generateTestHeaderString(signing);
    try {
      const answer = await post(options.webhookUrl, {
        method: "POST",
        headers: { "content-type": "application/json", "stripe-signature": signature },
        body: payload,
        redirect: "manual",
        signal: closing.signal,
      });
      // Read to the end, or the connection stays taken.
      await answer.arrayBuffer();
      return answer.ok ? null : `status ${answer.status}`;
    } catch (error) {
      return error instanceof Error ? error.name : "unknown";
    }
  }

  async function deliver(sessionId: string, { id, body, attempts }: OwedWebhook): Promise<void> {
    if (closing.signal.aborted) return;
    const reason = await attempt(body);
    if (reason !== null) {
      if (closing.signal.aborted) return;
      const { type } = JSON.parse(body) as SessionEvent;
      logger?.warn({ event: id, type, attempts, reason }, "The shop did not accept a webhook");
      if (attempts <= PAUSES_MS.length) return;
    }
    await change(sessionId, (s) => {
      const outbox = s.outbox.filter((webhook) => webhook.id !== id);
      return { next: { ...s, outbox }, events: [] };
    });
  }

  function send(sessionId: string, webhook: OwedWebhook): Promise<void> {
    const running = deliver(sessionId, webhook)
      .catch((error: unknown) => {
        // It stays in the outbox; a later tick tries again.
        logger?.warn({ event: webhook.id, error }, "A webhook could not be sent");
      })
      .finally(() => sending.delete(running));
    sending.add(running);
    return running;
  }

  async function catchUp(row: SandboxRow): Promise<void> {
    const isDue = ({ nextAt }: OwedWebhook) => nextAt <= clock();
    const known = recordOf(row);
    if (!due(known, clock()) && !known.outbox.some(isDue)) return;
    let retried: OwedWebhook[] = [];
    await change(row.id, (s) => {
      const outbox = s.outbox.map((webhook) => (isDue(webhook) ? claimed(webhook) : webhook));
      retried = outbox.filter((webhook, i) => webhook !== s.outbox[i]);
      return retried.length > 0 ? { next: { ...s, outbox }, events: [] } : null;
    });
    await Promise.all(retried.map((webhook) => send(row.id, webhook)));
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

    /** Applies the clock and retries webhooks, for the next page of live sessions. */
    async tick(): Promise<void> {
      const rows = await state.list(LIVE, { after, limit: ROWS_PER_TICK });
      after = rows.length === ROWS_PER_TICK ? rows.at(-1) : undefined;
      await Promise.all(rows.map(catchUp));
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

const postWithin =
  (ms: number): typeof fetch =>
  (url, init) =>
    fetch(url, { ...init, signal: AbortSignal.any([init!.signal!, AbortSignal.timeout(ms)]) });

const newestFirst = (a: SandboxRow, b: SandboxRow): number =>
  b.created_at - a.created_at || (a.id < b.id ? 1 : -1);
