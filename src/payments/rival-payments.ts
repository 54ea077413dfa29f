import { enoughAt, holdsOf } from "../catalog/holds.ts";
import type { Context } from "../core/context.ts";
import { MINUTE_MS } from "../core/policy.ts";
import type { AttemptRow } from "../core/records.ts";
import type { Terms } from "../quotes/quote-answer.ts";
import { ofTerms } from "../quotes/quote-terms.ts";
import { agreedOf, type Settling } from "./checkout-request.ts";
import { isUnknownThere, ProviderUnavailable } from "./provider.ts";
import type { StartResult } from "./start.ts";

/** What is past its time is let go by a background job within this long. */
const RETRY_MS = MINUTE_MS;

/** How many holds of one bean are looked at to say when enough of them end. */
const HOLDS_SEEN = 100;

/** Other payments that stand in the way of one: the buyer's own older ones, and strangers'. */
export function rivalPayments(context: Context, settling: Settling) {
  const { store, clock, provider, log } = context;

  /**
   * Those whose pages cannot be paid any more, for the newer attempt that takes their place. Until
   * then they hold what they hold; a page that turns out to be paid is an order as ever. Null where
   * the provider does not answer.
   */
  async function closePages(attempts: readonly AttemptRow[]): Promise<AttemptRow[] | null> {
    const closed: AttemptRow[] = [];
    for (const attempt of attempts) {
      try {
        if (await closePage(attempt)) closed.push(attempt);
      } catch (error) {
        if (isUnknownThere(error)) {
          closed.push(attempt);
          continue;
        }
        if (!(error instanceof ProviderUnavailable)) throw error;
        log.warn({ attempt: attempt.id, error }, "an older page was not closed yet");
        return null;
      }
    }
    return closed;
  }

  async function closePage(attempt: AttemptRow): Promise<boolean> {
    // The address was not given to anybody yet, and from now on it is not.
    if (attempt.session_id === null) return true;
    const state = await provider.expireCheckout(attempt.session_id);
    if (state.status === "expired") return true;
    await settling.settleWith(attempt, await agreedOf(store, attempt), state);
    return false;
  }

  /** Until when it is taken: the one payment's time, or the first that may free enough bags. */
  async function freeAt(terms: Terms, { what, until }: Extract<StartResult, { kind: "taken" }>) {
    const soonest = clock() + RETRY_MS;
    if (what !== "BAGS") return Math.max(soonest, until ?? soonest);
    const stock = await store.queries.stock();
    const times = await Promise.all(
      ofTerms(terms).bags.map(async (bag) => enoughAt(bag, stock, await holdEnds(bag.product_id))),
    );
    return Math.max(soonest, ...times.filter((at) => at !== null));
  }

  async function holdEnds(productId: string) {
    const [attempts, offers] = await Promise.all([
      store.queries.attemptsHolding(productId, HOLDS_SEEN),
      store.queries.offersHolding(productId, HOLDS_SEEN),
    ]);
    const held = attempts.flatMap((attempt) =>
      holdsOf(attempt)
        .filter((hold) => hold.product_id === productId && hold.fromStock > 0)
        .map((hold) => ({ at: attempt.hold_until, bags: hold.fromStock })),
    );
    const offered = offers.map((entry) => ({ at: entry.offer_expires_at!, bags: entry.quantity }));
    return [...held, ...offered];
  }

  return { closePages, freeAt };
}
