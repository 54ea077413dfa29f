import { catalogOf, type Product } from "../../../src/catalog/catalog.ts";
import type { OrderRow, ShipmentRow, ShipmentStatus } from "../../../src/core/records.ts";
import { owedMinor } from "../../../src/core/refunds.ts";
import { DEFAULT_SHOP } from "../../../src/core/shop.ts";
import { destinations, type ReviewedOrder } from "../../../src/orders/review.ts";
import { orderStanding } from "../../../src/orders/standing.ts";
import type { CartPricing } from "../../../src/quotes/quick-checkout.ts";
import type { Terms } from "../../../src/quotes/quote-answer.ts";
import type { Standing } from "../../../src/quotes/standing.ts";
import type { CartView } from "../../../src/shop/cart.ts";
import type { LandingView } from "../../../src/shop/pages/landing.ts";
import type { ReviewView } from "../../../src/shop/pages/review-view.ts";
import type { QuickCheckoutView } from "../../../src/shop/quick-checkout.ts";
import type { OpenSession } from "../../../src/shop/sandbox.ts";
import type { WaitlistFormView, WaitlistPlaceView } from "../../../src/shop/waitlist.ts";
import type { Bean } from "../../../src/web/bean-view.ts";

/** Complete, plausible views for tests, without personal data. */

export const ethiopia = {
  product_id: "sample-natural",
  name: "Sample Natural (Ethiopia)",
  quantity: 2,
  unit_price_minor: 2200,
};
export const colombia = {
  product_id: "sample-decaf",
  name: "Sample Washed (Colombia)",
  quantity: 1,
  unit_price_minor: 2000,
};

const product: Product = {
  product_id: "sample-natural",
  name: "Sample Natural",
  name_to_use_with_humans: "Sample Natural (Ethiopia)",
  price_minor: 2200,
  roast_level: "Light",
  summary: "A sample.",
  choose_if: "You like a bright and fruity cup.",
  decaf: false,
  availability: "STOCKED",
  opening_stock: 400,
  facts: {
    country: "Ethiopia",
    region: "Guji",
    process: "Natural",
    varieties: ["Heirloom"],
    roast: "Light",
    tasting_notes: ["blueberry", "jasmine", "honey"],
    brewing: [],
  },
};

/** Beans of the orders and carts. */
export const shop = catalogOf(
  [ethiopia, colombia].map(({ product_id, name, unit_price_minor }) => ({
    ...product,
    product_id,
    name_to_use_with_humans: name,
    price_minor: unit_price_minor,
    availability: product_id === ethiopia.product_id ? "WAITLIST" : "STOCKED",
  })),
);

type Approved = Terms["shipments"][number];

export const shipment: Approved = {
  recipient_ref: "me",
  address: {
    name: "Test Buyer",
    line1: "100 Example Street",
    line2: "Apartment 4",
    city: "Springfield",
    region: "IL",
    postal_code: "62701",
    country: "US",
  },
  items: [ethiopia],
  gift_notes: ["Happy birthday!\nBrew it slowly.", "And one for the office."],
  subtotal_minor: 4400,
  shipping_minor: 0,
};

const gift: Approved = {
  ...shipment,
  recipient_ref: "parents",
  address: {
    name: "Test Parents",
    line1: "7 Sample Road",
    city: "Portland",
    region: "OR",
    postal_code: "97201",
    country: "US",
  },
  items: [colombia],
  gift_notes: [],
  subtotal_minor: 2000,
  shipping_minor: 1000,
};

export const pricing = {
  currency: "usd",
  subtotal_minor: 6400,
  courtesy: { kind: "FIRST_ORDER", code: "FIRSTBAG", amount_minor: 1000 },
  shipping_minor: 1000,
  total_minor: 6400,
  total_display: "$64.00",
} satisfies CartPricing;

/** A quote that can be paid. */
const payable: Standing = {
  status: "CHECKOUT_READY",
  reason: null,
  payable: true,
  paying: false,
  problem: null,
  released: null,
  isCapturing: false,
  owedMinor: 0,
  short: [],
  offerEnds: null,
  bought: null,
  firstOrder: false,
  fullPriceQuote: null,
  hasAgent: true,
  orderId: null,
  orderNumber: null,
  expiresAt: Date.UTC(2026, 2, 8, 9, 30),
};

export const quote: ReviewView["quote"] = {
  agent_id: "agt_sample",
  buyer_email: "buyer@example.com",
  quote_hash: `sha256:${"0123456789abcdef".repeat(4)}`,
  expires_at: Date.UTC(2026, 2, 8, 9, 30),
};

