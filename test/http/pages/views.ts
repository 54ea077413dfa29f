import type {
  BeanView,
  CartView,
  LandingView,
  LineView,
  OrderView,
  PolicyView,
  PricingView,
  QuickCheckoutView,
  ReviewPageState,
  ReviewView,
  SandboxPayView,
  ShipmentView,
  WaitlistFormView,
  WaitlistPlaceView,
} from "../../../src/http/pages/index.ts";

/** Views for the tests: whole, plausible, and with nothing of a real person in them. */

const policy: PolicyView = {
  shippingMinor: 1000,
  freeShippingAtMinor: 4000,
  deliveryDays: { earliest: 5, latest: 14 },
};

export const ethiopia: LineView = {
  name: "Sample Natural (Ethiopia)",
  picture: "/assets/beans/sample-natural.svg",
  quantity: 2,
  unitMinor: 2200,
  lineMinor: 4400,
};
export const colombia: LineView = {
  name: "Sample Washed (Colombia)",
  picture: "/assets/beans/sample-decaf.svg",
  quantity: 1,
  unitMinor: 2000,
  lineMinor: 2000,
};

export const shipment: ShipmentView = {
  recipientRef: "me",
  address: {
    name: "Test Buyer",
    line1: "100 Example Street",
    line2: "Apartment 4",
    city: "Springfield",
    region: "IL",
    postalCode: "62701",
    country: "US",
  },
  lines: [ethiopia],
  giftNotes: ["Happy birthday!\nBrew it slowly.", "And one for the office."],
};

const gift: ShipmentView = {
  ...shipment,
  recipientRef: "parents",
  address: {
    name: "Test Parents",
    line1: "7 Sample Road",
    city: "Portland",
    region: "OR",
    postalCode: "97201",
    country: "US",
  },
  lines: [colombia],
  giftNotes: [],
};

export const pricing: PricingView = {
  subtotalMinor: 6400,
  courtesy: { kind: "FIRST_ORDER", code: "FIRSTBAG", amountMinor: 1000 },
  shippingMinor: 1000,
  totalMinor: 6400,
};

export const payable = { kind: "payable", problem: null, open: null } as const;

export function review(state: ReviewPageState, more: Partial<ReviewView> = {}): ReviewView {
  return {
    mode: "live",
    policy,
    url: "/review/sample-token",
    origin: "AGENT",
    buyerEmail: "buyer@example.com",
    agentName: "Sample agent",
    arrival: { earliest: "2026-03-06", latest: "2026-03-15" },
    quoteHash: `sha256:${"0123456789abcdef".repeat(4)}`,
    expiresAt: "2026-03-08T09:30:00.000Z",
    destinations: [
      { subtotalMinor: 4400, shippingMinor: 0, shipments: [shipment] },
      { subtotalMinor: 2000, shippingMinor: 1000, shipments: [gift] },
    ],
    pricing,
    state,
    ...more,
  };
}

export const order: OrderView = {
  orderId: "ord_0SAMPLE0ORDER0NUMBER00",
  number: 1042,
  payment: {
    status: "PAID",
    method: "card",
    amount_minor: 6400,
    refunded_minor: 0,
    currency: "usd",
    paid_at: "2026-03-01T12:30:00.000Z",
    mode: "live",
    refunds: [],
    dispute: null,
  },
  headline: "ORDERED",
  money: "PAID",
  underWay: true,
  partlyCanceled: false,
  estimatedDelivery: { earliest: "2026-03-06T12:30:00.000Z", latest: "2026-03-15T12:30:00.000Z" },
};

export const quickCheckout: QuickCheckoutView = {
  mode: "live",
  policy,
  url: "/checkout/sample-token",
  expiresAt: "2026-03-08T09:30:00.000Z",
  lines: [ethiopia, colombia],
  pricing: { ...pricing, shippingMinor: 0, totalMinor: 5400 },
  giftNote: "Enjoy!\nSee you soon.",
  emailFromLink: true,
  regions: [
    { code: "AL", name: "Alabama" },
    { code: "OR", name: "Oregon" },
    { code: "PR", name: "Puerto Rico" },
    { code: "AE", name: "Armed Forces Europe" },
  ],
  values: { email: "buyer@example.com" },
  problems: [],
};

