import Stripe from "stripe";
import { onTestFinished } from "vitest";
import type { ReviewedQuote } from "../../src/payments/checkout-request.ts";
import { type PaymentProvider, ProviderUnavailable } from "../../src/payments/provider.ts";
import type { Emulator } from "../stripe/emulator.ts";
import { VISA } from "../support/shopper.ts";
import { usualStore } from "../support/stores.ts";
import { Crash, openWorld, type World } from "./world.ts";

/** A world on the engine of this run. */
export async function shop(options: Parameters<typeof openWorld>[1] = {}): Promise<World> {
  const { store } = await usualStore();
  onTestFinished(() => store.close());
  return openWorld(store, options);
}

export const attempts = async ({ store }: World, { quote }: ReviewedQuote) =>
  (await store.queries.attemptsOfQuote(quote.id)).map(({ status, outcome }) => [status, outcome]);

/** What the quote's page says. */
export async function standingOf(world: World, { quote }: ReviewedQuote) {
  const { quotes, reviews } = world.process();
  const token = quotes.reviewUrl(quote.id).split("/").at(-1)!;
  return (await reviews.open(token)).standing;
}

export const held = async ({ store }: World) =>
  (await store.queries.stock()).reduce((bags, row) => bags + row.held, 0);

/** Counts the provider's calls per session. */
export function questions({ provider }: World) {
  const asked = new Map<string, number>();
  const getCheckout: typeof provider.getCheckout = (id) => {
    asked.set(id, (asked.get(id) ?? 0) + 1);
    return provider.getCheckout(id);
  };
  return { asked, provider: { ...provider, getCheckout } };
}

/** Pays on the provider's page without a webhook to the shop. */
export async function paidPage(world: World, review: ReviewedQuote, card = VISA): Promise<string> {
  const paying = await world.process().payments.pay(review);
  if (paying.kind !== "redirect") throw new Error(`pay led to ${paying.kind}`);
  await world.sandbox.buyer.pay(sessionOf(paying.url), card);
  return sessionOf(paying.url);
}

/** The provider, whose answers to one call are lost after it is carried out. */
export function losing(
  { provider }: World,
  call: "createCheckout" | "captureCheckout",
): PaymentProvider {
  const run = provider[call] as (...of: unknown[]) => Promise<unknown>;
  const lost = async (...of: unknown[]) => {
    await run(...of);
    throw new ProviderUnavailable("The answer was lost.");
  };
  return { ...provider, [call]: lost };
}

/** Result of the work, or undefined if the process died. */
export async function unlessKilled<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Crash) return undefined;
    throw error;
  }
}

/** The session behind a hosted page's address. */
export const sessionOf = (url: string): string => new URL(url).pathname.split("/").at(-1) ?? "";

let events = 0;

/** A webhook as the provider sends it, signed. */
export function webhook(
  { clock, sandbox }: { clock: World["clock"]; sandbox: Pick<Emulator, "webhookSecret"> },
  sessionId: string,
  change: {
    type?: string;
    id?: string;
    livemode?: boolean;
    api_version?: string;
    data?: object;
  } = {},
): [Buffer, string] {
  const body = JSON.stringify({
    id: `evt_money_${events++}`,
    object: "event",
    type: "checkout.session.completed",
    created: Math.floor(clock.now() / 1000),
    livemode: false,
    data: { object: { id: sessionId, object: "checkout.session" } },
    ...change,
  });
  const signature = Stripe.webhooks.generateTestHeaderString({
    payload: body,
    secret: sandbox.webhookSecret,
    timestamp: Math.floor(clock.now() / 1000),
  });
  return [Buffer.from(body), signature];
}
