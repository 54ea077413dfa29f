import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Emulator } from "../stripe/emulator.ts";
import {
  type Answer,
  DECLINED,
  isTryAgain,
  quoteRequest,
  type Send,
  send,
  VISA,
} from "../support/shopper.ts";
import type { Purchase } from "./plan.ts";

const CARDS = {
  pays: VISA,
  declined: DECLINED,
  threeDSecure: "4000000000003220",
};

export type Outcome = "paid" | "not paid" | "not to be had" | "waits";

export interface World {
  baseUrl: string;
  sandbox: Emulator;
  keys: string[];
  /** Debits in progress, and their results. */
  debits: { sessionId: string; ok: boolean; ended: () => void }[];
  /** Resolves once time has passed, for people who come back later. */
  later(): Promise<void>;
  over(): boolean;
  /** Presses the button behind a waitlist letter's link. Returns false if the store does not answer. */
  confirm(entryId: string): Promise<boolean>;
}

/** Retries until there is a final answer, like agents and browsers. */
async function insist(world: World, path: string, options: Send): Promise<Answer> {
  const idempotencyKey = options.idempotencyKey ?? randomUUID();
  for (let tries = 0; ; tries++) {
    try {
      const answer = await send(world.baseUrl, path, { ...options, idempotencyKey });
      if (!isTryAgain(answer)) return answer;
      // A person retries a page a few times.
      if (options.raw !== undefined && tries >= 8) return answer;
    } catch {
      // The process has just been killed.
    }
    if (world.over()) throw new Error("The run took too long.");
    await delay(Math.min(400, 20 * 2 ** tries));
  }
}

export async function registerAgents(world: World, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const body = { name: `Agent ${i}`, contact_email: "agent@example.com" };
    for (;;) {
      const answer = await insist(world, "/v1/agents/register", { body });
      // A lost key is not shown twice, so the agent registers again.
      if (answer.status !== 201) continue;
      world.keys.push(answer.body.api_key);
      break;
    }
  }
}

/** Makes one purchase and returns its outcome. */
export async function buy(world: World, purchase: Purchase): Promise<Outcome> {
  const key = world.keys[purchase.agent % world.keys.length]!;
  const outcome = await tryToBuy(world, key, purchase);
  if (outcome === "paid" && purchase.asks !== "nothing") await askToCancel(world, key, purchase);
  return outcome;
}

/** Asks to cancel the newest order of the key, whichever purchase it came from. */
async function askToCancel(world: World, key: string, { asks }: Purchase): Promise<void> {
  const [newest] = (await insist(world, "/v1/orders?limit=1", { key })).body.orders;
  if (!newest) return;
  const { body: order } = await insist(world, `/v1/orders/${newest.id}`, { key });
  const requests = `/v1/orders/${order.id}/cancel-requests`;
  const part = asks === "cancel_part" && { shipment_ids: [order.shipments[0].id] };
  await insist(world, requests, { key, body: { reason_code: "CHANGED_MIND", ...part } });
  if (asks !== "cancel_and_withdraw") return;
  await world.later();
  await insist(world, requests, { key, method: "DELETE" });
}

async function tryToBuy(world: World, key: string, purchase: Purchase): Promise<Outcome> {
  const quoted = (code: boolean, more = 0) => quote(world, key, purchase, { code, more });
  let offer = await quoted(purchase.firstBag);
  if (offer.body.code === "DISCOUNT_NOT_ELIGIBLE") offer = await quoted(false);
  if (offer.status !== 201) return "not to be had";
  if (offer.body.status === "WAITLIST_OFFERED") {
    const offered = await wait(world, key, purchase);
    if (!offered) return "waits";
    offer = await quoted(false);
  }
  const reviewUrl = await checkout(world, key, offer);
  if (reviewUrl === null) return "not to be had";
  switch (purchase.buyer) {
    case "changes_mind": {
      const other = async () => checkout(world, key, await quoted(purchase.firstBag, 1));
      return changeMind(world, purchase, reviewUrl, other);
    }
    case "cancels":
      return cancel(world, purchase, reviewUrl);
    case "returns":
      return comeBack(world, reviewUrl);
    default:
      return pay(world, purchase, reviewUrl);
  }
}

interface Wish {
  code: boolean;
  /** Bags more than at first. */
  more: number;
}

function quote(world: World, key: string, purchase: Purchase, { code, more }: Wish) {
  const { email, product_id, shipments } = purchase;
  const quantity = purchase.quantity + more;
  const body = quoteRequest({
    ...{ email, product_id, quantity, shipments },
    ...(code && { discount_code: "FIRSTBAG" }),
  });
  return insist(world, "/v1/quote-requests", { key, body });
}

/** Returns the review link, or null if the quote cannot be paid. */
async function checkout(world: World, key: string, { status, body }: Answer) {
  if (status !== 201 || body.status === "WAITLIST_OFFERED") return null;
  const answer = await insist(world, `/v1/quotes/${body.id}/checkout`, {
    key,
    body: { quote_hash: body.quote_hash },
  });
  return answer.status === 200 ? (answer.body.review_url as string) : null;
}

