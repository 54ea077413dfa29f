import { z } from "zod";
import { answer, Minor, Mode, NextSteps } from "./answer.ts";
import { Email } from "./email.ts";
import { MerchantError } from "./errors.ts";
import { line, text, whole } from "./fields.ts";
import { display } from "./money.ts";
import { FIRST_ORDER, LIMITS, SPEND, span, TIMES } from "./policy.ts";
import { dayIn, dayOf } from "./time.ts";

const days = whole({ least: 0, most: 365, of: "days" });

const oneLine = (value: string): string | null =>
  value !== value.trim() || /\p{Cc}/u.test(value)
    ? "must not begin or end with white space, or hold line breaks"
    : null;

/** Buyers open it from our pages, so it must be https. */
const followable = (value: string): string | null =>
  URL.canParse(value) && new URL(value).protocol === "https:"
    ? null
    : "must be a complete https address";

const Link = text({ what: "The address", most: 500, rules: [oneLine, followable] });

const CalendarDay = text({ what: "The day", most: 10, rules: [calendarDay] });

function calendarDay(value: string): string | null {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value));
  return isDay && new Date(value).toISOString().startsWith(value)
    ? null
    : "must be a day such as 2026-03-09";
}

/** A break of the shop, by its calendar. It stays after the reopening, since estimates count from it. */
export const PauseFields = z.strictObject({
  from: CalendarDay,
  /** Day of the reopening. */
  until: CalendarDay,
  message: line("The message", 200).nullable(),
});

export type Pause = Readonly<z.infer<typeof PauseFields>>;

/**
 * The owner's settings (contract §1). The section `shop` of the catalog file fills an empty database; then
 * the desk changes them. Every field has a default.
 */
export const ShopFields = z.strictObject({
  name: text({ what: "The shop's name", most: 60, rules: [oneLine] }).default("Coffee Merchant"),
  /** Contact address for buyers. Null: SUPPORT_EMAIL, if set. */
  contact_email: Email.nullable().default(null),
  /** Flat, per shipping address, in cents. */
  shipping_per_address_minor: whole({ least: 0, most: 100_000, of: "cents" }).default(1000),
  /** An address ships free from this amount of coffee before any discount, in cents. */
  free_shipping_from_minor: whole({ least: 0, most: 10_000_000, of: "cents" }).default(4000),
  /** Delivery is expected this many days after the order date: earliest and latest. */
  delivery_days: z
    .tuple([days, days])
    .refine(([earliest, latest]) => earliest <= latest, "The first must not be above the second.")
    .default([5, 14]),
  /** The shop's own pages. Null: PRIVACY_URL and TERMS_URL, if set. */
  privacy_url: Link.nullable().default(null),
  terms_url: Link.nullable().default(null),
  /** Emails to the owner about new orders: each at once, or one in the morning about the day before. */
  order_mail: z.enum(["each", "daily"]).default("each"),
  pause: PauseFields.nullable().default(null),
});

export type Shop = Readonly<z.infer<typeof ShopFields>>;

export const DEFAULT_SHOP: Shop = ShopFields.parse({});

/** Name of the setting that holds the shop as JSON. */
export const SHOP_SETTING = "shop";

/** The stored shop. A setting of a newer version may have more fields. */
export const storedShop = (value: string | undefined): Shop =>
  value === undefined ? DEFAULT_SHOP : ShopFields.loose().parse(JSON.parse(value));

/** The running break, or null. The shop reopens at the start of its day `until`. */
export function pauseAt(
  { shop: { pause }, timeZone }: { shop: Pick<Shop, "pause">; timeZone: string },
  now: number,
): Pause | null {
  return pause !== null && dayIn(timeZone)(now) < pause.until ? pause : null;
}

export const pauseWords = ({ until, message }: Pause): string =>
  `We\u2019re on a break until ${dayOf(until)}.${message === null ? "" : ` ${message}`}`;

/** On the place of a button that sells. */
export const backOn = ({ until }: Pick<Pause, "until">): string => `Back on ${dayOf(until)}`;

/** The break as agents read it. */
export const PauseView = answer({
  reopens_on: z.string().describe("Day of the reopening, YYYY-MM-DD."),
  message: z.string().nullable().describe("The shop's own words."),
  rule: z.string(),
}).meta({ id: "Pause" });

export const pauseView = ({ until, message }: Pause): z.infer<typeof PauseView> => ({
  reopens_on: until,
  message,
  rule: "No quotes and payments until then. Orders stay as they are.",
});

/** Refuses to sell during a break. */
export function refusePaused(pause: Pause | null): void {
  if (pause === null) return;
  throw new MerchantError("SHOP_PAUSED", pauseText(pause), { reopensOn: pause.until });
}

/** The break in words for agents. */
export function pauseText({ until, message }: Pause): string {
  const words = message === null ? "" : ` The shop says: “${message}”`;
  return `The shop is on a break. It takes orders again from ${dayOf(until)} (${until}).${words}`;
}

/** Whether an offer that ends at `endsAt` can still be paid after the break. */
export const afterBreak = (
  { until }: Pick<Pause, "until">,
  { endsAt, timeZone }: { endsAt: number; timeZone: string },
): string =>
  dayIn(timeZone)(endsAt) < until
    ? "This offer ends before that; a new one can be made then."
    : "This one can be paid then.";

