import { type Intent, once, type Reply, scopeOf } from "../core/command.ts";
import { illegalStep } from "../core/errors.ts";
import { sha256 } from "../core/hash.ts";
import { type AgentId, newId, newIds } from "../core/ids.ts";
import { inputProblems, invalid } from "../core/input-problems.ts";
import { parseInput } from "../core/read-input.ts";
import type { Asker, OrderRow } from "../core/records.ts";
import { runOnce } from "../core/retryable.ts";
import type { ReviewedQuote } from "../payments/checkout-request.ts";
import type { Context } from "../payments/provider.ts";
import {
  CancelWish,
  cancelAnswer,
  requestCancellation,
  withdrawCancellation,
} from "./cancel-request.ts";
import { ownOrder, refsOf } from "./found-orders.ts";
import type { CancelAnswer } from "./order-answer.ts";

const requestOnce = once(requestCancellation, ["id"]);
const withdrawOnce = once(withdrawCancellation, ["id"]);

type OrderName = Pick<OrderRow, "id" | "quote_id">;

/** Cancel requests of agents and buyers (contract §5). */
export function cancellationVerbs(context: Context) {
  const { store, clock } = context;
  const stamp = () => {
    const now = clock();
    return { now, eventIds: newIds("evt", now, 1) };
  };

  /** A request as it is now, for retries. */
  const answerNow =
    (refs: ReadonlyMap<string, string>) =>
    async ({ id }: { id: string }): Promise<CancelAnswer | undefined> => {
      const row = await store.queries.cancelRequest(id);
      return row && cancelAnswer(row, refs);
    };

  async function ask(order: OrderName, wish: CancelWish, askedBy: Asker, intent: Intent) {
    const refs = await refsOf(store, order);
    const made = stamp();
    const id = newId("cr", made.now);
    const command = { ...made, intent, id, orderId: order.id, wish, askedBy, refs };
    return runOnce(store, requestOnce, command, answerNow(refs));
  }

  function orderIdOf({ state }: ReviewedQuote): string {
    if (state.order_id !== null) return state.order_id;
    throw illegalStep("There is no order yet, so there is nothing to cancel.");
  }

  return {
    async request(called: string, wish: CancelWish, agentId: AgentId, intent: Intent) {
      return ask(await ownOrder(context, called, agentId), wish, "AGENT", intent);
    },

    async withdraw(called: string, agentId: AgentId, intent: Intent): Promise<Reply<CancelAnswer>> {
      const order = await ownOrder(context, called, agentId);
      const refs = await refsOf(store, order);
      const asked = { intent, orderId: order.id, refs, withdrawnBy: "AGENT" as const };
      const command = { ...stamp(), ...asked };
      return runOnce(store, withdrawOnce, command, answerNow(refs));
    },

    /** A request from the order's page. The same `form` sent twice makes one request. */
    async requestAsBuyer(found: ReviewedQuote, sent: unknown, form: string): Promise<void> {
      const orderId = orderIdOf(found);
      const parsed = parseInput(CancelWish, sent);
      if (!parsed.success)
        throw invalid(inputProblems(parsed.issues, { schema: CancelWish, input: parsed.input }));
      const hash = sha256(JSON.stringify([form, parsed.data]));
      const scope = scopeOf("buyer", "cancel request", [orderId]);
      const order = { id: orderId, quote_id: found.quote.id };
      await ask(order, parsed.data, "BUYER", { scope, keyHash: hash, requestHash: hash });
    },

    async withdrawAsBuyer(found: ReviewedQuote, requestId: string): Promise<void> {
      const orderId = orderIdOf(found);
      const refs = new Map<string, string>();
      const command = { ...stamp(), orderId, refs, requestId, withdrawnBy: "BUYER" as const };
      await store.run(withdrawCancellation, command);
    },
  };
}