/** Quoted terms; `more` replaces shipments or the price. */
export const terms = (more: Partial<Terms> = {}): Terms => ({
  contract_version: "opc/0.1",
  policy_version: "1",
  buyer: { email: quote.buyer_email },
  currency: "usd",
  shipments: [shipment, gift],
  pricing: { ...pricing, courtesy: { ...pricing.courtesy, allocations: [] } },
  preferences: { substitutions: "none" },
  expires_at: "2026-03-08T09:30:00.000Z",
  nonce: "sample",
  ...more,
});

export function review(
  standing: Partial<Standing> = {},
  { terms: approved = terms(), ordered, ...more }: Partial<ReviewView> = {},
): ReviewView {
  return {
    mode: "live",
    shop: DEFAULT_SHOP,
    url: "/review/sample-token",
    catalog: shop,
    quote,
    hasNewerQuote: false,
    agentName: "Sample agent",
    arrival: { earliest: "2026-03-06", latest: "2026-03-15" },
    terms: approved,
    destinations: destinations(approved, ordered?.shipments ?? []),
    standing: {
      ...payable,
      owedMinor: ordered?.owedMinor ?? 0,
      payable: ["OPEN", "CHECKOUT_READY", undefined].includes(standing.status),
      ...standing,
    },
    confirming: false,
    ordered,
    short: [],
    revoked: false,
    ...more,
  };
}

const SENT_AT = Date.parse("2026-03-03T12:30:00.000Z");

const row = (status: ShipmentStatus, position: number): ShipmentRow => ({
  id: `shp_${position}`,
  order_id: "ord_0SAMPLE0ORDER0NUMBER00",
  position,
  status,
  address: null,
  carrier: null,
  tracking_number: null,
  tracking_url: null,
  tracking_key: null,
  shipped_at: status === "PENDING" || status === "ROASTING" ? null : SENT_AT,
  delivered_at: status === "DELIVERED" ? Date.parse("2026-03-06T12:30:00.000Z") : null,
});

/** A shipment on its way, with every correction. */
export const tracked: ShipmentRow = {
  ...row("IN_TRANSIT", 0),
  carrier: "Sample Post",
  tracking_number: "9400-0000",
  tracking_url: "https://example.com/t/9400",
};
export const CORRECTIONS: ReviewedOrder["corrections"] = [
  { kind: "STEP_UNDONE", was: "DELIVERED", at: Date.parse("2026-03-04T12:30:00.000Z") },
  { kind: "TRACKING_CORRECTED", was: null, at: Date.parse("2026-03-04T12:31:00.000Z") },
  { kind: "ADDRESS_CHANGED", was: null, at: Date.parse("2026-03-02T12:31:00.000Z") },
].map((one) => ({ ...one, shipmentId: tracked.id }) as ReviewedOrder["corrections"][number]);

const day = (date: number, minute = 30) => Date.UTC(2026, 2, date, 12, minute);
const HAPPENED = { shipmentId: null, amountMinor: null, emailedAt: day(1) };

/** An order with these statuses of its shipments. */
export const ordered = (
  shipments: readonly (ShipmentStatus | ShipmentRow)[],
  more: Partial<ReviewedOrder> = {},
  daysPast = 0,
): ReviewedOrder => {
  const { payment = PAYMENT, refunds = [], disputes = [] } = more;
  const rows: Omit<ReviewedOrder, "standing"> = {
    order: {
      id: "ord_0SAMPLE0ORDER0NUMBER00",
      number: 1042,
      created_at: Date.parse("2026-03-01T12:30:00.000Z"),
      amount_minor: payment.amount_minor,
      refunded_minor: payment.refunded_minor,
      payment_status: payment.status,
    } as OrderRow,
    shipments: shipments.map((one, at) => (typeof one === "string" ? row(one, at) : one)),
    cancelRequests: [],
    canceledAt: 0,
    isToDecide: true,
    refunds,
    disputes,
    owedMinor: owedMinor({ refunds, disputes }),
    payment,
    timeline: [
      { ...HAPPENED, kind: "PAID", at: day(1), amountMinor: payment.amount_minor },
      { ...HAPPENED, kind: "ROASTING", at: day(2), emailedAt: null },
      { ...HAPPENED, kind: "SHIPPED", at: day(3), shipmentId: tracked.id, emailedAt: day(3, 40) },
      ...(payment.refunded_minor > 0
        ? [
            {
              ...HAPPENED,
              kind: "REFUNDED" as const,
              at: day(4),
              amountMinor: -payment.refunded_minor,
            },
          ]
        : []),
    ],
    corrections: [],
    canceled: null,
    withdrawnBy: null,
    ...more,
  };
  return { ...rows, standing: orderStanding(rows, daysPast) };
};

