import type { Intent, Reply } from "../core/command.ts";
import type { Context } from "../core/context.ts";
import { newId } from "../core/ids.ts";
import { retryable, runOnce } from "../core/retryable.ts";
import { ownOrder } from "../orders/order-verbs.ts";
import {
  type Acknowledgement,
  type BulkLead,
  type Feedback,
  feedbackReceived,
  leadReceived,
  sendFeedback,
  sendLead,
} from "./feedback.ts";

const feedbackOnce = retryable(sendFeedback, {
  keep: ["id"],
  find: (queries, { id }) => queries.feedback(id),
  show: feedbackReceived,
});

const leadOnce = retryable(sendLead, {
  keep: ["id"],
  find: (queries, { id }) => queries.lead(id),
  show: leadReceived,
});

export function messageVerbs({ store, clock }: Context) {
  return {
    /** An order that is named must be the caller's own, else it is none (contract §8). */
    async feedback(input: Feedback, agentId: string, intent: Intent) {
      const now = clock();
      const about = input.order_id && (await ownOrder(store, input.order_id, agentId));
      const feedback = {
        id: newId("fb", now),
        agent_id: agentId,
        order_id: about ? about.id : null,
        message: input.message,
        created_at: now,
      };
      return runOnce(store, feedbackOnce, { now, intent, feedback });
    },

    async lead(input: BulkLead, agentId: string, intent: Intent): Promise<Reply<Acknowledgement>> {
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
      return runOnce(store, leadOnce, { now, intent, lead });
    },
  };
}
