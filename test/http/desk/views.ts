import { MerchantError } from "../../../src/domain/shared/errors.ts";
import { beanValues } from "../../../src/http/desk/catalog-form.ts";
import { agentsPage } from "../../../src/http/desk/pages/agents.ts";
import { beanFormPage } from "../../../src/http/desk/pages/bean-form.ts";
import { catalogPage, previewPage } from "../../../src/http/desk/pages/catalog.ts";
import { type ActionResult, type DeskPage, deskPage } from "../../../src/http/desk/pages/frame.ts";
import { incidentsPage } from "../../../src/http/desk/pages/incidents.ts";
import { logPage } from "../../../src/http/desk/pages/log.ts";
import { mailPage } from "../../../src/http/desk/pages/mail.ts";
import { messagesPage } from "../../../src/http/desk/pages/messages.ts";
import { type DeskOrderView, orderPage } from "../../../src/http/desk/pages/order.ts";
import { ordersPage } from "../../../src/http/desk/pages/orders.ts";
import { refusalPage } from "../../../src/http/desk/pages/refusal.ts";
import { roastPage } from "../../../src/http/desk/pages/roast.ts";
import { salesPage } from "../../../src/http/desk/pages/sales.ts";
import { shipPage } from "../../../src/http/desk/pages/ship.ts";
import { signInPage } from "../../../src/http/desk/pages/sign-in.ts";
import { slipsPage } from "../../../src/http/desk/pages/slips.ts";
import { stockPage } from "../../../src/http/desk/pages/stock.ts";
import { type TodayView, todayPage } from "../../../src/http/desk/pages/today.ts";
import { waitlistPage } from "../../../src/http/desk/pages/waitlist.ts";
import type { Page } from "../../../src/http/pages/layout.ts";
import type { MerchantOrder } from "../../../src/merchant/admin-orders.ts";
import { CATALOG } from "../../support/catalog.ts";

const AT = "2026-03-01T12:30:00.000Z";
const id = (prefix: string) => `${prefix}_${"0123456789abcdef".repeat(2)}`;

const UNDOABLE = {
  order_id: id("ord"),
  number: 1042,
  shipment_id: id("shp"),
  was: "SHIPPED",
  back_to: "ROASTING",
  until: AT,
} as const;

/** An order in which every text that a stranger can write is this word. */
function merchantOrder(word: string): MerchantOrder {
  const address = { name: word, line1: word, line2: word, city: word };
  const where = { ...address, region: "OR", postal_code: "97201", country: "US" } as const;
  const item = {
    product_id: "sample",
    name: "Sample Natural",
    quantity: 2,
    unit_price_minor: 2200,
  };
  const shipment = {
    id: id("shp"),
    recipient_ref: word,
    address: where,
    items: [item],
    gift_notes: [word],
    delivered_at: null,
  };
  return {
    id: id("ord"),
    number: 1042,
    quote_id: id("qte"),
    quote_hash: "sha256:0",
    buyer_email: word,
    status: "PARTIALLY_SHIPPED",
    created_at: AT,
    items: [item],
    pricing: {
      subtotal_minor: 8800,
      courtesy: { kind: "FIRST_ORDER", code: "FIRSTBAG", amount_minor: 1000, allocations: [] },
      shipping_minor: 0,
      total_minor: 7800,
      total_display: "$78.00",
    },
    payment: {
      status: "PAID",
      method: word,
      amount_minor: 7800,
      refunded_minor: 0,
      currency: "usd",
      paid_at: AT,
      mode: "live",
      refunds: [],
      dispute: null,
    },
    shipments: [
      { ...shipment, status: "ROASTING", tracking: null, shipped_at: null },
      {
        ...shipment,
        status: "SHIPPED",
        tracking: { carrier: word, number: word, url: null },
        shipped_at: AT,
      },
    ],
    estimated_delivery: { earliest: AT, latest: AT },
    cancel_request: {
      id: id("cr"),
      order_id: id("ord"),
      shipment_ids: [id("shp")],
      status: "REQUESTED",
      reason_code: "OTHER",
      message: word,
      created_at: AT,
      decided_at: null,
      decision: null,
    },
    next: [],
    agent_id: id("agt"),
    agent_name: word,
    refunds: [],
    refundable_minor: 7800,
    request_refund_minor: 3900,
    undoable: [UNDOABLE],
    notes: [{ id: id("note"), text: word, written_by: "desk", created_at: AT }],
  };
}

