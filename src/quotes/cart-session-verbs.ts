import type { CatalogContext } from "../catalog/live-catalog.ts";
import { type Intent, type OnceReply, once, type Reply, scopeOf } from "../core/command.ts";
import { type Problem, unknownTo } from "../core/errors.ts";
import { canonicalJson, sha256 } from "../core/hash.ts";
import type { AgentId, OrderId } from "../core/ids.ts";
import { FIRST_ORDER_SETTING, firstOrderOn } from "../core/policy.ts";
import type { UcpSessionRow } from "../core/records.ts";
import {
  type AskedSession,
  changeSession,
  checkoutOf,
  createSession,
  isLive,
  isOfKind,
  newSessionId,
  pageOf,
  pagesOf,
  readSession,
  SESSION_MS,
  type SessionKind,
  settlingUntil,
} from "./cart-session.ts";
import { type Cart, type CartPricing, itemsOf, priceCart } from "./quick-checkout.ts";
import type { Item, Terms } from "./quote-answer.ts";

const createOnce = once(createSession, ["id", "created"]);
const changeOnce = once(changeSession, ["id", "created"]);

/** A session's current state. After payment it shows the items and price of the paid quote. */
export interface CartSession {
  id: string;
  status: "OPEN" | "PROCESSING" | "PAID" | "CANCELED";
  items: Item[];
  pricing: CartPricing;
  cart: Pick<Cart, "discount_code" | "buyer_email">;
  /** The order, by the token of its checkout; null before payment. */
  order: { token: string; number: string; status: string } | null;
  /** Why an open session can't be ordered as it is: beans that sold out or are no longer sold. */
  problems: Problem[];
  url: string;
  expiresAt: number;
}

/** Placeholder for the cart of a retry, which is not read. */
const NO_CART: Cart = { items: [] };

/** Outcome of a write: the session with warnings, or the request's problems. */
export type SessionWritten =
  | { session: CartSession; created?: boolean; warnings?: Problem[]; problems?: Problem[] }
  | { session?: undefined; created?: undefined; problems: Problem[] };

