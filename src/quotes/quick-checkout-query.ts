import { z } from "zod";
import type { Catalog } from "../catalog/catalog.ts";
import type { Cart } from "../checkouts/cart.ts";
import { type Bags, bagCount, mergeBags, ProductId } from "../core/bags.ts";
import { Email } from "../core/email.ts";
import type { Problem } from "../core/errors.ts";
import { decimal, text } from "../core/fields.ts";
import { asReceived, pointer, printable } from "../core/input-problems.ts";
import { meantName, sameWord } from "../core/nearest.ts";
import { FIRST_ORDER, LIMITS } from "../core/policy.ts";
import { parseInput } from "../core/read-input.ts";
import {
  beanProblems,
  codeProblems,
  DiscountCode,
  GiftNote,
  lockedProblems,
  normalCode,
} from "./quote-request.ts";

/** Raw query parameters. A repeated one is an array. */
export type Query = Record<string, string | string[] | undefined>;

/**
 * The parameters of a link, described as llms.txt and the OpenAPI document tell them. For others
 * see `almostOurs` (contract §10).
 */
export const CART_QUERY = z.strictObject({
  items: text({ what: "items", most: LIMITS.link_items_characters }).describe(
    "comma-separated <product_id>:<number of bags>.",
  ),
  bag: ProductId.describe("one product_id, with qty; in place of items."),
  qty: text({ what: "qty", most: LIMITS.code_characters, least: 0 }).describe(
    "number of bags, with bag.",
  ),
  discount_code: DiscountCode.describe(`optional; ${FIRST_ORDER.code} on a first order.`),
  gift_note: GiftNote.describe(
    `optional; handwritten, at most ${LIMITS.gift_note_characters} characters.`,
  ),
  buyer_email: Email.describe("optional; fills in the buyer's email."),
  format: text({ what: "format", most: LIMITS.code_characters, least: 0 }).describe(
    "optional; json answers as JSON, without a redirect.",
  ),
});

type CartField = keyof typeof CART_QUERY.shape;
/** `about`: the received and suggested value, if not the whole parameter. */
type AddProblem = (name: CartField, code: string, detail: string, about?: Partial<Problem>) => void;

/** The two ways to name the bags in a link. */
const TWO_WAYS: readonly CartField[][] = [["items"], ["bag", "qty"]];

const OPTIONAL: readonly CartField[] = ["discount_code", "gift_note", "buyer_email"];

/** Field names of quote requests, and the link's parameter for each. */
const IN_QUOTES = new Map<string, CartField>([
  ["product_id", "bag"],
  ["quantity", "qty"],
]);

type CartReading = { cart: Cart } | { problems: Problem[] };

/** The link's cart, or all its problems. */
export function readCart(query: Query, catalog: Catalog): CartReading {
  const problems: Problem[] = [];
  const wrong: AddProblem = (name, code, detail, about = asReceived(query[name])) =>
    problems.push({ pointer: `/${name}`, code, detail, ...about });
  const bothWays = TWO_WAYS.every((names) => names.some((name) => query[name] !== undefined));
  if (bothWays) {
    wrong("items", "AMBIGUOUS", "Give items, or bag and qty, not both: they are not added up.");
  }
  problems.push(...almostOurs(query));
  // It is unclear which was meant, so neither is checked further.
  const given = readFields(query, wrong, bothWays ? TWO_WAYS.flat() : []);
  const bad = new Set(problems.map(({ pointer }) => pointer));
  const clear = !["/items", "/bag", "/qty"].some((pointer) => bad.has(pointer));
  const items = clear ? readItems(given, wrong) : [];
  const field = given.items === undefined ? "bag" : "items";
  const ids = [...new Set(items.map(({ product_id }) => product_id))];
  const named = ids.map((id) => ({ pointer: `/${field}`, id }));
  problems.push(...beanProblems(named, catalog));
  const merged = mergeBags(items);
  // A single line with too many is reported already.
  if (merged.some(isTooMany) && !items.some(isTooMany)) {
    wrong(field, "LIMIT_EXCEEDED", MOST_OF_ONE, {});
  }
  if (bagCount(items) > LIMITS.bags_per_order) {
    wrong(field, "LIMIT_EXCEEDED", `At most ${LIMITS.bags_per_order} bags in one order.`, {});
  }
  if (given.format !== undefined && given.format !== "json") {
    wrong("format", "INVALID", 'The only format is "json"; leave it out for the page.');
  }
  // Alone, an exclusive bean is an error of its own: see `refuseLockedCart`.
  if (problems.length > 0) {
    return { problems: [...problems, ...lockedProblems(named, catalog)] };
  }
  const { gift_note, buyer_email } = given;
  const discount_code = normalCode(given.discount_code) ?? undefined;
  return { cart: { items: merged, discount_code, gift_note, buyer_email } };
}

