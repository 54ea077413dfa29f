import { noLongerSold } from "../catalog/catalog-version.ts";
import { type CatalogContext, withNewest } from "../catalog/live-catalog.ts";
import { canBeOffered, expireAndOffer, type QueueUpdate } from "../catalog/offer-free-stock.ts";
import { headsBehind, isPaused, MOST_HEADS, queueHeads } from "../catalog/queue-heads.ts";
import type { MerchantAct } from "../core/audit.ts";
import { bagCount, freeBagsOf } from "../core/bags.ts";
import { type Intent, once, type Reply } from "../core/command.ts";
import { untilNews } from "../core/concurrency.ts";
import { joinedUrl, placeUrl, reviewUrl } from "../core/context.ts";
import { MerchantError, refusal, unknownTo } from "../core/errors.ts";
import { sha256 } from "../core/hash.ts";
import { type AgentId, linkedId, newId, type QuoteId } from "../core/ids.ts";
import { isAboutBags, type Subject } from "../core/news.ts";
import { step } from "../core/next-step.ts";
import { DAY_MS, TIMES } from "../core/policy.ts";
import type { WaitlistRow } from "../core/records.ts";
import { runOnce } from "../core/retryable.ts";
import { joinWaitlist, turnSetting } from "./join-waitlist.ts";
import {
  confirmPlace,
  type EntryView,
  isBeingPaid,
  leaveWaitlist,
  offerKept,
  type Placed,
  removePlace,
  renewPlace,
  type WaitlistEntry,
  type WaitlistPlace,
  type WaitlistRequest,
  waitlistView,
} from "./waitlist.ts";

const joinOnce = once(joinWaitlist, ["id"]);
const leaveOnce = once(leaveWaitlist, ["id"]);

const MOST_CONFIRMABLE = 10;

const isInQueue = ({ status }: WaitlistRow): boolean =>
  status === "WAITING" || status === "OFFERED";

