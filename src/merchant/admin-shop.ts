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
  Seen,
  versionOf,
} from "../core/admin-verb.ts";
import { audited, type MerchantAct, refuseIfChangedSince } from "../core/audit.ts";
import { lock, type Rule, setSetting, settingIn, writeRule } from "../core/command.ts";
import { unknownTo } from "../core/errors.ts";
import { prose } from "../core/fields.ts";
import { FIRST_ORDER_SETTING, iso, isoOrNull } from "../core/policy.ts";
import type { AgentRow, WaitlistRow } from "../core/records.ts";
import type { Context } from "../payments/provider.ts";
import { waitlistView } from "../waitlist/waitlist.ts";
import type { waitlistVerbs } from "../waitlist/waitlist-verbs.ts";
import { auditEntries } from "./audit-log.ts";
import { shopSettings } from "./shop-settings.ts";

/** The waitlist, keys, settings and the audit log (contract §15). */
export function adminShop(
  context: Context,
  waitlist: ReturnType<typeof waitlistVerbs>,
  act: Act,
  form?: string,
) {
  const { store, catalog, clock } = context;
  const { queries } = store;

  /** Entries with their places. Rows of a page are neighbors in their queue, so one count per bean is enough. */
  async function placed(rows: readonly WaitlistRow[]) {
    const ahead = new Map<string, number>();
    for (const productId of new Set(rows.map((row) => row.product_id))) {
      const queue = queueOf(rows, productId);
      const before = queue[0] ? await queries.waitlistAhead(queue[0]) : 0;
      for (const [i, { id }] of queue.entries()) ahead.set(id, before + i);
    }
    return rows.map((row) => entryView(row, ahead.get(row.id) ?? 0, context));
  }

  return {
    waitlist: {
      /** Live entries in turn, after the entry `after`. */
      list: adminVerb(
        { after: Id.optional().describe("Entries after this one."), limit: Limit.optional() },
        async ({ after, limit = LIST_ROWS }) => {
          const edge = after === undefined ? undefined : await queries.waitlistEntry(after);
          if (after !== undefined && !edge) throw unknownTo("waitlist entry");
          return placed(await queries.waitlistInTurn(edge, limit));
        },
      ),
      /** All entries, newest first. */
      history: paged(queries.allWaitlist, placed),
      wanted: adminVerb({}, () => queries.waitlistWanted()),
      /** Removes a place; its offered bags go to the next. */
      remove: adminVerb({ entry_id: Id }, async ({ entry_id }) => {
        await waitlist.remove(entry_id, act());
        return { id: entry_id, status: "LEFT" as const };
      }),
    },
    keys: {
      list: paged(queries.allAgents, (rows) => rows.map(agentView)),
      /**
       * Revokes a key, its finder keys and its places. Places go first, so that the merchant can try again
       * after a crash, and once more, since the agent may have joined in between.
       */
      revoke: adminVerb({ agent_id: Id }, async ({ agent_id: agentId }) => {
        await waitlist.dropAgent(agentId);
        const agent = await store.run(revokeAgent, { ...act(), agentId });
        await waitlist.dropAgent(agentId);
        return { id: agent.id, name: agent.name, revoked_at: iso(agent.revoked_at!) };
      }),
    },
    shop: {
      ...shopSettings(context, act),
      /** Return address on packing slips, or null. */
      address: adminVerb({}, async () => (await queries.setting(SHOP_ADDRESS_SETTING)) ?? null),
      setAddress: adminVerb({ address: ShopAddress, seen: Seen }, async ({ address, seen }) => {
        await store.run(setShopAddress, { ...act(), address, seen });
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
      /** When this form was sent before, or null. */
      doneBefore: adminVerb({}, async () => {
        const row = form === undefined ? undefined : await queries.audit(formActId(form));
        return row ? { at: iso(row.at), ago_ms: clock() - row.at } : null;
      }),
    },
  };
}

function entryView(row: WaitlistRow, ahead: number, { catalog, mailer }: Context) {
  const facts = { ahead, mailing: mailer !== undefined, sold: true, inStock: false };
  const { next: _, eta: __, holding: ___, ...view } = waitlistView(row, facts);
  return { ...view, agent_id: row.agent_id, name: nameForPeople(catalog, row) };
}

/** An agent without internal fields. */
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

/** The first-order offer may end without notice (contract §2), and may come back. */
const switchFirstOrder: Rule<MerchantAct & { on: boolean }, { first_order: string }> = {
  reads: () => [lock("settings", { name: FIRST_ORDER_SETTING })],
  decide(c, s) {
    const value = c.on ? "on" : "off";
    return {
      reply: { first_order: value },
      writes:
        settingIn(s, FIRST_ORDER_SETTING) === value
          ? []
          : [
              setSetting(s, FIRST_ORDER_SETTING, value),
              audited(c, "courtesy.first-order", FIRST_ORDER_SETTING, { value }),
            ],
    };
  },
};

/** Setting with the return address on packing slips, in lines. */
const SHOP_ADDRESS_SETTING = "shop.address";

const ShopAddress = prose("The address", 300);

const setShopAddress = writeRule<MerchantAct & { address: string; seen?: number | undefined }>({
  reads: () => [lock("settings", { name: SHOP_ADDRESS_SETTING })],
  writes(c, s) {
    const shown = settingIn(s, SHOP_ADDRESS_SETTING) ?? null;
    refuseIfChangedSince(c.seen, versionOf(shown), "The address");
    return [
      setSetting(s, SHOP_ADDRESS_SETTING, c.address),
      audited(c, "shop.address", SHOP_ADDRESS_SETTING),
    ];
  },
});