/** Returns true once bags are held for this buyer, false if the buyer gives up. */
async function wait(world: World, key: string, purchase: Purchase): Promise<boolean> {
  const { product_id, email } = purchase;
  const quantity = purchase.quantity * purchase.shipments;
  const body = { product_id, quantity, buyer: { email } };
  const joined = await insist(world, "/v1/waitlist", { key, body });
  if (joined.status !== 201) return false;
  let isConfirmed = false;
  for (let looks = 0; looks < 12; looks++) {
    if (!isConfirmed) isConfirmed = await world.confirm(joined.body.id);
    const entry = await insist(world, `/v1/waitlist/${joined.body.id}`, { key });
    if (entry.body.status === "OFFERED") return true;
    if (entry.body.status !== "WAITING") return false;
    await world.later();
  }
  return false;
}

/** Presses pay. Returns the hosted page's session, or null if there is nothing to pay. */
async function press(world: World, reviewUrl: string): Promise<string | null> {
  let answer = await insist(world, reviewUrl, { method: "POST", raw: "" });
  for (let again = 0; answer.status === 409 && again < 2; again++) {
    // Somebody else's payment holds the bags: the page says when to try again.
    await world.later();
    answer = await insist(world, reviewUrl, { method: "POST", raw: "" });
  }
  const location = answer.headers.get("location") ?? "";
  if (answer.status !== 303 || !location.includes("/sandbox/checkout/")) return null;
  return new URL(location).pathname.split("/").at(-1)!;
}

async function pay(world: World, purchase: Purchase, reviewUrl: string): Promise<Outcome> {
  const { sandbox } = world;
  if (purchase.buyer === "comes_too_late") for (let i = 0; i < 4; i++) await world.later();
  const together = Array.from({ length: purchase.pressing }, () => press(world, reviewUrl));
  const sessions = [...new Set(await Promise.all(together))].filter((id) => id !== null);
  const paid = async (card: string) => {
    const tries = sessions.flatMap((id) =>
      Array.from({ length: purchase.pressing }, () => sandbox.buyer.pay(id, card)),
    );
    return (await Promise.all(tries)).some(
      (r) => r?.outcome === "paid" || r?.outcome === "already_paid",
    );
  };
  switch (purchase.buyer) {
    case "leaves":
      return "not paid";
    case "only_declined":
      await paid(CARDS.declined);
      return "not paid";
    case "declined_then_card":
      await paid(CARDS.declined);
      await world.later();
      return (await paid(CARDS.pays)) ? "paid" : "not paid";
    case "three_d_secure": {
      await paid(CARDS.threeDSecure);
      const done = sessions.map((id) => sandbox.buyer.completeChallenge(id, true));
      return (await Promise.all(done)).some((r) => r?.outcome === "paid") ? "paid" : "not paid";
    }
    case "bank_settles":
      return (await debit(world, sessions, true)) ? "paid" : "not paid";
    case "bank_fails_then_card": {
      await debit(world, sessions, false);
      await world.later();
      const again = await press(world, reviewUrl);
      const result = again && (await sandbox.buyer.pay(again, CARDS.pays));
      return result && result.outcome === "paid" ? "paid" : "not paid";
    }
    default:
      return (await paid(CARDS.pays)) ? "paid" : "not paid";
  }
}

/** Starts a bank debit and waits until the weather ends it. */
async function debit(world: World, sessions: string[], ok: boolean): Promise<boolean> {
  const [sessionId] = sessions;
  if (sessionId === undefined) return false;
  const begun = await world.sandbox.buyer.pay(sessionId, "bank_debit");
  if (begun?.outcome !== "processing") return false;
  await new Promise<void>((resolve) => {
    world.debits.push({ sessionId, ok, ended: resolve });
  });
  return ok;
}

async function payWithCard(world: World, session: string | null): Promise<boolean> {
  const result = session === null ? null : await world.sandbox.buyer.pay(session, CARDS.pays);
  return result?.outcome === "paid" || result?.outcome === "already_paid";
}

const outcome = (done: boolean): Outcome => (done ? "paid" : "not paid");

/** The newer press replaces the older page, which some buyers pay all the same, before or after it. */
async function changeMind(
  world: World,
  { number }: Purchase,
  reviewUrl: string,
  other: () => Promise<string | null>,
): Promise<Outcome> {
  const older = await press(world, reviewUrl);
  const otherUrl = await other();
  if (otherUrl === null) return outcome(await payWithCard(world, older));
  const early = number % 3 === 0 && (await payWithCard(world, older));
  const newer = await press(world, otherUrl);
  const both = [
    await payWithCard(world, newer),
    number % 3 === 1 && (await payWithCard(world, older)),
  ];
  return outcome(early || both.some(Boolean));
}

async function cancel(world: World, { number }: Purchase, reviewUrl: string): Promise<Outcome> {
  const session = await press(world, reviewUrl);
  const page = session === null ? null : await world.sandbox.buyer.view(session);
  if (page) await insist(world, page.cancelUrl, { method: "GET" });
  // The page may still be open if the provider could not be reached to close it.
  if (number % 2 === 0 && (await payWithCard(world, session))) return "paid";
  if (number % 4 === 3) return "not paid";
  return outcome(await payWithCard(world, await press(world, reviewUrl)));
}

async function comeBack(world: World, reviewUrl: string): Promise<Outcome> {
  const session = await press(world, reviewUrl);
  await world.later();
  if (await payWithCard(world, session)) return "paid";
  return outcome(await payWithCard(world, await press(world, reviewUrl)));
}
