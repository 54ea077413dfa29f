import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import type { OrderBell } from "../order-bell.ts";
import { connectionConfig, type Log } from "./connection.ts";
import { CHANNEL } from "./decide.ts";

export interface ListenOptions {
  url: string;
  bell: OrderBell;
  log: Log;
  /** How often waiting readers look for what no notification told, in milliseconds. */
  catchUpMs: number;
}

const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 2000;

/**
 * The connection on which other instances tell of new events. It comes back by itself, and whatever
 * was told meanwhile costs a delay, never an event: readers are told to look.
 */
export class OrderEars {
  readonly #options: ListenOptions;
  readonly #end = new AbortController();
  #client: pg.Client | null = null;
  #done: Promise<void>;
  /** The first attempt to listen is over, well or not. */
  readonly ready: Promise<void>;

  constructor(options: ListenOptions) {
    this.#options = options;
    const first = Promise.withResolvers<void>();
    this.ready = first.promise;
    this.#done = this.#listen(first.resolve);
  }

  /** Whether news arrive by themselves, also our own. */
  get open(): boolean {
    return this.#client !== null;
  }

  async close(): Promise<void> {
    this.#end.abort();
    await this.#done;
  }

  async #listen(first: () => void): Promise<void> {
    const { bell, log } = this.#options;
    let wait = FIRST_WAIT_MS;
    while (!this.#end.signal.aborted) {
      try {
        await this.#stay(() => {
          wait = FIRST_WAIT_MS;
          // Whatever happened while nobody listened.
          bell.ringAll();
          first();
        });
      } catch (error) {
        log(`listening for order events stopped: ${(error as Error).message}`);
      }
      first();
      await this.#sleep(wait * (0.5 + Math.random() / 2));
      wait = Math.min(LONGEST_WAIT_MS, wait * 2);
    }
  }

  /** Listens until the connection breaks, which throws, or until the end. */
  async #stay(opened: () => void): Promise<void> {
    const { url, bell, catchUpMs } = this.#options;
    const client = new pg.Client(connectionConfig(url, { lockMs: 0 }));
    const broken = Promise.withResolvers<never>();
    broken.promise.catch(() => {});
    client.on("error", broken.reject);
    client.on("end", () => broken.reject(new Error("the connection ended")));
    client.on("notification", ({ payload }) => bell.ring(payload ?? ""));
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
      this.#client = client;
      opened();
      while (!this.#end.signal.aborted) {
        await Promise.race([this.#sleep(catchUpMs), broken.promise]);
        // Also finds out a connection that is dead without having said so.
        if (!this.#end.signal.aborted) await client.query("select 1");
        if (bell.heard) bell.ringAll();
      }
    } finally {
      this.#client = null;
      await client.end().catch(() => {});
    }
  }

  async #sleep(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.#end.signal, ref: false }).catch(() => {});
  }
}
