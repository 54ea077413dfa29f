/** The desk's pages over a shop with orders, tasks and messages of every kind, for the gallery. */
import type { Request } from "express";
import { insert } from "../../src/core/command.ts";
import type { OrderId } from "../../src/core/ids.ts";
import { customer } from "../../src/desk/customer.ts";
import { deskPage } from "../../src/desk/frame.ts";
import { agents } from "../../src/desk/lists.ts";
import { messages } from "../../src/desk/messages.ts";
import { order } from "../../src/desk/order.ts";
import type { DeskRoute } from "../../src/desk/route.ts";
import { sendAgainPage, signInPage } from "../../src/desk/sign-in.ts";
import type { Admin, Merchant } from "../../src/merchant/merchant.ts";
import type { Page } from "../../src/web/layout.ts";
import { write } from "../db/rules.ts";
import { DECAF, STOCKED, WAITLISTED } from "../support/catalog.ts";
import { type FormFields, orderOf } from "../support/purchase.ts";
import { dispute } from "../support/rows.ts";
import { DAY, startService } from "../support/service.ts";
import { ADDRESS, type Answer, payAsBuyer, send } from "../support/shopper.ts";
import { merchantAt, SECRET } from "./visitor.ts";

/** Stands where strangers write; `strangersPages` puts another text there. */
const MARK = "Marker";
const EMAIL = "marker@example.com";
const LONG = "Supercalifragilistic".repeat(3);

const service = await startService({ MERCHANT_SECRET: SECRET, DATABASE_URL: "sqlite::memory:" });
const { baseUrl, clock, store } = service;
const { merchant } = service.service;
const admin = merchant.admin("desk");
let desk = await merchantAt(baseUrl);
const pages: Record<string, string> = {};

const keep = (name: string, { status, text }: Answer) => {
  if (status >= 300 && status < 400) throw new Error(`${name}: no page, but ${status}`);
  pages[`desk-${name}`] = text.replaceAll(baseUrl, "https://shop.example");
};
/** Paths of the desk that were opened. */
export const opened: string[] = [];
const open = async (name: string, path = `/desk/${name}`) => {
  opened.push(path.replace(/\?.*/, ""));
  keep(name, await desk.get(path));
};
const press = async (name: string, path: string, fields: FormFields) => {
  opened.push(path);
  keep(name, await desk.post(path, fields));
};

await open("today-empty", "/desk");

const contact = { name: MARK, contact_email: EMAIL };
const key: string = (await send(baseUrl, "/v1/agents/register", { body: contact })).body.api_key;
const post = async (path: string, body: object) => (await send(baseUrl, path, { key, body })).body;
const address = { ...ADDRESS, name: MARK, line1: MARK, line2: MARK, city: MARK };
const parcel = (product_id: string, quantity = 1) => ({
  recipient_ref: MARK,
  address,
  items: [{ product_id, quantity }],
  gift_notes: [MARK],
});

/** A paid order with its shipments' ids. */
async function bought(...shipments: object[]) {
  const body = { buyer: { email: EMAIL }, shipments };
  const { id, quote_hash } = await post("/v1/quote-requests", body);
  const { review_url } = await post(`/v1/quotes/${id}/checkout`, { quote_hash });
  await payAsBuyer(baseUrl, review_url);
  const order = await orderOf(baseUrl, key, id);
  clock.advance(1000);
  const ids: string[] = order.shipments.map(({ id }: { id: string }) => id);
  return { order_id: order.id as OrderId, path: `/desk/orders/${order.id}`, ids };
}

const late = await bought(parcel(STOCKED));
clock.advance(30 * DAY);
// The session ended meanwhile.
desk = await merchantAt(baseUrl);
const many = await bought(...Array.from({ length: 5 }, () => parcel(STOCKED, 2)));
const { order_id, path, ids } = many;
const asks = { reason_code: "OTHER", message: MARK };
await admin.orders.roast({ order_id });
for (const [i, shipment_id] of ids.slice(0, 3).entries()) {
  const tracking = { carrier: MARK, number: `${MARK}-${i}`, url: "https://example.com/t" };
  await admin.shipments.ship({ shipment_id, tracking });
}
for (const to of ["FAILED", "RETURNED"] as const) {
  await admin.shipments.move({ shipment_id: ids[0]!, to });
}
await post(`/v1/orders/${order_id}/cancel-requests`, { ...asks, shipment_ids: ids.slice(3) });
await admin.orders.note({ order_id, text: MARK });
await admin.orders.refund({ order_id, amount_minor: 500 });
const canceled = await bought(parcel(STOCKED));
await admin.orders.cancel({ order_id: canceled.order_id, reason: MARK });
const large = await bought(parcel(DECAF, 63));
const elsewhere = { ...parcel(STOCKED), address: { ...address, line1: "2 Elm Street" } };
const twice = await bought(elsewhere, elsewhere);
for (const { order_id } of [late, twice]) await admin.orders.roast({ order_id });