export function cartSessionVerbs(context: CatalogContext) {
  const { store, catalog, clock, baseUrl } = context;
  const { queries } = store;

  /** Throws NOT_FOUND for an id that was not made here, and for a session that ended unpaid. */
  async function found(id: string, kind: SessionKind): Promise<CartSession> {
    const row = isOfKind(id, kind) ? await queries.ucpSession(id) : undefined;
    const session = row && (await view(row));
    if (!session) throw unknownTo(kind === "crt" ? "cart" : "checkout");
    return session;
  }

  /** For reading: a canceled cart is not found, a canceled checkout is. */
  async function get(id: string, kind: SessionKind): Promise<CartSession> {
    const session = await found(id, kind);
    if (kind === "crt" && session.status === "CANCELED") throw unknownTo("cart");
    return session;
  }

  const offerRuns = async () => firstOrderOn(await queries.setting(FIRST_ORDER_SETTING));

  async function view(row: UcpSessionRow): Promise<CartSession | undefined> {
    const cart = JSON.parse(row.cart) as Cart;
    const url = `${baseUrl}/checkout/${row.id}`;
    const shared = { id: row.id, cart, url, expiresAt: row.expires_at, problems: [] };
    const page = pageOf(row);
    const quotes = await queries.quotesOfCarts([sha256(page)]);
    const paid = quotes.find(({ state }) => state.order_id !== null);
    const settling = paid ?? quotes.find(({ state }) => state.status === "PROCESSING");
    if (settling) {
      const order = paid ? await orderOf(paid.state.order_id!, page) : null;
      return {
        ...shared,
        ...boughtBy(JSON.parse(settling.quote.terms) as Terms),
        ...(order
          ? { status: "PAID", order }
          : {
              status: "PROCESSING",
              order,
              expiresAt: settlingUntil(row, settling.state.updated_at, clock()),
            }),
      };
    }
    const canceled = row.canceled_at !== null;
    if (!canceled && !isLive(row, clock())) return undefined;
    const problems = canceled ? [] : await problemsOf(cart);
    const items = itemsOf(cart, catalog);
    const pricing = priceCart(cart, context, (await offerRuns()) ? "USABLE" : "ENDED");
    return {
      ...shared,
      status: canceled ? "CANCELED" : "OPEN",
      items,
      pricing,
      order: null,
      problems,
    };
  }

  async function problemsOf({ items: lines, buyer_email: email }: Cart): Promise<Problem[]> {
    const reading = await read({ lines, email, codes: [] });
    return "problems" in reading ? reading.problems : [];
  }

  async function orderedPage(token: string) {
    const paid = await paidPage(queries, token);
    return paid && { ordered: await orderOf(paid.orderId, paid.page), page: paid.page };
  }

  async function orderOf(orderId: OrderId, page: string): Promise<CartSession["order"]> {
    const order = await queries.order(orderId);
    if (!order) return null;
    const { number, status } = order;
    return { token: checkoutOf(page), number: String(number), status };
  }

  async function read(asked: AskedSession) {
    // Another instance may have just published a price.
    await catalog.refresh();
    const stock = await catalog.stock();
    return readSession(asked, { catalog, stock, offerRuns: await offerRuns() });
  }

  const isRetry = async (intent: Intent): Promise<boolean> =>
    ((await queries.answeredUntil(intent)) ?? 0) > clock();

  /** A retry is answered from the session, even if its request would be refused by now. */
  async function write(
    asked: AskedSession,
    { kind, intent }: { kind: SessionKind; intent: Intent },
    run: (cart: Cart) => Promise<SessionReply>,
  ): Promise<Reply<SessionWritten>> {
    const reading = await read(asked);
    const refused = "problems" in reading;
    if (refused && !(await isRetry(intent))) return { body: reading, replayed: false };
    const made = await run(refused ? NO_CART : reading.cart);
    return written(made, kind, refused ? [] : reading.warnings);
  }

  async function written(made: SessionReply, kind: SessionKind, warnings: Problem[] = []) {
    const { id, created } = made.replayed ? made.kept : made.body;
    return {
      body: { session: await found(id, kind), created, warnings },
      replayed: made.replayed,
    };
  }

  const insert = (id: string, cart: Cart, fromCart: string | null, intent: Intent) =>
    store.run(createOnce, {
      now: clock(),
      id,
      spareId: newSessionId("chk"),
      cart,
      fromCart,
      intent,
    });

  const change = (id: string, cart: Cart | null, intent: Intent) =>
    store.run(changeOnce, { now: clock(), id, cart, intent });

  /** The refusal if the session cannot change any more. */
  function refusalOf(session: CartSession): SessionWritten | undefined {
    if (session.status === "OPEN") return undefined;
    const [code, detail] = ENDED[session.status];
    return { problems: [{ pointer: "", code, detail }], session };
  }

  const ended = async (id: string, kind: SessionKind) => refusalOf(await get(id, kind));

  return {
    get,

    create: (kind: SessionKind, asked: AskedSession, intent: Intent) =>
      write(asked, { kind, intent }, (cart) => insert(newSessionId(kind), cart, null, intent)),

    /**
     * Opens a session for a checked cart. An agent that asks again while it lives gets the same one. Callers
     * without a key may share an address, and would share their orders.
     */
    async open(cart: Cart, agentId: AgentId | null): Promise<{ id: string; expiresAt: number }> {
      const now = clock();
      const id = newSessionId("crt");
      const session = { now, id, spareId: id, cart, fromCart: null };
      const opened = { id, expiresAt: now + SESSION_MS };
      if (agentId === null) {
        await store.run(createSession, session);
        return opened;
      }
      const hash = sha256(canonicalJson(cart));
      const scope = scopeOf(agentId, "checkout page");
      for (let keyHash = hash; ; ) {
        const intent = { scope, keyHash, requestHash: hash };
        const made = await store.run(createOnce, { ...session, intent });
        if (!made.replayed) return opened;
        const row = await queries.ucpSession(made.kept.id);
        if (row && isLive(row, now)) return { id: row.id, expiresAt: row.expires_at };
        keyHash = sha256(`${hash}:${made.kept.id}`);
      }
    },

    /** A cart has one checkout at a time, and makes none after it was paid. */
    async createFromCart(cartId: string, intent: Intent): Promise<Reply<SessionWritten>> {
      const over = (await isRetry(intent)) ? undefined : await ended(cartId, "crt");
      if (over) return { body: { problems: over.problems! }, replayed: false };
      return written(await insert(checkoutOf(cartId), NO_CART, cartId, intent), "chk");
    },

    async update(
      id: string,
      kind: SessionKind,
      asked: AskedSession,
      intent: Intent,
    ): Promise<Reply<SessionWritten>> {
      const over = (await isRetry(intent)) ? undefined : await ended(id, kind);
      if (over) return { body: over, replayed: false };
      const reply = await write(asked, { kind, intent }, (cart) => change(id, cart, intent));
      const { body, replayed } = reply;
      if (body.session !== undefined) return reply;
      const { problems } = body;
      return { body: { problems, session: await found(id, kind) }, replayed };
    },

    async cancel(id: string, kind: SessionKind, intent: Intent): Promise<Reply<SessionWritten>> {
      const over = (await isRetry(intent)) ? undefined : await ended(id, kind);
      if (over) return { body: over, replayed: false };
      const { replayed } = await change(id, null, intent);
      const session = await found(id, kind);
      return { body: { session, created: false, warnings: [] }, replayed };
    },

    /** Changes nothing: the buyer pays on the page. A payment that settles answers for itself. */
    async complete(id: string): Promise<SessionWritten> {
      const session = await get(id, "chk");
      return (session.status === "PROCESSING" ? undefined : refusalOf(session)) ?? { session };
    },

    /** A session's page: its cart, its order, or why there is none. The order outlives the session. */
    async page(id: string): Promise<SessionPage> {
      const row = await queries.ucpSession(id);
      if (!row) return (await orderedPage(id)) ?? "BROKEN";
      const session = await view(row);
      if (!session || session.status === "CANCELED") return (await orderedPage(id)) ?? "EXPIRED";
      const page = pageOf(row);
      if (session.status !== "OPEN") return { ordered: session.order, page };
      const cart = JSON.parse(row.cart) as Cart;
      return { cart, expiresAt: row.expires_at, page };
    },
  };
}

