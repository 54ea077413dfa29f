import type { CancelRequestRow } from "../../../src/core/records.ts";
import { DEFAULT_SHOP, holdingRule } from "../../../src/core/shop.ts";
import { reviewPage } from "../../../src/shop/pages/review.ts";
import { quickCheckoutGonePage } from "../../../src/shop/quick-checkout.ts";
import { sandboxClosedPage } from "../../../src/shop/sandbox.ts";
import { waitlistPlacePage } from "../../../src/shop/waitlist.ts";
import { layout, type Page, type PaymentMode } from "../../../src/web/layout.ts";
import { problemPage } from "../../../src/web/problem-page.ts";
import { deskGallery, signInPages } from "../../desk/seeded.ts";
import { STOCKED } from "../../support/catalog.ts";
import {
  ALL_SHIPMENTS,
  CORRECTIONS,
  ordered,
  PAYMENT,
  pages as realPages,
  review,
  SECOND,
  SUPPORT_EMAIL,
  shipment,
  terms,
  tracked,
  waitlistPlace,
} from "./views.ts";

const back = { reason: "MERCHANT", at: "2026-03-04T09:00:00.000Z" } as const;
const REFUNDS = [
  { ...back, created_at: back.at, amount_minor: 2000, status: "DONE" as const },
  { ...back, created_at: "2026-03-10T09:00:00.000Z", amount_minor: 4850, status: "DONE" as const },
];
const DISPUTE = {
  status: "OPEN" as const,
  amount_minor: 6850,
  reason: "product_not_received",
  at: "2026-03-20T09:00:00.000Z",
  respond_by: "2026-03-27T09:00:00.000Z",
};

const longWord = "Supercalifragilistic".repeat(12);
const longShipment = {
  ...shipment,
  recipient_ref: longWord,
  address: { ...shipment.address, name: longWord, line1: longWord },
  items: [{ ...shipment.items[0]!, product_id: "former", name: longWord, quantity: 100 }],
  gift_notes: [longWord],
};

const PAID = { status: "PAID" } as const;
const ASKED_AT = Date.parse("2026-03-02T09:00:00.000Z");

/** The buyer's request to cancel the second shipment. */
export const cancelRequest = (more: Partial<CancelRequestRow>): CancelRequestRow => ({
  id: "cr_sample",
  order_id: "ord_sample",
  shipment_ids: JSON.stringify([SECOND]),
  asked_by: "BUYER",
  reason_code: "WRONG_ADDRESS",
  message: longWord,
  status: "REQUESTED",
  created_at: ASKED_AT,
  decided_at: null,
  decision: null,
  ...more,
});

const bought = {
  same: true,
  quoteId: "qte_2",
  at: ASKED_AT,
  bags: "2 bags of Kenya Nyeri",
  order: { id: "ord_2", called: "#1042" },
};

