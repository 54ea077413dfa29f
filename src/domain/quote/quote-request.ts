import { z } from "zod";
import type { Catalog } from "../catalog/catalog.ts";
import { Address, textLine } from "../shared/address.ts";
import { Email } from "../shared/email.ts";
import type { Problem } from "../shared/errors.ts";
import { FIRST_ORDER, LIMITS } from "../shared/policy.ts";

/** What an agent asks a price for (contract §3). Everything but prices, statuses and links. */
export const Quantity = z
  .int("A whole number of bags.")
  .min(1, "At least 1 bag.")
  .max(LIMITS.quantity_per_line, `At most ${LIMITS.quantity_per_line} bags in one line.`)
  .describe("Number of 8 oz bags.");

export const ProductId = z
  .string()
  .min(1)
  .max(80)
  .describe("product_id of a bean, from the catalog.");

/** Text over several lines: no control characters but the line break, counted in code points. */
export function multiline(max: number, what: string) {
  return z
    .string()
    .overwrite((value) => value.replaceAll("\r\n", "\n"))
    .refine((value) => value.trim() !== "", { message: `${what} is blank.` })
    .refine((value) => [...value].length <= max, { message: `At most ${max} characters.` })
    .refine((value) => !/[^\P{Cc}\n]/u.test(value) && value.isWellFormed(), {
      message: "No control characters but line breaks.",
    })
    .meta({ minLength: 1, maxLength: max });
}

export const GiftNote = multiline(LIMITS.gift_note_characters, "The gift note").describe(
  "Handwritten on a card and put with one bag; at most 200 characters.",
);

export const DiscountCode = z
  .string()
  .trim()
  .max(40, "At most 40 characters.")
  .describe("The first-order code, if the buyer has one. Spend courtesies need no code.");

const Item = z.strictObject({ product_id: ProductId, quantity: Quantity });

const Shipment = z
  .strictObject({
    recipient_ref: textLine(100, "recipient_ref").describe(
      "Your own name for this recipient; it comes back on the order's shipments.",
    ),
    address: Address,
    items: z
      .array(Item)
      .min(1, "At least one line.")
      .max(LIMITS.lines_per_shipment, `At most ${LIMITS.lines_per_shipment} lines per shipment.`),
    gift_notes: z
      .array(GiftNote)
      .optional()
      .describe("At most one per bag; the first belongs to the first bag, and so on."),
  })
  .refine((shipment) => notesFit(shipment), {
    path: ["gift_notes"],
    message: "More gift notes than bags; at most one per bag.",
    when: () => true,
  });

export const QuoteRequest = z
  .strictObject({
    buyer: z.strictObject({ email: Email }).describe("Who pays."),
    shipments: z
      .array(Shipment)
      .min(1, "At least one shipment.")
      .max(LIMITS.shipments_per_order, `At most ${LIMITS.shipments_per_order} shipments.`)
      .describe("One entry per destination."),
    preferences: z
      .strictObject({ substitutions: z.literal("none").optional() })
      .optional()
      .describe('substitutions: "none" is the only policy.'),
    discount_code: DiscountCode.optional(),
  })
  .refine((request) => countBags(request) <= LIMITS.bags_per_order, {
    path: ["shipments"],
    message: `At most ${LIMITS.bags_per_order} bags in one order; send a bulk lead for more.`,
    params: { code: "LIMIT_EXCEEDED" },
    when: () => true,
  });

export type QuoteRequest = z.infer<typeof QuoteRequest>;

/** Sees requests that are wrong elsewhere too, so that all problems come at once: trusts no shape. */
function notesFit(shipment: unknown): boolean {
  const notes = field(shipment, "gift_notes");
  return !Array.isArray(notes) || notes.length <= bagsOf(shipment);
}

const countBags = (request: unknown): number =>
  list(field(request, "shipments")).reduce<number>((n, shipment) => n + bagsOf(shipment), 0);

const bagsOf = (shipment: unknown): number =>
  list(field(shipment, "items")).reduce<number>((n, item) => {
    const quantity = field(item, "quantity");
    return n + (typeof quantity === "number" && quantity > 0 ? quantity : 0);
  }, 0);

/** A field of something that may be anything. */
export const field = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null
    ? (value as Record<string, unknown>)[name]
    : undefined;

/** An array, or none where it is something else. */
export const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** What only the catalog and the policy can say is wrong: unknown beans and codes (contract §2). */
export function requestProblems(request: unknown, catalog: Catalog): Problem[] {
  const problems: Problem[] = [];
  list(field(request, "shipments")).forEach((shipment, s) => {
    list(field(shipment, "items")).forEach((item, i) => {
      const pointer = `/shipments/${s}/items/${i}/product_id`;
      problems.push(...productProblems(field(item, "product_id"), pointer, catalog));
    });
  });
  problems.push(...codeProblems(field(request, "discount_code")));
  return problems;
}

export function productProblems(id: unknown, pointer: string, catalog: Catalog): Problem[] {
  if (typeof id !== "string" || id === "" || catalog.find(id)) return [];
  const known = catalog.products.map((p) => p.product_id).join(", ");
  return [{ pointer, code: "UNKNOWN_PRODUCT", detail: `No such bean. The catalog has: ${known}.` }];
}

function codeProblems(code: unknown): Problem[] {
  if (typeof code !== "string" || normalCode(code) === null) return [];
  if (normalCode(code) === FIRST_ORDER.code) return [];
  return [
    {
      pointer: "/discount_code",
      code: "DISCOUNT_CODE_INVALID",
      detail: "No such discount code. Leave it out or correct it.",
    },
  ];
}

/** Trimmed and without case; an empty code is none (contract §2). */
export const normalCode = (code: string | undefined): string | null =>
  code?.trim().toUpperCase() || null;
