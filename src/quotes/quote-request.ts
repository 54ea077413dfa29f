import { z } from "zod";
import { beansOnSale, type Catalog, isExclusive } from "../catalog/catalog.ts";
import { offSale } from "../catalog/catalog-version.ts";
import { Address } from "../core/address.ts";
import { ProductId, Quantity } from "../core/bags.ts";
import { Email } from "../core/email.ts";
import type { Problem } from "../core/errors.ts";
import {
  alsoSpelled,
  type Bounded,
  elements,
  field,
  handwritten,
  identifier,
  inOneLine,
  line,
  list,
  prose,
  text,
  trimmed,
  withOtherProblems,
} from "../core/fields.ts";
import { asReceived } from "../core/input-problems.ts";
import { sum } from "../core/money.ts";
import { nearest } from "../core/nearest.ts";
import { FIRST_ORDER, LIMITS } from "../core/policy.ts";

export const GiftNote = prose(
  { what: "The gift note", source: "List the bags with a note first: note 1 goes with bag 1." },
  LIMITS.gift_note_characters,
  handwritten,
).describe("Handwritten.");

export const DiscountCode = text({
  what: "The code",
  most: LIMITS.code_characters,
  least: 0,
  clean: trimmed,
  rules: [inOneLine],
}).describe("Such as the policy names. The large-order discount needs none.");

const Item = z.strictObject({ product_id: ProductId, quantity: Quantity });

export const items = (empty: string, of: string) =>
  list(Item, { empty, most: LIMITS.lines_per_shipment, of });

const ShipmentFields = z
  .strictObject({
    recipient_ref: line("recipient_ref", LIMITS.name_characters).describe(
      "Your name for this recipient.",
    ),
    address: Address,
    items: items("At least one line.", "lines per shipment"),
    gift_notes: list(GiftNote, { most: LIMITS.bags_per_order, of: "gift notes" })
      .optional()
      .describe("At most one per bag, the first for the first bag."),
  })
  .refine(notesFit, {
    path: ["gift_notes"],
    message: "More gift notes than bags; at most one per bag.",
    when: withOtherProblems,
  });

/** Null or blank text stands for a bag without a note. */
const Shipment = alsoSpelled(ShipmentFields, (shipment) => {
  const { items, gift_notes: notes } = (shipment ?? {}) as {
    items?: unknown;
    gift_notes?: unknown;
  };
  if (!Array.isArray(notes) || notes.every(isNote)) return shipment;
  return {
    ...(shipment as object),
    gift_notes: notesFirst(
      notes,
      elements(items).map((item) => Math.min(bagsOfItem(item), notes.length)),
    ),
  };
});

const isNote = (note: unknown): boolean =>
  typeof note !== "string" ? note !== null : trimmed(note) !== "";

/** Moves each line's notes to its first bags, which are alike. A gap before another line's note stays, as "". */
function notesFirst(notes: readonly unknown[], counts: readonly number[]): unknown[] {
  const bags = counts.flatMap((count, line) => Array.from({ length: count }, () => line));
  const placed = notes.map((note, i) => ({
    note: isNote(note) ? note : "",
    line: bags[i] ?? counts.length,
  }));
  const sorted = placed.toSorted(
    (a, b) => a.line - b.line || Number(a.note === "") - Number(b.note === ""),
  );
  return sorted
    .slice(0, 1 + sorted.findLastIndex(({ note }) => note !== ""))
    .map(({ note }) => note);
}

const Shipments = list(Shipment, {
  empty: "At least one shipment.",
  most: LIMITS.shipments_per_order,
  of: "shipments",
})
  // Their size in the request and in the quote's row.
  .refine((all) => Buffer.byteLength(JSON.stringify(all)) <= LIMITS.shipments_bytes, {
    message: `Names, addresses and notes exceed ${LIMITS.shipments_bytes} bytes. Use two quotes.`,
    params: { code: "LIMIT_EXCEEDED" },
  });

export const QuoteRequest = z
  .strictObject({
    buyer: z.strictObject({ email: Email }).describe("Who pays."),
    shipments: Shipments,
    preferences: z.strictObject({ substitutions: z.enum(["none"]).optional() }).optional(),
    discount_code: DiscountCode.optional(),
    replaces: identifier().optional().describe("An own quote; it ends."),
  })
  .refine((request) => countBags(request) <= LIMITS.bags_per_order, {
    path: ["shipments"],
    message: `At most ${LIMITS.bags_per_order} bags in one order; send a bulk lead for more.`,
    params: { code: "LIMIT_EXCEEDED" },
    when: withOtherProblems,
  });

export type QuoteRequest = z.infer<typeof QuoteRequest>;

/** Also runs on requests with other mistakes, so that all problems come at once. Trusts no shape. */
function notesFit(shipment: unknown): boolean {
  const notes = field(shipment, "gift_notes");
  return !Array.isArray(notes) || notes.length <= bagsOf(shipment);
}