export function waitlistVerbs(context: CatalogContext) {
  const { store, clock, catalog } = context;
  const { queries } = store;

  async function ownEntry(id: string, agentId: AgentId): Promise<WaitlistRow> {
    const entry = await queries.waitlistEntry(id);
    if (entry?.agent_id === agentId) return entry;
    const look = step("get_catalog", "Choose a bean. The buyer's status_url still shows a place.");
    throw refusal("NOT_FOUND", "There is no such waitlist entry for this key.", look);
  }

  /** The entry that a link names; undefined for a link that was not made here. */
  async function entryOfLink(purpose: "waitlist" | "joined" | "confirm", token: string) {
    const id = linkedId(context.secret, purpose, token);
    return id === undefined ? undefined : queries.waitlistEntry(id);
  }

  /** The entry of a place's page. "CONFIRMED": only the letters' link opens it. */
  async function entryOfPage(token: string): Promise<WaitlistRow | "CONFIRMED" | undefined> {
    const own = await entryOfLink("waitlist", token);
    const row = own ?? (await entryOfLink("joined", token));
    return own || row?.confirmed_at === null ? row : row && "CONFIRMED";
  }

  const withPage = async (placed: Pick<Placed, "row" | "ahead">): Promise<WaitlistEntry> => ({
    ...(await viewOf(placed)),
    status_url: placeUrl(context, placed.row.id),
  });

  /** Page of a purchase. Without an agent it is the checkout's, which shows an order to its payer only. */
  async function purchasePage(quoteId: QuoteId): Promise<string> {
    const { agent_id, cart } = (await queries.quote(quoteId))!.quote;
    const isBuyers = agent_id === null && cart !== null;
    const checkout = isBuyers ? await queries.checkoutOfPage(cart) : undefined;
    return checkout ? `${context.baseUrl}/checkout/${checkout.id}` : reviewUrl(context, quoteId);
  }

  const joinQueue = (request: WaitlistRequest, agentId: AgentId | null, intent: Intent) =>
    withNewest(catalog, async () => {
      const now = clock();
      const { product_id } = request;
      const catalogVersion = catalog.version;
      // A retry is answered although the bean may have left the catalog since.
      const isRetry = await queries.isRetry(intent, now);
      const bean = isRetry ? catalog.known(product_id) : catalog.find(product_id);
      if (!bean) {
        throw noLongerSold([product_id], { pointer: "/product_id", again: "join_waitlist" });
      }
      const queue = await queries.queueStanding(product_id, turnSetting(product_id));
      const entry = { id: newId("wl", now), agentId, request, bean, catalogVersion, queue };
      return runOnce(store, joinOnce, { now, intent, ...entry }, placedNow);
    });

  /** Restarts the 90 days of a place on a read, at most once a day. */
  async function renew(entry: WaitlistRow): Promise<WaitlistRow> {
    const now = clock();
    if (isInQueue(entry) && (entry.renewed_at ?? entry.created_at) <= now - DAY_MS) {
      await store.run(renewPlace, { now, id: entry.id });
    }
    return entry;
  }

  async function viewOf({ row, ahead }: Pick<Placed, "row" | "ahead">): Promise<EntryView> {
    const isWaiting = row.status === "WAITING";
    return waitlistView(row, {
      ahead: ahead ?? (isWaiting ? await queries.waitlistAhead(row) : 0),
      mailing: context.mailer !== undefined,
      sold: isSold(row),
      inStock: await isInStock(row),
    });
  }

  async function isInStock(row: WaitlistRow): Promise<boolean> {
    if (row.status !== "WAITING" || row.confirmed_at !== null || !isSold(row)) return false;
    return freeBagsOf(await catalog.stock(), row.product_id) >= row.quantity;
  }

  async function placedNow({ id }: { id: string }): Promise<Placed | undefined> {
    const row = await queries.waitlistEntry(id);
    return row && { id, row };
  }

  const isSold = ({ product_id }: WaitlistRow) => canBeOffered(catalog.find(product_id));

  async function leaveCommand(entry: WaitlistRow) {
    const heads = await headsBehind(context, entry);
    return { now: clock(), id: entry.id, productId: entry.product_id, heads };
  }

  return {
    async join(
      request: WaitlistRequest,
      agentId: AgentId,
      intent: Intent,
    ): Promise<Reply<WaitlistEntry>> {
      const { body, replayed } = await joinQueue(request, agentId, intent);
      const entry = await withPage(body);
      return { body: { ...entry, ...offerKept(body.row, request.quantity) }, replayed };
    },

    /** Waits up to `waitMs` for bags: held, or in stock for an entry that none are held for. */
    async get(
      id: string,
      agentId: AgentId,
      waitMs = 0,
      gone?: () => AbortSignal,
    ): Promise<WaitlistEntry> {
      const { product_id } = await ownEntry(id, agentId);
      if (waitMs > 0) {
        const look = async () => {
          const entry = await ownEntry(id, agentId);
          return entry.status !== "WAITING" || (await isInStock(entry)) ? entry : undefined;
        };
        const concerns = (changed: Subject) => changed === id || isAboutBags(changed, product_id);
        await untilNews(context, { waitMs, look, concerns, gone });
      }
      return withPage({ row: await renew(await ownEntry(id, agentId)) });
    },

    async leave(id: string, agentId: AgentId, intent: Intent): Promise<Reply<WaitlistEntry>> {
      const entry = await ownEntry(id, agentId);
      const command = { ...(await leaveCommand(entry)), intent };
      const { body, replayed } = await runOnce(store, leaveOnce, command, placedNow);
      return { body: await withPage(body), replayed };
    },

    /** Joins a person without an agent and returns the page of their place. A `form` joins only once. */
    async joinAsBuyer(request: WaitlistRequest, form: string): Promise<string> {
      const hash = sha256(JSON.stringify([form, request]));
      const intent = { scope: "waitlist form", keyHash: hash, requestHash: hash };
      const { body } = await joinQueue(request, null, intent);
      return joinedUrl(context, body.id);
    },

    /** The place whose page this is; undefined for a link that was not made here. */
    async place(token: string): Promise<WaitlistPlace | "CONFIRMED" | undefined> {
      const row = await entryOfPage(token);
      if (!row || row === "CONFIRMED") return row;
      await renew(row);
      const attempt = row.attempt_id === null ? null : await queries.attempt(row.attempt_id);
      return {
        entry: await viewOf({ row }),
        hasAgent: row.agent_id !== null,
        inStock: await isInStock(row),
        settling: isBeingPaid(row),
        paidAt: attempt ? await purchasePage(attempt.quote_id) : null,
        sold: isSold(row),
      };
    },

    /**
     * The places for one bean that the link in a letter can confirm: others may have joined with the same
     * address. Undefined for a link that was not made here.
     */
    async confirmable(token: string): Promise<WaitlistRow[] | undefined> {
      const entry = await entryOfLink("confirm", token);
      if (!entry) return undefined;
      const { customer, product_id } = entry;
      const places = await queries.placesOfCustomer(customer, product_id, MOST_CONFIRMABLE);
      // However often others join with this address, the link's own place stays on its page.
      const isOwn = places.some(({ id }) => id === entry.id);
      return isOwn || !isInQueue(entry) ? places : [...places.slice(0, -1), entry];
    },

    /** Confirms the address for one of those places, usually the link's own, and returns its page. */
    async confirm(token: string, chosen?: string): Promise<string | undefined> {
      const entry = await entryOfLink("confirm", token);
      if (!entry) return undefined;
      const { id = entry.id, customer } = (await queries.waitlistEntry(chosen ?? entry.id)) ?? {};
      if (customer !== entry.customer) return undefined;
      const { product_id: productId } = entry;
      await store.run(confirmPlace, { now: clock(), id, productId, customer });
      return placeUrl(context, id);
    },

    /** Removes a place and its offer for the merchant. */
    async remove(id: string, act: MerchantAct): Promise<void> {
      const entry = await queries.waitlistEntry(id);
      if (!entry) throw unknownTo("waitlist entry");
      await store.run(removePlace, { ...act, ...(await leaveCommand(entry)) });
    },

    async leavePlace(token: string): Promise<void> {
      const entry = await entryOfPage(token);
      if (entry && entry !== "CONFIRMED") await store.run(leaveWaitlist, await leaveCommand(entry));
    },

    /**
     * Gives up every place of an agent whose key was revoked, because it cannot use an offer. A place in
     * payment stays until that payment ends.
     */
    async dropAgent(agentId: AgentId): Promise<void> {
      for (const entry of await queries.waitlistOfAgent(agentId)) {
        if (entry.attempt_id !== null) continue;
        await store.run(leaveWaitlist, await leaveCommand(entry)).catch((error: unknown) => {
          if (!(error instanceof MerchantError)) throw error;
        });
      }
    },
  };
}

