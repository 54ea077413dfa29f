import type { ShipmentId } from "../../../src/core/ids.ts";
import { owedMinor } from "../../../src/core/owed.ts";
import { DAY_MS } from "../../../src/core/policy.ts";
import type { ShipmentRow, ShipmentStatus } from "../../../src/core/records.ts";
import { DEFAULT_SHOP, holdingRule } from "../../../src/core/shop.ts";
import { destinations, type ReviewedOrder } from "../../../src/orders/review.ts";
import { isHere, orderStanding } from "../../../src/orders/standing.ts";
import type { Terms } from "../../../src/quotes/quote-answer.ts";
import type { Standing } from "../../../src/quotes/standing.ts";
import type { ReviewView } from "../../../src/shop/pages/review-view.ts";
import type { QuickCheckoutView } from "../../../src/shop/quick-checkout.ts";
import type { WaitlistPlaceView } from "../../../src/shop/waitlist.ts";
import { CATALOG, DECAF, STOCKED, WAITLISTED } from "../../support/catalog.ts";
import { type FormFields, form, orderOf } from "../../support/purchase.ts";
import { startService } from "../../support/service.ts";
import {
  ADDRESS,
  type Answer,
  eventually,
  payAsBuyer,
  register,
  send,
} from "../../support/shopper.ts";
import { BROWSER, cartPage, FIELDS } from "../quick-checkout/checkout.ts";

/** Pages and answers of a running shop, without personal data, and their changes for the states of a page. */

export const SUPPORT_EMAIL = "help@shop.example";

const service = await startService({ SUPPORT_EMAIL, DATABASE_URL: "sqlite::memory:" });
const { baseUrl } = service;
const { merchant } = service.service;
const admin = merchant.admin("cli");

const key = await register(baseUrl);
const post = async (path: string, body: object) => (await send(baseUrl, path, { key, body })).body;
const tokenOf = (url: string) => new URL(url).pathname.split("/").at(-1)!;

/** A quote of two parcels with its link. */
async function quoted() {
  const shipments = [
    {
      recipient_ref: "me",
      address: { ...ADDRESS, line2: "Apartment 4" },
      items: [{ product_id: STOCKED, quantity: 2 }],
      gift_notes: ["Happy birthday!\nBrew it slowly.", "And one for the office."],
    },
    {
      recipient_ref: "parents",
      address: {
        ...ADDRESS,
        name: "Test Parents",
        city: "Portland",
        region: "OR",
        postal_code: "97201",
      },
      items: [{ product_id: WAITLISTED, quantity: 1 }],
    },
  ];
  const email = "buyer@example.com";
  const quote = await post("/v1/quote-requests", {
    buyer: { email },
    shipments,
    discount_code: "FIRSTBAG",
  });
  const { quote_hash } = quote;
  const { review_url } = await post(`/v1/quotes/${quote.id}/checkout`, { quote_hash });
  return { id: quote.id as string, url: review_url as string };
}

const quote = await quoted();
const payable = await merchant.reviews.open(tokenOf(quote.url));

/** The real service's pages by name. */
export const pages: Record<string, string> = {};

const keep = (name: string, { status, text }: Answer) => {
  if (status >= 300 && status < 400) throw new Error(`${name}: no page, but ${status}`);
  pages[name] = text.replaceAll(baseUrl, "https://shop.example");
};
const open = async (name: string, path = `/${name}`, cookie = "") =>
  keep(name, await send(baseUrl, path, { headers: { ...BROWSER, cookie } }));
const submit = async (path: string, fields: FormFields) => {
  const sent = form(fields);
  return send(baseUrl, path, { ...sent, headers: { ...BROWSER, ...sent.headers } });
};
const press = async (name: string, path: string, fields: FormFields) =>
  keep(name, await submit(path, fields));
/** The cookie of a cart with these bags. */
const cartOf = async (items: string) =>
  cookieOf(await send(baseUrl, `/?items=${items}`, { headers: BROWSER }));
const cookieOf = ({ headers }: Answer) => headers.get("set-cookie")!.split(";")[0]!;