/**
 * Unknown parameters are ignored (contract §10). A misspelled or repeated one of ours is refused instead:
 * the buyer would silently lose the discount or the gift note.
 */
function almostOurs(query: Query): Problem[] {
  const problems = foreign(query).flatMap((typed): Problem[] => {
    const own = oursFor(typed);
    if (!own) return [];
    const [code, problem] =
      query[own] === undefined
        ? ["UNKNOWN_FIELD", `is no parameter here. Did you mean ${own}?`]
        : ["REPEATED", `says ${own} again. Leave one of them out.`];
    const detail = `"${printable(typed)}" ${problem}`;
    return [{ pointer: pointer([typed]), code, detail, did_you_mean: own }];
  });
  const rest = restOfNote(query);
  if (rest === undefined) return problems;
  const detail = `It may be cut at an "&", before "${printable(rest)}". In a link, write & as %26, or leave out what is no part of the note.`;
  return [...problems, { pointer: "/gift_note", code: "INVALID", detail }];
}

const NAMES = Object.keys(CART_QUERY.shape) as CartField[];

const foreign = (query: Query): string[] =>
  Object.keys(query).filter((name) => !NAMES.some((own) => own === name));

/** Our parameter that a foreign one was probably meant for. */
const oursFor = (typed: string): CartField | undefined =>
  IN_QUOTES.get(typed) ?? meantName(typed, OPTIONAL) ?? sameWord(typed, NAMES);

/**
 * "gift_note=Tom&Jerry": the rest of the note became a parameter. Beside a note, any unknown parameter may be
 * such a rest, unless it is known to be added to links on their way.
 */
export function restOfNote(query: Query): string | undefined {
  if (!query.gift_note) return undefined;
  return foreign(query).find((name) => !oursFor(name) && !TRACKING.test(name));
}

/** Parameters of campaigns, click ids of advertisers, and what mail tools and social networks add. */
const TRACKING =
  /^(?:(?:utm|mtm|pk|hsa|gad|vero|oly|ref)_\w+|_{1,2}hs\w+|_g[al]|mc_[ce]id|[a-z]{1,4}clk?id|[gw]braid|gclsrc|igshid|igsh|srsltid|li_fat_id|mkt_tok|rdt_cid|epik|_kx|ref)$/i;

/** A cart with its texts as typed. */
export type AskedCart = Omit<Cart, "held">;

/** Reads a cart of a form or a tool's input by the rules of links. */
export const checkCart = ({ items, ...texts }: AskedCart, catalog: Catalog): CartReading =>
  readCart({ ...texts, items: itemsText(items) }, catalog);

/** The complete, encoded link. The same cart always has the same link. */
export const cartUrl = (baseUrl: string, cart: Cart): string =>
  `${new URL(`${baseUrl}/v1/quick-checkout`)}?${cartQuery(cart)}`;

/** The cart's query string. */
function cartQuery({ items, discount_code, gift_note, buyer_email }: AskedCart): string {
  const rest = Object.entries({ discount_code, gift_note, buyer_email }).flatMap(([name, value]) =>
    value ? [`${name}=${encodeURIComponent(value)}`] : [],
  );
  // Commas and colons need no encoding in a query, and links are easier to read without.
  const bags = items.length > 0 ? [`items=${itemsText(items)}`] : [];
  return [...bags, ...rest].join("&");
}

