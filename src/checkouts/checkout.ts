import { type Decision, insert, lock, type Rule, update, type Write } from "../core/command.ts";
import { Email } from "../core/email.ts";
import { unknownTo } from "../core/errors.ts";
import { sha256 } from "../core/hash.ts";
import { type AgentId, newNonce } from "../core/ids.ts";
import { DAY_MS, ROOM } from "../core/policy.ts";
import { parseInput } from "../core/read-input.ts";
import type { CheckoutRow } from "../core/records.ts";
import type { Cart } from "./cart.ts";

/*
 * A checkout is one purchase, from its first bag to its order: a link, the shop's cart, a UCP cart with its
 * checkout, or the page of a place on a waitlist (contract §10). Its quotes are filed under `page`.
 */

/** A UCP client knows a checkout by its id ("chk_…"), and its cart by a name ("crt_…"). */
export type CheckoutKind = "crt" | "chk";

export const newCheckoutId = (): string => `chk_${newNonce()}`;

const kindOf = (id: string): CheckoutKind | null =>
  (/^(crt|chk)_[\w-]{22}$/.exec(id)?.[1] as CheckoutKind | undefined) ?? null;

export const isOfKind = (id: string, kind: CheckoutKind): boolean => kindOf(id) === kind;

/** Id of the checkout of a new cart. */
export const checkoutOfCart = (cartId: string): string => `chk_${cartId.slice("crt_".length)}`;

/** Days after its last change. */
export const SHOP_CART_DAYS = 30;

/** Lifetime of a checkout after its last change. */
export const CHECKOUT_MS: Record<CheckoutRow["via"], number> = {
  LINK: DAY_MS,
  UCP: DAY_MS,
  WAITLIST: DAY_MS,
  SHOP: SHOP_CART_DAYS * DAY_MS,
};

/** It can be changed: not canceled, ordered or expired. */
export const isLive = (row: CheckoutRow, now: number): boolean =>
  row.canceled_at === null && row.order_id === null && now < row.expires_at;

export const cartOf = ({ cart }: Pick<CheckoutRow, "cart">): Cart => JSON.parse(cart) as Cart;

/** Email and address as typed on a checkout's page. Only the browser that typed them may read them. */
export interface TypedBuyer {
  /** SHA-256 of the browser's secret. */
  browser: string;
  values: Record<string, string | undefined>;
}

export const typedBy = ({ buyer }: Pick<CheckoutRow, "buyer">): TypedBuyer | null =>
  buyer === null ? null : (JSON.parse(buyer) as TypedBuyer);

/** The email that the buyer has typed, if it is one. It decides the price, and is shown to nobody else. */
export function typedEmail(row: Pick<CheckoutRow, "buyer">): string | undefined {
  const read = parseInput(Email, typedBy(row)?.values.email);
  return read.success ? read.data : undefined;
}

export interface OpenCheckout {
  now: number;
  id: string;
  name?: string | null;
  /** `quotes.cart` of its quotes, if not the hash of its id. */
  page?: string;
  cart: Cart;
  buyer?: TypedBuyer | undefined;
  agentId?: AgentId | null;
  via: CheckoutRow["via"];
}

export interface Opened {
  id: string;
  expiresAt: number;
  created: boolean;
}

/** Makes a checkout, or finds the live one of this name. A name of one that ended goes to the new one. */
export const openCheckout: Rule<OpenCheckout, Opened> = {
  // The unique key of `name` decides a race.
  reads: ({ name = null }) => (name === null ? [] : [lock("checkouts", { name })]),
  decide(c, { checkouts: [known] }) {
    if (c.cart.items.length === 0 && c.via !== "SHOP") throw unknownTo("cart");
    if (known && isReusable(known, c)) return renewed(known, c.now);
    const row = newCheckout(c);
    return {
      reply: { id: row.id, expiresAt: row.expires_at, created: true },
      writes: [...(known ? [withoutName(known)] : []), insert("checkouts", row)],
      room: ROOM.offers_bytes,
    };
  },
};

/**
 * The page of a place on a waitlist lives as long as the place. An agent that asks again within a day gets its
 * link back, also once that is paid.
 */
