import { elements, field } from "../core/fields.ts";
import { display } from "../core/money.ts";

/** Fields that a model does not need to act, or reads in another line. The structured content has them. */
const LEFT_OUT = new Set([
  "agent_id",
  "allocations",
  "api_key_prefix",
  "asked_by",
  "contact_email",
  "contract_version",
  "courtesies",
  "courtesy",
  "created_at",
  "currency",
  "discount_code",
  "free_bags",
  "has_more",
  "image_url",
  "limits",
  "name",
  "not_given",
  "occurred_at",
  "otherwise_display",
  "otherwise_minor",
  "paid_minor",
  "policy_version",
  "price_minor",
  "rate_limits",
  "ship_to",
  "shipping_minor",
  "subtotal_minor",
  "summary",
  "total_minor",
]);

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isScalar = (value: unknown): boolean =>
  typeof value === "string" || typeof value === "number" || value === true;

/** The plain values of an object in one line, and those of its small objects such as tracking. */
function oneLine(value: unknown): string {
  if (isScalar(value)) return String(value);
  if (!isFields(value)) return "";
  let line = "";
  for (const name in value) {
    const part = LEFT_OUT.has(name) ? "" : fieldText(name, value[name]);
    if (part !== "") line += line === "" ? part : `, ${part}`;
  }
  return line;
}

function fieldText(name: string, value: unknown): string {
  if (value === true) return name;
  if (name === "tasting_notes") return `notes: ${[value].flat().join(", ")}`;
  return oneLine(value);
}

const bullets = (name: string, values: unknown, line: (value: unknown) => string): string[] =>
  Array.isArray(values) && values.length > 0
    ? [`${name}:`, ...values.map((value) => `- ${line(value)}`)]
    : [];

const told = (parts: readonly unknown[]): string => parts.filter(Boolean).join(", ");

const money = (value: unknown): string => display(Number(value));

const bags = (item: unknown): string =>
  `${field(item, "quantity")} × ${field(item, "name") ?? field(item, "product_id")}`;

const allBags = (items: unknown): string => elements(items).map(bags).join(", ");

/** `Ada Lovelace, 1 Main Street, Apt 2, Austin TX 78701` */
function addressText(address: unknown): string {
  const [name, line1, line2, city, region, zip] = [
    "name",
    "line1",
    "line2",
    "city",
    "region",
    "postal_code",
  ].map((part) => field(address, part));
  return told([name, line1, line2, `${city} ${region} ${zip}`]);
}

const notesText = (notes: unknown): string =>
  elements(notes).length > 0
    ? `notes: ${elements(notes)
        .map((note) => `"${note}"`)
        .join(" ")}`
    : "";

const trackingText = (tracking: unknown): string =>
  field(tracking, "carrier") ? `${field(tracking, "carrier")} ${field(tracking, "number")}` : "";

/** A shipment of a quote or an order: to whom, where, what, its notes and its state. */
const shipmentLine = (shipment: unknown): string => {
  const get = (name: string) => field(shipment, name);
  const ref = get("recipient_ref");
  const shipping = get("shipping_minor");
  const tracking = trackingText(get("tracking") ?? shipment);
  const status = told([get("status"), tracking, get("url"), get("id")]);
  return [
    ref
      ? `${ref}: ${allBags(get("items"))} to ${addressText(get("address"))}`
      : `${get("parcel")}: ${get("contents")}`,
    status,
    notesText(get("gift_notes")),
    shipping === undefined ? "" : `shipping ${shipping === 0 ? "free" : money(shipping)}`,
  ]
    .filter(Boolean)
    .join("; ");
};

