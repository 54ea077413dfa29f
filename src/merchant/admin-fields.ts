import { z } from "zod";
import { ProductFields } from "../catalog/catalog.ts";
import { OnHand, Received } from "../catalog/stock.ts";
import { Address } from "../core/address.ts";
import { Email } from "../core/email.ts";
import { identifier, list, text, whole } from "../core/fields.ts";
import { inputProblems } from "../core/input-problems.ts";
import { invalid } from "../core/invalid.ts";
import { iso, LIMITS, ORDER_TOTAL } from "../core/policy.ts";
import { SHIPMENT_STATUSES } from "../core/records-sale.ts";
import { line } from "../core/text-rules.ts";
import { OrderNote } from "../orders/notes.ts";
import { DOUBTS } from "../orders/order-steps.ts";
import { ORDER_VIEWS, type OrderViewName } from "../orders/order-views.ts";
import { Tracking } from "../orders/tracking.ts";
import { ShopAddress } from "./settings.ts";

const order_id = identifier();
const shipment_id = identifier();
const request_id = identifier();
const reason = line("The reason", 500);
const status = z.enum(SHIPMENT_STATUSES);
/** The doubts about an order that a page showed. */
const known = list(z.enum(DOUBTS), { most: DOUBTS.length, of: "doubts" }).optional();
/** Of what a page showed (`markOf`). */
const mark = identifier().optional();
const product_id = identifier();
/** When a bean that was looked at had last changed. */
const changed_at = whole({ least: 0, most: 1e15 });
/** What could be refunded when the merchant decided; a page may be old. */
const seen_minor = whole({ least: 0, most: ORDER_TOTAL.max_minor, of: "cents" }).optional();
/** In the same act, of what was paid for it. */
const refund = z.boolean().optional();
/** Of the desk's pages: it names one showing of a form, so that sent twice it is one act. */
const form = identifier().optional();
const limit = whole({ least: 1, most: 1000 }).optional();
const view = z.enum(Object.keys(ORDER_VIEWS) as [OrderViewName]).optional();
/** A row of a list by its moment and id: what comes after it is the next page. */
const row = z.strictObject({ at: whole({ least: 0, most: 1e15 }), id: identifier() });

/** Rows of a list where the number is not given. */
export const LIST_ROWS = 500;

/** A part of a list, newest first: behind a row, so many. */
const page = z.strictObject({ before: row.optional(), limit });
export type ListPage = z.infer<typeof page>;

const wanted = z.strictObject({
  view,
  before: identifier().optional(),
  limit: whole({ least: 1, most: 1000 }),
});
export type OrderPageRequest = z.infer<typeof wanted>;

/** A row of a list that is sorted by its moment. */
export type ListRow = { id: string } & ({ created_at: string } | { at: string });

/** A row's place in a list as links and the command line carry it: its moment and its id. */
export const placeOf = (row: ListRow): string =>
  `${Date.parse("at" in row ? row.at : row.created_at)}.${row.id}`;

/** Undefined for whatever is no place. */
export function placeIn(text: unknown): ListPage["before"] {
  const [, at, id] = /^(\d{1,15})\.(\w{1,64})$/.exec(typeof text === "string" ? text : "") ?? [];
  return at !== undefined && id !== undefined ? { at: Number(at), id } : undefined;
}

/**
 * What each of the merchant's verbs takes, in the order of its arguments: the desk's forms and the
 * command line hand on what was typed, and it is held to its fields here, once for both (contract
 * §15).
 */
