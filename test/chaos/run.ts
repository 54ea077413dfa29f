import { setTimeout as delay } from "node:timers/promises";
import { openStore } from "../../src/app/compose.ts";
import type { CheckoutState } from "../../src/payments/provider.ts";
import { emulatorProvider } from "../stripe/emulator.ts";
import { type Books, problemsOf, readBooks, unfinished } from "../support/books.ts";
import { freePort } from "../support/loopback.ts";
import { catalogWith } from "../support/purchase.ts";
import { confirmedIn } from "../support/queue.ts";
import { type Audit, figuresOf, type Result } from "./figures.ts";
import { buy, type Outcome, registerAgents, type World } from "./people.ts";
import { type Plan, planRun, WAITED_FOR } from "./plan.ts";
import { troubledProvider } from "./provider.ts";
import { random } from "./random.ts";
import { Shop } from "./shop.ts";
import { Weather } from "./weather.ts";

export interface RunOptions {
  seed: number;
  purchases: number;
  databaseUrl: string;
  /** The run's catalog goes here. */
  folder: string;
  /** Longest duration of the run, in milliseconds. */
  withinMs: number;
  progress?: (done: number, of: number) => void;
}

/** Purchases at once: more in a long run, because people mostly wait. */
const atOnce = (purchases: number): number =>
  Math.min(96, Math.max(12, Math.round(purchases / 50)));

/** Runs from an empty database to the last check. */
export async function runChaos(options: RunOptions): Promise<Result> {
  const plan = planRun(options.seed, options.purchases);
  const begun = performance.now();
  const over = () => performance.now() - begun > options.withinMs;
  const baseUrl = `http://127.0.0.1:${await freePort()}`;
  const time = { aheadMs: 0, now: () => Date.now() + time.aheadMs };
  const fate = random(options.seed);
  const provider = await troubledProvider(fate, { baseUrl, clock: time.now });
  const { sandbox } = provider;
  const { endpoint, apiKey, webhookSecret } = sandbox;
  const shop = new Shop({
    env: await environment(options, plan, baseUrl),
    provider: { endpoint, apiKey, webhookSecret },
    aheadMs: 0,
  });
  const weather = new Weather({
    fate: fate.fork("weather"),
    sandbox,
    control: provider.control,
    shop,
    time,
    sessions: provider.sessions,
  });
  const world: World = {
    baseUrl,
    sandbox,
    keys: [],
    debits: weather.debits,
    later: () => weather.later(),
    over,
    confirm: (id) =>
      confirmedIn(options.databaseUrl, id).then(
        () => true,
        () => false,
      ),
  };
  try {
    await shop.start();
    weather.blow();
    await registerAgents(world, plan.agents);
    const outcomes = await shopping(world, plan, { shop, options });
    // The weather's last stroke may empty the merchant's account, so it rests first.
    await weather.rest();
    await provider.calm();
    await settleDown(weather, shop);
    const stoppedMs = await shop.stop();
    const sessions = await allSessions(world, time.now);
    const audit = await audited(options.databaseUrl, plan, sessions);
    if (stoppedMs === null || stoppedMs > 10_000)
      audit.problems.push("it did not stop within 10 seconds");
    const { trouble } = provider;
    const ms = { realMs: performance.now() - begun, virtualMs: time.aheadMs };
    return figuresOf({ plan, outcomes, sessions, audit, trouble, kills: shop.kills, ...ms });
  } finally {
    await weather.rest();
    await shop.stop();
    await sandbox.close();
  }
}

async function environment({ databaseUrl, folder }: RunOptions, plan: Plan, baseUrl: string) {
  return {
    PORT: new URL(baseUrl).port,
    DATABASE_URL: databaseUrl,
    CATALOG_FILE: await catalogWith(folder, plan.opening),
    QUOTE_TTL_HOURS: "2",
    RATE_LIMITS: "off",
    LOG_LEVEL: "silent",
  };
}

interface ChaosRun {
  shop: Shop;
  options: RunOptions;
}