const countBags = (request: unknown): number =>
  sum(elements(field(request, "shipments")).map(bagsOf));

const bagsOf = (shipment: unknown): number =>
  sum(elements(field(shipment, "items")).map(bagsOfItem));

function bagsOfItem(item: unknown): number {
  const quantity = field(item, "quantity");
  return typeof quantity === "number" && quantity > 0 ? quantity : 0;
}

/** Problems that the schema cannot find: unknown beans and codes (contract §2). */
export function requestProblems(request: Bounded, catalog: Catalog): Problem[] {
  const named = elements(field(request, "shipments")).flatMap((shipment, i) =>
    beansNamedIn(shipment, `/shipments/${i}`),
  );
  return [...beanProblems(named, catalog), ...codeProblems(field(request, "discount_code"))];
}

/** Beans named in a shipment or cart, each with its pointer. Trusts no shape. */
export const beansNamedIn = (holder: unknown, at = "") =>
  elements(field(holder, "items")).map((item, i) => ({
    pointer: `${at}/items/${i}/product_id`,
    id: field(item, "product_id"),
  }));

/** Unknown names that get a suggestion: each takes a search of the catalog. */
const MOST_MEANT = 10;

/** A problem for each unknown bean. */
export function beanProblems(
  named: readonly { pointer: string; id: unknown }[],
  catalog: Catalog,
): Problem[] {
  const unknown = named.flatMap(({ pointer, id }) =>
    typeof id !== "string" || id === "" || catalog.find(id) ? [] : [{ pointer, id }],
  );
  if (unknown.length === 0) return [];
  const ids = [...new Set(unknown.map(({ id }) => id))].slice(0, MOST_MEANT);
  const meant = new Map(ids.map((id) => [id, meantBean(id, catalog)]));
  const others = beansOnSale(catalog);
  const detail = `No such bean. ${others}`;
  return unknown.map(({ pointer, id }) => {
    const code = "UNKNOWN_PRODUCT";
    const did_you_mean = meant.get(id);
    const problem = { pointer, code, ...asReceived(id) };
    if (catalog.known(id)) return { ...problem, detail: `${offSale([id])} ${others}` };
    if (!did_you_mean) return { ...problem, detail };
    return { ...problem, detail: `${detail} Did you mean ${did_you_mean}?`, did_you_mean };
  });
}

/** A problem for each exclusive bean, where no finder key is taken. */
export const lockedProblems = (
  named: readonly { pointer: string; id: string }[],
  catalog: Catalog,
): Problem[] =>
  named.flatMap(({ pointer, id }) => {
    const bean = catalog.find(id);
    const detail = "The exclusive bean is sold only to agents with a finder key.";
    return bean && isExclusive(bean) ? [{ pointer, code: "GEISHA_LOCKED", detail }] : [];
  });

/** The bean with the nearest id or name, or null. */
function meantBean(typed: string, { products }: Catalog): string | null {
  const names = products.flatMap(({ product_id, name, name_to_use_with_humans }) =>
    [product_id, name, name_to_use_with_humans].map((text) => ({ text, product_id })),
  );
  const text = nearest(
    typed,
    names.map((one) => one.text),
  );
  const meant = names.find((one) => one.text === text)?.product_id;
  return meant ?? onlyBeanWith(typed, names);
}

/** The only bean whose names contain all the typed words, or null. */
function onlyBeanWith(typed: string, names: readonly { text: string; product_id: string }[]) {
  if (typed.length > LIMITS.id_characters) return null;
  const words = (text: string) => text.toLowerCase().split(/[^a-z0-9]+/);
  const typedWords = words(typed);
  const matching = names.filter(({ text }) =>
    typedWords.every((word) => words(text).includes(word)),
  );
  const ids = new Set(matching.map(({ product_id }) => product_id));
  return ids.size === 1 ? [...ids][0]! : null;
}

/** A problem for an unknown code. An empty code is none. */
export function codeProblems(code: unknown): Problem[] {
  if (typeof code !== "string") return [];
  const typed = normalCode(code);
  if (typed === null || typed === FIRST_ORDER.code) return [];
  const meant = nearest(code, [FIRST_ORDER.code]);
  return [
    {
      pointer: "/discount_code",
      code: "DISCOUNT_CODE_INVALID",
      detail: `No such discount code. Leave it out or correct it.${meant ? ` Did you mean ${meant}?` : ""}`,
      ...asReceived(code),
      ...(meant && { did_you_mean: meant }),
    },
  ];
}

/** Buyer whose purchase history the response reveals, or null. */
export function courtesyBuyer(request: unknown): string | null {
  const code = field(request, "discount_code");
  const email = field(field(request, "buyer"), "email");
  if (typeof code !== "string" || typeof email !== "string") return null;
  return normalCode(code) === null ? null : email;
}

/** Trimmed and without case; an empty code is none (contract §2). */
export const normalCode = (code: string | undefined): string | null =>
  (code === undefined ? "" : trimmed(code).toUpperCase()) || null;
