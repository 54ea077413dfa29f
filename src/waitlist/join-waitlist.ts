import { refuseRevoked } from "../agents/agent.ts";
import type { Product } from "../catalog/catalog.ts";
import { refuseOutdated } from "../catalog/catalog-version.ts";
import { bags, freeBagsOf, isOrAre } from "../core/bags.ts";
import { insert, lock, type Rule, type State, setSetting } from "../core/command.ts";
import { customerOf } from "../core/email.ts";
import { MerchantError } from "../core/errors.ts";
import type { AgentId } from "../core/ids.ts";
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
  agentId: AgentId | null;
  /** Pseudonym of the client network; null if networks are not counted. */
  network?: string | null;
  request: WaitlistRequest;
  bean: Product;
  catalogVersion: number;
  /** The queue when the verb read it, before the transaction. */
  queue: KnownQueue;
}

/** Joins at the end of the queue. The stock row is locked first, so the first to commit comes first. */
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
    // A revoked key has left its places and could not use held bags.
    refuseRevoked(s.agents[0]);
    refuseOutdated(c, s);
    refuseBean(c.bean);
    const live = s.waitlist;
    // Without an agent, only the email address is known, and anybody can type it.
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
      ? step("request_quote", "This bean is sold from stock: request a quote.")
      : step("ask", "Earn a finder key for the exclusive bean with good questions.");
  throw new MerchantError("WAITLIST_NOT_OFFERED", detail, {
    at: "/product_id",
    next: [instead, step("get_catalog", "Only beans with availability WAITLIST have one.")],
  });
}

/** Refuses to queue for bags that can be bought now. */
function refuseInStock({ request, bean }: JoinWaitlist, { stock }: Pick<State, "stock">): void {
  const free = freeBagsOf(stock, bean.product_id);
  if (free < request.quantity) return;
  const { name_to_use_with_humans: name } = bean;
  const detail = `There ${isOrAre(free)} ${bags(free)} of ${name}, enough for ${request.quantity}.`;
  throw new MerchantError("IN_STOCK", detail, {
    at: "/quantity",
    next: [step("request_quote", "Request a quote: there is no need to wait.")],
  });
}

/** Offers are kept without money, so they are small. */
function refuseTooMany({ request, bean }: JoinWaitlist, { stock }: Pick<State, "stock">): void {
  const most = LIMITS.waitlist_bags;
  if (request.quantity <= most) return;
  const detail = `One waitlist entry for ${bean.name_to_use_with_humans} can have at most ${bags(most)}.`;
  throw new MerchantError("LIMIT_EXCEEDED", detail, {
    at: "/quantity",
    next: [
      freeBagsOf(stock, bean.product_id) < most
        ? step("join_waitlist", `Join for at most ${bags(most)}.`)
        : step("request_quote", "Take the bags in stock now."),
      step("send_bulk_lead", "Or ask the merchant about all the bags."),
    ],
  });
}

/** Refusal of a second place for one customer. Null hides the entry of another key. */
function alreadyWaiting(entry: WaitlistRow | null): MerchantError {
  if (entry === null) {
    const detail = "This buyer already has a place in this queue.";
    return new MerchantError("ALREADY_WAITING", detail, {
      at: "/buyer/email",
      isRevealing: true,
      next: [step("get_catalog", "Choose another bean.")],
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
      step("get_waitlist_entry", "Read this entry and its position.", id),
      step("leave_waitlist", "To change the quantity, leave and join again at the end.", id),
    ],
  });
}

/**
 * Gives positions without a read of the whole queue. Each join updates this setting under a lock that all
 * joins of the bean share.
 */
interface Turns {
  /** Entries that ever joined. */
  joined: number;
  /** Time of the last join, in milliseconds. */
  last: number;
}

/** A queue at the time of the verb's read. */
interface KnownQueue {
  waiting: number;
  /** Last time that a live entry joined; 0 without live entries. */
  last: number;
  /** The setting's value then; null before the first join. */
  turns: string | null;
}

export const turnSetting = (productId: string): string => `waitlist:${productId}`;

const turnsOf = (value: string | null): Turns =>
  value === null ? { joined: 0, last: 0 } : (JSON.parse(value) as Turns);

/** Returns a time after every earlier join, so that time orders the queue, and the entries ahead. */
function nextTurn({ now, bean, queue }: JoinWaitlist, s: State) {
  const name = turnSetting(bean.product_id);
  const turns = turnsOf(s.settings[0]?.value ?? null);
  const at = Math.max(now, turns.last + 1, queue.last + 1);
  const value = JSON.stringify({ joined: turns.joined + 1, last: at } satisfies Turns);
  const counted = setSetting(s, name, value);
  return { at, ahead: queue.waiting + turns.joined - turnsOf(queue.turns).joined, counted };
}