/** Makes all purchases, several at once, and kills the process as planned. */
async function shopping(world: World, plan: Plan, { shop, options }: ChaosRun) {
  const outcomes: Outcome[] = [];
  const left = [...plan.purchases];
  const kills = [...plan.kills];
  let restocked = false;
  const acts = async () => {
    const kill = kills[0];
    if (kill && outcomes.length >= kill.after) {
      kills.shift();
      await delay(kill.pauseMs);
      await shop.kill();
    }
    if (!restocked && outcomes.length >= plan.restock.after) {
      restocked = true;
      const ask = { what: "restock", productId: WAITED_FOR, bags: plan.restock.bags } as const;
      while (plan.restock.bags > 0 && ((await shop.ask(ask)) ?? -1) < 0) await delay(50);
    }
  };
  let acting = Promise.resolve();
  const worker = async () => {
    for (let next = left.shift(); next; next = left.shift()) {
      outcomes.push(await buy(world, next));
      options.progress?.(outcomes.length, plan.purchases.length);
      acting = acting.then(acts);
    }
  };
  await Promise.all(Array.from({ length: atOnce(plan.purchases.length) }, worker));
  await acting;
  return outcomes;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Lets time pass without failures until everything has ended and was reconciled once more. */
async function settleDown(weather: Weather, shop: Shop): Promise<void> {
  const pauses = [MINUTE, 5 * MINUTE, 75 * MINUTE, 15 * MINUTE];
  const later = [
    // A paid attempt is reconciled again when it is twice as old.
    () => weather.time.aheadMs + HOUR,
    () => 5 * MINUTE,
    // A refund waits half a day for a dispute's end or for a balance.
    () => 13 * HOUR,
    () => 40 * MINUTE,
  ];
  for (const pause of [...pauses.map((ms) => () => ms), ...later]) {
    await weather.pass(pause());
    await weather.sandbox.idle();
    await shop.ask({ what: "first" });
    if (((await shop.ask({ what: "sweep" })) ?? -1) < 0) throw new Error("the sweep failed");
    for (let rounds = 0; rounds < 50; rounds++) {
      if (((await shop.ask({ what: "run" })) ?? 0) < 1) break;
    }
  }
}

async function allSessions({ sandbox }: World, clock: () => number): Promise<CheckoutState[]> {
  const all: CheckoutState[] = [];
  const provider = emulatorProvider(
    { ...sandbox, clock },
    { maxNetworkRetries: 0, timeoutMs: 10_000 },
  );
  for await (const session of provider.listCheckouts(0)) all.push(session);
  return all;
}

/** Compares the books of the stopped service with the provider's sessions. */
async function audited(databaseUrl: string, plan: Plan, sessions: CheckoutState[]): Promise<Audit> {
  const store = await openStore(databaseUrl);
  try {
    const books = await readBooks(store);
    const incidents = (await store.queries.allIncidents()).map(({ kind }) => kind);
    const broughtIn = { ...plan.opening };
    for (const { act, subject, detail } of await store.queries.allAudit()) {
      if (act !== "stock.set") continue;
      const { on_hand, before } = JSON.parse(detail) as { on_hand: number; before: number };
      broughtIn[subject] = (broughtIn[subject] ?? 0) + on_hand - before;
    }
    const problems = problemsOf(books, { broughtIn, sessions });
    problems.push(...untold(books, incidents));
    return { books, incidents, problems: [...problems, ...unfinished(books)] };
  } finally {
    await store.close();
  }
}

/** Failed refunds and disputes without an incident for the merchant. */
function untold({ refunds, disputes }: Books, incidents: readonly string[]): string[] {
  const told = (kind: string) => incidents.filter((one) => one === kind).length;
  const failed = refunds.filter(({ status }) => status === "FAILED").length;
  const lost = disputes.filter(({ status }) => status === "LOST").length;
  return [
    ...(told("REFUND_FAILED") < failed ? [`${failed} refunds failed, fewer incidents`] : []),
    ...(told("DISPUTE_LOST") < lost ? [`${lost} disputes were lost, fewer incidents`] : []),
    ...(told("DISPUTED") < disputes.length ? ["a dispute has no incident"] : []),
  ];
}