const cart = await cartOf(`${STOCKED}:1,${WAITLISTED}:2`);
for (const page of ["errors", "shipping", "privacy", "find-order", "not-found"]) await open(page);
await open("landing", "/");
await open("shop-cart", "/", cart);
await open("bean", `/beans/${STOCKED}`, cart);
const emptied = await submit("/cart", { [`qty_${STOCKED}`]: "0", gift_note: "Happy birthday!" });
await open("shop-cart-emptied", "/", cookieOf(emptied));
const [tooMany, longNote] = [
  { [`qty_${WAITLISTED}`]: "41" },
  { gift_note: "Supercali".repeat(22) },
];
await press("shop-cart-problems", "/cart", {
  ...tooMany,
  ...longNote,
  discount_code: "NOPE",
  go: "checkout",
});
await press("find-order-again", "/find-order", {
  number: "1042",
  email: "buyer@example.com",
  postal_code: "78701",
});
await open("problem", "/v1/quick-checkout?items=mystery:0&gift_note=%20");
await open(
  "quick-link",
  `/quick-checkout-link?qty_${STOCKED}=2&qty_${DECAF}=1&gift_note=${"%C3%A9".repeat(99)}`,
);
await open("quick-link-problems", `/quick-checkout-link?qty_${STOCKED}=0&gift_note=Hello`);

const checkout = async (code = "") =>
  cartPage(
    baseUrl,
    `items=${STOCKED}:2,${DECAF}:1&gift_note=Enjoy!%0ASee%20you.&discount_code=${code}`,
  );
const WRONG = { ...FIELDS, email: "nobody", region: "ZZ", postal_code: "1" };
await open("checkout-form", await checkout("FIRSTBAG"), cart);
await press("checkout-problems", await checkout(), WRONG);
await press("checkout-email", await checkout(), { ...FIELDS, email: "buyer@gmial.con" });

const { hosted, after } = await payAsBuyer(baseUrl, quote.url, "4000000000000002");
keep("sandbox-declined", await send(baseUrl, after.headers.get("location")!, { headers: BROWSER }));
await submit(`${hosted}/pay`, { card: "4000000000003220" });
await open("sandbox-challenge", hosted);
await submit(`${hosted}/challenge`, { outcome: "fail" });
await open("sandbox-pay", hosted);
await submit(`${hosted}/pay`, { card: "4242424242424242" });
const order = await orderOf(baseUrl, key, quote.id);
await press("checkout-higher-total", await checkout("FIRSTBAG"), {
  ...FIELDS,
  accept_total: "5450",
});

const elsewhere = await checkout();
const linked = await submit(elsewhere, { ...FIELDS, email: "buyer2@example.com" });
await payAsBuyer(baseUrl, linked.headers.get("location")!);
await eventually(async () => (await send(baseUrl, elsewhere)).text.includes("Order 1002"));
await open("checkout-paid", elsewhere);

await admin.stock.set({ product_id: WAITLISTED, on_hand: 3 });
await open("quick-link-short", `/v1/quick-checkout?items=${WAITLISTED}:5`);
await open("waitlist-form-few", `/waitlist?bean=${WAITLISTED}`);
await admin.stock.set({ product_id: WAITLISTED, on_hand: 0 });
await open("waitlist-form", `/waitlist?bean=${WAITLISTED}`);
await press("waitlist-problems", "/waitlist", {
  bean: WAITLISTED,
  email: "x".repeat(99),
  bags: "0",
});

/** The order's first parcel is corrected in every way, and on its way. */
const [first, second] = order.shipments as { id: ShipmentId; address: typeof ADDRESS }[];
const on = { shipment_id: first!.id };
const tracking = { carrier: "Sample Post", number: "9400-0000", url: "https://example.com/t/9400" };
await admin.shipments.changeAddress({
  ...on,
  address: { ...first!.address, line1: "100 Example Street" },
});
await admin.orders.roast({ order_id: order.id });
await admin.shipments.ship({ ...on, tracking: { ...tracking, number: "9400-1" } });
await merchant.mail.sendDue({ send: async () => {}, close: () => {} });
await admin.shipments.correct({ ...on, tracking });
await admin.shipments.move({ ...on, to: "DELIVERED" });
await admin.shipments.undo(on);
const paid = (await merchant.reviews.open(tokenOf(quote.url))).ordered!;
await service.stop();

