/** What bags come to, what a sum of money buys, and what coffee costs by weight. */
import { isExclusive } from "../catalog/catalog.ts";
import { display, sum } from "../core/money.ts";
import { LIMITS } from "../core/policy.ts";
import { chooseCourtesy, shippingMinor } from "../quotes/pricing.ts";
import { numberOf, TOGETHER } from "./amounts.ts";
import type { Query } from "./evaluate.ts";
import type { Bean, Beans } from "./facts.ts";
import { areCounted, fitting, spoken, wanted } from "./find.ts";
import { asksFor, type Reading } from "./reading.ts";
import { merge, rows, type Statement, say, sentence, tell } from "./say.ts";
import { superlative } from "./superlative.ts";
import { join, patterns } from "./text.ts";

/** Bags of a bean that go to one address; addresses are counted from 0. */
export type Line = Readonly<{ bean: Bean; bags: number; address: number }>;

const SOME_OF = /\bone of (?:them|which|those|the two)\b/;

/** The bags that are spoken of: "2 Huila and a bag of the Guji", "how much are three?" */
export function linesOf({ wishes, bags, said, text, money }: Reading, pool: Beans): Line[] {
  // "How many can I buy for …?" counts what is asked.
  // "Two bags, one of them decaf" are different ones.
  if (/how many (?!dollar|buck)|\bbag (?:are )?left\b/.test(text) || SOME_OF.test(text)) return [];
  // "All four together", "one of each".
  const counted = wishes.some((wish) => wish.bags !== null);
  const [, count = ""] =
    /\b(\w+) (?:(?:bag )?(?:of (?:each|every)|each of)|bag each(?! (?:of (?:\w+ ){1,4})?(?:to|for)\b))/.exec(
      text,
    ) ?? [];
  const ofEach = count === "a" ? 1 : numberOf(count);
  // "A fruity one and a sweet one, both together": of more than two it is open which are meant.
  const isOpen = /\bboth\b/.test(text) && pool.length !== 2;
  if (!counted && !isOpen && (ofEach > 0 || /\b(?:together|in one order)\b/.test(text)))
    return pool.map((bean) => ({ bean, bags: ofEach || (bags ?? 1), address: 0 }));
  const named = wishes.flatMap((wish) => {
    const [bean, ...more] = wish.refers ? pool.filter(({ id }) => wish.trait.has.has(id)) : [];
    return bean && more.length === 0 ? [{ ...wish, bean }] : [];
  });
  // "Two bags of the Chiapas decaf" are two.
  const lines = named.filter(
    ({ bean, bags, joined }, at) => joined || bags !== null || named[at - 1]?.bean !== bean,
  );
  // "Two Huila and a Guji", "the Guji shipped": who counts one bean counts the others too.
  const each = isEachSent(lines, said);
  const addresses = each ? (/\beach (?:to|for)\b/.test(text) ? 0 : 1) : addressesOf(text);
  const carried =
    /\b(?:ship|deliver|post|mail|plus?\b)/.test(text) ||
    (money !== null && / and .* for\b/.test(text));
  const [only, ...others] = pool;
  const single = bags !== null && only && others.length === 0 ? [{ bean: only, bags }] : [];
  // "One Guji to my mother and two to my sister."
  const isApart = /(?<!\band )\b(?:one|two|three|\d+) (?:bag )?to\b/.test(text);
  const again = (isApart ? [] : [...text.matchAll(/\band (\w+) (?:more )?(?:bag )?to\b/g)])
    .map(([, count = ""]) => (/^(?:an?|another)$/.test(count) ? 1 : numberOf(count)))
    .filter((count) => count > 0);
  const [line, ...rest] = lines.length > 0 ? lines : single;
  if (line && rest.length === 0 && line.bags !== null && again.length > 0)
    return [line.bags, ...again].map((bags, address) => ({ bean: line.bean, bags, address }));
  const isTold = lines.length > 0 && (carried || lines.some((line) => line.bags !== null));
  // "A decaf, and is shipping free for two bags?"
  const isOne = rest.length === 0 && addresses === 1 && (line?.bags ?? 1) === 1;
  const later = isOne && (line?.bags === null || text.includes("bag")) ? bags : null;
  const some = isTold ? lines.map((one) => ({ ...one, bags: later ?? one.bags })) : single;
  return Array.from({ length: addresses }, (_, address) =>
    some.map(({ bean, bags }, at) => ({
      bean,
      bags: bags ?? (ofEach || 1),
      address: each ? at : address,
    })),
  ).flat();
}

/** "4 Guji and 2 Huila to one address?" asks for what they come to. */
export const isCounted = ({ wishes, asks, degree, yesNo }: Reading): boolean =>
  wishes.length > 1 && areCounted(wishes) && asks.length === 0 && !(degree || yesNo);