const isReusable = (row: CheckoutRow, { now, via }: OpenCheckout): boolean =>
  via === "WAITLIST"
    ? isLive({ ...row, expires_at: Infinity }, now)
    : row.canceled_at === null && now < row.created_at + CHECKOUT_MS[via];

const newCheckout = ({ now, id, name = null, page, cart, buyer, agentId, via }: OpenCheckout) => ({
  id,
  name,
  page: page ?? sha256(id),
  cart: JSON.stringify(cart),
  buyer: buyer ? JSON.stringify(buyer) : null,
  agent_id: agentId ?? null,
  via,
  version: 1,
  created_at: now,
  expires_at: now + CHECKOUT_MS[via],
});

const withoutName = ({ id }: CheckoutRow): Write => update("checkouts", { id }, { name: null });

function renewed(row: CheckoutRow, now: number): Decision<Opened> {
  const expires_at = Math.max(row.expires_at, now + CHECKOUT_MS[row.via]);
  return {
    reply: { id: row.id, expiresAt: expires_at, created: false },
    writes: [update("checkouts", { id: row.id }, { expires_at })],
  };
}

/** Finds the checkout of a UCP cart. */
export const convertCart: Rule<{ now: number; cartId: string }, Opened> = {
  reads: ({ cartId: name }) => [lock("checkouts", { name })],
  decide({ now }, { checkouts: [row] }) {
    if (!row || !isLive(row, now)) throw unknownTo("cart");
    const { reply, writes } = renewed(row, now);
    if (row.converted_at !== null) return { reply, writes };
    const converted = update("checkouts", { id: row.id }, { converted_at: now });
    return { reply: { ...reply, created: true }, writes: [...writes, converted] };
  },
};

export interface ChangeCheckout {
  now: number;
  id: string;
  cart: Cart;
  /** Left out, it stays. */
  buyer?: TypedBuyer | undefined;
  /** Version that the caller has read; a newer one is not overwritten. Left out, the change is made anyway. */
  version?: number | undefined;
}

/** Replaces the content of a live checkout. Its quotes stay as they are until the next one is made. */
export const changeCheckout: Rule<ChangeCheckout, { id: string; created: false; stale: boolean }> =
  {
    reads: ({ id }) => [lock("checkouts", { id })],
    decide({ now, id, cart, buyer, version }, { checkouts: [row] }) {
      if (!row || !isLive(row, now)) throw unknownTo("checkout");
      if (version !== undefined && version !== row.version) {
        return { reply: { id, created: false, stale: true }, writes: [] };
      }
      const json = JSON.stringify(cart);
      const set = {
        cart: json,
        ...(buyer && { buyer: JSON.stringify(buyer) }),
        version: json === row.cart ? row.version : row.version + 1,
        expires_at: Math.max(row.expires_at, now + CHECKOUT_MS[row.via]),
      };
      return {
        reply: { id, created: false, stale: false },
        writes: [update("checkouts", { id }, set)],
      };
    },
  };

interface CancelCheckout {
  now: number;
  id: string;
  /** Id of the cart's next checkout. Null cancels the cart, too. */
  nextId: string | null;
}

/** Ends a checkout: its payment pages are closed, and none opens any more. Its cart gets another one. */
export const cancelCheckout: Rule<CancelCheckout, { id: string; created: false }> = {
  reads: ({ id }) => [lock("checkouts", { id })],
  decide({ now, id, nextId }, { checkouts: [row] }) {
    if (!row || !isLive(row, now)) throw unknownTo("checkout");
    const ended = { canceled_at: now, expires_at: now };
    const { name, via, agent_id: agentId } = row;
    const goesOn = nextId !== null && name !== null;
    const writes = goesOn
      ? [
          update("checkouts", { id }, { ...ended, name: null }),
          insert(
            "checkouts",
            newCheckout({ now, id: nextId, name, cart: cartOf(row), agentId, via }),
          ),
        ]
      : [update("checkouts", { id }, ended)];
    return { reply: { id, created: false }, writes };
  },
};