const reviews = {
  "review-payable": review({}, { mode: "sandbox" }),
  "review-declined": review({ problem: "BANK_REFUSED", bought: { ...bought, minutesAgo: 4 } }),
  "review-replaced": review({ bought: { ...bought, same: false, minutesAgo: 60 } }),
  "review-code-unused": review(
    {},
    {
      mode: "test",
      terms: terms({
        pricing: {
          ...terms().pricing,
          subtotal_minor: 60000,
          courtesy: { kind: "SPEND", amount_minor: 10000, allocations: [] },
          shipping_minor: 0,
          total_minor: 50000,
        },
        discount_code: {
          code: "FIRSTBAG",
          applied: false,
          reason: "The large-order discount replaces it.",
        },
      }),
    },
  ),
  "review-long-words": review(
    {},
    {
      quote: { ...review().quote, buyer_email: `${longWord}@example.com` },
      terms: terms({
        shipments: [longShipment, { ...shipment, address: longShipment.address }],
        pricing: {
          ...terms().pricing,
          subtotal_minor: 99_999_999,
          total_minor: 99_999_999,
        },
      }),
    },
  ),
  "review-too-late": review({ problem: "TOO_LATE" }),
  "review-not-charged": review({ problem: "NOT_CHARGED", released: "OUT_OF_STOCK" }),
  "review-bags-gone": review(
    { status: "INVALIDATED", reason: "OUT_OF_STOCK", released: "OUT_OF_STOCK" },
    { short: [{ product_id: STOCKED, requested: 2, available: 1 }] },
  ),
  "review-ordered-already": review({
    status: "INVALIDATED",
    reason: "ORDERED_ALREADY",
    released: "ORDERED_ALREADY",
  }),
  "review-courtesy-taken": review({}, { obstacle: { kind: "taken", what: "COURTESY" } }),
  "review-bags-taken": review({}, { obstacle: { kind: "taken", what: "BAGS" } }),
  "review-provider-down": review({}, { obstacle: { kind: "unavailable" } }),
  "review-confirming": review({}, { confirming: true }),
  "review-processing": review({ status: "PROCESSING" }),
  "review-late": review(PAID, { ordered: ordered(["PENDING", "SHIPPED"], {}, 3) }),
  "review-paid": review(PAID, { mode: "sandbox", ordered: ordered(["PENDING", "PENDING"]) }),
  "review-shipped": review(PAID, {
    terms: terms({ shipments: [shipment] }),
    ordered: ordered([tracked], {
      corrections: CORRECTIONS,
      cancelRequests: [
        cancelRequest({
          status: "DECLINED",
          shipment_ids: ALL_SHIPMENTS,
          decision: "It is in the roaster already.",
        }),
      ],
    }),
  }),
  "review-cancel-problems": review(PAID, {
    ordered: ordered(["PENDING", "ROASTING"], {
      cancelRequests: [cancelRequest({ status: "WITHDRAWN", decided_at: ASKED_AT })],
      withdrawnBy: "AGENT",
    }),
    refusedForm: {
      problems: [
        { field: "shipment", message: "Choose what you want to cancel." },
        { field: "message", message: "At most 500 characters; this has 501." },
      ],
      sent: { shipments: [], reason: "WRONG_ADDRESS", message: longWord },
    },
  }),
  "review-cancel-asked": review(PAID, {
    mailing: true,
    ordered: ordered(["PENDING", "SHIPPED"], { cancelRequests: [cancelRequest({})] }),
  }),
  "review-partly-canceled": review(PAID, {
    supportEmail: "hello@example.com",
    ordered: ordered(["ROASTING", "CANCELED"], {
      cancelRequests: [cancelRequest({ status: "ACCEPTED", decided_at: ASKED_AT })],
      canceled: { byBuyer: true, reason: null },
    }),
  }),
  "review-refunded-before": review(PAID, {
    supportEmail: "hello@example.com",
    ordered: ordered(["ROASTING", "CANCELED"], {
      payment: { ...PAYMENT, refunded_minor: 2000, refunds: REFUNDS.slice(0, 1) },
      canceledAt: Date.parse("2026-03-30T09:00:00.000Z"),
      canceled: { byBuyer: false, reason: "No such street." },
    }),
  }),
  "review-refunded-with": review(PAID, {
    ordered: ordered(["ROASTING", "CANCELED"], {
      payment: { ...PAYMENT, refunded_minor: 6850, refunds: REFUNDS },
      canceledAt: Date.parse(REFUNDS[1]!.created_at),
      canceled: { byBuyer: false, reason: null },
    }),
  }),
  "review-canceled": review(PAID, {
    ordered: ordered(["CANCELED", "CANCELED"], {
      payment: { ...PAYMENT, status: "REFUNDED", refunded_minor: 6850, refunds: REFUNDS },
      canceled: { byBuyer: true, reason: null },
    }),
  }),
  "review-canceled-by-shop": review(PAID, {
    supportEmail: "hello@example.com",
    ordered: ordered(["CANCELED", "CANCELED"], {
      canceled: { byBuyer: false, reason: "The roaster broke down." },
    }),
  }),
  "review-returned-refunded": review(PAID, {
    ordered: ordered(["RETURNED", "RETURNED"], {
      payment: { ...PAYMENT, status: "REFUNDED", refunded_minor: 6850, refunds: REFUNDS },
    }),
  }),
  "review-returned": review(PAID, {
    ordered: ordered(["RETURNED", "RETURNED"], {
      isToDecide: true,
      payment: { ...PAYMENT, refunded_minor: 2000, refunds: REFUNDS.slice(0, 1) },
    }),
  }),
  "review-delivery-failed": review(PAID, {
    ordered: ordered(["FAILED", "SHIPPED"], {
      payment: {
        ...PAYMENT,
        refunds: [{ ...back, created_at: back.at, amount_minor: 2000, status: "PENDING" }],
      },
    }),
  }),
  "review-disputed": review(PAID, {
    ordered: ordered(["PENDING", "PENDING"], {
      payment: { ...PAYMENT, status: "DISPUTED", dispute: DISPUTE },
    }),
  }),
  "review-dispute-lost": review(PAID, {
    ordered: ordered(["PENDING", "PENDING"], {
      payment: {
        ...PAYMENT,
        status: "DISPUTED",
        refunded_minor: 2000,
        refunds: REFUNDS.slice(0, 1),
        dispute: { ...DISPUTE, amount_minor: 4850, status: "LOST", respond_by: null },
      },
    }),
  }),
  "review-expired": review({ status: "EXPIRED" }),
  "review-sold-out": review(
    { status: "INVALIDATED", reason: "OUT_OF_STOCK" },
    { short: [{ product_id: STOCKED, requested: 2, available: 1 }] },
  ),
  "review-courtesy-used": review({ status: "INVALIDATED", reason: "COURTESY_USED" }),
  "review-wrong-amount": review({ status: "INVALIDATED", reason: "WRONG_AMOUNT" }),
  "review-refund-failed": review(
    { status: "INVALIDATED", reason: "PAID_TOO_LATE", owedMinor: 6850 },
    { supportEmail: "help@shop.example" },
  ),
  "review-other": review({ status: "INVALIDATED", reason: "OTHER" as "ERASED" }),
  "review-erased": review({ status: "INVALIDATED", reason: "ERASED" }),
  "review-completed": review(PAID, { ordered: ordered(["DELIVERED", "DELIVERED"]) }),
  "review-key-revoked": review({ status: "INVALIDATED", reason: "KEY_REVOKED" }, { revoked: true }),
  "review-waitlist": review({
    status: "WAITLIST_OFFERED",
    short: [{ product_id: STOCKED, requested: 2, available: 0 }],
  }),
};

