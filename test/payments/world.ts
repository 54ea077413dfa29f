import { expect, onTestFinished } from "vitest";
import { openCatalog } from "../../src/catalog/live-catalog.ts";
import type { Store } from "../../src/db/store.ts";
import { prepareDatabase } from "../../src/merchant/installation.ts";
import type { Merchant } from "../../src/merchant/merchant.ts";
import type { ReviewedQuote } from "../../src/payments/checkout-request.ts";
import type { CheckoutState, PaymentProvider } from "../../src/payments/provider.ts";
import { type Emulator, emulatorProvider, startEmulator } from "../stripe/emulator.ts";
import { type HttpFaults, newHttpFaults } from "../stripe/faults.ts";
import { problemsOf, readBooks, unfinished } from "../support/books.ts";
import { CATALOG } from "../support/catalog.ts";
import { type SandboxControl, sandboxControl } from "../support/sandbox-control.ts";
import { testClock } from "../support/service.ts";
import { intent, merchantOver, newAgent } from "../support/shop.ts";
import { quoteRequest } from "../support/shopper.ts";

export const MINUTE = 60_000;

/** A process: verbs over a store and a provider that both may fail. */
export interface Parts {
  store: Store;
  provider: PaymentProvider;
  baseUrl?: string;
  /** Secret of another installation. */
  secret?: Buffer;
  patienceMs?: number;
}

/**
 * One database, one provider that outlives every process, and any number of processes. The provider is the
 * emulator behind the unchanged Stripe code; its webhooks are dropped by default.
 */
export interface World {
  store: Store;
  clock: ReturnType<typeof testClock>;
  sandbox: Emulator;
  control: SandboxControl<HttpFaults>;
  provider: PaymentProvider;
  /** Starts another process over the same database. */
  process(parts?: Partial<Parts>): Merchant;
  /** A quote with its page, made by quick checkout or by an agent. */
  quote(wanted?: Parameters<typeof quoteRequest>[0], by?: Origin): Promise<ReviewedQuote>;
  /** A new agent's id. */
  agent(): Promise<string>;
  again(review: ReviewedQuote): Promise<ReviewedQuote>;
  sessions(): Promise<CheckoutState[]>;
  incidents(): Promise<string[]>;
  /** Lets time pass and processes work until nothing is left to do; `ends` also ends open sessions. */
  rest(ends?: "ends"): Promise<void>;
  /** Contradictions in the books and sessions. */
  problems(): Promise<string[]>;
}

interface Origin {
  agentId?: string;
  /** The quick-checkout page of the quote. */
  cart?: string;
}

let customers = 0;

interface WorldOptions {
  timeoutMs?: number;
  bankDebitDelayMs?: number;
  clock?: ReturnType<typeof testClock>;
  /** Database with the provider's sessions; a new one by default. */
  sessions?: Store;
}

export async function openWorld(store: Store, options: WorldOptions = {}): Promise<World> {
  const { clock = testClock() } = options;
  const { secret } = await prepareDatabase(store, () => CATALOG, {
    mode: "test",
    now: clock.now(),
  });
  const catalog = await openCatalog(store);
  const interference = newHttpFaults({ webhook: () => "drop" });
  const sandbox = await startEmulator({
    interference,
    ...(options.sessions && { store: options.sessions }),
    baseUrl: "http://127.0.0.1:3000",
    webhookUrl: "http://127.0.0.1:1/",
    webhookSecret: "whsec_money",
    clock: clock.now,
    bankDebitDelayMs: options.bankDebitDelayMs ?? 3_600_000,
  });
  onTestFinished(() => sandbox.close());
  const provider = emulatorProvider(sandbox, {
    paymentMethods: ["card", "us_bank_account"],
    maxNetworkRetries: 0,
    ...(options.timeoutMs !== undefined && { timeoutMs: options.timeoutMs }),
  });
  const process = (parts: Partial<Parts> = {}): Merchant =>
    merchantOver({
      store,
      provider,
      baseUrl: "http://127.0.0.1:3000",
      catalog,
      clock: clock.now,
      secret,
      ...parts,
    });
  const tokenOf = (merchant: Merchant, quoteId: string) =>
    merchant.quotes.reviewUrl(quoteId).split("/").at(-1) ?? "";
  const find = async (quoteId: string): Promise<ReviewedQuote> => {
    const merchant = process();
    return merchant.reviews.find(tokenOf(merchant, quoteId));
  };
  const world: World = {
    store,
    clock,
    sandbox,
    control: sandboxControl(sandbox, interference, clock.now),
    provider,
    process,
    async quote(wanted = {}, { agentId = null, cart = null } = {}) {
      const request = quoteRequest({ email: `money-${customers++}@example.com`, ...wanted });
      const { quotes } = process();
      const { body } = await quotes.create(request, { agentId, finderKey: null, cart }, intent());
      return find(body.id);
    },
    agent: () => newAgent({ merchant: process() }),
    again: ({ quote }) => find(quote.id),
    async sessions() {
      const all: CheckoutState[] = [];
      for await (const session of provider.listCheckouts(0)) all.push(session);
      return all;
    },
    incidents: async () => (await store.queries.allIncidents()).map(({ kind }) => kind),
    rest: (ends) => rest(world, ends === "ends" ? ENDS_MS : SOON_MS),
    async problems() {
      const broughtIn = CATALOG.products.map((bean) => [bean.product_id, bean.opening_stock]);
      const expected = {
        broughtIn: Object.fromEntries(broughtIn),
        sessions: await world.sessions(),
      };
      return problemsOf(await readBooks(store), expected);
    },
  };
  return world;
}

const SOON_MS = [0, 3 * MINUTE];
/** Past the end of every session and of the grace after it. */
const ENDS_MS = [...SOON_MS, 60 * MINUTE, 11 * MINUTE];

async function rest({ clock, sandbox, store, process }: World, pauses: number[]): Promise<void> {
  for (const ms of pauses) {
    clock.advance(ms);
    await sandbox.tick();
    await process().reconciler.first();
  }
  expect(unfinished(await readBooks(store))).toEqual([]);
}

export class Crash extends Error {
  override name = "Crash";
}

/**
 * Store and provider of a process that is killed at step `at`. Every command and every call outside has two
 * steps: before it, and after it with its answer lost.
 */
export function mortal({ store, provider }: World, at: number) {
  let steps = 0;
  const guard = () => {
    if (steps++ >= at) throw new Crash();
  };
  const step = async <T>(work: () => Promise<T>): Promise<T> => {
    guard();
    const done = await work();
    guard();
    return done;
  };
  const parts: Parts = {
    store: {
      queries: store.queries,
      run: (rule, command) => step(() => store.run(rule, command)),
    } as Store,
    provider: {
      ...provider,
      createCheckout: (request) => step(() => provider.createCheckout(request)),
      getCheckout: (id) => step(() => provider.getCheckout(id)),
      lookAtCheckout: (id) => step(() => provider.lookAtCheckout(id)),
      findByPayment: (ref) => step(() => provider.findByPayment(ref)),
      expireCheckout: (id) => step(() => provider.expireCheckout(id)),
      captureCheckout: (id, ref) => step(() => provider.captureCheckout(id, ref)),
      releaseCheckout: (id, ref) => step(() => provider.releaseCheckout(id, ref)),
      refund: (ref, options) => step(() => provider.refund(ref, options)),
      listRefunds: (ref) => step(() => provider.listRefunds(ref)),
    },
  };
  return { parts, died: () => steps > at };
}
