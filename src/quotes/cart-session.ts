import { type Catalog, isExclusive } from "../catalog/catalog.ts";
import { type Bags, bagCount, mergeBags } from "../core/bags.ts";
import { insert, lock, type Rule, update } from "../core/command.ts";
import { Email } from "../core/email.ts";
import { type Problem, unknownTo } from "../core/errors.ts";
import { newNonce } from "../core/ids.ts";
import { printable } from "../core/input-problems.ts";
import { DAY_MS, LIMITS, ROOM } from "../core/policy.ts";
import { parseInput } from "../core/read-input.ts";
import type { StockRow, UcpSessionRow } from "../core/records.ts";
import { type Cart, shortInCart } from "./quick-checkout.ts";
import { quantityProblem } from "./quick-checkout-query.ts";
import { beanProblems, codeProblems, normalCode } from "./quote-request.ts";
import { OFFER_ENDED } from "./quote-rules.ts";

/**
 * A cart session is the cart before the quote: a client without a key keeps it here, and the buyer's form
 * on its page makes the quote (contract §20). `crt_` is a cart, `chk_` a checkout.
 */
export type SessionKind = "crt" | "chk";

/** Lifetime of a session after its last change. */
export const SESSION_MS = DAY_MS;

/** Longest time that a bank debit usually takes to settle. */
const SETTLING_MS = 14 * DAY_MS;

/** Expiry of a session whose payment settles since `since`: clients stop reading it then. */
export const settlingUntil = (row: UcpSessionRow, since: number, now: number): number =>
  Math.max(row.expires_at, since + SETTLING_MS, now + SESSION_MS);

export const newSessionId = (kind: SessionKind): string => `${kind}_${newNonce()}`;

const kindOf = (id: string): SessionKind | null =>
  (/^(crt|chk)_[\w-]{22}$/.exec(id)?.[1] as SessionKind | undefined) ?? null;

export const isSessionId = (token: string): boolean => kindOf(token) !== null;

export const isOfKind = (id: string, kind: SessionKind): boolean => kindOf(id) === kind;

/** The checkout that is made from a cart, or the checkout itself. */
export const checkoutOf = (token: string): string => `chk_${tail(token)}`;

const tail = (token: string): string => token.slice("crt_".length);

/** Tokens of the pages that a session's quotes may belong to, also after the session is removed. */
export const pagesOf = (token: string): string[] =>
  isSessionId(token) ? [...new Set([token, `crt_${tail(token)}`])] : [];

/** The page that a session's quotes belong to. A checkout shares its cart's, so only one is paid. */
export const pageOf = ({ id, from_cart }: Pick<UcpSessionRow, "id" | "from_cart">): string =>
  from_cart ?? id;

export const isLive = (row: UcpSessionRow, now: number): boolean =>
  row.canceled_at === null && now < row.expires_at;

interface AskedLine extends Bags {
  /** The unit that the client counts in; undefined for bags. */
  unit?: string | undefined;
}

/** A client's cart. */
export interface AskedSession {
  lines: readonly AskedLine[];
  email: string | undefined;
  codes: readonly string[];
}

/** All problems of the lines and the email, or the cart with warnings about its codes. */
type SessionReading = { cart: Cart; warnings: Problem[] } | { problems: Problem[] };

/** Pointers lead into the client's resource: `/line_items/0/quantity`. */
export function readSession(
  { lines, email, codes }: AskedSession,
  { catalog, stock, offerRuns }: { catalog: Catalog; stock: StockRow[]; offerRuns: boolean },
): SessionReading {
  const items = mergeBags(lines.map(({ product_id, quantity }) => ({ product_id, quantity })));
  const buyer = parseInput(Email.optional(), email);
  const problems = lineProblems(lines, catalog);
  for (const { message } of buyer.success ? [] : buyer.issues) {
    problems.push({ pointer: "/buyer/email", code: "INVALID", detail: message });
  }
  if (problems.length === 0) {
    for (const { product, text } of shortInCart({ items }, catalog, stock)) {
      const line = lines.findIndex(({ product_id }) => product_id === product.product_id);
      problems.push({
        pointer: `/line_items/${line}/quantity`,
        code: "OUT_OF_STOCK",
        detail: text,
      });
    }
  }
  if (problems.length > 0) return { problems: problems.slice(0, LIMITS.problems) };
  const { code, warnings } = readCodes(codes, offerRuns);
  const buyer_email = buyer.success ? buyer.data : undefined;
  return { cart: { items, discount_code: code, buyer_email }, warnings };
}