const itemsText = (items: readonly Bags[]): string =>
  items.map(({ product_id, quantity }) => `${product_id}:${quantity}`).join(",");

/** Without what was pasted after the link. Only a gift note may end so. */
const asPasted = (name: CartField, value: Query[string]): Query[string] =>
  typeof value === "string" && name !== "gift_note"
    ? value.replace(/[^\p{L}\p{N}\s,]{1,9}$/u, "")
    : value;

type CartFields = Partial<Record<CartField, string>>;

/** Parameters given once, each validated by its field. */
function readFields(query: Query, wrong: AddProblem, but: readonly CartField[]): CartFields {
  const given: CartFields = {};
  for (const name of Object.keys(CART_QUERY.shape) as CartField[]) {
    const value = asPasted(name, query[name]);
    if (but.includes(name) || value === undefined || (value === "" && OPTIONAL.includes(name)))
      continue;
    if (Array.isArray(value)) {
      const several = name === "items" ? " Separate beans by commas: items=a:1,b:2." : "";
      wrong(name, "REPEATED", `Give this parameter once.${several}`);
      continue;
    }
    const read = parseInput(CART_QUERY.shape[name], value);
    if (!read.success) {
      wrong(name, "INVALID", `${read.issues[0]!.message}${plusHint(name, value)}`);
      continue;
    }
    given[name] = read.data;
    if (name !== "discount_code") continue;
    for (const { code, detail, ...about } of codeProblems(read.data)) {
      wrong(name, code, detail, about);
    }
  }
  return given;
}

/** A common mistake in handmade links: + in a query is a space. */
const plusHint = (name: CartField, value: string): string =>
  name === "buyer_email" && /\S \S/.test(value) ? " In a link + is written %2B." : "";

function readItems({ items, bag, qty }: CartFields, wrong: AddProblem): Cart["items"] {
  if (items === undefined) {
    if (bag === undefined)
      wrong("bag", "MISSING", "Give items=<product_id>:<bags>, or bag and qty.");
    if (qty === undefined) wrong("qty", "MISSING", "How many bags? Such as qty=2.");
    const quantity = qty === undefined ? 0 : readQuantity(qty, "qty", wrong);
    return bag === undefined ? [] : [{ product_id: bag, quantity }];
  }
  const parts = items.split(",");
  if (parts.length > LIMITS.lines_per_shipment) {
    wrong("items", "LIMIT_EXCEEDED", `At most ${LIMITS.lines_per_shipment} beans in one cart.`);
    return [];
  }
  return parts.flatMap((part) => {
    const colon = part.lastIndexOf(":");
    if (colon < 1 || /["{[]/.test(part)) {
      wrong("items", "INVALID", "Write each as <product_id>:<number of bags>.", asReceived(part));
      return [];
    }
    const quantity = readQuantity(part.slice(colon + 1), "items", wrong, part);
    return [{ product_id: part.slice(0, colon), quantity }];
  });
}

/** Problem of a typed number of bags. Refuses "01", "+1", "1.0" and 0 (contract §10). */
export function quantityProblem(typed: string): { code: string; detail: string } | null {
  if (!decimal(typed)) {
    const detail = "The number of bags is a whole number from 1, without leading zeros.";
    return { code: "INVALID", detail };
  }
  if (!isTooMany({ quantity: Number(typed) })) return null;
  return { code: "LIMIT_EXCEEDED", detail: MOST_OF_ONE };
}

/** A cart has one line for each coffee. */
export const isTooMany = ({ quantity }: Pick<Bags, "quantity">): boolean =>
  quantity > LIMITS.quantity_per_line;

export const MOST_OF_ONE = `At most ${LIMITS.quantity_per_line} bags of one coffee.`;

function readQuantity(typed: string, name: CartField, wrong: AddProblem, part = typed): number {
  const problem = quantityProblem(typed);
  if (problem) wrong(name, problem.code, problem.detail, asReceived(part));
  return problem?.code === "INVALID" ? 0 : Number(typed);
}
