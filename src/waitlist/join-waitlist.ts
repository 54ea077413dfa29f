import { refuseRevoked } from "../agents/agent.ts";
import type { Product } from "../catalog/catalog.ts";
import { refuseOutdated } from "../catalog/catalog-version.ts";
import { bags, freeBagsOf, isOrAre } from "../core/bags.ts";
import {
  insert,
  lock,
  type Rule,
  type State,
  setSetting,
  update,
  type Write,
} from "../core/command.ts";
import { customerOf } from "../core/email.ts";
import { MerchantError } from "../core/errors.ts";
import type { AgentId } from "../core/ids.ts";
import { step } from "../core/next-step.ts";
import { LIMITS } from "../core/policy.ts";
import { newRow, type WaitlistRow } from "../core/records.ts";
import type { Placed, WaitlistRequest } from "./waitlist.ts";

export interface JoinWaitlist {
  now: number;
  id: string;
  /** Null for a buyer without an agent. */
  agentId: AgentId | null;
  request: WaitlistRequest;
  bean: Product;
  catalogVersion: number;
  /** The queue when the verb read it, before the transaction. */
  queue: KnownQueue;
}

/**
 * Joins at the end of the queue. The stock row is locked first, so the first to commit comes first.
 *
 * A key has one live entry per customer and bean, and joining again changes its quantity. Entries of other
 * keys and of people without an agent change nothing in the answer: nobody learns who waits.
 */
export const joinWaitlist: Rule<JoinWaitlist, Placed> = {
  reads: (c) => [
    ...(c.agentId === null ? [] : [lock("agents", { id: c.agentId })]),
    lock("settings", { name: turnSetting(c.bean.product_id) }),
    lock("stock", { product_id: c.bean.product_id }),
    ...(c.agentId === null ? [] : [lock("waitlist", { ...placeOf(c), agent_id: c.agentId })]),
  ],
  decide(c, s) {
    // A revoked key has left its places and could not use held bags.
    refuseRevoked(s.agents[0]);
    refuseOutdated(c, s);
    refuseBean(c.bean);
    const { quantity } = c.request;
    const own = s.waitlist[0];
    const stays = own?.status === "OFFERED" || own?.quantity === quantity;
    if (!stays) refuseInStock(c, s);
    refuseTooMany(c, s);
    if (own) {
      if (stays) return placed(own);
      return placed({ ...own, quantity }, [update("waitlist", { id: own.id }, { quantity })]);
    }
    const { at, ahead, counted } = nextTurn(c, s);
    const entry = newRow("waitlist", {
      ...{ id: c.id, agent_id: c.agentId, product_id: c.bean.product_id, quantity },
      ...{ buyer_email: c.request.buyer.email, customer: customerOf(c.request.buyer.email) },
      ...{ status: "WAITING", created_at: at },
    });
    return placed(entry, [insert("waitlist", entry), counted], ahead);
  },
};

const placed = (row: WaitlistRow, writes: Write[] = [], ahead?: number) => ({
  reply: { id: row.id, row, ...(ahead !== undefined && { ahead }) },
  writes,
});

const placeOf = ({ bean, request }: JoinWaitlist) => ({
  product_id: bean.product_id,
  customer: customerOf(request.buyer.email),
  status: ["WAITING", "OFFERED"] as const,
});

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
