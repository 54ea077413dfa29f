import { insteadOf } from "../catalog/catalog-answer.ts";
import type { CatalogContext } from "../catalog/live-catalog.ts";
import { type Cart, sellable, shortInCart } from "../checkouts/cart.ts";
import {
  type CheckoutKind,
  cancelCheckout,
  cartOf,
  changeCheckout,
  checkoutOfCart,
  convertCart,
  isLive,
  isOfKind,
  newCheckoutId,
  openCheckout,
  typedEmail,
} from "../checkouts/checkout.ts";
import { findCheckout } from "../checkouts/checkout-verbs.ts";
import { type Intent, type OnceReply, once, type Reply } from "../core/command.ts";
import { type Problem, unknownTo } from "../core/errors.ts";
import { sha256 } from "../core/hash.ts";
import { newNonce, type OrderId } from "../core/ids.ts";
import { FIRST_ORDER_SETTING, firstOrderOn } from "../core/policy.ts";
import type { CheckoutRow } from "../core/records.ts";
import type { StoredQuote } from "../db/queries/quotes.ts";
import { type AskedSession, readSession, settlingUntil } from "./cart-session.ts";
import { asItStands, lastTry, quoteOfCheckout } from "./found-quotes.ts";
import { type CartPricing, conditional, itemsOf, priceCart } from "./quick-checkout.ts";
import { codeStanding } from "./quick-checkout-verbs.ts";
import type { Item, Message, Terms } from "./quote-answer.ts";
import { pausedMessages, standingMessages } from "./quote-view.ts";

const openOnce = once(openCheckout, ["id", "created"]);
const convertOnce = once(convertCart, ["id", "created"]);
const changeOnce = once(changeCheckout, ["id", "created"]);
const cancelOnce = once(cancelCheckout, ["id", "created"]);

/** A UCP cart's or checkout's current state. After payment it shows the items and price of the paid quote. */
export interface CartSession {
  id: string;
  status: "OPEN" | "PROCESSING" | "PAID" | "CANCELED";
  items: Item[];
  pricing: CartPricing;
  cart: Pick<Cart, "discount_code" | "buyer_email">;
  /** The order, by the id of its checkout; null before payment. */
  order: { token: string; number: string; status: string } | null;
  /** Why an open one can't be ordered as it is: beans that sold out or are no longer sold. */
  problems: Problem[];
  /** What became of its payments, and what its total depends on. */
  messages: Message[];
  url: string;
  expiresAt: number;
}

/** Placeholder for the cart of a retry, which is not read. */
const NO_CART: Cart = { items: [] };

/** Outcome of a write: the cart or checkout with warnings, or the request's problems. */
export type SessionWritten =
  | { session: CartSession; created?: boolean; warnings?: Problem[]; problems?: Problem[] }
  | { session?: undefined; created?: undefined; problems: Problem[] };

