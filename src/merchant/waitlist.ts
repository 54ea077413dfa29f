import { type Intent, once, type Reply } from "../domain/shared/command.ts";
import { MerchantError } from "../domain/shared/errors.ts";
import { step } from "../domain/shared/next-step.ts";
import type { WaitlistRow } from "../domain/shared/records.ts";
import { joinWaitlist } from "../domain/waitlist/join-waitlist.ts";
import { turnSetting } from "../domain/waitlist/turns.ts";
import { leaveWaitlist, type WaitlistRequest, waitlistView } from "../domain/waitlist/waitlist.ts";
import type { WaitlistEntry } from "../domain/waitlist/waitlist-answer.ts";
import type { Context } from "./context.ts";
import { newId } from "./ids.ts";
import { headsBehind } from "./queue-heads.ts";
import { replayed } from "./replayed.ts";

const joinOnce = once(joinWaitlist, ["id", "position"]);
const leaveOnce = once(leaveWaitlist, ["id"]);

const noSuchEntry = (): MerchantError =>
  new MerchantError("NOT_FOUND", "There is no such waitlist entry for this key.", {
    next: [step("join_waitlist", "Join the waitlist of a bean.")],
  });

export function waitlistVerbs({ store, clock, catalog }: Context) {
  async function owned(id: string, agentId: string): Promise<WaitlistRow> {
    const entry = await store.queries.waitlistEntry(id);
    if (entry?.agent_id !== agentId) throw noSuchEntry();
    return entry;
  }

  return {
    async join(
      request: WaitlistRequest,
      agentId: string,
      intent: Intent,
    ): Promise<Reply<WaitlistEntry>> {
      const now = clock();
      const bean = catalog.find(request.product_id);
      if (!bean) throw new Error("unknown beans are refused at the door");
      const { product_id } = request;
      const queue = await store.queries.queueStanding(product_id, turnSetting(product_id));
      const command = { now, intent, id: newId("wl", now), agentId, request, bean, queue };
      return replayed(await store.run(joinOnce, command), async ({ id, position }) => {
        const row = await store.queries.waitlistEntry(id);
        return row && waitlistView({ ...row, status: "WAITING" }, (position ?? 1) - 1);
      });
    },

    async get(id: string, agentId: string): Promise<WaitlistEntry> {
      const entry = await owned(id, agentId);
      const ahead = entry.status === "WAITING" ? await store.queries.waitlistAhead(entry) : 0;
      return waitlistView(entry, ahead);
    },

    async leave(id: string, agentId: string, intent: Intent): Promise<Reply<WaitlistEntry>> {
      const entry = await owned(id, agentId);
      const heads = await headsBehind(store.queries, entry);
      const command = { now: clock(), intent, id, productId: entry.product_id, heads };
      return replayed(await store.run(leaveOnce, command), async () => {
        const row = await store.queries.waitlistEntry(id);
        return row && waitlistView({ ...row, status: "LEFT" }, 0);
      });
    },

    /**
     * Gives up every place of an agent whose key is gone: it could not use what it is offered. Where
     * its buyer is just paying, the offer stays until that payment has ended, and ends by itself.
     */
    async dropAgent(agentId: string): Promise<void> {
      for (const entry of await store.queries.waitlistOfAgent(agentId)) {
        if (entry.attempt_id !== null) continue;
        const { id, product_id: productId } = entry;
        const heads = await headsBehind(store.queries, entry);
        const command = { now: clock(), id, productId, heads };
        await store.run(leaveWaitlist, command).catch((error: unknown) => {
          if (!(error instanceof MerchantError)) throw error;
        });
      }
    },
  };
}