export const ADMIN_FIELDS = {
  order: z.strictObject({ order_id }),
  cancelOrder: z.strictObject({ order_id, reason, refund, seen_minor }),
  cancelShipments: z.strictObject({
    shipment_ids: list(shipment_id, {
      empty: "Choose at least one shipment.",
      most: LIMITS.shipments_per_order,
      of: "shipments",
    }),
    reason,
    refund,
    seen_minor,
  }),
  refund: z.strictObject({
    order_id,
    amount_minor: whole({ least: 1, most: ORDER_TOTAL.max_minor, of: "cents" }).nullable(),
    seen_minor,
  }),
  roast: z.strictObject({ order_id, known }),
  ship: z.strictObject({ shipment_id, tracking: Tracking, known, seen: status.optional() }),
  refundReturned: z.strictObject({ shipment_id, seen_minor }),
  moveShipment: z.strictObject({ shipment_id, to: status, seen: status.optional() }),
  undoStep: z.strictObject({ shipment_id, seen: status.optional() }),
  correctTracking: z.strictObject({ shipment_id, tracking: Tracking, seen: mark }),
  changeAddress: z.strictObject({ shipment_id, address: Address, seen: mark }),
  request: z.strictObject({ request_id }),
  declineRequest: z.strictObject({ request_id, reason }),
  setStock: z.strictObject({ product_id, on_hand: OnHand, seen: OnHand.optional() }),
  receiveStock: z.strictObject({ product_id, bags: Received, form }),
  setLowStock: z.strictObject({ product_id, low_at: OnHand }),
  task: z.strictObject({ task_id: identifier() }),
  note: z.strictObject({ order_id, text: OrderNote, form }),
  acceptAndRefund: z.strictObject({ request_id, seen_minor }),
  bean: z.strictObject({ product_id }),
  saveBean: z.strictObject({
    product: ProductFields,
    on_sale: z.boolean(),
    seen: changed_at.nullable(),
  }),
  discardDraft: z.strictObject({ product_id, seen: changed_at.optional() }),
  moveBean: z.strictObject({ product_id, place: whole({ least: 1, most: 500, of: "places" }) }),
  importCatalog: z.strictObject({ file: text({ what: "The catalog file", most: 4_000_000 }) }),
  publishCatalog: z.strictObject({ version: identifier() }),
  shopAddress: z.strictObject({ address: ShopAddress }),
  revokeKey: z.strictObject({ agent_id: identifier() }),
  page: z.strictObject({ page: page.optional() }),
  orderPage: z.strictObject({ wanted }),
  inTurn: z.strictObject({ view: z.enum(["roast", "ship"]) }),
  search: z.strictObject({ words: line("What you look for", 100) }),
  queue: z.strictObject({
    page: z.strictObject({ after: identifier().optional(), limit }).optional(),
  }),
  erase: z.strictObject({ email: Email }),
  firstOrder: z.strictObject({ on: z.boolean() }),
  nothing: z.strictObject({}),
} as const;

/** A verb that reads nothing of what it is given before it was held to its fields. */
export interface AdminVerb<A extends unknown[], R> {
  (...given: A): Promise<R>;
  readonly fields: z.ZodObject;
}

export function validated<A extends unknown[], R>(
  fields: z.ZodObject,
  act: (...given: A) => Promise<R>,
): AdminVerb<A, R> {
  const names = Object.keys(fields.shape);
  const verb = async (...given: A): Promise<R> => {
    const typed = names.flatMap((name, i) => (given[i] === undefined ? [] : [[name, given[i]]]));
    const input = Object.fromEntries(typed);
    const parsed = fields.safeParse(input);
    if (!parsed.success) throw invalid(inputProblems(parsed.error, { schema: fields, input }));
    return act(...(names.map((name) => parsed.data[name]) as A));
  };
  return Object.assign(verb, { fields });
}

/** A row as it is shown: its moment as text. */
export const dated = <R extends { created_at: number }>(row: R) =>
  ({ ...row, created_at: iso(row.created_at) }) as Omit<R, "created_at"> & { created_at: string };

/** A list by pages, newest first, as it is shown. */
export const paged = <R, V>(
  read: (before: ListPage["before"], limit?: number) => Promise<R[]>,
  shown: (rows: R[]) => V[] | Promise<V[]>,
) =>
  validated(ADMIN_FIELDS.page, async ({ before, limit }: ListPage = {}) =>
    shown(await read(before, limit)),
  );
