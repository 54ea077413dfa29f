import { setTimeout } from "node:timers/promises";
import { noLongerSold } from "../catalog/catalog-version.ts";
import { withNewest } from "../catalog/live-catalog.ts";
import type { Intent, Reply } from "../core/command.ts";
import { type Context, placeUrl, reviewUrl } from "../core/context.ts";
import { MerchantError, refusal } from "../core/errors.ts";
import { linkedId, newId } from "../core/ids.ts";
import { step } from "../core/next-step.ts";
import { isUnpaid, type WaitlistRow } from "../core/records.ts";
import { retryable, runOnce } from "../core/retryable.ts";
import { sha256 } from "../core/sha256.ts";
import { joinWaitlist, turnSetting } from "./join-waitlist.ts";
import { canBeOffered } from "./offer-free-stock.ts";
import { headsBehind } from "./queue-heads.ts";
import {
  isBeingPaid,
  leaveWaitlist,
  type WaitlistEntry,
  type WaitlistPlace,
  type WaitlistRequest,
  waitlistView,
} from "./waitlist.ts";

const joinOnce = retryable(joinWaitlist, {
  keep: ["id", "position"],
  find: (queries, { id }) => queries.waitlistEntry(id),
  show: (row, { position }) => waitlistView({ ...row, status: "WAITING" }, (position ?? 1) - 1),
});

const leaveOnce = retryable(leaveWaitlist, {
  keep: ["id"],
  find: (queries, { id }) => queries.waitlistEntry(id),
  show: (row) => waitlistView({ ...row, status: "LEFT" }, 0),
});

/** Between two looks at an entry that a caller waits for: stock changes are no event of an order. */
const LOOK_MS = 1000;

const noSuchEntry = (): MerchantError =>
  refusal(
    "NOT_FOUND",
    "There is no such waitlist entry for this key.",
    step("join_waitlist", "Join the waitlist of a bean."),
  );

export function waitlistVerbs(context: Context) {
  const { store, clock, catalog } = context;

  const find = ({ id }: { id: string }) => store.queries.waitlistEntry(id);

  async function owned(id: string, agentId: string): Promise<WaitlistRow> {
    const entry = await find({ id });
    if (entry?.agent_id !== agentId) throw noSuchEntry();
    return entry;
  }

  /** The entry of a buyer's own page; undefined where the address is none. */
  async function ofBuyer(token: string): Promise<WaitlistRow | undefined> {
    const id = linkedId(context.secret, "waitlist", token);
    const entry = id === undefined ? undefined : await find({ id });
    return entry?.agent_id === null ? entry : undefined;
  }

  const joined = (request: WaitlistRequest, agentId: string | null, intent: Intent) =>
    withNewest(catalog, async () => {
      const now = clock();
      const { product_id } = request;
      const catalogVersion = catalog.version;
      const bean = catalog.find(product_id);
      if (!bean) {
        throw noLongerSold([product_id], { pointer: "/product_id", again: "join_waitlist" });
      }
      const queue = await store.queries.queueStanding(product_id, turnSetting(product_id));
      const entry = { id: newId("wl", now), agentId, request, bean, catalogVersion, queue };
      return runOnce(store, joinOnce, { now, intent, ...entry });
    });

  async function placed(entry: WaitlistRow): Promise<WaitlistEntry> {
    const ahead = entry.status === "WAITING" ? await store.queries.waitlistAhead(entry) : 0;
    return waitlistView(entry, ahead, isSold(entry));
  }

  const isSold = ({ product_id }: WaitlistRow) => canBeOffered(catalog.find(product_id));

  async function leaving(entry: WaitlistRow) {
    const heads = await headsBehind(store.queries, entry);
    return { now: clock(), id: entry.id, productId: entry.product_id, heads };
  }

  return {
    join: (request: WaitlistRequest, agentId: string, intent: Intent) =>
      joined(request, agentId, intent),

    /** With `waitMs` it answers as soon as the entry is no longer WAITING. */
    async get(
      id: string,
      agentId: string,
      waitMs = 0,
      gone?: () => AbortSignal,
    ): Promise<WaitlistEntry> {
      let entry = await owned(id, agentId);
      const signal = waitMs > 0 ? gone?.() : undefined;
      for (let left = waitMs; left >= LOOK_MS && !signal?.aborted; left -= LOOK_MS) {
        if (entry.status !== "WAITING") break;
        await setTimeout(LOOK_MS, undefined, { ...(signal && { signal }) }).catch(() => {});
        entry = await owned(id, agentId);
      }
      return placed(entry);
    },

    async leave(id: string, agentId: string, intent: Intent): Promise<Reply<WaitlistEntry>> {
      const entry = await owned(id, agentId);
      const command = { ...(await leaving(entry)), intent };
      return runOnce(store, leaveOnce, command);
    },

    /**
     * A person joins without an agent. `form` names the form that was sent: the same one sent twice
     * joins once. Answers the address of their place.
     */
    async joinAsBuyer(request: WaitlistRequest, form: string): Promise<string> {
      const hash = sha256(JSON.stringify([form, request]));
      const intent = { scope: "waitlist form", keyHash: hash, requestHash: hash };
      const { body } = await joined(request, null, intent);
      return placeUrl(context, body.id);
    },

    async place(token: string): Promise<WaitlistPlace | undefined> {
      const row = await ofBuyer(token);
      if (!row) return undefined;
      const attempt = row.attempt_id === null ? null : await store.queries.attempt(row.attempt_id);
      const unpaid = attempt && (isUnpaid(attempt) ? "BEGUN" : "SETTLING");
      return {
        entry: await placed(row),
        paying: (isBeingPaid(row) && unpaid) || null,
        paidAt: attempt ? reviewUrl(context, attempt.quote_id) : null,
        sold: isSold(row),
      };
    },

    async leavePlace(token: string): Promise<void> {
      const entry = await ofBuyer(token);
      if (entry) await store.run(leaveWaitlist, await leaving(entry));
    },

    /**
     * Gives up every place of an agent whose key is gone: it could not use what it is offered. Where
     * its buyer is just paying, the offer stays until that payment has ended, and ends by itself.
     */
    async dropAgent(agentId: string): Promise<void> {
      for (const entry of await store.queries.waitlistOfAgent(agentId)) {
        if (entry.attempt_id !== null) continue;
        await store.run(leaveWaitlist, await leaving(entry)).catch((error: unknown) => {
          if (!(error instanceof MerchantError)) throw error;
        });
      }
    },
  };
}
