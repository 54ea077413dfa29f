import type { Request } from "express";
import { MerchantError } from "../../src/core/errors.ts";
import { DEFAULT_SHOP } from "../../src/core/shop.ts";
import { beanFormPage } from "../../src/desk/bean.ts";
import { beanValues } from "../../src/desk/bean-fields.ts";
import { CANCEL_ACTS } from "../../src/desk/cancel.ts";
import { catalog, catalogPreview } from "../../src/desk/catalog.ts";
import { refusalPage } from "../../src/desk/desk.ts";
import { type ActionResult, type DeskPage, deskPage } from "../../src/desk/frame.ts";
import { agents, incidents, log, mail, waitlist } from "../../src/desk/lists.ts";
import { messages } from "../../src/desk/messages.ts";
import { order } from "../../src/desk/order.ts";
import { orders } from "../../src/desk/orders.ts";
import { confirmRefund } from "../../src/desk/refund.ts";
import { roast } from "../../src/desk/roast.ts";
import type { DeskRequest, DeskRoute } from "../../src/desk/route.ts";
import { sales } from "../../src/desk/sales.ts";
import { ship } from "../../src/desk/ship.ts";
import { sendAgainPage, signInPage } from "../../src/desk/sign-in.ts";
import { slips } from "../../src/desk/slips.ts";
import { stock } from "../../src/desk/stock.ts";
import { today } from "../../src/desk/today.ts";
import type { Admin, Merchant } from "../../src/merchant/merchant.ts";
import type { MerchantOrder } from "../../src/orders/admin-orders.ts";
import { orderStanding } from "../../src/orders/standing.ts";
import type { Page } from "../../src/web/layout.ts";
import { CATALOG } from "../support/catalog.ts";

/** The verbs that a page calls. */
type Some<T> = T extends (...given: infer G) => infer A
  ? (...given: G) => A
  : { [K in keyof T]?: Some<T[K]> };

interface Answers {
  admin?: Some<Admin>;
  merchant?: Some<Merchant>;
  query?: Record<string, string>;
}

/** A page of the desk, drawn from the verbs' answers. */
async function drawn(
  route: DeskRoute,
  { admin = {}, merchant = {}, query = {} }: Answers,
): Promise<DeskPage> {
  const page = await route.show({
    req: { query } as unknown as Request,
    id: "",
    admin: admin as Admin,
    merchant: { shop: DEFAULT_SHOP, ...merchant } as Merchant,
    command: "npm run --silent merchant --",
    refused: undefined,
  });
  return { place: route.place, ...page };
}

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

const cameBack = (address: MerchantOrder["shipments"][number]["address"]) => ({
  id: id("evt"),
  since: AT,
  order_id: id("ord"),
  number: 1042,
  shipment_id: id("shp"),
  sendable: true,
  address,
  refund_minor: 3900,
  version: 7,
});

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
  const order: Omit<MerchantOrder, "standing"> = {
    id: id("ord"),
    number: 1042,
    quote_id: id("qte"),
    quote_hash: "sha256:0",
    buyer_email: word,
    status: "PARTIALLY_SHIPPED",
    created_at: AT,
    order_url: `https://shop.example/review/${id("qte")}.proof`,
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
      {
        ...shipment,
        status: "ROASTING",
        tracking: null,
        shipped_at: null,
        paid_minor: 2600,
        returned: null,
      },
      {
        ...shipment,
        status: "PENDING",
        tracking: null,
        shipped_at: null,
        paid_minor: 1300,
        returned: null,
      },
      {
        ...shipment,
        status: "SHIPPED",
        tracking: { carrier: word, number: word, url: null },
        shipped_at: AT,
        paid_minor: 3900,
        returned: null,
      },
      {
        ...shipment,
        status: "RETURNED",
        tracking: { carrier: word, number: word, url: null },
        shipped_at: AT,
        paid_minor: 3900,
        returned: cameBack(where),
      },
    ],
    estimated_delivery: { earliest: AT, latest: AT, days_late: 3 },
    cancel_request: {
      id: id("cr"),
      order_id: id("ord"),
      shipment_ids: [id("shp")],
      status: "REQUESTED",
      asked_by: "BUYER",
      reason_code: "OTHER",
      message: word,
      created_at: AT,
      decided_at: null,
      decision: null,
    },
    next: [],
    agent_id: id("agt"),
    agent_name: word,
    refunds: [
      {
        id: id("rf"),
        amount_minor: 500,
        status: "PENDING",
        reason: "MERCHANT",
        created_at: AT,
        at: AT,
        problem: null,
        to_be_made: false,
        undo_until: AT,
      },
    ],
    version: 7,
    refunding_minor: 0,
    refundable_minor: 7800,
    request_refund_minor: 3900,
    canceled_refund_minor: null,
    undoable: [UNDOABLE],
    messages: [],
    other_orders: [],
    notes: [{ id: id("note"), text: word, written_by: "desk", created_at: AT }],
  };
  const rows = { cancelRequests: [], canceledAt: 0, isToDecide: true, owedMinor: 0 };
  return { ...order, standing: orderStanding({ ...order, ...rows }, 3) };
}

