import { type Intent, once, type Reply } from "../core/command.ts";
import { sha256 } from "../core/hash.ts";
import { type AgentId, newId, type OrderId } from "../core/ids.ts";
import { buyersMessage, FROM_BUYER } from "../core/letter.ts";
import { runOnce } from "../core/retryable.ts";
import { ownOrder } from "../orders/found-orders.ts";
import type { Context } from "../payments/provider.ts";
import {
  type Acknowledgement,
  type BulkLead,
  type Feedback,
  feedbackReceived,
  leadReceived,
  sendFeedback,
  sendLead,
} from "./feedback.ts";

const feedbackOnce = once(sendFeedback, ["id"]);
const leadOnce = once(sendLead, ["id"]);

export function messageVerbs(context: Context) {
  const { store, clock } = context;
  return {
    /** An order that is named must be the caller's own, else it is none (contract §8). */
    async feedback(input: Feedback, agentId: AgentId, intent: Intent) {
      const now = clock();
      const about = input.order_id && (await ownOrder(context, input.order_id, agentId));
      const feedback = {
        id: newId("fb", now),
        agent_id: agentId,
        order_id: about ? about.id : null,
        message: input.message,
        created_at: now,
      };
      return runOnce(store, feedbackOnce, { now, intent, feedback }, async ({ id }) => {
        const row = await store.queries.feedback(id);
        return row && feedbackReceived(row);
      });
    },

    /** A message from a buyer's page. The same `form` sent twice is one message. */
    async fromBuyer(
      { email, message, orderId }: { email: string; message: string; orderId: OrderId | null },
      form: string,
    ): Promise<void> {
      const now = clock();
      const feedback = {
        id: newId("fb", now),
        agent_id: FROM_BUYER,
        order_id: orderId,
        message: buyersMessage(email, message),
        created_at: now,
      };
      const hash = sha256(JSON.stringify([form, feedback.message, orderId]));
      const intent = { scope: "buyer message", keyHash: hash, requestHash: hash };
      await store.run(feedbackOnce, { now, intent, feedback });
    },

    async lead(input: BulkLead, agentId: AgentId, intent: Intent): Promise<Reply<Acknowledgement>> {
      const now = clock();
      const lead = {
        id: newId("lead", now),
        agent_id: agentId,
        email: input.email,
        purpose: input.purpose,
        quantity: input.quantity ?? null,
        organization: input.organization ?? null,
        created_at: now,
      };
      return runOnce(store, leadOnce, { now, intent, lead }, async ({ id }) => {
        const row = await store.queries.lead(id);
        return row && leadReceived(row);
      });
    },
  };
}