export const sandboxPay: SandboxPayView = {
  url: "http://127.0.0.1:3000/sandbox/pay/cs_sample",
  totalMinor: 6400,
  lines: [
    { name: "Sample Natural (Ethiopia)", quantity: 2, amountMinor: 4400 },
    { name: "Sample Washed (Colombia)", quantity: 1, amountMinor: 2000 },
    { name: "Shipping", quantity: 1, amountMinor: 1000 },
    { name: "First-order courtesy", quantity: 1, amountMinor: -1000 },
  ],
  email: "buyer@example.com",
  expiresAt: "2026-03-01T13:00:00.000Z",
  cards: [
    { value: "4242424242424242", label: "Card that pays", hint: "Paid at once." },
    { value: "4000000000000002", label: "Card that is declined", hint: "You can try another." },
    { value: "4000000000003220", label: "Card that asks back", hint: "3-D Secure." },
    { value: "bank_debit", label: "Bank debit", hint: "Settles later." },
  ],
  cancelUrl: "/review/sample-token",
};

const bean: BeanView = {
  productId: "sample-natural",
  name: "Sample Natural (Ethiopia)",
  picture: "/assets/beans/sample-natural.svg",
  priceMinor: 2200,
  roastLevel: "Light",
  origin: "Guji, Ethiopia. Natural.",
  notes: ["blueberry", "jasmine", "honey"],
  chooseIf: "You like a bright and fruity cup.",
  decaf: false,
  availability: "STOCKED",
  free: 400,
};

export const beans: BeanView[] = [
  bean,
  {
    ...bean,
    productId: "sample-decaf",
    name: "Sample Decaf (Colombia)",
    priceMinor: 2000,
    picture: "/assets/beans/sample-decaf.svg",
    roastLevel: "Medium",
    decaf: true,
    free: 5,
  },
  {
    ...bean,
    productId: "sample-small-lot",
    name: "Small Lot (Kenya)",
    picture: "/assets/beans/sample-small-lot.svg",
    availability: "WAITLIST",
    free: 0,
  },
  {
    ...bean,
    productId: "sample-exclusive",
    name: "Sample Mocha (Yemen)",
    picture: "/assets/beans/sample-exclusive.svg",
    priceMinor: 12000,
    availability: "EXCLUSIVE",
  },
];

const emptyCart: CartView = {
  rows: [],
  bagTotal: 0,
  pricing: null,
  toFreeShippingMinor: 0,
  values: {},
  problems: [],
};

export const cart: CartView = {
  ...emptyCart,
  rows: [0, 1].map((at) => ({
    productId: beans[at]!.productId,
    name: beans[at]!.name,
    picture: beans[at]!.picture,
    unitMinor: beans[at]!.priceMinor,
    quantity: `${at + 1}`,
  })),
  bagTotal: 3,
  pricing: { subtotalMinor: 6200, courtesy: null, shippingMinor: 0, totalMinor: 6200 },
};

/** The front page before anything is chosen. */
export const landing: LandingView = {
  mode: "sandbox",
  baseUrl: "https://shop.example",
  beans,
  cart: emptyCart,
  policy,
  firstOrderOffer: true,
  tools: [
    { name: "get_catalog", title: "See the beans" },
    { name: "request_quote", title: "Get an exact price" },
  ],
  conversation: {
    bean: bean.name,
    notes: bean.notes,
    bags: 2,
    total: "$44.00",
    shipping: "shipping is free",
    reviewUrl: "https://shop.example/review/…",
  },
};

const waitedFor = {
  productId: "sample-small-lot",
  name: "Small Lot (Kenya)",
  picture: "/assets/beans/sample-small-lot.svg",
};

export const waitlistForm: WaitlistFormView = {
  mode: "live",
  bean: waitedFor,
  form: "sample",
  values: {},
  problems: [],
  mailing: true,
};

export const waitlistPlace: WaitlistPlaceView = {
  mode: "live",
  url: "/waitlist/wl_sample.token",
  bean: waitedFor,
  status: "WAITING",
  quantity: 2,
  email: "buyer@example.com",
  position: 3,
  offerExpiresAt: "2026-03-04T10:00:00.000Z",
  mailing: false,
};