await post("/v1/feedback", { message: MARK, order_id });
await post("/v1/feedback", { message: LONG.repeat(4) });
await post("/v1/bulk-leads", { email: EMAIL, purpose: MARK, quantity: MARK, organization: MARK });
await admin.stock.set({ product_id: WAITLISTED, on_hand: 0 });
const waiting = { product_id: WAITLISTED, quantity: 3 };
await post("/v1/waitlist", { ...waiting, buyer: { email: `${"long".repeat(12)}@example.com` } });
await admin.stock.setLow({ product_id: STOCKED, low_at: 5000 });
const incident = (id: string) => ({
  ...{ id, kind: "PAID_TWICE" as const, subject: order_id, created_at: clock.now() },
  detail: `The refund of payment pi_${"42d5".repeat(12)} failed, so the buyer does not have the money.`,
});
const contested = dispute({
  order_id,
  reason: "product_not_received",
  due_by: clock.now() + DAY,
});
await store.run(write, [
  insert("incidents", incident("inc_1")),
  insert("incidents", incident("inc_2")),
  insert("disputes", contested),
]);
const { incidents } = await admin.tasks.waiting();
await admin.tasks.handle({ task_id: incidents.rows[0]!.id });
const { products } = await admin.catalog.export();
const named = products.map((one) =>
  one.product_id === DECAF ? { ...one, name_to_use_with_humans: `${LONG} (Peru)` } : one,
);
await admin.catalog.import({ file: JSON.stringify({ products: named }) });

await open("today", "/desk");
await open("order", path);
await press("order-refused", path, { act: "orders.note", text: "" });
await open("refund", `${path}/refund?amount=12.50`);
await press("cancel", twice.path, [
  ["act", "shipments.cancel"],
  ["refund", "on"],
  ["reason", MARK],
  ["shipment_ids", twice.ids[0]!],
]);
await open("orders", `/desk/orders?show=ship&before=${large.order_id}`);
await open("refusal", "/desk/nothing");
await open("roast");
await press("ship", "/desk/ship", [
  ["act", "shipments.ship"],
  ["carrier", "Bike"],
  ["shipment_id", `${late.ids[0]} ${twice.ids[0]}`],
  [`number.${late.ids[0]}`, "9400-1"],
  [`number.${twice.ids[0]}`, "9400-1"],
]);
await open("deliver");
await open("slips");
await open("catalog");
await open("bean", `/desk/catalog/${STOCKED}`);
await press("bean-problems", "/desk/catalog/new", { act: "catalog.add", price: "cheap" });
await open("customer", `/desk/customers?email=${EMAIL}`);
for (const name of [
  "stock",
  "waitlist",
  "agents",
  "messages",
  "sales",
  "shop",
  "mail",
  "incidents",
  "log",
]) {
  await open(name);
}

/** Answers of the verbs for pages that show what strangers wrote. */
const answers = {
  order: await admin.orders.show({ order_id }),
  events: await admin.views.events({ order_id }),
  origin: { via: "LINK", agent_name: "Marker" },
  keys: await admin.keys.list(),
  leads: await admin.leads.list(),
  feedback: await admin.feedback.list(),
  customer: await admin.customers.show({ email: EMAIL }),
};
await service.stop();

/** The desk's pages for the gallery. */
export const deskGallery: Readonly<Record<string, string>> = pages;

/** The page's signs of a session that ended, which no request of this shop shows. */
export const signInPages: Readonly<Record<string, Page>> = {
  "desk-sign-in": signInPage({
    to: "/desk",
    unencrypted: true,
    refused: true,
    linkCommand: "npm run --silent merchant -- desk link",
    kept: { text: "Call at 9." },
  }),
  "desk-send-again": sendAgainPage("/desk/orders/ord_sample", { text: "Call at 9." }),
};

/** Pages at the desk on which every text of a stranger is this word. */
export async function strangersPages(word: string): Promise<Page[]> {
  const told = JSON.parse(JSON.stringify(answers), (_name, value) =>
    typeof value === "string" && /marker/i.test(value) ? word : value,
  );
  const admin = {
    orders: { show: async () => told.order },
    views: { events: async () => told.events, origin: async () => told.origin },
    customers: { show: async () => told.customer },
    ...Object.fromEntries(
      ["keys", "leads", "feedback"].map((list) => [list, { list: async () => told[list] }]),
    ),
  } as unknown as Admin;
  const drawn = async (route: DeskRoute) => {
    const req = { query: { email: word } } as unknown as Request;
    const request = { req, id: "", command: "", refused: undefined };
    const page = await route.show({
      ...request,
      admin,
      merchant: { mail: { sending: true } } as Merchant,
    });
    return deskPage({ place: route.place, ...page }, { refused: word, details: [word, word] });
  };
  return Promise.all([order, agents, messages, customer].map(drawn));
}