/** The running break beside an offer, in words for agents; null outside a break. */
export function breakText(
  context: { shop: Pick<Shop, "pause">; timeZone: string },
  { now, endsAt }: { now: number; endsAt: number },
): string | null {
  const pause = pauseAt(context, now);
  const { timeZone } = context;
  return pause && `${pauseText(pause)} ${afterBreak(pause, { endsAt, timeZone })}`;
}

/** "5 to 14", for sentences. */
export const deliveryDays = ({ delivery_days: [earliest, latest] }: Pick<Shop, "delivery_days">) =>
  earliest === latest ? `${earliest}` : `${earliest} to ${latest}`;

/** Shipping costs in a sentence without its period. */
export const shippingRule = ({
  shipping_per_address_minor: flat,
  free_shipping_from_minor: free,
}: Shop): string =>
  flat === 0 || free === 0
    ? "Free shipping to every address"
    : `${display(flat)} flat per shipping address; free for an address whose bags come to ${display(free)} or more before any discount`;

/** What buyers may count on, in the same words in the policy and on pages. */
export const GRANTED = {
  late: "if the order is late, it is accepted with a full refund",
  mistaken_charges:
    "Mistaken charges, such as a second payment for one purchase, are refunded automatically.",
  wrong_address: "A wrong address can be corrected until its parcel is shipped",
} as const;

/**
 * The policy in sentences, built from the rules' own numbers (contract §17): the only source for
 * get_policy, /agent-info and `ask`.
 */
export const promises = (shop: Shop) =>
  ({
    substitutions: "none",
    refunds: `No return or refund for a changed mind after shipping. ${GRANTED.mistaken_charges}`,
    cancellation: `Can be requested for any reason until the parcel is shipped. The merchant decides about it and its refund; ${GRANTED.late}.`,
    delivery: `Roasted to order. Expected ${deliveryDays(shop)} days from the order date.`,
    shipping: `${shippingRule(shop)}.`,
    gift_notes: `Handwritten, free, one per bag ordered, each up to ${LIMITS.gift_note_characters} characters, sent with the shipment.`,
    one_gift_note: `Handwritten, free, one per checkout page, for its first bag, up to ${LIMITS.gift_note_characters} characters, sent with the shipment.`,
    courtesies: "One discount per order. There are no other gifts, free bags or perks.",
    first_order:
      `${FIRST_ORDER.percent}% off a customer's first order, at most ${display(FIRST_ORDER.cap_minor)}, once per ` +
      "customer, recognized by email address. The offer may end without notice.",
    spend:
      `${display(SPEND.off_minor)} off for every full ${display(SPEND.per_minor)} of coffee before shipping, ` +
      "automatic; it replaces the first-order discount.",
    tax: "Prices are final; no tax line is added.",
    approval:
      "Payment is the approval: a person sees the exact total and pays it; nothing is ordered before. Agents never " +
      "place or pay for an order.",
    charge:
      "A card is authorized first, then bags and discount are taken, then it is charged. " +
      "If they're gone, it isn't charged; a bank may show it as pending for some days.",
    sells: "Roasted whole-bean coffee in 8 oz bags, never ground.",
  }) as const;

/**
 * Says for whom bags are held (contract §7). Every page, answer and policy has this one sentence.
 * `mailing`: the shop sends email.
 */
export const holdingRule = (mailing: boolean): string =>
  mailing
    ? `Bags are held for ${span(TIMES.waitlist_offer_ms)}, and only for an email address that was confirmed by the link in our email.`
    : "This shop sends no automatic emails, so it holds no bags: when they arrive, the first to pay gets them.";

export const waitingRule = (mailing: boolean): string =>
  `${mailing ? "First come, first served; whoever wants more bags than arrived keeps the place. " : ""}` +
  `${holdingRule(mailing)} No restock date is known. A place ends when nobody looks at it for ${span(TIMES.waitlist_place_ms)}.`;

/** A section of the policy. */
export const PolicyPassage = answer({
  topic: z.string().describe("The section's title."),
  text: z.string(),
}).meta({ id: "PolicyPassage" });

/** Policy and offers (contract §17), each in a sentence for buyers. */
export const PolicyAnswer = answer({
  policy_version: z.string(),
  mode: Mode,
  pause: PauseView.optional().describe("Only while the shop is on a break."),
  contact: z.string().describe("Where people write to: an email address or a page."),
  ship_to: z.array(z.string()),
  substitutions: z.string(),
  refunds: z.string(),
  cancellation: z.string(),
  delivery: z.string(),
  shipping: answer({
    rule: z.string(),
    per_address_minor: Minor,
    free_from_minor: Minor,
    currency: z.string(),
  }),
  gift_notes: z.string(),
  courtesies: z.string(),
  tax: z.string(),
  payment: z.string(),
  offers: z.array(
    answer({
      kind: z.string(),
      code: z.string().nullable(),
      active: z.boolean(),
      rule: z.string(),
    }),
  ),
  limits: z
    .record(z.string(), z.int())
    .describe("Limits per request: bags, addresses, characters."),
  passages: z.array(PolicyPassage),
  rate_limits: z.record(z.string(), z.string()).describe("As in 30 per minute per key."),
  next: NextSteps,
}).meta({ id: "Policy" });

export type PolicyAnswer = z.infer<typeof PolicyAnswer>;