/** Expires offers and places, and offers free bags. Any number of instances may run it at once. */
export function housekeeping(context: CatalogContext) {
  const { store, clock, log } = context;
  /** Repeats in steps until a long queue has nothing left to do. */
  async function expireAndOfferAll(productId: string, result: QueueUpdate): Promise<void> {
    for (;;) {
      const now = clock();
      const over = await store.queries.offersOver(productId, now, MOST_HEADS);
      const quantity = bagCount(over);
      const since = now - TIMES.waitlist_place_ms;
      const [heads, unvisited] = await Promise.all([
        queueHeads(context, [{ product_id: productId, quantity }]),
        store.queries.waitlistUnvisited(productId, since, MOST_HEADS),
      ]);
      const ending = [...over.map(({ id }) => id), ...unvisited];
      if (heads.length + ending.length === 0) return;
      const command = { now, productId, heads, over: ending, paused: isPaused(context) };
      const { expired, offered } = await store.run(expireAndOffer, command);
      result.expired += expired;
      result.offered += offered;
      if (expired + offered === 0) return;
    }
  }

  return {
    async run(): Promise<QueueUpdate> {
      const result = { expired: 0, offered: 0 };
      for (const productId of await store.queries.queuedProducts()) {
        try {
          await expireAndOfferAll(productId, result);
        } catch (error) {
          log.warn(
            { product: productId, error },
            "waitlist housekeeping failed; the next run retries",
          );
        }
      }
      return result;
    },
  };
}
