import { refuseRevoked } from "../agents/agent.ts";
import type { Product } from "../catalog/catalog.ts";
import { refuseOutdated } from "../catalog/catalog-version.ts";
import { inOneOrder, onHand, share } from "../catalog/hold-share.ts";
import { bags, freeBagsOf, isOrAre } from "../core/bags.ts";
import { insert, lock, type Rule, type State, setSetting } from "../core/command.ts";
import { customerOf } from "../core/email.ts";
import { MerchantError } from "../core/errors.ts";
import { step } from "../core/next-step.ts";
import { iso, LIMITS } from "../core/policy.ts";
import { newRow, type WaitlistRow } from "../core/records.ts";
import {
  type EntryView,
  isBeingPaid,
  nextSteps,
  type WaitlistRequest,
  waitlistView,
} from "./waitlist.ts";

export interface JoinWaitlist {
  now: number;
  id: string;
  /** Null for a buyer without an agent. */
  agentId: string | null;
  /** A pseudonym of the client network; null where none is counted. */
  network?: string | null;
  request: WaitlistRequest;
  bean: Product;
  catalogVersion: number;
  /** The queue as it was a moment ago. */
  queue: KnownQueue;
}

/** Joins at the end. The stock row is locked first: who commits first is first. */
export const joinWaitlist: Rule<JoinWaitlist, EntryView> = {
  reads: (c) => [
    ...(c.agentId === null ? [] : [lock("agents", { id: c.agentId })]),
    lock("settings", { name: turnSetting(c.bean.product_id) }),
    lock("stock", { product_id: c.bean.product_id }),
    lock("waitlist", {
      product_id: c.bean.product_id,
      customer: customerOf(c.request.buyer.email),
      status: ["WAITING", "OFFERED"],
    }),
  ],
  decide(c, s) {
    // A revoked key has left its places, and has no use for bags that are held.
    refuseRevoked(s.agents[0]);
    refuseOutdated(c, s);
    refuseBean(c.bean);
    const live = s.waitlist;
    // Of a buyer without an agent nothing but the email is known, which anybody can type.
    const own = c.agentId !== null && live.find((row) => row.agent_id === c.agentId);
    if (own) throw alreadyWaiting(own);
    refuseInStock(c, s);
    refuseTooMany(c, s);
    if (live.length > 0) throw alreadyWaiting(null);
    const { at, ahead, counted } = nextTurn(c, s);
    const entry = newRow("waitlist", {
      id: c.id,
      agent_id: c.agentId,
      product_id: c.bean.product_id,
      quantity: c.request.quantity,
      buyer_email: c.request.buyer.email,
      customer: customerOf(c.request.buyer.email),
      address: c.network ?? null,
      status: "WAITING",
      created_at: at,
    });
    return { reply: waitlistView(entry, ahead), writes: [insert("waitlist", entry), counted] };
  },
};

function refuseBean(bean: Product): void {
  if (bean.availability === "WAITLIST") return;
  const detail = `${bean.name_to_use_with_humans} has no waitlist.`;
  const instead =
    bean.availability === "STOCKED"
      ? step("request_quote", "It is a stocked bean: request a quote for it.")
      : step("ask", "It is the exclusive bean: good questions earn a finder key for it.");
  throw new MerchantError("WAITLIST_NOT_OFFERED", detail, {
    at: "/product_id",
    next: [instead, step("get_catalog", "Only beans with availability WAITLIST have one.")],
  });
}

/** A queue is for what is short: a buyer who can buy has no need to have bags kept. */
function refuseInStock({ request, bean }: JoinWaitlist, { stock }: Pick<State, "stock">): void {
  const free = freeBagsOf(stock, bean.product_id);
  if (free < request.quantity) return;
  const { product_id, name_to_use_with_humans: name } = bean;
  const most = share(free);
  const isOver = most < request.quantity;
  const atOnce = isOver ? ` for at most ${bags(most)}, then for more` : "";
  const over = inOneOrder(product_id, isOver ? [{ product_id, most }] : []);
  const detail = `There ${isOrAre(free)} ${bags(free)} of ${name}, enough for ${request.quantity}${over}.`;
  throw new MerchantError("IN_STOCK", detail, {
    at: "/quantity",
    next: [step("request_quote", `Request a quote${atOnce}: there is no need to wait.`)],
  });
}

/** More than one order can have would only be passed over. */
function refuseTooMany({ request, bean }: JoinWaitlist, { stock }: Pick<State, "stock">): void {
  const most = Math.max(LIMITS.waitlist_bags, share(onHand(stock, bean.product_id)));
  if (request.quantity <= most) return;
  const detail = `One waitlist entry for ${bean.name_to_use_with_humans} can have at most ${bags(most)}.`;
  throw new MerchantError("LIMIT_EXCEEDED", detail, {
    at: "/quantity",
    next: [step("join_waitlist", `Join for at most ${bags(most)}.`)],
  });
}

/**
 * One place per customer, whichever agent asks for it; of another key's entry nothing else is told.
 */
function alreadyWaiting(entry: WaitlistRow | null): MerchantError {
  if (entry === null) {
    const detail = "This buyer already has a place in this queue.";
    return new MerchantError("ALREADY_WAITING", detail, {
      at: "/buyer/email",
      next: [step("get_catalog", "Choose another bean meanwhile.")],
    });
  }
  const { id, quantity, offer_expires_at: ends } = entry;
  const problems = [{ pointer: "/buyer/email", code: "ALREADY_WAITING", detail: id }];
  if (entry.status === "OFFERED") {
    const held = `${bags(quantity)} ${isOrAre(quantity)} held until ${iso(ends!)}.`;
    const detail = isBeingPaid(entry)
      ? `This buyer is paying for bags of this bean: entry ${id}.`
      : `This buyer has been offered this bean: entry ${id}. ${held}`;
    return new MerchantError("ALREADY_WAITING", detail, { problems, next: nextSteps(entry, true) });
  }
  const detail = `This buyer is already waiting for this bean: entry ${id}.`;
  return new MerchantError("ALREADY_WAITING", detail, {
    problems,
    next: [
      step("get_waitlist_entry", "Read that entry and its position.", id),
      step("leave_waitlist", "To join with another quantity, at the end, leave it first.", id),
    ],
  });
}

/**
 * Whose turn comes when, without reading a queue: its setting counts who ever joined and says when the
 * last one did. Written by every join, under the lock that all who join wait for.
 */
interface Turns {
  joined: number;
  /** When the last one joined, in milliseconds. */
  last: number;
}

/** A queue as it was at one moment before. */
interface KnownQueue {
  waiting: number;
  /** When the last of those who wait or were offered joined; 0 where there are none. */
  last: number;
  /** The setting's value then; null before the first one joined. */
  turns: string | null;
}

export const turnSetting = (productId: string): string => `waitlist:${productId}`;

const turnsOf = (value: string | null): Turns =>
  value === null ? { joined: 0, last: 0 } : (JSON.parse(value) as Turns);

/** Strictly after all who are there, so that no entry comes before one of them. */
function nextTurn({ now, bean, queue }: JoinWaitlist, s: State) {
  const name = turnSetting(bean.product_id);
  const turns = turnsOf(s.settings[0]?.value ?? null);
  const at = Math.max(now, turns.last + 1, queue.last + 1);
  const value = JSON.stringify({ joined: turns.joined + 1, last: at } satisfies Turns);
  const counted = setSetting(s, name, value);
  return { at, ahead: queue.waiting + turns.joined - turnsOf(queue.turns).joined, counted };
}
