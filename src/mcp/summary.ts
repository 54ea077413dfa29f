import { elements, field } from "../core/fields.ts";

/** Fields that a model does not need to act; they are in the structured content. */
const LEFT_OUT = new Set([
  "agent_id",
  "api_key_prefix",
  "contact_email",
  "contract_version",
  "courtesies",
  "created_at",
  "currency",
  "free_bags",
  "image_url",
  "limits",
  "message_for_buyer",
  "name",
  "not_given",
  "occurred_at",
  "order_url",
  "policy_version",
  "price_minor",
  "rate_limits",
  "ship_to",
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
    const part = LEFT_OUT.has(name) || name === "address" ? "" : fieldText(name, value[name]);
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

const bags = (item: unknown): string =>
  `${field(item, "quantity")} × ${field(item, "name") ?? field(item, "product_id")}`;

/** One shipment has all items of its order. Several need their own. */
const shipmentLines = (all: unknown) => (shipment: unknown) => {
  const items = elements(all).length > 1 ? elements(field(shipment, "items")) : [];
  return [oneLine(shipment), ...items.map(bags)].join(", ");
};

/** Lines for fields whose value is an object or a list. */
const LINES: Record<string, (value: unknown) => string[]> = {
  beans: (all) => bullets("beans", all, oneLine),
  checkout: (checkout) => [`review_url: ${field(checkout, "review_url")}`],
  estimated_delivery: (days) => [
    `estimated_delivery: ${field(days, "earliest")} to ${field(days, "latest")}`,
  ],
  events: (all) =>
    bullets("events", all, (event) => oneLine({ ...(event as Fields), id: null, data: null })),
  finder: (finder) => [`finder: ${oneLine(finder)}`],
  items: (all) => (Array.isArray(all) ? [`items: ${all.map(bags).join(", ")}`] : []),
  messages: (all) => bullets("messages", all, (message) => String(field(message, "text"))),
  offers: (all) => bullets("offers", all, oneLine),
  orders: (all) => bullets("orders", all, oneLine),
  passages: (all) => bullets("policy", all, oneLine),
  payment: (payment) => [`payment: ${field(payment, "status")}`],
  policy: (all) => bullets("policy", all, oneLine),
  pricing: (pricing) => [`total: ${field(pricing, "total_display")}`],
  products: (all) => bullets("products", all, oneLine),
  shipments: (all) => bullets("shipments", all, shipmentLines(all)),
  shipping: (shipping) => [`shipping: ${field(shipping, "rule")}`],
  terms: (terms) => [
    `total: ${field(field(terms, "pricing"), "total_display")}`,
    `expires_at: ${field(terms, "expires_at")}`,
  ],
  waitlist: (waitlist) => bullets("short", field(waitlist, "short"), oneLine),
};

/** Summarizes a response in a few lines for the model. The structured content has the rest. */
export function summary(body: Fields): string {
  const { next, ...fields } = body;
  const lines = Object.entries(fields).flatMap(([name, value]) => {
    if (LEFT_OUT.has(name) || value === null || value === undefined) return [];
    if (isScalar(value) || value === false) return [`${name}: ${value}`];
    return LINES[name]?.(value) ?? [];
  });
  const steps = (Array.isArray(next) ? next : []).map(
    (step) => `Next: ${field(step, "action")}: ${field(step, "why")}`,
  );
  return [...lines, ...steps].join("\n");
}