export const PAYMENT: ReviewedOrder["payment"] = {
  status: "PAID",
  method: "card",
  amount_minor: 6400,
  refunded_minor: 0,
  currency: "usd",
  paid_at: "2026-03-01T12:30:00.000Z",
  mode: "live",
  refunds: [],
  dispute: null,
};

export const quickCheckout: QuickCheckoutView = {
  shop: DEFAULT_SHOP,
  url: "/checkout/sample-token",
  expiresAt: Date.UTC(2026, 2, 8, 9, 30),
  cart: {
    items: [ethiopia, colombia],
    gift_note: "Enjoy!\nSee you soon.",
    buyer_email: "buyer@example.com",
  },
  catalog: shop,
  pricing: { ...pricing, shipping_minor: 0, total_minor: 5400 },
  values: { email: "buyer@example.com" },
  problems: [],
  acceptedMinor: null,
};

export const sandboxPay: OpenSession = {
  url: "http://127.0.0.1:3000/sandbox/pay/cs_sample",
  amountMinor: 6400,
  lines: [
    { name: "Sample Natural (Ethiopia)", quantity: 2, amountMinor: 4400 },
    { name: "Sample Washed (Colombia)", quantity: 1, amountMinor: 2000 },
    { name: "Shipping", quantity: 1, amountMinor: 1000 },
  ],
  discountMinor: 1000,
  email: "buyer@example.com",
  submitMessage:
    "You approve exactly $64.00. The bags are kept for you until Mar 1, 2026, 12:20 PM UTC; then the shop closes this page.",
  methods: [
    { value: "4242424242424242", label: "Card that pays", hint: "Paid at once." },
    { value: "4000000000000002", label: "Card that is declined", hint: "You can try another." },
    { value: "4000000000003220", label: "Card that asks back", hint: "3-D Secure." },
    { value: "bank_debit", label: "Bank debit", hint: "Settles later." },
  ],
  status: "open",
  awaiting3ds: false,
  successUrl: "/review/sample-token",
  lastError: null,
  cancelUrl: "/review/sample-token",
};

const bean = (product_id: string, name: string, more: Partial<Product>, free = 400): Bean => ({
  product: { ...product, product_id, name_to_use_with_humans: name, ...more },
  free,
});

export const beans: Bean[] = [
  { product, free: 400 },
  bean(
    "sample-decaf",
    "Sample Decaf (Colombia)",
    { price_minor: 2000, roast_level: "Medium", decaf: true },
    5,
  ),
  bean("sample-small-lot", "Small Lot (Kenya)", { availability: "WAITLIST" }, 0),
  bean("sample-exclusive", "Sample Mocha (Yemen)", {
    price_minor: 12000,
    availability: "EXCLUSIVE",
  }),
];

const emptyCart: CartView = {
  rows: [],
  bagTotal: 0,
  pricing: null,
  values: {},
  problems: [],
};

export const cart: CartView = {
  ...emptyCart,
  rows: [0, 1].map((at) => ({ bean: beans[at]!, quantity: `${at + 1}` })),
  bagTotal: 3,
  pricing: { subtotal_minor: 6200, courtesy: null, shipping_minor: 0, total_minor: 6200 },
};

/** The front page with an empty cart. */
export const landing: LandingView = {
  shop: DEFAULT_SHOP,
  baseUrl: "https://shop.example",
  beans,
  cart: emptyCart,
  firstOrderOffer: true,
  tools: [
    { name: "get_catalog", title: "See the beans" },
    { name: "request_quote", title: "Get an exact price" },
  ],
  sample: {
    product,
    bags: 2,
    pricing: { subtotal_minor: 4400, courtesy: null, shipping_minor: 0, total_minor: 4400 },
  },
};

export const waitlistForm: WaitlistFormView = {
  catalog: catalogOf(beans.map((one) => one.product)),
  mailing: true,
  values: { bean: "sample-small-lot", form: "sample" },
  problems: [],
};

export const waitlistPlace: WaitlistPlaceView = {
  catalog: waitlistForm.catalog,
  mailing: false,
  url: "/waitlist/wl_sample.token",
  hasAgent: false,
  confirmed: true,
  settling: false,
  paidAt: "/review/sample-token",
  sold: true,
  entry: {
    id: "wl_sample",
    product_id: waitlistForm.values.bean,
    status: "WAITING",
    quantity: 2,
    buyer: { email: "buyer@example.com" },
    position: 3,
    eta: null,
    offer_expires_at: "2026-03-04T10:00:00.000Z",
    created_at: "2026-03-01T10:00:00.000Z",
    next: [],
  },
};
