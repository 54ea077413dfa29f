import {
  type CancelWish,
  requestCancellation,
  requestReceived,
  requestWithdrawn,
  withdrawCancellation,
} from "../domain/order/cancel-request.ts";
import type { CancelAnswer } from "../domain/order/order-answer.ts";
import { type Intent, once, type Reply } from "../domain/shared/command.ts";
import type { Context } from "./context.ts";
import { newId, newIds } from "./ids.ts";
import { ownOrder } from "./orders.ts";
import { replayed } from "./replayed.ts";

const requestOnce = once(requestCancellation, ["id"]);
const withdrawOnce = once(withdrawCancellation, ["id"]);

/** What an agent can do about an order that is no longer wanted: ask (contract §5). */
export function cancellationVerbs({ store, clock }: Context) {
  const find = ({ id }: { id: string }) => store.queries.cancelRequest(id);
  return {
    async request(called: string, wish: CancelWish, agentId: string, intent: Intent) {
      const { id: orderId } = await ownOrder(store, called, agentId);
      const now = clock();
      const eventIds = newIds("evt", now, 1);
      const command = { now, intent, id: newId("cr", now), orderId, wish, eventIds };
      return replayed(await store.run(requestOnce, command), find, requestReceived);
    },

    async withdraw(called: string, agentId: string, intent: Intent): Promise<Reply<CancelAnswer>> {
      const { id: orderId } = await ownOrder(store, called, agentId);
      const now = clock();
      const command = { now, intent, orderId, eventIds: newIds("evt", now, 1) };
      return replayed(await store.run(withdrawOnce, command), find, requestWithdrawn);
    },
  };
}