export const orderPage = (word: string): Promise<DeskPage> =>
  drawn(order, {
    admin: {
      orders: { show: async () => merchantOrder(word) },
      views: { events: async () => eventsOf(word) },
    },
  });

/** Events about every part of an order. */
function eventsOf(word: string) {
  const data = { amount_minor: 500, reason: word, shipment_id: id("shp") };
  const tracking = { carrier: word, number: word, url: null };
  const told: [string, Record<string, unknown>][] = [
    ["payment.verified", data],
    ["payment.refunded", data],
    ["shipment.updated", { ...data, status: "SHIPPED", tracking }],
    ["order.canceled", data],
    ["something.new", {}],
  ];
  return told.map(([type, data], i) => ({
    id: id("evt"),
    sequence: i + 1,
    type,
    occurred_at: AT,
    order_status: "ROASTING" as const,
    data,
  }));
}

/** The page that confirms a cancellation with its refund. */
async function cancelPage(word: string): Promise<DeskPage> {
  const whole = merchantOrder(word);
  const here = whole.shipments.slice(0, 2);
  const order = { ...whole, shipments: here.map((one, i) => ({ ...one, id: id(`shp${i}`) })) };
  const admin = { orders: { show: async () => order } } as unknown as Admin;
  const request = { id: order.id, admin } as unknown as DeskRequest;
  const sent: Record<string, string> = { refund: "on", reason: word };
  const fields = Object.assign((name: string) => sent[name] ?? "", {
    all: () => [id("shp0")],
    seen: order.version,
  });
  const page = await CANCEL_ACTS["cancel-shipments"].confirm!(request, fields);
  if (page === null) throw new Error("the cancellation was not confirmed");
  return { place: "orders", ...page };
}

const sampleBean = CATALOG.products[0]!;
const catalogBeans = CATALOG.products.map((product, i) => ({
  product_id: product.product_id,
  published: product,
  on_sale: i !== 1,
  draft: i === 0 ? { product: { ...product, price_minor: 2300 }, on_sale: true } : null,
  changed_at: 1,
}));

const bagsPerBean = [
  {
    product_id: "sample",
    name: "Panama Boquete Geisha",
    on_hand: 4999,
    held: 23,
    free: 4976,
    low: true,
    low_at: 10,
  },
  { product_id: "former", name: null, on_hand: 1, held: 0, free: 1, low: true, low_at: 10 },
];

export const agentsPage = (word: string): Promise<DeskPage> =>
  drawn(agents, {
    admin: {
      keys: {
        list: async () => [
          {
            id: id("agt"),
            name: word,
            contact_email: word,
            key_prefix: "cma_ABCDEFGH",
            created_at: AT,
            revoked_at: null,
          },
        ],
      },
    },
  });