/** `total: $38.80 (coffee $36.00, FIRSTBAG -$7.20, shipping $10.00)` */
function totalLines(pricing: unknown): string[] {
  const get = (name: string) => field(pricing, name);
  const courtesy = get("courtesy");
  const code = get("discount_code");
  const why = field(code, "reason");
  const off = courtesy
    ? `${field(courtesy, "code") ?? field(courtesy, "kind")} -${money(field(courtesy, "amount_minor"))}`
    : "";
  const parts = told([
    `coffee ${money(get("subtotal_minor"))}`,
    off,
    `shipping ${get("shipping_minor") === 0 ? "free" : money(get("shipping_minor"))}`,
  ]);
  return [
    `total: ${get("total_display")} (${parts})`,
    ...(why ? [`${field(code, "code")}: ${why}`] : []),
  ];
}

const isEstimate = (days: unknown): string =>
  days
    ? told([
        `${field(days, "earliest")} to ${field(days, "latest")} (estimate, not promised)`,
        field(days, "days_late") && `${field(days, "days_late")} days late`,
      ])
    : "";

const refundLine = (refund: unknown): string =>
  `${money(field(refund, "amount_minor"))} ${field(refund, "status")} (${field(refund, "reason")}), ${field(refund, "at")}`;

function paymentLines(payment: unknown): string[] {
  const get = (name: string) => field(payment, name);
  const dispute = get("dispute");
  const owed = get("owed_minor");
  return [
    `payment: ${get("status")}, ${money(get("amount_minor"))} by ${get("method")}, ${get("paid_at")}`,
    ...bullets("refunds", get("refunds"), refundLine),
    ...(dispute ? [`dispute: ${field(dispute, "status")}, ${field(dispute, "reason")}`] : []),
    ...(owed ? [`failed refunds still owed: ${money(owed)}`] : []),
  ];
}

const cancelLine = (request: unknown): string =>
  told([
    field(request, "status"),
    `shipments ${elements(field(request, "shipment_ids")).join(" ")}`,
    field(request, "decision"),
  ]);

/** One order of a list, in full or as a summary. */
function orderLine(order: unknown): string {
  const get = (name: string) => field(order, name);
  const request = get("cancel_request");
  const late = field(get("estimated_delivery"), "days_late") ?? get("days_late");
  const shipments = elements(get("shipments")).map((one) =>
    told([
      `${field(one, "recipient_ref")} ${field(one, "status")}`,
      trackingText(field(one, "tracking")),
    ]),
  );
  return told([
    `${get("number") ?? ""} (${get("id")})`.trim(),
    get("status"),
    get("contents") ?? allBags(get("items")),
    get("total_display") ?? field(get("pricing"), "total_display"),
    get("payment_status") ?? field(get("payment"), "status"),
    `for ${get("buyer_email")}`,
    `quote ${get("quote_id")}`,
    [...elements(get("shipment_lines")), ...shipments].join("; "),
    request && `cancel request ${field(request, "status")}`,
    late && `${late} days late`,
  ]);
}

/** `3. shipment.shipped, home, USPS 9400…, 2026-03-04T10:00:00.000Z` */
function eventLine(event: unknown): string {
  const data = field(event, "data");
  const refs = field(data, "recipient_ref") ?? elements(field(data, "recipient_refs")).join(" ");
  const amount = field(data, "amount_minor");
  return `${field(event, "sequence")}. ${told([
    field(event, "type"),
    `order ${field(event, "order_status")}`,
    refs,
    trackingText(field(data, "tracking")),
    amount !== undefined && money(amount),
    field(data, "reason") ?? field(data, "decision"),
    field(event, "occurred_at"),
  ])}`;
}

/** A list in labeled lines, or what its emptiness means. */
const listed = (name: string, empty: string, line: (value: unknown) => string) => (all: unknown) =>
  elements(all).length > 0 ? bullets(name, all, line) : [empty];

