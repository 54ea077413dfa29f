import { DECAF, STOCKED } from "./catalog.ts";
import { ADDRESS } from "./shopper.ts";

// biome-ignore lint/suspicious/noExplicitAny: arguments as a model writes them.
export type Arguments = Record<string, any>;

/** What there is to be mistaken about: things of the key's own. */
export interface Things {
  quote: { id: string; quote_hash: string };
  paid: string;
  order: string;
  entry: string;
}

export interface Mistake {
  what: string;
  tool: string;
  wrong: (things: Things) => Arguments;
  /** In the words that a model reads. */
  says?: RegExp;
  /** The arguments that the answer asks for; by itself where it names a field or a value. */
  right?: (things: Things) => Arguments;
  /** The tool that the answer names; by default the same. */
  next?: string;
}

const QUOTE: Arguments = {
  buyer: { email: "buyer@example.com" },
  shipments: [
    {
      recipient_ref: "home",
      address: { ...ADDRESS },
      items: [{ product_id: STOCKED, quantity: 2 }],
    },
  ],
};

export const LEAD = { email: "office@example.com", purpose: "Coffee for an office of 40." };

export const quote = () => structuredClone(QUOTE);
const quoteWith = (change: (q: Arguments) => void) => () => {
  const made = quote();
  change(made);
  return made;
};

/** A field under another name. */
const renamed = (object: (q: Arguments) => Arguments, from: string, to: string) =>
  quoteWith((q) => {
    const there = object(q);
    there[to] = there[from];
    delete there[from];
  });

const shipment = (q: Arguments): Arguments => q.shipments[0];
const address = (q: Arguments): Arguments => shipment(q).address;
const item = (q: Arguments): Arguments => shipment(q).items[0];
const whole = (q: Arguments): Arguments => q;

const setting =
  (object: (q: Arguments) => Arguments, name: string, value: unknown) =>
  (q: Arguments): void => {
    object(q)[name] = value;
  };

export const about =
  (tool: string) =>
  (what: string, more: Omit<Mistake, "what" | "tool">): Mistake => ({
    what,
    tool,
    ...more,
  });
const quoting = about("request_quote");

/** A value that is wrong, and the quote without it. */
const wrongValue = (what: string, change: (q: Arguments) => void, says: RegExp): Mistake =>
  quoting(what, { wrong: quoteWith(change), says, right: quote });

const OTHER_NAMES: [object: (q: Arguments) => Arguments, ours: string, theirs: string][] = [
  [whole, "buyer", "customer"],
  [whole, "shipments", "shipment"],
  [(q) => q.buyer, "email", "emailAddress"],
  [shipment, "address", "shipping_address"],
  [shipment, "items", "line_items"],
  [shipment, "recipient_ref", "recipient"],
  [address, "name", "full_name"],
  [address, "line1", "street"],
  [address, "line1", "address1"],
  [address, "line1", "address_line_1"],
  [address, "region", "state"],
  [address, "postal_code", "zip"],
  [address, "postal_code", "zipCode"],
  [address, "postal_code", "postalCode"],
  [address, "postal_code", "postal_cod"],
  [address, "country", "country_code"],
  [item, "product_id", "product"],
  [item, "product_id", "sku"],
  [item, "product_id", "productId"],
  [item, "quantity", "qty"],
  [item, "quantity", "bags"],
];

const FIELDS: Mistake[] = [
  quoting("the shipments as a text of JSON", {
    wrong: quoteWith((q) => {
      q.shipments = JSON.stringify(q.shipments);
    }),
    says: /^VALIDATION_FAILED: A list, also of one: \[ … \], and not as text\.\nAt/,
    right: quote,
  }),
  quoting("the whole request in another object", {
    wrong: () => ({ request: quote() }),
    says: /"request" is not a field here\. Send what is in it without it\./,
    right: quote,
  }),
  wrongValue(
    "a unit, which is no second line of an address",
    setting(item, "unit", "bag"),
    /"unit" is not a field here\. Leave it out\./,
  ),
  ...OTHER_NAMES.map(([object, ours, theirs]) =>
    quoting(`${theirs} instead of ${ours}`, { wrong: renamed(object, ours, theirs) }),
  ),
  quoting("the buyer's email beside the shipments", {
    wrong: () => ({ email: "buyer@example.com", shipments: quote().shipments }),
  }),
  wrongValue(
    "the buyer as a text",
    setting(whole, "buyer", "buyer@example.com"),
    /an object with email/i,
  ),
  wrongValue(
    "one shipment that is no list",
    setting(whole, "shipments", shipment(QUOTE)),
    /a list, also of one/i,
  ),
  quoting("items beside the shipments", {
    wrong: quoteWith((q) => {
      q.items = shipment(q).items;
      delete shipment(q).items;
    }),
  }),
  quoting("a coupon", { wrong: () => ({ ...quote(), coupon: "FIRSTBAG" }) }),
  quoting("a promo_code", { wrong: () => ({ ...quote(), promo_code: "FIRSTBAG" }) }),
  quoting("gift messages", { wrong: quoteWith(setting(shipment, "gift_messages", ["Enjoy!"])) }),
  quoting("one gift note that is no list", {
    wrong: quoteWith(setting(shipment, "gift_notes", "Enjoy!")),
    says: /a list, also of one/i,
    right: quoteWith(setting(shipment, "gift_notes", ["Enjoy!"])),
  }),
  wrongValue("a price of its own", setting(whole, "total_minor", 100), /Leave it out/),
  quoting("no recipient_ref", {
    wrong: quoteWith((q) => {
      delete shipment(q).recipient_ref;
    }),
    says: /recipient_ref is missing/,
    right: quote,
  }),
  wrongValue(
    "an address in one text",
    setting(shipment, "address", "1 Main Street, Austin, TX 78701"),
    /an object with name, line1/i,
  ),
];

