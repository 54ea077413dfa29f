/** Everyday words: cues to what kind of answer is wanted, and words that must not be taken for typos. */
import { list } from "../text.ts";

export const CUES = {
  COMPARE: list(
    "compare, compared, comparison, comparing, compares, difference, differences, different, differ, differs, versus, vs, between, better, similar, similarities, contrast, side by side, distinguish",
  ),
  OR: ["or", "oder", "o", "ou"],
  AND: ["and", "plus", "und", "y", "et", "with"],
  THAN: ["than"],
  RECOMMEND: list(
    "recommend, recommends, recommendation, recommendations, suggest, suggestion, suggestions, suggested, advise, which should, what should, should i, pick, best, ideal, perfect, good for, great for, works for, looking for, surprise me, interesting, unusual, unique, weird, weirdest, exciting, i want, i like, i love, i prefer, i enjoy, i need, id like, something, anything, help me choose, choose, choosing, choice, ideas",
  ),
  LIST: list(
    "list, menu, catalog, catalogue, what do you have, what do you sell, what have you got, which coffees, what coffees, which beans, what beans, what coffee do you, what kinds, which kinds, all coffees, all beans, all your coffees, all your beans, your coffees, your beans, lineup, line up, range, selection, offerings, assortment, do you sell, do you offer, options, overview of your, kind of coffee",
  ),
  EVERY: list("all, every, each, all of them, any, both, four, them all"),
  ABOUT: list(
    "about, describe, description, info, information, details, detail, facts, know about, overview, introduce, explain, special about, everything, summary, summarise, summarize",
  ),
  GREETING: list(
    "hi, hello, hey, hola, hallo, bonjour, good morning, good afternoon, good evening, greetings, howdy, yo, thanks, thank you, thx, cheers, bye, goodbye, help, test, ping, what can you do, what can i ask, how does this work",
  ),
  MOST: list("most, least, highest, lowest"),
  LESS: list("less, lower, least, lowest, fewer"),
} as const;

export type Cue = keyof typeof CUES;

/** Within three words before a trait or a bean these turn it round: "not too fruity", "without nuts". */
export const NEGATIONS = new Set(
  list(
    "not, no, non, isnt, arent, doesnt, dont, without, avoid, hate, hates, dislike, never, nothing, neither, nor, cant, except, excluding, besides, aint, forget, ignore, skip",
  ),
);

/** Between a negation and what it turns round these may stand; anything else ends its reach. */
export const SOFTENERS = new Set(
  list(
    "too, very, so, overly, really, that, the, a, an, any, much, like, is, it, your, from, i, want, of, super",
  ),
);

/** Verbs and particles that open a yes-or-no question. */
export const YES_NO = new Set(
  list(
    "is, are, does, do, has, have, can, could, will, would, was, were, isnt, arent, doesnt, so, ist, es",
  ),
);

/** Right as they stand: close to a vocabulary word, yet no slip of the finger. */
export const COMMON_WORDS = new Set(
  list(
    "high, higher, highest, after, before, water, under, produced, producing, produces, a, an, the, this, that, these, those, it, its, they, them, their, there, i, im, id, ive, me, my, mine, we, us, our, you, your, yours, he, she, his, her, one, ones, is, are, was, were, be, been, being, am, do, does, did, done, have, has, had, having, can, could, would, should, will, shall, may, might, must, what, whats, which, who, whom, whose, when, where, why, how, hows, if, so, as, at, by, for, from, in, into, of, off, on, onto, out, over, to, up, down, with, within, just, also, too, very, really, quite, more, less, much, many, some, any, few, lot, lots, bit, little, such, same, other, others, another, else, but, because, while, then, now, here, only, even, still, yet, ever, please, want, wants, need, needs, like, likes, love, loves, get, gets, got, give, gives, make, makes, made, take, takes, tell, say, says, said, ask, asks, see, know, think, find, try, use, uses, used, using, go, goes, going, come, comes, keep, let, put, work, works, call, called, feel, seem, show, mean, means, coffee, coffees, bean, beans, cup, cups, bag, bags, drink, drinks, drinking, drunk, kaffee, cafe, cafes, home, house, day, days, time, times, year, years, week, month, people, person, friend, friends, wife, husband, mother, father, mom, dad, boss, thing, things, way, ways, kind, kinds, type, types, sort, sorts, part, good, great, nice, fine, new, old, big, small, long, short, hot, cold, warm, warmer, cool, easy, hard, sure, right, wrong, true, false, real, actually, usually, maybe, perhaps, probably, interesting, lovely, amazing, delicious, tasty, favourite, first, second, third, last, next, two, three, half, product, products, production, produce, product id, form, forms, former, firm, state, states, station, stations, plan, plans, planning, plane, plain, former, format, attitude, rest, most, must, cost, host, lost, ghost, toast, boast, coast, road, roads, rate, rates, waste, paste, haste, tested, text, texts, next, nose, nope, vote, boat, grand, grant, brand, brands, print, prince, money, honest, hone, panda, pants, paint, point, light year, right, sight, night, might, fight, bright side, sweat, sheet, street, sweep, field, world, word, words, order number, colour, could, cloud, proud, float, flood, floor, flour, deal breaker, real, meal, seal, heal, steal, ideal, deck, desk, decide, decided, cafe, cage, cape, care, case, page, wash, watch, match, catch, patch, pouch, pour, pound, hour, sour cream, moat, month, mouth, south, north, east, west, ground, round, around, sound, found, mind, kindly, blue, blind, bland, land, island, stand, brain, drain, train, trail, plant based, planet, learn, year, pear tree, wear, bear, hear, near, fear, tear, clear, share, sharing, spare, space, place, trade, grade, shape, shade, shame, natural gas, nature, national, nations, rational, process server, precious, press, express, stress, dress, serve, serving, serves, service, reserve, region code, religion, reason, season, lesson, person, several, whether, weather vane, together, another, rather, gather, father, mother, brother",
  ),
);