/** `closePages`: closes the payment pages of a purchase, as far as the provider answers. */
export function cartSessionVerbs(
  context: CatalogContext,
  closePages: (page: string) => Promise<void>,
) {
  const { store, catalog, clock, baseUrl } = context;
  const { queries } = store;

  /** Links and UCP's own. The shop's carts and places on a waitlist belong to their pages. */
  async function rowOf(id: string, kind: CheckoutKind): Promise<CheckoutRow> {
    const row = isOfKind(id, kind) ? await findCheckout(queries, id) : undefined;
    if (row?.via === "LINK" || row?.via === "UCP") return row;
    throw unknownTo(kind === "crt" ? "cart" : "checkout");
  }

  /** Throws NOT_FOUND for an id that was not made here, and for one that ended unpaid. */
  async function found(id: string, kind: CheckoutKind): Promise<CartSession> {
    const session = await view(await rowOf(id, kind), kind);
    if (session) return session;
    throw unknownTo(kind === "crt" ? "cart" : "checkout");
  }

  /** For reading: a canceled cart is not found, a canceled checkout is. */
  async function get(id: string, kind: CheckoutKind): Promise<CartSession> {
    const session = await found(id, kind);
    if (kind === "crt" && session.status === "CANCELED") throw unknownTo("cart");
    return session;
  }

  const offerRuns = async () => firstOrderOn(await queries.setting(FIRST_ORDER_SETTING));

  /** Undefined for one that ended unpaid. */
  async function view(row: CheckoutRow, kind: CheckoutKind): Promise<CartSession | undefined> {
    const cart = cartOf(row);
    const shared = {
      id: kind === "crt" ? row.name! : row.id,
      cart,
      url: `${baseUrl}/checkout/${row.id}`,
      expiresAt: row.expires_at,
      problems: [],
      messages: [],
    };
    const stored = await quoteOfCheckout(store, row);
    if (stored && (stored.state.status === "PAID" || stored.state.status === "PROCESSING")) {
      const { state, quote } = stored;
      const order = state.order_id === null ? null : await orderOf(state.order_id, row.id);
      const messages = order ? [] : await messagesOf(stored);
      return {
        ...shared,
        ...boughtBy(JSON.parse(quote.terms) as Terms),
        ...(order
          ? { status: "PAID", order }
          : {
              status: "PROCESSING",
              order,
              messages,
              expiresAt: settlingUntil(row, state.updated_at, clock()),
            }),
      };
    }
    const canceled = row.canceled_at !== null;
    if (!canceled && !isLive(row, clock())) return undefined;
    const email = typedEmail(row);
    const pricing = priceCart(cart, context, await codeStanding(context, cart, email));
    const session = { ...shared, items: itemsOf(cart, catalog), pricing, order: null };
    if (canceled) return { ...session, status: "CANCELED" };
    const messages = [
      ...pausedMessages(context, { now: clock(), endsAt: row.expires_at }),
      ...(stored ? await messagesOf(stored) : []),
      ...(email === undefined ? conditions(cart, pricing) : []),
    ];
    return { ...session, status: "OPEN", problems: await problemsOf(cart), messages };
  }

  /** Messages about the state of its newest quote. */
  async function messagesOf(stored: StoredQuote): Promise<Message[]> {
    const last = await lastTry(store, stored.quote.id);
    return standingMessages({ ...(await asItStands(context, stored)), last }, clock());
  }

  /** Two totals are possible before the email is known. */
  function conditions(cart: Cart, pricing: CartPricing): Message[] {
    const without = priceCart(cart, context, "NOT_ELIGIBLE");
    const { discount_code: code } = conditional(pricing, without);
    if (!code || code.applied !== undefined) return [];
    return [{ code: "FIRST_ORDER", text: code.reason ?? "" }];
  }

  async function problemsOf(cart: Cart): Promise<Problem[]> {
    const { items: lines, buyer_email: email } = cart;
    const reading = await read({ lines, email, codes: [] });
    if (!("problems" in reading)) return [];
    const short = shortInCart(sellable(catalog, cart).cart, catalog, await catalog.stock());
    return reading.problems.map((problem) => {
      const bean = short.find(({ text }) => text === problem.detail);
      return bean ? { ...problem, detail: insteadOf(bean, baseUrl) } : problem;
    });
  }

  async function orderOf(orderId: OrderId, token: string): Promise<CartSession["order"]> {
    const order = await queries.order(orderId);
    if (!order) return null;
    const { number, status } = order;
    return { token, number: String(number), status };
  }

  async function read(asked: AskedSession) {
    // Another instance may have just published a price.
    await catalog.refresh();
    const stock = await catalog.stock();
    return readSession(asked, { catalog, stock, offerRuns: await offerRuns() });
  }

  const isRetry = (intent: Intent): Promise<boolean> => queries.isRetry(intent, clock());

  /** A retry is answered from the row, even if its request would be refused by now. */
  async function write(
    asked: AskedSession,
    { kind, intent }: { kind: CheckoutKind; intent: Intent },
    run: (cart: Cart) => Promise<SessionReply>,
  ): Promise<Reply<SessionWritten>> {
    const reading = await read(asked);
    const refused = "problems" in reading;
    if (refused && !(await isRetry(intent))) return { body: reading, replayed: false };
    const made = await run(refused ? NO_CART : reading.cart);
    return written(made, kind, refused ? [] : reading.warnings);
  }

  async function written(made: SessionReply, kind: CheckoutKind, warnings: Problem[] = []) {
    const { id, created } = made.replayed ? made.kept : made.body;
    const row = await queries.checkout(id);
    // A cart that was replaced under its name has moved on to another row.
    const name = kind === "crt" && row?.name ? row.name : id;
    return {
      body: { session: await found(name, kind), created, warnings },
      replayed: made.replayed,
    };
  }

  function insert(kind: CheckoutKind, cart: Cart, intent: Intent): Promise<SessionReply> {
    const name = `crt_${newNonce()}`;
    const named = kind === "crt" ? { id: checkoutOfCart(name), name } : { id: newCheckoutId() };
    return store.run(openOnce, { now: clock(), ...named, cart, via: "UCP", intent });
  }

  /** The refusal if the cart or checkout cannot change any more. */
  function refusalOf(session: CartSession): SessionWritten | undefined {
    if (session.status === "OPEN") return undefined;
    const [code, detail] = ENDED[session.status];
    return { problems: [{ pointer: "", code, detail }], session };
  }

  const ended = async (id: string, kind: CheckoutKind) => refusalOf(await get(id, kind));

  return {
    get,

    create: (kind: CheckoutKind, asked: AskedSession, intent: Intent) =>
      write(asked, { kind, intent }, (cart) => insert(kind, cart, intent)),

    /** A cart and its checkout are two names of one row. One that is paid has its checkout for good. */
    async createFromCart(cartId: string, intent: Intent): Promise<Reply<SessionWritten>> {
      const isOver = !(await isRetry(intent)) && (await get(cartId, "crt")).status !== "OPEN";
      if (isOver) {
        const { id } = await rowOf(cartId, "crt");
        return { body: { session: await found(id, "chk"), created: false }, replayed: false };
      }
      return written(await store.run(convertOnce, { now: clock(), cartId, intent }), "chk");
    },

    async update(
      id: string,
      kind: CheckoutKind,
      asked: AskedSession,
      intent: Intent,
    ): Promise<Reply<SessionWritten>> {
      const over = (await isRetry(intent)) ? undefined : await ended(id, kind);
      if (over) return { body: over, replayed: false };
      const row = await rowOf(id, kind);
      // Only the buyer writes a note, on the page.
      const { gift_note } = cartOf(row);
      const reply = await write(asked, { kind, intent }, (cart) =>
        store.run(changeOnce, { now: clock(), id: row.id, cart: { ...cart, gift_note }, intent }),
      );
      const { body, replayed } = reply;
      if (body.session !== undefined) return reply;
      const { problems } = body;
      return { body: { problems, session: await found(id, kind) }, replayed };
    },

    /** Closes an open payment page first. A checkout that is being paid answers that it is. */
    async cancel(id: string, kind: CheckoutKind, intent: Intent): Promise<Reply<SessionWritten>> {
      const isRepeat = await isRetry(intent);
      const row = await rowOf(id, kind);
      if (!isRepeat) {
        await closePages(row.page);
        const over = await ended(id, kind);
        if (over) return { body: over, replayed: false };
      }
      const nextId = kind === "chk" ? newCheckoutId() : null;
      const made = await store.run(cancelOnce, { now: clock(), id: row.id, nextId, intent });
      const session = await found(id, kind);
      return { body: { session, created: false, warnings: [] }, replayed: made.replayed };
    },

    /** Changes nothing: the buyer pays on the page. A payment that settles answers for itself. */
    async complete(id: string): Promise<SessionWritten> {
      const session = await get(id, "chk");
      return (session.status === "PROCESSING" ? undefined : refusalOf(session)) ?? { session };
    },
  };
}

