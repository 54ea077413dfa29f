/** What is said to each topic that src/ask/topics.ts tells. */
import { SENTENCES } from "../core/policy.ts";
import { list, spaced, table, upperFirst } from "./text.ts";

/** What a sentence of the policy is called where its own name says too little. */
const TITLES = table(
  "waiting=The waitlist; sells=We sell; spend=Larger orders; tax=No tax; refunds=Refunds and returns",
  String,
);

/** "Gift notes: Handwritten, …" */
export const published = (key: string): string =>
  `${TITLES.get(key) ?? upperFirst(key.replace("_", " "))}: ${SENTENCES[key as keyof typeof SENTENCES]}`;

/** To each of these topics is said what has its own name. */
const OWN = list(`
  account, approval, blends, bulk, carriage, currency, delivery, destination, discounts, erase,
  events, gift_note, keyed, language, letters, lines, minimum, mode, prices, problem, quick_link,
  quotes, rates, refunds, several, shipping, sizes, substitutions, tax, tracking, unpaid_hold, us,
  withdrawal`);

/** To these, what has other names. */
const OTHERS = table(`
  cancellation = cancellation, part, refunds; change_order = cancellation; delivery_slot =
  delivery; express = delivery; fees = tax, shipping; finder = finder, opened; freebies = No,
  courtesies, spend; freshness = delivery; gift_wrap = gift_notes; green_beans = No, sells;
  hidden_price = gift_notes; instalments = approval; invoice = approval; lost = problem, refunds;
  moved = moved, problem; ordering = ordering, approval; other_goods = sells; part = cancellation,
  part; payment_failed = declined, approval; payment_methods = approval; payment_security =
  approval; po_box = destination; price_rise = quotes; privacy = kept; reserve = quotes,
  unpaid_hold; restock = date, waiting; sms = letters; stacking = No, courtesies, spend; unit_price
  = each, spend; waitlist = waiting, queue, date`);

/** Of these our facts do not say anything. */
export const LACKING = table(
  `
  brew_help = brewing beyond our recipes; caffeine = how much caffeine a coffee has; carrier =
  carriers, insurance or where shipments start; change_order = changes of which bags are ordered;
  company = the company's history or people; delivery_slot = chosen days and times, signatures or
  where shipments are left; ethics = organic or fair trade certificates, or the environment;
  express = faster delivery; freshness = roast dates or how fresh a bag is; gift_card = gift cards;
  gift_wrap = gift wrapping or boxes; harvest = harvests; hidden_price = prices or receipts in a
  shipment; instalments = paying in parts; invoice = invoices; other_goods = other goods or
  equipment; packaging = what bags and boxes are made of; pairing = food that goes with it;
  payment_methods = which cards and other ways of paying are taken; payment_security = how the
  payment page protects cards; po_box = PO boxes and lockers; popularity = what others buy, like or
  write; price_rise = future prices; privacy = how personal data are used; roaster = who roasts, or
  where; servings = how many cups a bag makes; sms = text messages or calls; storage = storing
  beans or how long they keep; subscription = subscriptions; upcoming = what is planned; visit = a
  shop to visit or its hours; word_meaning = what words of the trade mean`,
  (terms) => spaced(terms).join(" "),
);

/** The names of what is said to each topic. */
export const ANSWERS = new Map<string, readonly string[]>([
  ...[...LACKING.keys()].map((topic) => [topic, []] as const),
  ...OWN.map((topic) => [topic, [topic]] as const),
  ...OTHERS,
]);

/** Nothing of this topic is what our facts lack. */
export const isAnswered = (topic: string): boolean => !LACKING.has(topic);