const VALUES: Mistake[] = [
  quoting("the country as USA", { wrong: quoteWith(setting(address, "country", "USA")) }),
  quoting("the country in small letters", {
    wrong: quoteWith(setting(address, "country", "us")),
  }),
  quoting("the country by its name", {
    wrong: quoteWith(setting(address, "country", "United States")),
    says: /country must be "US"/,
  }),
  wrongValue(
    "half a state",
    setting(address, "region", "Tex"),
    /USPS code .*full name.*\n.*Received: "Tex"/,
  ),
  wrongValue(
    "a ZIP code of another state",
    setting(address, "postal_code", "97205"),
    /97205 is in Oregon \(OR\), not in TX/,
  ),
  wrongValue(
    "a ZIP code as a number",
    setting(address, "postal_code", 2108),
    /send "02108" in quotes/,
  ),
  wrongValue(
    "a ZIP code without its dash",
    setting(address, "postal_code", "787011234"),
    /"94107-1234"/,
  ),
  wrongValue("bags as a text", setting(item, "quantity", "2"), /send 2 without quotes/),
  wrongValue(
    "no bags",
    setting(item, "quantity", 0),
    /^VALIDATION_FAILED: 1 or more bags in one line\.\nAt/,
  ),
  wrongValue("half a bag", setting(item, "quantity", 1.5), /without a fraction/),
  quoting("too many bags", {
    wrong: quoteWith(setting(item, "quantity", 150)),
    says: /At most 100 bags/,
    next: "send_bulk_lead",
    right: () => LEAD,
  }),
  quoting("a bean by its name for people", {
    wrong: quoteWith(setting(item, "product_id", "Kenya Nyeri")),
  }),
  quoting("a bean by one word of its name", {
    wrong: quoteWith(setting(item, "product_id", STOCKED.split("-").at(-1))),
  }),
  quoting("a bean by its other name", {
    wrong: quoteWith(setting(item, "product_id", "Cajamarca Decaf")),
    right: quoteWith(setting(item, "product_id", DECAF)),
  }),
  quoting("a bean with a slip", {
    wrong: quoteWith(setting(item, "product_id", "kenya-nyri")),
  }),
  wrongValue(
    "a bean that is not sold",
    setting(item, "product_id", "house-blend"),
    /The catalog has: kenya-nyeri/,
  ),
  wrongValue(
    "an email that is none",
    setting((q) => q.buyer, "email", "buyer"),
    /name@example.com.\n.*Received: "buyer"/,
  ),
  wrongValue(
    "more notes than bags",
    setting(shipment, "gift_notes", ["a", "b", "c"]),
    /at most one per bag/,
  ),
  wrongValue("a note of pictures", setting(shipment, "gift_notes", ["🎁🎉"]), /written by hand/),
  wrongValue(
    "a note that is too long",
    setting(shipment, "gift_notes", ["x".repeat(201)]),
    /At most 200 characters; this has 201/,
  ),
  wrongValue(
    "a name with an invisible character",
    setting(address, "name", "Ann\u200bLee"),
    /U\+200B/,
  ),
  quoting("a code with a slip", { wrong: () => ({ ...quote(), discount_code: "FIRST-BAG" }) }),
  wrongValue("a code that is none", setting(whole, "discount_code", "WELCOME10"), /Leave it out/),
  wrongValue(
    "substitutions",
    setting(whole, "preferences", { substitutions: "any" }),
    /One of "none"/,
  ),
];

/**
 * What models get wrong about a quote, each with the answer that helps and the call that then
 * works.
 */
export const QUOTE_MISTAKES: readonly Mistake[] = [...FIELDS, ...VALUES];