export const deskOrder = (word: string): DeskOrderView => ({
  order: merchantOrder(word),
  events: [],
  refused: undefined,
  form: "form",
});

const sampleBean = CATALOG.products[0]!;
const catalogBeans = CATALOG.products.map((product, i) => ({
  product_id: product.product_id,
  published: product,
  on_sale: i !== 1,
  draft: i === 0 ? { product: { ...product, price_minor: 2300 }, on_sale: true } : null,
  changed_at: 1,
}));

const stock = [
  {
    product_id: "sample",
    name: "Panama Boquete Geisha",
    on_hand: 4999,
    held: 2,
    free: 7,
    low: true,
    low_at: 10,
  },
  { product_id: "former", name: null, on_hand: 1, held: 0, free: 1, low: true, low_at: 10 },
];

export const agents = (word: string): DeskPage =>
  agentsPage({
    older: "?before=1",
    rows: [
      {
        id: id("agt"),
        name: word,
        contact_email: word,
        key_prefix: "cma_ABCDEFGH",
        created_at: AT,
        revoked_at: null,
      },
    ],
  });

export const messages = (word: string): DeskPage =>
  messagesPage(
    {
      older: null,
      rows: [
        {
          id: id("lead"),
          agent_id: id("agt"),
          email: word,
          purpose: word,
          quantity: word,
          organization: word,
          created_at: AT,
          handled_at: null,
          handled_by: null,
        },
      ],
    },
    {
      older: null,
      rows: [
        {
          id: id("fb"),
          agent_id: id("agt"),
          order_id: id("ord"),
          message: word,
          created_at: AT,
          handled_at: AT,
          handled_by: "desk",
        },
      ],
    },
  );

const NAME = "Test Buyer";

const INCIDENT = {
  id: id("inc"),
  kind: "PAID_TWICE",
  subject: id("ord"),
  detail: "Sent back.",
  created_at: AT,
};

/** One of each kind of what waits for a person. */
const tasks = (word: string): TodayView["tasks"] => ({
  refunds: {
    count: 1,
    rows: [
      {
        id: id("evt"),
        since: AT,
        order_id: id("ord"),
        number: 1042,
        status: "CANCELED",
        refundable_minor: 3050,
      },
    ],
  },
  disputes: [
    {
      id: "dp_1",
      attempt_id: id("pay"),
      order_id: id("ord"),
      payment_ref: "pi_1",
      amount_minor: 6400,
      reason: "product_not_received",
      status: "OPEN",
      created_at: AT,
      closed_at: null,
      respond_by: AT,
    },
  ],
  messages: { count: 40, rows: [{ id: id("fb"), email: word, text: word, created_at: AT }] },
  incidents: { count: 1, rows: [INCIDENT] },
});