function lineProblems(lines: readonly AskedLine[], catalog: Catalog): Problem[] {
  const beans = lines.map(({ product_id: id }, i) => ({
    pointer: `/line_items/${i}/item/id`,
    id,
  }));
  const locked = beans.flatMap(({ pointer, id }) => {
    const bean = catalog.find(id);
    const detail = "The exclusive bean is sold only to agents with a finder key.";
    return bean && isExclusive(bean) ? [{ pointer, code: "GEISHA_LOCKED", detail }] : [];
  });
  const quantities = lines.flatMap(({ quantity }, i) => {
    const problem = quantityProblem(String(quantity));
    return problem ? [{ pointer: `/line_items/${i}/quantity`, ...problem }] : [];
  });
  const units = lines.flatMap(({ unit }, i) =>
    unit === undefined
      ? []
      : [{ pointer: `/line_items/${i}/item/quantity_unit`, code: "QUANTITY_UNIT", detail: BY_BAG }],
  );
  const limits = [
    lines.length > LIMITS.lines_per_shipment && `${LIMITS.lines_per_shipment} lines in one cart`,
    bagCount(lines) > LIMITS.bags_per_order && `${LIMITS.bags_per_order} bags in one order`,
  ].flatMap((most) =>
    most ? [{ pointer: "/line_items", code: "LIMIT_EXCEEDED", detail: `At most ${most}.` }] : [],
  );
  return [...beanProblems(beans, catalog), ...locked, ...quantities, ...units, ...limits];
}

const BY_BAG = "Coffee is sold by the bag: send unit C62 with scale 0, or leave quantity_unit out.";

/** Uses the first usable code. Each other one is dropped with a warning. */
function readCodes(codes: readonly string[], offerRuns: boolean) {
  const given = codes.map((sent) => ({
    sent,
    code: normalCode(sent),
    problem: problemOf(sent, offerRuns),
  }));
  const at = given.findIndex(({ code, problem }) => code !== null && problem === undefined);
  const warnings = given.flatMap(({ sent, code, problem }, i): Problem[] => {
    if (i === at || code === null) return [];
    const isFurther = at !== -1 && i > at;
    const reason = isFurther ? "One discount code per order." : (problem ?? "");
    const received = printable(sent).slice(0, LIMITS.code_characters);
    return [
      {
        pointer: `/discounts/codes/${i}`,
        code: isFurther ? ONE_CODE_ONLY : "DISCOUNT_CODE_INVALID",
        detail: `"${received}" is not applied. ${reason}`,
        received,
      },
    ];
  });
  return { code: given[at]?.code ?? undefined, warnings };
}

const problemOf = (code: string, offerRuns: boolean): string | undefined =>
  codeProblems(code)[0]?.detail ?? (offerRuns ? undefined : OFFER_ENDED);

/** Warning for further codes, and for one that the spend courtesy replaces. */
export const ONE_CODE_ONLY = "ONE_CODE_ONLY";

interface CreateSession {
  now: number;
  id: string;
  /** Another id, for a further checkout of a cart. */
  spareId: string;
  cart: Cart;
  /** The cart that the checkout is made from, with its content. */
  fromCart: string | null;
}

/**
 * A cart has one checkout at a time, which takes over the cart's present bags and code: `created` is then
 * false. One that was canceled or has expired stays as it is, and the cart gets another.
 */
export const createSession: Rule<CreateSession, { id: string; created: boolean }> = {
  // Locks the cart's row. The unique key of `from_cart` decides a race.
  reads: ({ fromCart }) =>
    fromCart === null
      ? []
      : [lock("ucp_sessions", { id: fromCart }), lock("ucp_sessions", { from_cart: fromCart })],
  decide({ now, id, spareId, cart: given, fromCart }, { ucp_sessions: rows }) {
    const source = rows.find((row) => row.id === fromCart);
    const cart: Cart = source ? JSON.parse(source.cart) : given;
    if (cart.items.length === 0 || (fromCart !== null && !(source && isLive(source, now)))) {
      throw unknownTo("cart");
    }
    const expires_at = now + SESSION_MS;
    const made = fromCart === null ? undefined : rows.find((row) => row.from_cart === fromCart);
    if (made && isLive(made, now)) {
      const { buyer_email } = JSON.parse(made.cart) as Cart;
      const set = { cart: JSON.stringify({ ...withEmail(buyer_email), ...cart }), expires_at };
      const writes = [update("ucp_sessions", { id: made.id }, set)];
      return { reply: { id: made.id, created: false }, writes };
    }
    const row = {
      id: made ? spareId : id,
      cart: JSON.stringify(cart),
      from_cart: fromCart,
      created_at: now,
      expires_at,
    };
    const ended = made ? [update("ucp_sessions", { id: made.id }, { from_cart: null })] : [];
    const writes = [...ended, insert("ucp_sessions", row)];
    return { reply: { id: row.id, created: true }, writes, room: ROOM.offers_bytes };
  },
};

const withEmail = (buyer_email: string | undefined) => buyer_email !== undefined && { buyer_email };

/** `cart: null` cancels the session. */
interface ChangeSession {
  now: number;
  id: string;
  cart: Cart | null;
}

/** Replaces a live session's cart, or cancels the session. Its quotes stay as they are. */
export const changeSession: Rule<ChangeSession, { id: string; created: boolean }> = {
  reads: ({ id }) => [lock("ucp_sessions", { id })],
  decide({ now, id, cart }, { ucp_sessions: [row] }) {
    if (!row || !isLive(row, now) || cart?.items.length === 0) throw unknownTo("session");
    const set =
      cart === null
        ? { canceled_at: now, expires_at: now }
        : { cart: JSON.stringify(cart), expires_at: now + SESSION_MS };
    return { reply: { id, created: false }, writes: [update("ucp_sessions", { id }, set)] };
  },
};
