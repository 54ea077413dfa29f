import { errorsPage } from "../../../src/http/pages/errors.ts";
import { landingPage } from "../../../src/http/pages/landing.ts";
import { layout, type Page, type PaymentMode } from "../../../src/http/pages/layout.ts";
import { problemPage } from "../../../src/http/pages/problem.ts";
import {
  quickCheckoutGonePage,
  quickCheckoutPage,
} from "../../../src/http/pages/quick-checkout.ts";
import { quickLinkPage } from "../../../src/http/pages/quick-link.ts";
import { reviewPage } from "../../../src/http/pages/review.ts";
import type { ShipmentView } from "../../../src/http/pages/review-view.ts";
import {
  sandboxChallengePage,
  sandboxClosedPage,
  sandboxPayPage,
} from "../../../src/http/pages/sandbox.ts";
import { waitlistFormPage, waitlistPlacePage } from "../../../src/http/pages/waitlist.ts";
import { deskGallery } from "../desk/views.ts";
import {
  beans,
  cart,
  colombia,
  ethiopia,
  landing,
  order,
  payable,
  pricing,
  quickCheckout,
  quote,
  review,
  sandboxPay,
  shipment,
  waitlistForm,
  waitlistPlace,
} from "./views.ts";

const back = { reason: "MERCHANT", at: "2026-03-04T09:00:00.000Z" } as const;
const REFUNDS = [
  { ...back, amount_minor: 2000, status: "DONE" as const },
  { ...back, amount_minor: 4400, status: "DONE" as const },
];
const DISPUTE = {
  status: "OPEN" as const,
  amount_minor: 6400,
  reason: "product_not_received",
  at: "2026-03-20T09:00:00.000Z",
  respond_by: "2026-03-27T09:00:00.000Z",
};

const WAITING_REFUND: typeof order.payment = {
  ...order.payment,
  refunds: [{ ...back, amount_minor: 2000, status: "PENDING" }],
};

const expensive: typeof quickCheckout = {
  ...quickCheckout,
  pricing,
  raised: { fromMinor: 5400, reason: "NOT_ELIGIBLE" },
};
const tracked: ShipmentView = {
  ...shipment,
  progress: {
    status: "IN_TRANSIT",
    steps: [
      { name: "ORDERED", state: "done", at: Date.parse("2026-03-01T12:30:00.000Z") },
      { name: "ROASTING", state: "done", at: Date.parse("2026-03-02T12:30:00.000Z") },
      { name: "SHIPPED", state: "now", at: Date.parse("2026-03-03T12:30:00.000Z") },
      { name: "OUT_FOR_DELIVERY", state: "ahead", at: null },
      { name: "DELIVERED", state: "ahead", at: null },
    ],
    corrections: [
      { kind: "STEP_UNDONE", was: "DELIVERED", at: Date.parse("2026-03-04T12:30:00.000Z") },
      { kind: "TRACKING_CORRECTED", was: null, at: Date.parse("2026-03-04T12:31:00.000Z") },
      { kind: "ADDRESS_CHANGED", was: null, at: Date.parse("2026-03-02T12:31:00.000Z") },
    ],
    tracking: { carrier: "Sample Post", number: "9400-0000", url: "https://example.com/t/9400" },
  },
};
const problems = [
  { field: "email", message: "Enter an email address, such as name@example.com." },
  { field: "region", message: "Choose a state or territory." },
  { field: "postal_code", message: "A ZIP code looks like 12345 or 12345-6789." },
  { field: null, message: "The discount code has ended." },
];
const longWord = "Supercalifragilistic".repeat(12);
const longShipment = {
  ...shipment,
  recipient_ref: longWord,
  address: { ...shipment.address, name: longWord, line1: longWord },
  items: [{ ...ethiopia, name: longWord, quantity: 100 }],
  gift_notes: [longWord],
};

