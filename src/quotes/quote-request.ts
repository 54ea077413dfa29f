import { z } from "zod";
import { beansOnSale, type Catalog } from "../catalog/catalog.ts";
import { Address } from "../core/address.ts";
import { ProductId, Quantity } from "../core/bags.ts";
import { Email } from "../core/email.ts";
import type { Problem } from "../core/errors.ts";
import {
  besideProblems,
  elements,
  field,
  handwritten,
  line,
  list,
  prose,
  text,
} from "../core/fields.ts";
import { asReceived } from "../core/input-problems.ts";
import { sum } from "../core/money.ts";
import { nearest } from "../core/nearest.ts";
import { FIRST_ORDER, LIMITS } from "../core/policy.ts";

export const GiftNote = prose("The gift note", LIMITS.gift_note_characters, handwritten).describe(
  "Handwritten.",
);

export const DiscountCode = text({
  what: "The code",
  most: LIMITS.code_characters,
  least: 0,
  clean: (value) => value.trim(),
}).describe("Such as {get_policy} names. The large-order discount needs none.");

const Item = z.strictObject({ product_id: ProductId, quantity: Quantity });

export const items = (empty: string, of: string) =>
  list(Item, { empty, most: LIMITS.lines_per_shipment, of });

const Shipment = z
  .strictObject({
    recipient_ref: line("recipient_ref", LIMITS.name_characters).describe(
      "Your own name for this recipient.",
    ),
    address: Address,
    items: items("At least one line.", "lines per shipment"),
    gift_notes: list(GiftNote, { most: LIMITS.bags_per_order, of: "gift notes" })
      .optional()
      .describe("At most one a bag, in the order of the bags: list those with a note first."),
  })
  .refine(notesFit, {
    path: ["gift_notes"],
    message: "More gift notes than bags; at most one per bag.",
    when: besideProblems,
  });

const Shipments = list(Shipment, {
  empty: "At least one shipment.",
  most: LIMITS.shipments_per_order,
  of: "shipments",
})
  // What they take on the wire at the least, and in the quote's row.
  .refine((all) => Buffer.byteLength(JSON.stringify(all)) <= LIMITS.shipments_bytes, {
    message: `Names, addresses and notes come to over ${LIMITS.shipments_bytes} bytes; use two quotes.`,
    params: { code: "LIMIT_EXCEEDED" },
  })
  .describe("One entry per destination.");

export const QuoteRequest = z
  .strictObject({
    buyer: z.strictObject({ email: Email }).describe("Who pays."),
    shipments: Shipments,
    preferences: z.strictObject({ substitutions: z.literal("none").optional() }).optional(),
    discount_code: DiscountCode.optional(),
  })
  .refine((request) => countBags(request) <= LIMITS.bags_per_order, {
    path: ["shipments"],
    message: `At most ${LIMITS.bags_per_order} bags in one order; send a bulk lead for more.`,
    params: { code: "LIMIT_EXCEEDED" },
    when: besideProblems,
  });

export type QuoteRequest = z.infer<typeof QuoteRequest>;

/** Sees requests that are wrong elsewhere too, so that all problems come at once: trusts no shape. */
function notesFit(shipment: unknown): boolean {
  const notes = field(shipment, "gift_notes");
  return !Array.isArray(notes) || notes.length <= bagsOf(shipment);
}

const countBags = (request: unknown): number =>
  sum(elements(field(request, "shipments")).map(bagsOf));

const bagsOf = (shipment: unknown): number =>
  sum(
    elements(field(shipment, "items")).map((item) => {
      const quantity = field(item, "quantity");
      return typeof quantity === "number" && quantity > 0 ? quantity : 0;
    }),
  );

/** What only the catalog and the policy can say is wrong: unknown beans and codes (contract §2). */
export function requestProblems(request: unknown, catalog: Catalog): Problem[] {
  const named = elements(field(request, "shipments")).flatMap((shipment, i) =>
    beansNamedIn(shipment, `/shipments/${i}`),
  );
  return [...beanProblems(named, catalog), ...codeProblems(field(request, "discount_code"))];
}

/** The beans that the items of a shipment or a cart name, and where. Trusts no shape. */
export const beansNamedIn = (holder: unknown, at = "") =>
  elements(field(holder, "items")).map((item, i) => ({
    pointer: `${at}/items/${i}/product_id`,
    id: field(item, "product_id"),
  }));

/** Of so many names it is looked for what was meant: that takes as long as the catalog is. */
const MOST_MEANT = 10;

/** Of what names a bean, and where, that which is no bean's. */
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
  const detail = `No such bean. ${beansOnSale(catalog)}`;
  return unknown.map(({ pointer, id }) => {
    const code = "UNKNOWN_PRODUCT";
    const did_you_mean = meant.get(id);
    const told = { pointer, code, ...asReceived(id) };
    if (!did_you_mean) return { ...told, detail };
    return { ...told, detail: `${detail} Did you mean ${did_you_mean}?`, did_you_mean };
  });
}

/** The bean whose id, or one of whose names, is nearest to what was typed; null where none is near. */
function meantBean(typed: string, { products }: Catalog): string | null {
  const names = products.flatMap(({ product_id, name, name_to_use_with_humans }) =>
    [product_id, name, name_to_use_with_humans].map((said) => ({ said, product_id })),
  );
  const said = nearest(
    typed,
    names.map((one) => one.said),
  );
  const meant = names.find((one) => one.said === said)?.product_id;
  return meant ?? onlyBeanWith(typed, names);
}

/** Of which a whole word was typed, where there is one only. */
function onlyBeanWith(typed: string, names: readonly { said: string; product_id: string }[]) {
  if (typed.length > LIMITS.id_characters) return null;
  const words = (text: string) => text.toLowerCase().split(/[^a-z0-9]+/);
  const typedWords = words(typed);
  const having = names.filter(({ said }) => typedWords.every((word) => words(said).includes(word)));
  const ids = new Set(having.map(({ product_id }) => product_id));
  return ids.size === 1 ? [...ids][0]! : null;
}

/** A code that is none of ours; an empty one asks for nothing. */
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

/** The buyer of whom the answer to this tells whether they have bought here; null where of none. */
export function courtesyBuyer(request: unknown): string | null {
  const code = field(request, "discount_code");
  const email = field(field(request, "buyer"), "email");
  if (typeof code !== "string" || typeof email !== "string") return null;
  return normalCode(code) === null ? null : email;
}

/** Trimmed and without case; an empty code is none (contract §2). */
export const normalCode = (code: string | undefined): string | null =>
  code?.trim().toUpperCase() || null;