/** Why a session cannot change any more. */
const ENDED = {
  CANCELED: ["ALREADY_CANCELED", "It was canceled. Nothing was changed."],
  PAID: ["ALREADY_PAID", "The buyer has paid. Nothing was changed."],
  PROCESSING: ["ALREADY_PAID", "The buyer has paid; the payment settles. Nothing was changed."],
} as const;

/** Finds an order by the token of its cart or checkout, also after the session is removed. */
export async function paidPage(queries: CatalogContext["store"]["queries"], token: string) {
  const pages = pagesOf(token);
  if (pages.length === 0) return undefined;
  const quotes = await queries.quotesOfCarts(pages.map((page) => sha256(page)));
  const paid = quotes.find(({ state }) => state.order_id !== null);
  const page = pages.find((one) => sha256(one) === paid?.quote.cart);
  if (page === undefined) return undefined;
  return { orderId: paid!.state.order_id!, page, token: checkoutOf(page) };
}

interface Named {
  id: string;
  created: boolean;
}
type SessionReply = OnceReply<Named, keyof Named>;

/** `page`: the token of this page's quotes. `ordered: null`: a payment is settling. */
export type SessionPage =
  | { cart: Cart; expiresAt: number; page: string }
  | { ordered: CartSession["order"]; page: string }
  | "EXPIRED"
  | "BROKEN";

/** Items and price of a quote, as a session shows them. */
function boughtBy({ shipments, pricing, currency, discount_code }: Terms) {
  const { courtesy, ...sums } = pricing;
  return {
    items: shipments.flatMap(({ items }) => items),
    pricing: { ...sums, courtesy, currency, ...(discount_code && { discount_code }) },
  };
}
