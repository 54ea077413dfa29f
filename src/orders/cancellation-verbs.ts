import { type Intent, type Reply, scopeOf } from "../core/command.ts";
import type { Context } from "../core/context.ts";
import { illegalStep } from "../core/errors.ts";
import { sha256 } from "../core/hash.ts";
import { newId, newIds } from "../core/ids.ts";
import { inputProblems, invalid } from "../core/input-problems.ts";
import type { Asker, OrderRow } from "../core/records.ts";
import { retryable, runOnce } from "../core/retryable.ts";
import type { ReviewedQuote } from "../payments/checkout-request.ts";
import {
  CancelWish,
  requestCancellation,
  requestReceived,
  requestWithdrawn,
  withdrawCancellation,
} from "./cancel-request.ts";
import type { CancelAnswer } from "./order-answer.ts";
import { ownOrder, refsOf } from "./order-verbs.ts";

const requestOnce = retryable(requestCancellation, {
  keep: ["id"],
  find: (queries, { id }) => queries.cancelRequest(id),
  show: requestReceived,
});

const withdrawOnce = retryable(withdrawCancellation, {
  keep: ["id"],
  find: (queries, { id }) => queries.cancelRequest(id),
  show: requestWithdrawn,
});

type OrderName = Pick<OrderRow, "id" | "quote_id">;

/** Cancel requests of agents and buyers (contract §5). */
export function cancellationVerbs({ store, clock }: Context) {
  const stamp = () => {
    const now = clock();
    return { now, eventIds: newIds("evt", now, 1) };
  };

  async function ask(order: OrderName, wish: CancelWish, askedBy: Asker, intent: Intent) {
    const refs = await refsOf(store, order);
    const made = stamp();
    const id = newId("cr", made.now);
    const command = { ...made, intent, id, orderId: order.id, wish, askedBy, refs };
    return runOnce(store, requestOnce, command);
  }

  function orderIdOf({ state }: ReviewedQuote): string {
    if (state.order_id !== null) return state.order_id;
    throw illegalStep("There is no order yet, so there is nothing to cancel.");
  }

  return {
    async request(called: string, wish: CancelWish, agentId: string, intent: Intent) {
      return ask(await ownOrder(store, called, agentId), wish, "AGENT", intent);
    },

    async withdraw(called: string, agentId: string, intent: Intent): Promise<Reply<CancelAnswer>> {
      const { id: orderId } = await ownOrder(store, called, agentId);
      const command = { ...stamp(), intent, orderId, withdrawnBy: "AGENT" as const };
      return runOnce(store, withdrawOnce, command);
    },

    /** A request from the order's page. The same `form` sent twice makes one request. */
    async requestAsBuyer(found: ReviewedQuote, sent: unknown, form: string): Promise<void> {
      const orderId = orderIdOf(found);
      const parsed = CancelWish.safeParse(sent);
      if (!parsed.success) {
        throw invalid(inputProblems(parsed.error, { schema: CancelWish, input: sent }));
      }
      const hash = sha256(JSON.stringify([form, parsed.data]));
      const scope = scopeOf("buyer", "cancel request", [orderId]);
      const order = { id: orderId, quote_id: found.quote.id };
      await ask(order, parsed.data, "BUYER", { scope, keyHash: hash, requestHash: hash });
    },

    async withdrawAsBuyer(found: ReviewedQuote, requestId: string): Promise<void> {
      const orderId = orderIdOf(found);
      const command = { ...stamp(), orderId, requestId, withdrawnBy: "BUYER" as const };
      await store.run(withdrawCancellation, command);
    },
  };
}