const pages: Record<string, DeskPage> = {
  "desk-today": todayPage({
    waiting: {
      any: true,
      roast: 3,
      ship: 0,
      underway: 12,
      asking: 1,
      requests: [
        { ...merchantOrder(NAME).cancel_request!, message: "We ordered twice.", number: 1042 },
      ],
    },
    tasks: tasks(NAME),
    stock,
    wanted: [],
    sending: true,
  }),
  "desk-today-empty": todayPage({
    waiting: { any: false, roast: 0, ship: 0, underway: 0, asking: 0, requests: [] },
    tasks: {
      refunds: { count: 0, rows: [] },
      disputes: [],
      messages: { count: 0, rows: [] },
      incidents: { count: 0, rows: [] },
    },
    stock: [],
    wanted: [],
    sending: false,
  }),
  "desk-refusal": refusalPage(new MerchantError("NOT_FOUND", "There is no such order.")),
  "desk-incidents": incidentsPage({
    older: null,
    rows: [
      { ...INCIDENT, handled_at: null, handled_by: null },
      { ...INCIDENT, handled_at: AT, handled_by: "desk" },
    ],
  }),
  "desk-orders": ordersPage({
    view: "ship",
    first: false,
    orders: [merchantOrder(NAME)],
    next_before: id("ord"),
  }),
  "desk-order": orderPage(deskOrder(NAME)),
  "desk-catalog": catalogPage(catalogBeans),
  "desk-bean": beanFormPage({
    bean: catalogBeans[0]!,
    values: beanValues(sampleBean, true),
    problems: [],
  }),
  "desk-bean-problems": beanFormPage({
    bean: null,
    values: { price: "cheap" },
    problems: [
      { field: "product_id", message: "product_id is missing." },
      { field: "price", message: "A whole number, without quotes and without a fraction." },
    ],
  }),
  "desk-catalog-preview": previewPage({
    version: "7",
    products: CATALOG.products,
    changes: [
      {
        product_id: "kenya-nyeri",
        changes: [{ field: "price_minor", from: "2200", to: "2300" }],
      },
    ],
    problems: ["products: exactly one must be decaf, found 2"],
  }),
  "desk-stock": stockPage({
    rows: stock,
    wanted: [],
    offer: true,
    form: "form",
  }),
  "desk-waitlist": waitlistPage({
    older: null,
    rows: [
      {
        id: id("wl"),
        product_id: "sample",
        name: "Sample Natural",
        quantity: 3,
        buyer: { email: `${"long".repeat(12)}@example.com` },
        status: "WAITING",
        position: 1,
        created_at: AT,
        agent_id: id("agt"),
      },
    ],
  }),
  "desk-agents": agents(NAME),
  "desk-messages": messages("Supercalifragilistic".repeat(12)),
  "desk-roast": roastPage({
    orders: [merchantOrder(NAME)],
    done: [UNDOABLE],
    sheet: [{ product_id: "bean", name: "Supercalifragilistic".repeat(4), bags: 63, orders: 21 }],
  }),
  "desk-ship": shipPage({
    done: [UNDOABLE, UNDOABLE],
    waiting: [{ order: merchantOrder(NAME), shipment: merchantOrder(NAME).shipments[0]! }],
    carrier: "UPS",
    refused: new Map([[id("shp"), { number: "9400", message: "It left." }]]),
  }),
  "desk-slips": slipsPage({
    orders: [merchantOrder(NAME)],
    address: "1 Roaster Row\nAustin, TX 78701",
  }),
  "desk-sales": salesPage({
    spans: [7, 30, 90],
    span: 30,
    exports: ["orders", "shipments", "refunds"],
    beanName: () => "Supercalifragilistic".repeat(4),
    figures: {
      time_zone: "America/Chicago",
      days: Array.from({ length: 30 }, (_, i) => ({
        day: `2026-03-${String(i + 1).padStart(2, "0")}`,
        orders: i,
        bags: i * 3,
        takings_minor: (i % 7) * 123_450,
        courtesy_minor: i * 100,
        refunded_minor: 0,
      })),
      beans: [{ product_id: "bean", bags: 1234, coffee_minor: 2_714_800, courtesy_minor: 10_000 }],
    },
  }),
  "desk-mail": mailPage(
    {
      older: "?before=1.a",
      rows: [
        {
          id: "RECEIPT_1",
          kind: "RECEIPT",
          created_at: AT,
          sent_at: null,
          try_at: AT,
          error: "the mail server answered 451",
          letter: {
            to: `${"long".repeat(20)}@example.com`,
            subject: "Coffee Merchant: thank you, $44.00 paid",
            text: "Your coffee is ordered.\n\nhttps://coffee-merchant.example.com/review/IBtFDoLJ-8lND4n04X4113soiAEZ9RRp\n",
          },
        },
      ],
    },
    true,
  ),
  "desk-log": logPage({
    older: null,
    rows: [
      {
        id: id("aud"),
        actor: "cli",
        act: "orders.refund",
        subject: id("ord"),
        detail: { amount_minor: 1250, refund_id: id("rf") },
        at: AT,
      },
    ],
  }),
};

const said: Record<string, ActionResult> = {
  "desk-order": { refused: NAME, details: [NAME, NAME] },
  "desk-bean": { done: "The draft is kept. It is sold once you publish it." },
  "desk-agents": { done: "The key is revoked. Its orders stay." },
  "desk-ship": { refused: "1 done, 1 not.", details: ["1 done, 1 not.", "It left."], partly: true },
};

/** The desk's pages for the gallery, where every page is looked at in a browser. */
export const deskGallery: Readonly<Record<string, Page>> = {
  "desk-sign-in": signInPage({
    to: "/desk",
    stays: { day: 43_200_000, month: 2_592_000_000 },
    unencrypted: true,
    refused: true,
  }),
  ...Object.fromEntries(
    Object.entries(pages).map(([name, page]) => [name, deskPage(page, said[name])]),
  ),
};