/** "To mum, dad and grandma": no list goes on, and nothing else is sent elsewhere. */
const EACH_TO =
  /\beach (?:of (?:\w+ ){1,4})?(?:to|for) ([^.?!;:]+? and [^,.?!;:]+)(?=[,.?!;:]|$)(?!, and\b)/;

/** "One each to friends in Boston and Portland", "each to three friends"; 0 where several are meant and it is not told. */
function addressesOf(text: string): number {
  const [, first = "", other = ""] =
    /\beach (?:to|for) (?:(?:my|our|the) )?(\w+)|^(?=.*\beach\b).*?\b(\w+) (?:(?:different|separate) )?address\b/.exec(
      text,
    ) ?? [];
  const told = numberOf(first || other);
  // An order has no more; the policy says so.
  if (told > 0) return told <= LIMITS.shipments_per_order ? told : 0;
  const [, names = ""] = EACH_TO.exec(text) ?? [];
  if (names === "" || /\b(?:to|for|apply|add|use|send|i|what|how|is)\b/.test(names))
    return isShared(text) ? 0 : 1;
  return names.split(/ ?,(?: and)?| and /).length;
}

const SEVERAL = patterns(String.raw`several = (two|three|four|five|six|seven|eight|nine|ten|dozen|
  several|multiple|many|more than one|both|different|separate|\d+) _ (address(es)?|recipient|place|
  destination|house|household|location|people|person|friend|employee|colleague|client|customer|guest|
  relative|cousin)|(to|for) (my|me|us|him|her|them|the|our)…and…(to|for) (my|me|us|him|her|them|the|
  our|a|another)|each (to|for)|(to|for) each|to _ _ and (one|1|a|another|the other) _ (goes )?(to|for)`)[0]![1];

/** "One to me and one to my brother": no sum for one address is meant. */
export const isShared = (text: string): boolean => text.search(SEVERAL) >= 0;

export const sumOf = (lines: readonly Line[]): number =>
  sum(lines.map(({ bean, bags }) => bean.product.price_minor * bags));

/** "2 Huila to my place and a decaf to my mother": an address for each. */
const isEachSent = (lines: readonly { at: number }[], said: readonly string[]): boolean =>
  lines.length > 1 &&
  lines.every(({ at }, i) =>
    said.slice(at, lines[i + 1]?.at).some((word) => word === "to" || word === "for"),
  );

/** However many addresses they go to. */
export const bagsByBean = (lines: readonly Line[]) =>
  [...Map.groupBy(lines, ({ bean }) => bean)].map(([bean, some]) => ({
    bean,
    count: sum(some.map(({ bags }) => bags)),
  }));

const CODED =
  /\b(?:firstbag|(?:the|my|with) discount|code|coupon|welcome|first (?:order|time|purchase)|new customer)\b/;
const UNCODED = /\b(?:without|no) (?:\w+ )?(?:code|discount|coupon)/;

/** What they come to, shipped to each address: as a quote would begin it. */
export function priceOf(
  lines: readonly Line[],
  { text, live, money }: Pick<Query, "text" | "live" | "money">,
): Statement {
  const coffee = sumOf(lines);
  const addresses = [...Map.groupBy(lines, ({ address }) => address).values()];
  const shipping = sum(addresses.map((some) => shippingMinor(sumOf(some))));
  const each = addresses.length > 1;
  const isCoded = CODED.test(text) && !UNCODED.test(text) && live.firstOrderRuns !== false;
  const courtesy = chooseCourtesy(coffee, isCoded);
  const off = courtesy ? `, less ${display(courtesy.amountMinor)} courtesy` : "";
  const shared = isShared(text) && !each;
  const to = each ? `to ${addresses.length} addresses` : "to one address";
  const fee = shipping === 0 ? `ships free ${to}` : `and ${display(shipping)} shipping ${to}`;
  const carriage = shared ? "shipping aside" : fee;
  const inAll = coffee + (shared ? 0 : shipping) - (courtesy?.amountMinor ?? 0);
  const isPlain = shipping === 0 || shared;
  const total = isPlain && !courtesy ? "" : `, ${display(inAll)} in all`;
  const byBean = bagsByBean(lines);
  const bags = join(byBean.map(({ bean, count }) => `${count} × ${bean.name}`));
  const beans = byBean.map(({ bean }) => bean);
  const before = courtesy ? "" : ", before any courtesy";
  const head = `${bags}: ${display(coffee)}, ${carriage}${off}${total}${before}`;
  const short = byBean.flatMap(({ bean, count }) =>
    count > (live.free?.get(bean.id) ?? count) || isExclusive(bean.product) ? bean : [],
  );
  const told = merge([
    say(head, rows(beans, "price_minor")),
    ...(short.length > 0 ? [tell(short, "availability", live)] : []),
  ]);
  // "Is $40 enough for two?"
  if (money === null || shared) return told;
  const enough = sentence(`${display(money)} is ${inAll <= money ? "" : "not "}enough for that.`);
  return merge([told, enough]);
}