export const [tracked] = paid.shipments as [ShipmentRow];
export const CORRECTIONS = paid.corrections;
export const SECOND = second!.id;
/** Ids of all shipments, as a cancel request keeps them. */
export const ALL_SHIPMENTS = JSON.stringify(paid.shipments.map(({ id }) => id));
export const PAYMENT = paid.payment;
export const [shipment] = payable.terms.shipments as [Terms["shipments"][number]];

/** The quoted terms; `more` replaces shipments or the price. */
export const terms = (more: Partial<Terms> = {}): Terms => ({ ...payable.terms, ...more });

/** The quote's page with these facts changed. */
export function review(
  standing: Partial<Standing> = {},
  { terms: approved = terms(), ordered, ...more }: Partial<ReviewView> = {},
): ReviewView {
  return {
    ...payable,
    mode: "live",
    shop: DEFAULT_SHOP,
    url: "/review/sample-token",
    catalog: CATALOG,
    terms: approved,
    destinations: destinations(approved, ordered?.shipments ?? []),
    standing: {
      ...payable.standing,
      owedMinor: ordered?.owedMinor ?? 0,
      payable: ["OPEN", "CHECKOUT_READY", undefined].includes(standing.status),
      ...standing,
    },
    ordered,
    ...more,
  };
}

const SENT_AT = Date.parse("2026-03-03T12:30:00.000Z");

/** The order with these statuses of its shipments. */
export const ordered = (
  shipments: readonly (ShipmentStatus | ShipmentRow)[],
  more: Partial<ReviewedOrder> = {},
  daysPast = 0,
): ReviewedOrder => {
  const { payment = PAYMENT, refunds = [], disputes = [] } = more;
  const { refunded_minor, status: payment_status } = payment;
  const shipment = (status: ShipmentStatus, at: number): ShipmentRow => ({
    ...paid.shipments[at]!,
    ...{ status, carrier: null, tracking_number: null, tracking_url: null },
    shipped_at: isHere({ status }) ? null : SENT_AT,
    delivered_at: status === "DELIVERED" ? SENT_AT + 3 * DAY_MS : null,
  });
  const rows = {
    ...paid,
    order: { ...paid.order, refunded_minor, payment_status },
    shipments: shipments.map((one, at) => (typeof one === "string" ? shipment(one, at) : one)),
    corrections: [],
    owedMinor: owedMinor({ refunds, disputes }),
    ...more,
  };
  return { ...rows, standing: orderStanding(rows, daysPast) };
};

export const quickCheckout: QuickCheckoutView = {
  shop: DEFAULT_SHOP,
  url: "/checkout/sample-token",
  version: 1,
  bags: {
    rows: shipment.items.map(({ product_id, quantity }) => ({
      bean: { product: CATALOG.find(product_id)!, free: 500 },
      quantity: String(quantity),
    })),
    bagTotal: 2,
    pricing: payable.terms.pricing,
    values: { gift_note: "Enjoy!\nSee you soon." },
    problems: [],
  },
  linkEmail: "buyer@example.com",
  values: { email: "buyer@example.com" },
  problems: [],
  acceptedMinor: null,
};

export const waitlistPlace: WaitlistPlaceView = {
  catalog: CATALOG,
  mailing: false,
  url: "/waitlist/wl_sample.token",
  pricing: { shipping_minor: 0, total_minor: 4900 },
  hasAgent: false,
  inStock: false,
  settling: false,
  paidAt: "/review/sample-token",
  sold: true,
  entry: {
    id: "wl_sample",
    product_id: WAITLISTED,
    status: "WAITING",
    confirmed: true,
    holding: holdingRule(false),
    quantity: 2,
    buyer: { email: "buyer@example.com" },
    position: 3,
    eta: null,
    offer_expires_at: "2026-03-04T10:00:00.000Z",
    created_at: "2026-03-01T10:00:00.000Z",
    next: [],
  },
};