/** Lines for fields whose value is an object or a list. */
const LINES: Record<string, (value: unknown) => string[]> = {
  beans: (all) => bullets("beans", all, oneLine),
  cancel_request: (request) => [
    `cancel request: ${isFields(request) ? cancelLine(request) : request}`,
  ],
  checkout: (checkout) => [`review_url: ${field(checkout, "review_url")}`],
  estimated_delivery: (days) => [`arrives: ${isEstimate(days)}`],
  events: listed("events", "No new events.", eventLine),
  finder: (finder) => {
    const got = `${field(finder, "progress")} of ${field(finder, "needed")} good questions`;
    const key = field(finder, "finder_key");
    return [
      `finder key: ${told([got, field(finder, "hint")])}`,
      ...(key ? [`finder_key: ${key}`] : []),
    ];
  },
  cancel_request_for: (parcels) => [`cancel request for: ${elements(parcels).join(", ")}`],
  items: (all) => [`items: ${allBags(all)}`],
  message_for_buyer: (text) => [`Tell the buyer: ${text}`],
  messages: (all) => bullets("messages", all, (message) => String(field(message, "text"))),
  offers: (all) => bullets("offers", all, oneLine),
  orders: listed("orders", "No orders yet.", orderLine),
  passages: (all) => bullets("policy", all, oneLine),
  payment: paymentLines,
  policy: (all) => bullets("policy", all, oneLine),
  pricing: totalLines,
  products: (all) => bullets("products", all, oneLine),
  recipient_refs: (refs) =>
    elements(refs).length > 0 ? [`for: ${elements(refs).join(", ")}`] : [],
  refunds: (all) => bullets("refunds", all, refundLine),
  shipment_ids: (ids) => [`shipments: ${elements(ids).join(", ")}`],
  shipments: (all) => bullets("shipments", all, shipmentLine),
  shipping: (shipping) => [`shipping: ${field(shipping, "rule")}`],
  terms: (terms) => [
    `buyer: ${field(field(terms, "buyer"), "email")}`,
    ...bullets("shipments", field(terms, "shipments"), shipmentLine),
    ...totalLines({
      ...(field(terms, "pricing") as Fields),
      discount_code: field(terms, "discount_code"),
    }),
    `expires_at: ${field(terms, "expires_at")}`,
  ],
  waitlist: (waitlist) =>
    bullets(
      "short",
      field(waitlist, "short"),
      (one) =>
        `${field(one, "product_id")}: ${field(one, "requested")} asked for, ${field(one, "available")} left`,
    ),
};

/** Shipments with the names that their order's items have. */
const named = (shipments: unknown, items: unknown): unknown[] =>
  elements(shipments).map((one) => ({
    ...(one as Fields),
    items: elements(field(one, "items")).map((bag) => {
      const id = field(bag, "product_id");
      const name = field(
        elements(items).find((item) => field(item, "product_id") === id),
        "name",
      );
      return { name, ...(bag as Fields) };
    }),
  }));

/** Fields that another field's line has already told. */
const TOLD_BY: Record<string, readonly string[]> = {
  terms: ["delivery"],
  pricing: ["total_display"],
  payment: ["quote_hash"],
  notice: ["mode"],
  message: ["messages"],
  passages: [
    ...["substitutions", "refunds", "cancellation", "delivery", "shipping", "gift_notes"],
    ...["tax", "payment", "offers"],
  ],
  review_url: ["quote_hash"],
};

/**
 * Summarizes a response in labeled lines: a client may show its model only this text. The structured content has
 * the rest.
 */
export function summary(body: Fields): string {
  const { next, ...fields } = body;
  const known = new Set(Object.keys(fields).flatMap((name) => TOLD_BY[name] ?? []));
  const lines = Object.entries(fields).flatMap(([name, value]) => {
    if (LEFT_OUT.has(name) || known.has(name) || value === null || value === undefined) return [];
    const lines = LINES[name]?.(name === "shipments" ? named(value, fields.items) : value);
    if (lines) return lines;
    return isScalar(value) || value === false ? [`${name}: ${value}`] : [];
  });
  const steps = (Array.isArray(next) ? next : []).map(
    (step) => `Next: ${field(step, "action")}: ${field(step, "why")}`,
  );
  return [...lines, ...steps].join("\n");
}