/** How many bags a sum buys. */
export function bagsFor(query: Query): Statement | null {
  const { money, cues, refers, said, text, shipped, wishes, beans, degree } = query;
  const counts = cues.has("COUNT") || /\bmost bag\b/.test(text);
  if (money === null || !counts || !(refers || said.includes("bag"))) return null;
  // "How many bags of the cheapest?"
  const first = degree?.form === "sup" ? superlative(degree, query).about : null;
  const named = refers ? spoken(beans, wishes) : beans;
  const some = first ? beans.filter((bean) => first.includes(bean)) : named;
  if (some.length === 0) return null;
  const buys = ({ product }: Bean) => {
    let count = Math.floor(money / product.price_minor);
    const fee = () => (shipped && count > 0 ? shippingMinor(count * product.price_minor) : 0);
    while (count * product.price_minor + fee() > money) count -= 1;
    return count;
  };
  const bags = some.map((bean) => `${buys(bean)} × ${bean.name}`).join(" or ");
  const head = `${display(money)} buys ${bags}, ${shipped ? "shipped to one address" : "shipping aside"}`;
  return say(head, rows(some, "price_minor"));
}

/** "Which two cost less than $45 together?" Of two or three different ones. */
export function setsOf({ bags, bound, text, beans, wishes, shipped }: Query): Statement | null {
  const isSum = bound?.scale === "price" && bags !== null && bags > 1 && bags < 4;
  if (!isSum || !TOGETHER.test(text)) return null;
  const rest = wishes.filter(({ trait }) => trait.kind !== bound.scale);
  const fitted = fitting(beans, rest);
  const isAny = SOME_OF.test(text);
  const all = choose(isAny ? beans : fitted, bags);
  const chosen = isAny ? all.filter((set) => set.some((bean) => fitted.includes(bean))) : all;
  const sets = chosen.map((some) => {
    const coffee = sum(some.map(({ product }) => product.price_minor));
    return { some, price: coffee + (shipped ? shippingMinor(coffee) : 0) };
  });
  const isIn = (price: number) => price >= bound.least && price <= bound.most;
  const fit = sets.filter(({ price }) => isIn(price)).sort((a, b) => a.price - b.price);
  const shown = fit.slice(0, 5);
  if (shown.length === 0) return null;
  const told = shown.map(
    ({ some, price }) => `${join(some.map(({ name }) => name))} ${display(price)}`,
  );
  const of = rest.length > 0 ? ` (${isAny ? "one " : ""}${wanted(rest)})` : "";
  const to = shipped ? ", shipped to one address" : "";
  const head = `${fit.length} of ${sets.length} sets of ${bags}${of} fit${to}, cheapest first: ${told.join("; ")}`;
  return say(head, rows([...new Set(shown.flatMap(({ some }) => some))], "price_minor"));
}

const choose = (beans: Beans, count: number): Beans[] =>
  count === 0
    ? [[]]
    : beans.flatMap((bean, at) =>
        choose(beans.slice(at + 1), count - 1).map((rest) => [bean, ...rest]),
      );

/** What a bag of 8 ounces costs by weight. */
const WEIGHTS: readonly [RegExp, name: string, perBag: number][] = [
  [/\b(?:ounce|oz)\b/, "ounce", 8],
  [/\b(?:gram|g)\b/, "100 g", 2.268],
];

export function byWeight(beans: Beans, text: string): Statement[] {
  const isAsked = /\b(?:per|an?|each|one) /.test(text);
  const priceBy = ({ name, product }: Bean, perBag: number) =>
    `${name} ${display(Math.round(product.price_minor / perBag))}`;
  return WEIGHTS.filter(([words]) => beans.length > 0 && isAsked && words.test(text)).map(
    ([, name, perBag]) =>
      sentence(`Per ${name}: ${join(beans.map((bean) => priceBy(bean, perBag)))}.`),
  );
}

/** "Which is closest to $25?", "closest in price to the Huila?" */
export function nearest(query: Query): Statement | null {
  const { money, text, all, wishes } = query;
  const refers = wishes.filter((wish) => wish.refers);
  const marks = money === null && asksFor(query, "price_minor") ? fitting(all, refers) : [];
  const sum = money ?? (marks.length === 1 ? marks[0]!.product.price_minor : null);
  if (sum === null || !/\b(?:closest|nearest|most similar|same .*as)\b/.test(text)) return null;
  const apart = ({ product }: Bean) => Math.abs(product.price_minor - sum);
  const others = wishes.filter(
    ({ trait, refers }) => trait.kind !== "price" && !(marks[0] && refers),
  );
  const fit = fitting(query.beans, others).filter((bean) => !marks.includes(bean));
  const least = Math.min(...fit.map(apart));
  const found = fit.filter((bean) => apart(bean) === least);
  const told = say(`Nearest to ${display(sum)}`, rows(found, "price_minor"));
  return merge([told, ...marks.map((mark) => say("Compared with", rows([mark], "price_minor")))]);
}
