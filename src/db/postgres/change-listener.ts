import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { ANYTHING } from "../../core/news.ts";
import type { ChangeEmitter } from "../changes.ts";
import { disconnect, type Log, STATEMENT_MS, setTimeouts } from "./connection.ts";

/** Instances notify each other of news, with its subject, and of catalog changes. The names are of 0.1.0. */
export const NEWS_CHANNEL = "order_events";
export const CATALOG_CHANNEL = "catalog_changes";

export interface ListenOptions {
  connection: pg.ClientConfig;
  emitter: ChangeEmitter;
  log: Log;
  /** How often waiting readers look again, whether or not there was a notification. */
  catchUpMs: number;
}

/** About how long after a lost connection the next one is tried. */
const RECONNECT_MS = 500;

/** How long the server may take for a statement that has nothing to do. */
const ANSWER_MS = 2000;

/**
 * Listens for other instances' notifications, and reconnects when the connection breaks. A missed
 * notification only delays an event, because waiting readers look again.
 */
export function listenForChanges({ connection, emitter, log, catchUpMs }: ListenOptions) {
  const end = new AbortController();
  const first = Promise.withResolvers<void>();
  let open = false;

  async function listen(): Promise<void> {
    while (!end.signal.aborted) {
      await untilBroken().catch((error: Error) => {
        log(`listening for changes stopped: ${error.message}`);
      });
      open = false;
      first.resolve();
      await sleep(RECONNECT_MS * (0.5 + Math.random()), end.signal);
    }
  }

  async function untilBroken(): Promise<void> {
    const client = new pg.Client({ ...connection, query_timeout: ANSWER_MS });
    const broken = new AbortController();
    client.on("error", (error) => broken.abort(error));
    client.on("end", () => broken.abort(new Error("the connection ended")));
    client.on("notification", ({ channel, payload }) =>
      channel === CATALOG_CHANNEL ? emitter.catalogChanged() : emitter.hasNews(payload ?? ANYTHING),
    );
    try {
      await client.connect();
      await setTimeouts(client, { lockMs: 0, statementMs: STATEMENT_MS });
      await client.query(`listen ${NEWS_CHANNEL}; listen ${CATALOG_CHANNEL}`);
      open = true;
      first.resolve();
      while (!end.signal.aborted) {
        // Also right after connecting: something may have changed meanwhile.
        emitter.anythingChanged();
        await sleep(catchUpMs, AbortSignal.any([end.signal, broken.signal]));
        broken.signal.throwIfAborted();
        // Fails on a connection that is dead without having reported an error.
        if (!end.signal.aborted) await client.query("select 1");
      }
    } finally {
      await disconnect(client);
    }
  }

  const done = listen();
  return {
    /** Resolves after the first attempt, whether or not it succeeded. */
    ready: first.promise,
    /** Whether notifications arrive, including our own. */
    isOpen: () => open,
    async close(): Promise<void> {
      end.abort();
      await done;
    },
  };
}

const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  delay(ms, undefined, { signal, ref: false }).catch(() => {});