const states: Readonly<Record<string, Page>> = {
  ...Object.fromEntries(Object.entries(reviews).map(([name, view]) => [name, reviewPage(view)])),
  ...signInPages,
  "review-of-cart": reviewPage(
    review(
      {},
      {
        terms: terms({ shipments: [shipment] }),
        quote: { ...review().quote, agent_id: null },
        agentName: null,
        change: "/checkout/sample-token?change",
      },
    ),
  ),
  "checkout-expired": quickCheckoutGonePage("EXPIRED"),
  "checkout-broken": quickCheckoutGonePage("BROKEN"),
  "sandbox-expired": sandboxClosedPage("expired", "/review/sample-token"),
  "try-again": problemPage({
    title: "The store does not answer",
    detail: "Try again in a moment.",
    code: "STORE_UNAVAILABLE",
    errors: [],
    again: { action: "/checkout/sample-token", fields: { name: longWord, box: ["a", "b"] } },
  }),
  ...Object.fromEntries(
    (["WAITING", "OFFERED", "CONVERTED", "EXPIRED", "LEFT"] as const).map((status) => [
      `waitlist-${status.toLowerCase()}`,
      waitlistPlacePage({ ...waitlistPlace, entry: { ...waitlistPlace.entry, status } }),
    ]),
  ),
  "waitlist-unconfirmed": waitlistPlacePage({
    ...waitlistPlace,
    mailing: true,
    entry: { ...waitlistPlace.entry, confirmed: false, holding: holdingRule(true) },
  }),
  "waitlist-in-stock": waitlistPlacePage({
    ...waitlistPlace,
    inStock: true,
    entry: { ...waitlistPlace.entry, confirmed: false },
  }),
  "waitlist-offered-to-agent": waitlistPlacePage({
    ...waitlistPlace,
    hasAgent: true,
    entry: { ...waitlistPlace.entry, status: "OFFERED", buyer: { email: longWord } },
  }),
  "waitlist-settling": waitlistPlacePage({
    ...waitlistPlace,
    entry: { ...waitlistPlace.entry, status: "OFFERED" },
    settling: true,
  }),
};

const MODES: Partial<Record<string, PaymentMode>> = {
  "review-payable": "sandbox",
  "review-code-unused": "test",
  "review-paid": "sandbox",
};

/** Every page in every state, by name. */
export const gallery: Readonly<Record<string, string>> = {
  ...deskGallery,
  ...realPages,
  ...Object.fromEntries(
    Object.entries(states).map(([name, page]) => [
      name,
      layout(page, {
        shop: DEFAULT_SHOP,
        mode: MODES[name] ?? "live",
        supportEmail: SUPPORT_EMAIL,
      }),
    ]),
  ),
};
