import { freeBags, OnHand, setStock } from "../domain/catalog/stock.ts";
import { MerchantError } from "../domain/shared/errors.ts";
import { iso } from "../domain/shared/policy.ts";
import type { WaitlistRow } from "../domain/shared/records.ts";
import { switchFirstOrder } from "../domain/shared/settings.ts";
import { valid } from "../domain/shared/valid.ts";
import { waitlistView } from "../domain/waitlist/waitlist.ts";
import { queueOf } from "../domain/waitlist/waitlist-offers.ts";
import type { agentVerbs } from "./agents.ts";
import type { Context } from "./context.ts";
import { type Actor, acting } from "./seller-orders.ts";
import type { waitlistVerbs } from "./waitlist.ts";

/** A part of a list, newest first: behind a row, so many. All of it, as far as 500, unless told. */
export interface ListPage {
  before?: { at: number; id: string } | undefined;
  limit?: number;
}

const RECENT_INCIDENT_MS = 7 * 86_400_000;

/** Bags, those who wait for them, keys and courtesies, and what there is to read (contract §15). */
export function sellerShelf(
  context: Context,
  agents: ReturnType<typeof agentVerbs>,
  waitlist: ReturnType<typeof waitlistVerbs>,
  actor: Actor,
) {
  const { store, catalog, clock } = context;
  const { queries } = store;

  const stock = async () => {
    const rows = await queries.stock();
    return rows.map((row) => ({
      ...row,
      name: catalog.find(row.product_id)?.name ?? null,
      free: freeBags(row),
    }));
  };

  return {
    stock: {
      list: stock,
      async set(productId: string, onHand: number, seen?: number) {
        if (!catalog.find(productId)) {
          const known = catalog.products.map((bean) => bean.product_id).join(", ");
          throw new MerchantError("NOT_FOUND", `No such bean. The catalog has: ${known}.`);
        }
        const { now, by } = acting(context, actor);
        await store.run(setStock, { now, by, productId, onHand: valid(OnHand, onHand), seen });
        const rows = await stock();
        return rows.find((row) => row.product_id === productId)!;
      },
    },
    waitlist: {
      /** Who waits and who was offered, in turn; with `all` also those whose entry has ended. */
      async list(all = false) {
        const rows = await queries.allWaitlist(!all);
        return rows.map((row) => listed(row, rows));
      },
    },
    keys: {
      async list({ before, limit }: ListPage = {}) {
        const rows = await queries.allAgents(before, limit);
        return rows.map(({ key_hash: _, last_order_at: __, created_at, revoked_at, ...row }) => ({
          ...row,
          created_at: iso(created_at),
          revoked_at: revoked_at === null ? null : iso(revoked_at),
        }));
      },
      /** The key, its finder keys and its places in the queues. Repeated, it finishes what was begun. */
      async revoke(agentId: string) {
        const agent = await agents.revoke(agentId, actor);
        await waitlist.dropAgent(agentId);
        return { id: agent.id, name: agent.name, revoked_at: iso(agent.revoked_at!) };
      },
    },
    courtesy: {
      firstOrder: (on: boolean) => {
        const { now, by } = acting(context, actor);
        return store.run(switchFirstOrder, { now, by, on });
      },
    },
    feedback: {
      list: async ({ before, limit }: ListPage = {}) =>
        dated(await queries.allFeedback(before, limit), "created_at"),
    },
    leads: {
      list: async ({ before, limit }: ListPage = {}) =>
        dated(await queries.allLeads(before, limit), "created_at"),
    },
    incidents: {
      list: async ({ before, limit }: ListPage = {}) =>
        dated(await queries.allIncidents(before, limit), "created_at"),
      /** Those that stand on the desk's first page for some days: nobody marks them as seen to. */
      async recent() {
        const since = clock() - RECENT_INCIDENT_MS;
        const rows = await queries.allIncidents();
        return dated(
          rows.filter((row) => row.created_at > since),
          "created_at",
        );
      },
    },
    audit: {
      async list({ before, limit }: ListPage = {}) {
        const rows = await queries.allAudit(before, limit);
        return dated(rows, "at").map((row) => ({
          ...row,
          detail: JSON.parse(row.detail) as Record<string, unknown>,
        }));
      },
    },
  };
}

/** An entry with its place, which is counted here: all rows are at hand. */
function listed(row: WaitlistRow, rows: readonly WaitlistRow[]) {
  const ahead = queueOf(rows, row.product_id).findIndex(({ id }) => id === row.id);
  const { next: _, eta: __, ...view } = waitlistView(row, Math.max(0, ahead));
  return { ...view, agent_id: row.agent_id };
}

/** Rows with their time as people and programs read it. */
const dated = <K extends string, R extends { [k in K]: number }>(rows: readonly R[], key: K) =>
  rows.map((row) => ({ ...row, [key]: iso(row[key]) }) as Omit<R, K> & { [k in K]: string });