const reviews = {
  "review-payable": review(payable, { mode: "sandbox" }),
  "review-declined": review({ ...payable, problem: "BANK_REFUSED" }, { minutesSinceSamePaid: 4 }),
  "review-code-unused": review(payable, {
    mode: "test",
    pricing: {
      subtotal_minor: 60000,
      courtesy: { kind: "SPEND", amount_minor: 10000 },
      discount_code: {
        code: "FIRSTBAG",
        applied: false,
        reason: "the spend courtesy replaces it.",
      },
      shipping_minor: 0,
      total_minor: 50000,
    },
  }),
  "review-long-words": review(payable, {
    quote: { ...quote, buyer_email: `${longWord}@example.com` },
    destinations: [{ subtotalMinor: 220000, shippingMinor: 0, shipments: [longShipment, tracked] }],
    pricing: { ...pricing, subtotal_minor: 99_999_999, total_minor: 99_999_999 },
  }),
  "review-too-late": review({ ...payable, problem: "TOO_LATE" }),
  "review-open": review({
    ...payable,
    open: { payment: "pay_sample", until: Date.UTC(2026, 2, 1, 10, 20) },
  }),
  "review-courtesy-held": review({
    kind: "held",
    what: "COURTESY",
    until: Date.UTC(2026, 2, 1, 10, 20),
    fullPriceMinor: 7400,
  }),
  "review-bags-held": review({
    kind: "held",
    what: "BAGS",
    until: Date.UTC(2026, 2, 1, 10, 20),
    fullPriceMinor: null,
  }),
  "review-too-many": review({ kind: "too_many", name: ethiopia.name, most: 20 }),
  "review-provider-down": review({ kind: "provider_down" }),
  "review-confirming": review({ kind: "confirming" }),
  "review-processing": review({ kind: "processing" }),
  "review-paid": review({ kind: "paid", order }, { mode: "sandbox" }),
  "review-shipped": review(
    {
      kind: "paid",
      order: {
        ...order,
        headline: "PARTLY_ON_ITS_WAY",
        cancelRequest: { status: "DECLINED", decision: "It is in the roaster already." },
      },
    },
    { destinations: [{ subtotalMinor: 4400, shippingMinor: 0, shipments: [tracked] }] },
  ),
  "review-canceled": review({
    kind: "paid",
    order: {
      ...order,
      headline: "CANCELED",
      money: "REFUNDED",
      underWay: false,
      payment: { ...order.payment, status: "REFUNDED", refunded_minor: 6400, refunds: REFUNDS },
      canceled: { byBuyer: true, reason: null },
    },
  }),
  "review-canceled-by-shop": review(
    {
      kind: "paid",
      order: {
        ...order,
        headline: "CANCELED",
        underWay: false,
        canceled: { byBuyer: false, reason: "The roaster broke down." },
      },
    },
    { supportEmail: "hello@example.com" },
  ),
  "review-returned": review({
    kind: "paid",
    order: {
      ...order,
      headline: "RETURNED",
      underWay: false,
      money: "PARTLY_REFUNDED",
      payment: { ...order.payment, refunded_minor: 2000, refunds: REFUNDS.slice(0, 1) },
    },
  }),
  "review-delivery-failed": review({
    kind: "paid",
    order: { ...order, headline: "DELIVERY_FAILED", payment: WAITING_REFUND },
  }),
  "review-disputed": review({
    kind: "paid",
    order: {
      ...order,
      money: "DISPUTED",
      payment: { ...order.payment, status: "DISPUTED", dispute: DISPUTE },
    },
  }),
  "review-dispute-lost": review({
    kind: "paid",
    order: {
      ...order,
      money: "DISPUTED",
      payment: {
        ...order.payment,
        status: "DISPUTED",
        refunded_minor: 2000,
        refunds: REFUNDS.slice(0, 1),
        dispute: { ...DISPUTE, amount_minor: 4400, status: "LOST", respond_by: null },
      },
    },
  }),
  "review-expired": review({ kind: "expired" }),
  "review-sold-out": review({ kind: "invalidated", reason: "OUT_OF_STOCK" }),
  "review-courtesy-used": review({ kind: "invalidated", reason: "COURTESY_USED" }),
  "review-wrong-amount": review({ kind: "invalidated", reason: "WRONG_AMOUNT" }),
  "review-other": review({ kind: "invalidated", reason: "OTHER" }),
  "review-completed": review({
    kind: "paid",
    order: { ...order, headline: "DELIVERED", underWay: false },
  }),
  "review-key-revoked": review({ kind: "invalidated", reason: "KEY_REVOKED" }),
  "review-waitlist": review({
    kind: "waitlist",
    shortBeans: [{ name: ethiopia.name, wanted: 2 }],
  }),
};

