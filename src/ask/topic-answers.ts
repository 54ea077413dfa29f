/** What is said to each topic that src/ask/topics.ts tells. */
import { SENTENCES } from "../domain/shared/policy.ts";
import { spaced, table, upperFirst } from "./text.ts";

/** Sentences of the policy | what our facts do not say anything about. */
export const ANSWERS = table(
  `
  account = account;
  approval = approval;
  blends = blends;
  brew_help = | brewing beyond our recipes;
  bulk = bulk;
  caffeine = | how much caffeine a coffee has;
  cancellation = cancellation, part, refunds;
  carriage = carriage;
  carrier = | carriers, insurance or where shipments start;
  change_order = cancellation | changes of which bags are ordered;
  company = | the company's history or people;
  currency = currency;
  delivery = delivery;
  delivery_slot = delivery | chosen days and times, signatures or where shipments are left;
  destination = destination;
  discounts = discounts;
  erase = erase;
  ethics = | organic or fair trade certificates, or the environment;
  events = events;
  express = delivery | faster delivery;
  fees = tax, shipping;
  finder = finder, opened;
  freebies = No, courtesies, spend;
  freshness = delivery | roast dates or how fresh a bag is;
  gift_card = | gift cards;
  gift_note = gift;
  gift_wrap = gift_notes | gift wrapping or boxes;
  green_beans = No, sells;
  harvest = | harvests;
  hidden_price = gift_notes | prices or receipts in a shipment;
  instalments = approval | paying in parts;
  invoice = approval | invoices;
  keyed = keyed;
  language = language;
  letters = letters;
  lines = lines;
  lost = problem, refunds;
  minimum = minimum;
  mode = mode;
  moved = moved, problem;
  ordering = ordering, approval;
  other_goods = sells | other goods or equipment;
  packaging = | what bags and boxes are made of;
  pairing = | food that goes with it;
  part = cancellation, part;
  payment_failed = declined, approval;
  payment_methods = approval | which cards and other ways of paying are taken;
  payment_security = approval | how the payment page protects cards;
  po_box = destination | PO boxes and lockers;
  popularity = | what others buy, like or write;
  price_rise = quotes | future prices;
  prices = prices;
  privacy = kept | how personal data are used;
  problem = problem;
  quick_link = link;
  quotes = quotes;
  rates = rates;
  refunds = refunds;
  reserve = quotes, unpaid_hold;
  restock = date, waiting;
  roaster = | who roasts, or where;
  servings = | how many cups a bag makes;
  several = several;
  shipping = shipping;
  sizes = sizes;
  sms = letters | text messages or calls;
  stacking = No, courtesies, spend;
  storage = | storing beans or how long they keep;
  subscription = | subscriptions;
  substitutions = substitutions;
  tax = tax;
  tracking = tracking;
  unit_price = each, spend;
  unpaid_hold = unpaid_hold;
  upcoming = | what is planned;
  us = us;
  visit = | a shop to visit or its hours;
  waitlist = waiting, queue, date;
  withdrawal = withdrawal;
  word_meaning = | what words of the trade mean`,
  (line) => line.split("|").map((part) => spaced(part).join(" ")),
);

/** What a sentence of the policy is called where its own name says too little. */
const TITLES = table(
  "waiting=The waitlist; sells=We sell; spend=Larger orders; tax=No tax; refunds=Refunds and returns",
  String,
);

/** "Gift notes: Handwritten, …" */
export const published = (key: string): string =>
  `${TITLES.get(key) ?? upperFirst(key.replace("_", " "))}: ${SENTENCES[key as keyof typeof SENTENCES]}`;

/** Nothing of this topic is what our facts lack. */
export const isAnswered = (topic: string): boolean => ANSWERS.get(topic)?.[1] === undefined;