export const messagesPage = (word: string): Promise<DeskPage> =>
  drawn(messages, {
    admin: {
      leads: {
        list: async () => [
          {
            id: id("lead"),
            agent_id: id("agt"),
            agent_name: word,
            agent_email: word,
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
      feedback: {
        list: async () => [
          {
            id: id("fb"),
            agent_id: id("agt"),
            agent_name: word,
            agent_email: word,
            order_id: id("ord"),
            number: 1042,
            message: word,
            created_at: AT,
            handled_at: AT,
            handled_by: "desk",
          },
        ],
      },
    },
  });

const NAME = "Test Buyer";
const TAKEN =
  "9400 is the tracking number of #1041 to Test Buyer, Austin, TX already. Enter this shipment’s own number, " +
  "or correct that one first; only shipments to the same address may share a number.";
const DONE = { ...UNDOABLE, version: 5, shipments: merchantOrder(NAME).shipments };

const INCIDENT = {
  id: id("inc"),
  kind: "PAID_TWICE",
  subject: id("ord"),
  number: undefined,
  detail: `The refund of payment pi_${"42d5".repeat(12)} failed, so the buyer does not have the money.`,
  created_at: AT,
};

/** One task of each kind. */
const TASKS: Awaited<ReturnType<Admin["tasks"]["waiting"]>> = {
  refunds: {
    count: 1,
    rows: [
      {
        id: id("evt"),
        since: AT,
        order_id: id("ord"),
        number: 1042,
        name: NAME,
        status: "CANCELED",
        refundable_minor: 3050,
        version: 7,
      },
    ],
  },
  failures: { count: 0, rows: [] },
  returns: { count: 1, rows: [cameBack(merchantOrder(NAME).shipments[0]!.address)] },
  disputes: [
    {
      id: "dp_1",
      attempt_id: id("pay"),
      order_id: id("ord"),
      number: 1001,
      name: NAME,
      payment_ref: "pi_1",
      amount_minor: 6400,
      reason: "product_not_received",
      status: "OPEN",
      created_at: AT,
      closed_at: null,
      respond_by: AT,
    },
  ],
  messages: {
    count: 40,
    rows: [
      {
        id: id("fb"),
        email: null,
        order_id: id("ord"),
        number: 1001,
        name: NAME,
        text: NAME,
        created_at: AT,
      },
    ],
  },
  incidents: { count: 1, rows: [INCIDENT] },
};

const LONG = "Supercalifragilistic".repeat(4);

/** Four lines of a name that never breaks, and many bags. */
const largeOrder = () => {
  const { cancel_request: _, ...order } = merchantOrder(NAME);
  return { ...order, items: order.items.map((item) => ({ ...item, name: LONG, quantity: 63 })) };
};

const pages: Record<string, DeskPage> = {
  "desk-today": await drawn(today, {
    admin: {
      views: {
        waiting: async () => ({
          any: true,
          roast: 3,
          ship: 0,
          underway: 12,
          today: { orders: 12, paid_minor: 38_400 },
          late: {
            count: 1,
            rows: [
              {
                id: id("ord"),
                number: 1042,
                name: NAME,
                status: "PARTIALLY_SHIPPED",
                latest: "2026-02-26",
                days_late: 3,
              },
            ],
          },
          asking: 1,
          requests: [
            {
              ...merchantOrder(NAME).cancel_request!,
              message: "We ordered twice.",
              number: 1042,
              name: NAME,
            },
          ],
        }),
      },
      orders: { show: async () => merchantOrder(NAME) },
      tasks: { waiting: async () => TASKS },
      stock: { list: async () => bagsPerBean },
      waitlist: { wanted: async () => [] },
      refunds: {
        waiting: async () => [
          {
            id: id("rf"),
            order_id: id("ord"),
            number: 1042,
            amount_minor: 1250,
            problem: null,
            undo_until: AT,
          },
        ],
      },
    },
    merchant: { mode: "sandbox", mail: { sending: true } },
  }),
  "desk-today-empty": await drawn(today, {
    admin: {
      views: {
        waiting: async () => ({
          any: false,
          roast: 0,
          ship: 0,
          underway: 0,
          today: { orders: 0, paid_minor: 0 },
          late: { count: 0, rows: [] },
          asking: 0,
          requests: [],
        }),
      },
      tasks: {
        waiting: async () => ({
          refunds: { count: 0, rows: [] },
          failures: { count: 0, rows: [] },
          returns: { count: 0, rows: [] },
          disputes: [],
          messages: { count: 0, rows: [] },
          incidents: { count: 0, rows: [] },
        }),
      },
      stock: { list: async () => [] },
      waitlist: { wanted: async () => [] },
      refunds: { waiting: async () => [] },
    },
    merchant: { mail: { sending: false } },
  }),
  "desk-refusal": refusalPage(new MerchantError("NOT_FOUND", "There is no such order."), "POST"),
  "desk-incidents": await drawn(incidents, {
    admin: {
      incidents: {
        list: async () => [
          { ...INCIDENT, handled_at: null, handled_by: null },
          { ...INCIDENT, handled_at: AT, handled_by: "desk" },
        ],
      },
    },
  }),
  "desk-orders": await drawn(orders, {
    admin: {
      views: { page: async () => ({ orders: [merchantOrder(NAME)], next_before: id("ord") }) },
    },
    query: { show: "ship", before: id("ord") },
  }),
  "desk-order": await orderPage(NAME),
  "desk-refund": await drawn(confirmRefund, {
    admin: { orders: { show: async () => merchantOrder(NAME) } },
    query: { amount: "12.50" },
  }),
  "desk-cancel": await cancelPage(NAME),
  "desk-catalog": await drawn(catalog, { admin: { catalog: { list: async () => catalogBeans } } }),
  "desk-bean": {
    place: "catalog",
    ...beanFormPage({
      bean: catalogBeans[0]!,
      values: beanValues(sampleBean, true),
      problems: [],
    }),
  },
  "desk-bean-problems": {
    place: "catalog",
    ...beanFormPage({
      bean: null,
      values: { price: "cheap" },
      problems: [
        { field: "product_id", message: "product_id is missing." },
        { field: "price", message: "Use a whole number, such as 12." },
      ],
    }),
  },
  "desk-catalog-preview": await drawn(catalogPreview, {
    admin: {
      catalog: {
        preview: async () => ({
          version: 7,
          products: CATALOG.products,
          changes: [
            {
              product_id: "kenya-nyeri",
              name: "Kenya Nyeri",
              changes: [{ field: "price_minor", from: "2200", to: "2300" }],
            },
          ],
          problems: ["products: only one can be EXCLUSIVE, found 2"],
        }),
      },
      waitlist: { wanted: async () => [] },
    },
  }),
  "desk-stock": await drawn(stock, {
    admin: {
      stock: { list: async () => bagsPerBean },
      waitlist: { wanted: async () => [] },
    },
    merchant: { information: { firstOrderRuns: async () => true } },
  }),
  "desk-waitlist": await drawn(waitlist, {
    admin: {
      waitlist: {
        list: async () => [
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
      },
    },
  }),
  "desk-agents": await agentsPage(NAME),
  "desk-messages": await messagesPage("Supercalifragilistic".repeat(12)),
  "desk-roast": {
    place: "roast",
    ...roast.page([largeOrder(), merchantOrder(NAME)], [DONE], {} as Request, new Map()),
  },
  "desk-ship": {
    place: "ship",
    ...ship.page(
      [merchantOrder(NAME)],
      DONE.shipments.map((one) => ({ ...DONE, shipments: [one] })),
      { body: { carrier: "UPS", [id("shp")]: "9400" } } as Request,
      new Map([[id("shp"), new MerchantError("ILLEGAL_STEP", TAKEN)]]),
    ),
  },
  "desk-slips": await drawn(slips, {
    admin: {
      views: { inTurn: async () => ({ orders: [merchantOrder(NAME)], more: true }) },
      shop: { address: async () => "1 Roaster Row\nAustin, TX 78701" },
    },
  }),
  "desk-sales": await drawn(sales, {
    merchant: {
      catalog: { known: () => ({ ...sampleBean, name_to_use_with_humans: LONG }) },
      sales: {
        months: async () => ["2026-03", "2026-02"],
        figures: async () => ({
          time_zone: "America/Chicago",
          days: Array.from({ length: 30 }, (_, i) => ({
            day: `2026-03-${String(i + 1).padStart(2, "0")}`,
            orders: i,
            bags: i * 3,
            net_minor: (i % 7) * 120_000,
            shipping_minor: (i % 7) * 3450,
            takings_minor: (i % 7) * 123_450,
            courtesy_minor: i * 100,
            refunded_minor: 0,
          })),
          beans: [
            { product_id: "bean", bags: 1234, coffee_minor: 2_714_800, courtesy_minor: 10_000 },
          ],
        }),
      },
    },
  }),
  "desk-mail": await drawn(mail, {
    merchant: {
      mail: {
        sending: true,
        list: async () => [
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
    },
  }),
  "desk-log": await drawn(log, {
    admin: {
      audit: {
        list: async () => [
          {
            id: id("aud"),
            actor: "cli",
            act: "orders.refund",
            subject: id("ord"),
            detail: { amount_minor: 1250, refund_id: id("rf") },
            sentence: `Refunded $12.50 of order #1042 ${"9".repeat(100)}`,
            about: { kind: "order", id: id("ord"), name: "order #1042" },
            at: AT,
          },
        ],
      },
    },
  }),
};

const said: Record<string, ActionResult> = {
  "desk-order": { refused: NAME, details: [NAME, NAME] },
  "desk-bean": { done: "The draft is saved. It is sold once you publish it." },
  "desk-agents": { done: "The key is revoked. Its orders stay." },
  "desk-ship": {
    refused: "1 done, 1 not.",
    details: ["1 done, 1 not.", `#1042: ${TAKEN}`],
    partly: true,
  },
};

/** The desk's pages for the gallery, where every page is looked at in a browser. */
export const deskGallery: Readonly<Record<string, Page>> = {
  "desk-sign-in": signInPage({
    to: "/desk",
    unencrypted: true,
    refused: true,
    linkCommand: "npm run --silent merchant -- desk link",
    kept: { text: "Call at 9." },
  }),
  "desk-send-again": sendAgainPage("/desk/orders/ord_sample", { text: "Call at 9." }),
  ...Object.fromEntries(
    Object.entries(pages).map(([name, page]) => [name, deskPage(page, said[name])]),
  ),
};