const pages: Readonly<Record<string, Page>> = {
  ...Object.fromEntries(Object.entries(reviews).map(([name, view]) => [name, reviewPage(view)])),
  ...deskGallery,
  "checkout-form": quickCheckoutPage(quickCheckout),
  "checkout-problems": quickCheckoutPage({ ...quickCheckout, problems }),
  "checkout-higher-total": quickCheckoutPage(expensive),
  "checkout-expired": quickCheckoutGonePage("EXPIRED"),
  "checkout-broken": quickCheckoutGonePage("BROKEN"),
  "sandbox-pay": sandboxPayPage(sandboxPay),
  "sandbox-declined": sandboxPayPage({
    ...sandboxPay,
    lastError: "The card was declined. Choose another one.",
  }),
  "sandbox-challenge": sandboxChallengePage(sandboxPay),
  "sandbox-expired": sandboxClosedPage("expired", "/review/sample-token"),
  problem: problemPage({
    title: "Not valid",
    detail: "2 things in this link are not right.",
    code: "VALIDATION_FAILED",
    errors: [
      { pointer: "/items", code: "UNKNOWN_PRODUCT", detail: "There is no bean called mystery." },
      {
        pointer: "/gift_note",
        code: "TOO_LONG",
        detail: "A gift note has at most 200 characters.",
      },
    ],
    request_id: "req_SAMPLE",
  }),
  "not-found": problemPage({
    title: "Not found",
    detail: "There is no page at this address.",
    code: "NOT_FOUND",
    errors: [],
  }),
  errors: errorsPage(),
  landing: landingPage(landing),
  "shop-cart": landingPage({ ...landing, cart }),
  "shop-cart-problems": landingPage({
    ...landing,
    cart: {
      ...cart,
      rows: cart.rows.map((row) => ({
        ...row,
        quantity: "40",
        problem: `${row.bean.product.name_to_use_with_humans} has only 5 left.`,
        waitlist: `/waitlist?bean=${row.bean.product.product_id}&bags=40`,
      })),
      values: { gift_note: longWord, discount_code: "NOPE" },
      toFreeShippingMinor: 1800,
      problems: [
        { field: "qty_sample-natural", message: `${longWord} has only 5 left.` },
        { field: "discount_code", message: "No such discount code. Leave it out." },
      ],
    },
  }),
  "waitlist-form": waitlistFormPage(waitlistForm),
  "waitlist-problems": waitlistFormPage({
    ...waitlistForm,
    values: { email: longWord, bags: "0" },
    problems: [
      { field: "email", message: "Not an email address; it should look like name@example.com." },
      { field: "bags", message: "How many bags? A whole number from 1 to 100." },
    ],
  }),
  ...Object.fromEntries(
    (["WAITING", "OFFERED", "CONVERTED", "EXPIRED", "LEFT"] as const).map((status) => [
      `waitlist-${status.toLowerCase()}`,
      waitlistPlacePage({ ...waitlistPlace, entry: { ...waitlistPlace.entry, status } }),
    ]),
  ),
  "quick-link": quickLinkPage({
    kind: "link",
    url: `https://shop.example/v1/quick-checkout?items=${"sample%3A2%2C".repeat(12)}a%3A1&b=1`,
    lines: [ethiopia, colombia],
    pricing,
  }),
  "quick-link-problems": quickLinkPage({
    kind: "form",
    beans,
    values: { "qty_sample-natural": "0", gift_note: "Hello" },
    problems: [{ field: "qty_sample-natural", message: "Choose at least one bag." }],
  }),
};

const MODES: Partial<Record<string, PaymentMode>> = {
  "review-payable": "sandbox",
  "review-code-unused": "test",
  "review-paid": "sandbox",
  "checkout-form": "sandbox",
  "desk-sign-in": "sandbox",
  "desk-today": "sandbox",
  "desk-today-empty": "sandbox",
  landing: "sandbox",
  "shop-cart": "sandbox",
  "shop-cart-problems": "sandbox",
};

/** Every page in every state, by name. */
export const gallery: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(pages).map(([name, page]) => [name, layout(page, MODES[name] ?? "live")]),
);
