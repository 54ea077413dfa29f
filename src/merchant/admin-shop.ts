import { z } from "zod";
import { revokeAgent } from "../agents/agent.ts";
import { nameForPeople } from "../catalog/catalog.ts";
import { queueOf } from "../catalog/offer-free-stock.ts";
import {
  type Act,
  adminVerb,
  dated,
  formActId,
  Id,
  LIST_ROWS,
  Limit,
  paged,
} from "../core/admin-verb.ts";
import type { Context } from "../core/context.ts";
import { unknownTo } from "../core/errors.ts";
import { iso, isoOrNull } from "../core/policy.ts";
import type { AgentRow, WaitlistRow } from "../core/records.ts";
import { waitlistView } from "../waitlist/waitlist.ts";
import type { waitlistVerbs } from "../waitlist/waitlist-verbs.ts";
import { auditEntries } from "./audit-log.ts";
import { SHOP_ADDRESS_SETTING, ShopAddress, setShopAddress, switchFirstOrder } from "./settings.ts";

/** Who waits for bags, keys and courtesies, and what was done (contract §15). */
export function adminShop(
  { store, catalog, clock }: Context,
  waitlist: ReturnType<typeof waitlistVerbs>,
  act: Act,
  form?: string,
) {
  const { queries } = store;

  /**
   * Entries with their places. Rows of a page stand side by side in their queue, so that only who
   * waits before the first of each bean is counted, which the database does.
   */
  async function placed(rows: readonly WaitlistRow[]) {
    const ahead = new Map<string, number>();
    for (const productId of new Set(rows.map((row) => row.product_id))) {
      const queue = queueOf(rows, productId);
      const before = queue[0] ? await queries.waitlistAhead(queue[0]) : 0;
      for (const [i, { id }] of queue.entries()) ahead.set(id, before + i);
    }
    return rows.map((row) => entryView(row, ahead.get(row.id) ?? 0, catalog));
  }

  return {
    waitlist: {
      /** Who waits and who was offered, in turn, behind the entry `after`. */
      list: adminVerb(
        { after: Id.optional(), limit: Limit.optional() },
        async ({ after, limit = LIST_ROWS }) => {
          const edge = after === undefined ? undefined : await queries.waitlistEntry(after);
          if (after !== undefined && !edge) throw unknownTo("waitlist entry");
          return placed(await queries.waitlistInTurn(edge, limit));
        },
      ),
      /** Those whose entry has ended, too; newest first. */
      history: paged(queries.allWaitlist, placed),
      wanted: adminVerb({}, () => queries.waitlistWanted()),
      /** Takes a place away, with the bags that it was offered. */
      remove: adminVerb({ entry_id: Id }, async ({ entry_id }) => {
        await waitlist.remove(entry_id, act());
        return { id: entry_id, status: "LEFT" as const };
      }),
    },
    keys: {
      list: paged(queries.allAgents, (rows) => rows.map(agentView)),
      /**
       * The key, its finder keys and its places in the queues. Those first: where the process ends
       * before the key does, the merchant tries again. And again: it may have joined in between.
       */
      revoke: adminVerb({ agent_id: Id }, async ({ agent_id: agentId }) => {
        await waitlist.dropAgent(agentId);
        const agent = await store.run(revokeAgent, { ...act(), agentId });
        await waitlist.dropAgent(agentId);
        return { id: agent.id, name: agent.name, revoked_at: iso(agent.revoked_at!) };
      }),
    },
    shop: {
      /** The return address on packing slips; null while there is none. */
      address: adminVerb({}, async () => (await queries.setting(SHOP_ADDRESS_SETTING)) ?? null),
      setAddress: adminVerb({ address: ShopAddress }, async ({ address }) => {
        await store.run(setShopAddress, { ...act(), address });
        return { address };
      }),
    },
    courtesy: {
      firstOrder: adminVerb({ on: z.boolean() }, ({ on }) =>
        store.run(switchFirstOrder, { ...act(), on }),
      ),
    },
    audit: {
      list: paged(queries.allAudit, (rows) => auditEntries({ store, catalog }, rows)),
      /** When the form that is being sent was done before; null where it was not. */
      doneBefore: adminVerb({}, async () => {
        const row = form === undefined ? undefined : await queries.audit(formActId(form));
        return row ? { at: iso(row.at), ago_ms: clock() - row.at } : null;
      }),
    },
  };
}

function entryView(row: WaitlistRow, ahead: number, catalog: Context["catalog"]) {
  const { next: _, eta: __, ...view } = waitlistView(row, ahead);
  return { ...view, agent_id: row.agent_id, name: nameForPeople(catalog, row) };
}

/** An agent without what only this service needs to know of it. */
const agentView = ({
  key_hash: _,
  last_order_at: __,
  first_used_at: ___,
  revoked_at,
  ...row
}: AgentRow) => ({
  ...dated(row),
  revoked_at: isoOrNull(revoked_at),
});
