import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import type { ChangeEmitter } from "../change-emitter.ts";
import { FAREWELL_MS, type Log, setTimeouts } from "./connection.ts";
import type { ConnectionWatchdog } from "./connection-watchdog.ts";
import { CATALOG_CHANNEL, ORDER_CHANNEL } from "./decide.ts";

export interface ListenOptions {
  connection: pg.ClientConfig;
  line: ConnectionWatchdog;
  emitter: ChangeEmitter;
  log: Log;
  /** How often waiting readers look for what no notification told, in milliseconds. */
  catchUpMs: number;
}

const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 1000;

/** How long after an answer it is asked again whether the database is there. */
const ASK_MS = 500;

/** The line's patience is shorter; this is for an answer that breaks off in the middle. */
const CONNECT_MS = 10_000;

/**
 * The connection on which other instances tell of new events and of another catalog. It comes back by
 * itself, and whatever was told meanwhile costs a delay, never an event: readers are told to look. As it
 * is always there it also finds out, for all others, whether the database still answers.
 */
export function listenForChanges(options: ListenOptions) {
  const { line, emitter, log, catchUpMs } = options;
  const end = new AbortController();
  const first = Promise.withResolvers<void>();
  let open = false;

  async function listen(): Promise<void> {
    let wait = FIRST_WAIT_MS;
    while (!end.signal.aborted) {
      try {
        await stay(() => {
          wait = FIRST_WAIT_MS;
          // Whatever happened while we did not listen.
          emitter.anythingChanged();
          first.resolve();
        });
      } catch (error) {
        log(`listening for changes stopped: ${(error as Error).message}`);
      }
      first.resolve();
      await sleep(wait * (0.5 + Math.random() / 2), end.signal);
      wait = Math.min(LONGEST_WAIT_MS, wait * 2);
    }
  }

  /** Listens until the connection breaks, which throws, or until the end. */
  async function stay(opened: () => void): Promise<void> {
    const socket = line.askingSocket();
    const client = new pg.Client({
      ...options.connection,
      connectionTimeoutMillis: CONNECT_MS,
      stream: () => socket,
    });
    const broken = new AbortController();
    client.on("error", (error) => broken.abort(error));
    client.on("end", () => broken.abort(new Error("the connection ended")));
    client.on("notification", ({ channel, payload }) =>
      channel === CATALOG_CHANNEL
        ? emitter.catalogChanged()
        : emitter.orderHasEvents(payload ?? ""),
    );
    const either = AbortSignal.any([end.signal, broken.signal]);
    try {
      await line.answer(client.connect());
      await line.answer(setTimeouts(client, 0));
      await line.answer(client.query(`listen ${ORDER_CHANNEL}; listen ${CATALOG_CHANNEL}`));
      open = true;
      opened();
      let looked = performance.now();
      while (!end.signal.aborted) {
        await sleep(Math.min(ASK_MS, catchUpMs), either);
        broken.signal.throwIfAborted();
        // Also finds out a connection that is dead without having said so.
        if (!end.signal.aborted) await line.answer(client.query("select 1"));
        if (performance.now() - looked < catchUpMs) continue;
        looked = performance.now();
        emitter.anythingChanged();
      }
    } finally {
      open = false;
      const late = setTimeout(() => socket.destroy(), FAREWELL_MS);
      await client.end().catch(() => {});
      clearTimeout(late);
    }
  }

  const done = listen();
  return {
    /** The first attempt to listen is over, well or not. */
    ready: first.promise,
    /** Whether news arrive by themselves, also our own. */
    isOpen: () => open,
    async close(): Promise<void> {
      end.abort();
      await done;
    },
  };
}

const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  delay(ms, undefined, { signal, ref: false }).catch(() => {});
