import { setTimeout as delay } from "node:timers/promises";
import { VISA } from "../support/shopper.ts";
import type { Provider } from "./provider.ts";
import type { Random } from "./random.ts";
import type { Shop } from "./shop.ts";

export interface Time {
  aheadMs: number;
  now(): number;
}

interface Parts {
  fate: Random;
  sandbox: Provider["sandbox"];
  control: Provider["control"];
  shop: Shop;
  time: Time;
  /** Ids of pages that can be paid, and of all pages. */
  sessions(): Promise<{ open: readonly string[]; all: readonly string[] }>;
}

const MINUTE = 60_000;
/** Real milliseconds between two strokes. Each moves the clocks on by some minutes. */
const STROKE_MS = 80;
/** The service sweeps every real hour, but a run lets days pass in minutes. */
const SWEEP_MS = 60 * MINUTE;
/** Pause of a buyer or agent. Four of them outlast a quote. */
const LATER_MS = 35 * MINUTE;

/**
 * Events beside the purchases: time passes, webhooks go out, debits end, banks dispute, somebody refunds in
 * the provider's dashboard, and strangers pay pages.
 */
export class Weather {
  readonly debits: { sessionId: string; ok: boolean; ended: () => void }[] = [];
  readonly time: Time;
  readonly sandbox: Provider["sandbox"];
  readonly #parts: Parts;
  readonly #waiting: { until: number; resolve: () => void }[] = [];
  #blowing: Promise<void> | null = null;
  #still = false;
  #sweptAt = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.time = parts.time;
    this.sandbox = parts.sandbox;
  }

  later(): Promise<void> {
    const until = this.time.now() + LATER_MS;
    return new Promise((resolve) => {
      this.#waiting.push({ until, resolve });
    });
  }

  blow(): void {
    this.#blowing = (async () => {
      for (let stroke = 0; !this.#still; stroke++) {
        await this.pass(this.#parts.fate.whole(1, 4) * MINUTE);
        await this.#happen();
        await this.#sweep();
        if (stroke % 4 === 0) await this.#parts.shop.ask({ what: "run" });
        await delay(STROKE_MS);
      }
    })();
  }

  async #sweep(): Promise<void> {
    if (this.time.now() - this.#sweptAt < SWEEP_MS) return;
    this.#sweptAt = this.time.now();
    await this.#parts.shop.ask({ what: "sweep" });
  }

  /** Stops the weather and ends every debit. */
  async rest(): Promise<void> {
    this.#still = true;
    await this.#blowing;
    for (const { resolve } of this.#waiting.splice(0)) resolve();
    while (this.debits.length > 0) await this.#endDebit();
  }

  async pass(ms: number): Promise<void> {
    this.time.aheadMs += ms;
    this.#parts.shop.aheadMs = this.time.aheadMs;
    await this.sandbox.tick();
    const now = this.time.now();
    for (const one of this.#waiting.filter(({ until }) => until <= now)) {
      this.#waiting.splice(this.#waiting.indexOf(one), 1);
      one.resolve();
    }
  }

  async #endDebit(): Promise<void> {
    const debit = this.debits.shift();
    if (!debit) return;
    await this.#parts.control.settleBankDebit(debit.sessionId, debit.ok);
    debit.ended();
  }

  async #happen(): Promise<void> {
    const { fate, sandbox, control, shop } = this.#parts;
    if (fate.chance(0.5)) await this.#endDebit();
    // Many acts fail, because their order does not allow them.
    const acts = Array.from({ length: 3 }, () => fate.whole(0, 1_000_000));
    await Promise.all(acts.map((one) => shop.ask({ what: "merchant", fate: one })));
    // Sometimes the merchant's account has no balance for refunds.
    control.faults.balanceMinor = fate.chance(0.2) ? 0 : undefined;
    control.faults.takesWithoutBalance = fate.chance(0.5);
    const what = fate.pick([
      [8, "nothing"],
      [1, "dispute"],
      [2, "bank decides"],
      [1, "refund outside"],
      [2, "refund ends"],
      [3, "slow refunds"],
      [2, "stranger pays"],
    ] as const);
    if (what === "nothing") return;
    const sessions = await this.#parts.sessions();
    const pages = what === "stranger pays" ? sessions.open : sessions.all;
    const sessionId = pages[fate.whole(0, Math.max(0, pages.length - 1))];
    if (sessionId === undefined) return;
    if (what === "dispute") await control.dispute(sessionId);
    if (what === "bank decides") {
      const decided = fate.chance(0.5) ? "won" : "lost";
      for (const id of sessions.all) await control.closeDispute(id, decided);
    }
    if (what === "refund outside") {
      await control.refundOutside(sessionId, fate.chance(0.5) ? 500 : undefined);
    }
    if (what === "refund ends") {
      await control.endRefund(sessionId, fate.chance(0.6) ? "succeeded" : "failed");
    }
    if (what === "slow refunds") {
      control.slowRefunds(sessionId);
    }
    if (what === "stranger pays") await sandbox.buyer.pay(sessionId, VISA);
  }
}
