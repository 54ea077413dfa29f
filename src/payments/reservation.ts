import { mayKeep, type OverShare, overShare } from "../catalog/hold-share.ts";
import { bagsFromStock, type Hold, holdsOf, planHolds, withoutHolds } from "../catalog/holds.ts";
import { bagsOf } from "../core/bags.ts";
import type { State } from "../core/command.ts";
import { type AttemptRow, isUnpaid, LIVE, type WaitlistRow } from "../core/records.ts";
import { payerOf } from "../quotes/bought-already.ts";
import { customerRow, type LostReason, lostFor } from "../quotes/standing.ts";
import { ownOffers } from "../waitlist/own-offers.ts";
import { type AttemptCommand, isHoldOver } from "./attempt.ts";

export interface ReservationRequest extends Omit<AttemptCommand, "attemptId"> {
  /** Whether the quote has the first-order courtesy. */
  firstOrder: boolean;
  /** `wishOf` the quote: an identical one is paid on one page at a time. */
  wish: string;
  /** Pseudonym of the client's address; null if one address may pay for many orders. */
  address: string | null;
}

export type Reservation =
  /** Everything is available once the older attempts in `instead` are closed. */
  | { kind: "granted"; holds: Hold[]; instead: AttemptRow[] }
  | { kind: "lost"; reason: LostReason }
  /** Somebody else is paying for it, at the latest until `until` (null if unknown). */
  | { kind: "taken"; what: "COURTESY" | "BAGS"; until: number | null }
  /** More bags of a bean than one buyer may hold unpaid. Waiting does not help. */
  | ({ kind: "too_many" } & OverShare);

/**
 * Decides what a press of pay can hold now (contract §5). Only sold bags and redeemed courtesies are lost
 * for good; unpaid holds of others may end. The newest attempt of the same agent and customer, or of the
 * same cart, is what the buyer wants: it takes over what it needs from the older ones.
 */
export function reserve(c: ReservationRequest, s: State): Reservation {
  const reason = lostFor(c, s);
  if (reason) return { kind: "lost", reason };
  const customer = customerRow(c, s);
  const live = s.attempts.filter((attempt) => LIVE.has(attempt.status));
  const own = live.filter((attempt) => mayReplace(c, attempt));
  const reserved = c.firstOrder && customer?.courtesy === "RESERVED";
  const holder = reserved ? customer.courtesy_attempt : null;
  if (reserved && !own.some(({ id }) => id === holder)) {
    const until = live.find(({ id }) => id === holder)?.hold_until ?? null;
    return { kind: "taken", what: "COURTESY", until };
  }
  const needed = own.filter((attempt) => attempt.id === holder || isInTheWay(c, attempt));
  for (const instead of [needed, own]) {
    const holds = holdsFor(c, s, live, instead);
    if (holds) return { kind: "granted", holds, instead };
  }
  return tooMany(c, s) ?? { kind: "taken", what: "BAGS", until: null };
}

/** Whether the attempt is unpaid and either past its time or, as far as we know, the same buyer's. */
function mayReplace({ quote, now }: ReservationRequest, attempt: AttemptRow): boolean {
  if (!isUnpaid(attempt)) return false;
  if (isHoldOver(attempt, now)) return true;
  if (attempt.payer === null || attempt.payer !== payerOf(quote)) return false;
  return quote.agent_id === null || attempt.customer === quote.customer;
}

/**
 * Whether the older page goes even if its bags are not needed: a cart and an identical quote are bought
 * once, and an expired attempt has no use.
 */
const isInTheWay = ({ quote, now, wish }: ReservationRequest, attempt: AttemptRow): boolean =>
  isHoldOver(attempt, now) ||
  attempt.wish === wish ||
  (quote.cart !== null && attempt.payer === quote.cart);

/** Holds for the bags if the attempts in `instead` were over; null if there are too few bags. */
function holdsFor(
  c: ReservationRequest,
  s: State,
  live: readonly AttemptRow[],
  instead: readonly AttemptRow[],
): Hold[] | null {
  const { stock, waitlist } = withoutHolds(instead, s);
  const holds = planHolds(c.bags, stock, ownOffers(c.quote, waitlist));
  const rest = live.filter((attempt) => !instead.includes(attempt));
  const used = new Set(holds?.flatMap(({ entries }) => entries.map(({ id }) => id)));
  const offers = waitlist.filter(({ id, status }) => status === "OFFERED" && !used.has(id));
  const kept = (productId: string, same: (by: AttemptRow | WaitlistRow) => boolean) =>
    bagsFromStock(rest.filter(same).flatMap(holdsOf), productId) +
    bagsOf(offers.filter(same), productId);
  const may = ({ product_id, fromStock }: Hold) => {
    const row = stock.find((one) => one.product_id === product_id);
    return (
      fromStock === 0 ||
      mayKeep(row!, fromStock, {
        customer: kept(product_id, (by) => by.customer === c.quote.customer),
        network: kept(product_id, (by) => c.address !== null && by.address === c.address),
      })
    );
  };
  return holds?.every(may) ? holds : null;
}

/** Refusal of bags over the buyer's share, even if others held none. Own offers are not counted. */
function tooMany(c: ReservationRequest, { stock, waitlist }: State): Reservation | null {
  const [over] = overShare(c.bags, { stock, offers: ownOffers(c.quote, waitlist) });
  return over ? { kind: "too_many", ...over } : null;
}
