/** What a question is about besides the beans: the topics of the published policy, told by its words. */
import { US_REGIONS } from "../domain/shared/us-regions.ts";
import { isEnglish } from "./correct.ts";
import type { Lexicon } from "./lexicon.ts";
import { entries, patterns, phrase, singular, spaced, table } from "./text.ts";
import { TOPICS } from "./topic-words.ts";
import { HARMLESS } from "./vocabulary.ts";

const wordsIn = (text: string): string[] =>
  (text.match(/[a-z]{3,}/g) ?? []).flatMap((word) => [word, singular(word)]);

/** Words that stand for the same, as topics name them; each may end in an "s". */
const KINDS = table(String.raw`
  SEND = ship, ships, shipped, shipping, shipment, deliver, delivers, delivered, delivery,
  deliveries, delivering, postage, freight, send, sending, sent, mail, mailed; PLACES = address,
  addresses, recipient, place, destination, house, household, location; PEOPLE = people, person,
  friend, employee, colleague, client, customer, guest, relative, cousin; SEVERAL = two, three,
  four, five, six, seven, eight, nine, ten, dozen, several, multiple, many, more than one, both,
  different, separate, \d+; NOTE = note, card, message; DAY = monday, tuesday, wednesday, thursday,
  friday, saturday, sunday, weekend, holiday, mothers day, fathers day, valentines, easter,
  christmas, thanksgiving, tomorrow, tonight, today, birthday, june, july, november, december; OFF =
  discount, coupon, voucher, rebate, promo, promotion, courtesy, courtesies, firstbag, code; PAY =
  pay, paid, paying, charge, charged, charging, bill, billed; FEE = how much, cost, price, fee,
  expensive, charge`);

const spelled = [...KINDS].reduce(
  (text, [kind, words]) =>
    text.replaceAll(RegExp(`\\b${kind}\\b`, "g"), `(?:${words.join("s?|")}s?)`),
  TOPICS,
);
/** What may stand beside any topic. */
const IDLE = new Set(
  spaced(`
  accept added again asking agent anybody allowed applied asked automatic automatically available
  box boxes buyer buyers cart charge charged charging checkout coming customer enter everybody
  extra fifty five forty four happen happens hasnt having held hundred include included including
  internationally kept made member merchant moment next number once one opened order package paid
  parcel pay paying pays policy price prices program purchase request set six small special split
  stay ten thirty three twelve twenty two valid`),
);

const states = Object.values(US_REGIONS).map(phrase).join("|");
const lines = entries(spelled);
const topics = patterns(spelled.replaceAll("STATE", states)).map(([name, pattern], at) => {
  return { name, pattern, own: new Set(wordsIn(lines[at]![1])) };
});
/** What is said about policy at all. */
const topical = new Set(wordsIn(spelled).filter((word) => !HARMLESS.has(singular(word))));
const several = topics.findLast(({ name }) => name === "several")!.pattern;
/** "One to me and one to my brother": no sum for one address is meant. */
export const isShared = (text: string): boolean => text.search(several) >= 0;

const isAmong = (words: ReadonlySet<string>, word: string): boolean =>
  [word, singular(word)].some((one) => words.has(one)) ||
  [4, 5, 6, 7, 8, 9].some((length) => words.has(word.slice(0, length)));

export type Topic = NonNullable<ReturnType<typeof topicOf>>;

/**
 * The topic of policy that a part of a question is about, and by which words: the one that says most to
 * it. `open`: what else is about policy, or plain English that says nothing to us.
 */
export function topicOf(text: string, lexicon: Lexicon) {
  const isAsked = (word: string) => {
    const { trait, scale } = lexicon.match([singular(word)], 0)?.concept ?? {};
    const isOurs = lexicon.isSpelt(singular(word)) ? isAmong(topical, word) : isEnglish(word);
    return isOurs && !IDLE.has(word) && !trait && !scale;
  };
  const said = [...new Set(text.match(/\p{L}{3,}/gu) ?? [])].filter(isAsked);
  const found = topics.flatMap(({ name, pattern, own }) => {
    const [words] = text.match(pattern) ?? [];
    if (words === undefined) return [];
    return { name, words, open: said.filter((word) => !isAmong(own, word)) };
  });
  return found.sort((a, b) => a.open.length - b.open.length)[0] ?? null;
}