/** Why it cannot change any more. */
const ENDED = {
  CANCELED: ["ALREADY_CANCELED", "It was canceled. Nothing was changed."],
  PAID: ["ALREADY_PAID", "The buyer has paid. Nothing was changed."],
  PROCESSING: ["ALREADY_PAID", "The buyer has paid; the payment settles. Nothing was changed."],
} as const;

/** The order of a checkout, also of one from before its table whose row was removed. */
export async function orderOfCheckout(
  queries: CatalogContext["store"]["queries"],
  token: string,
): Promise<{ orderId: OrderId; token: string } | undefined> {
  const row = await findCheckout(queries, token);
  if (row) return row.order_id === null ? undefined : { orderId: row.order_id, token: row.id };
  if (!isOfKind(token, "crt") && !isOfKind(token, "chk")) return undefined;
  const tail = token.slice("crt_".length);
  const pages = [`crt_${tail}`, `chk_${tail}`].map(sha256);
  const [quote] = await queries.quotesOfCarts(pages);
  const orderId = quote?.state.order_id;
  return orderId ? { orderId, token: `chk_${tail}` } : undefined;
}

interface Named {
  id: string;
  created: boolean;
}
type SessionReply = OnceReply<Named, keyof Named>;

/** Items and price of a quote, as a UCP client sees them. */
function boughtBy({ shipments, pricing, currency, discount_code }: Terms) {
  const { courtesy, ...sums } = pricing;
  return {
    items: shipments.flatMap(({ items }) => items),
    pricing: { ...sums, courtesy, currency, ...(discount_code && { discount_code }) },
  };
}
