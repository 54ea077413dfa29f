/** English words by what they do in a question, as data. */
import { list, pairs, singular, table } from "./text.ts";

/** What can be asked for: a field, with the scale that is meant, and its phrases. */
export const ASKS = table(`
  country: origin, where from, where is from, come from, comes from, where grown, country, region,
    provenance, which part, where, sourced, grow, grown
  process: process, processed, processing, method of processing, made, decaffeinated,
    decaffeination, chemical, solvent, remove the caffeine, take out the caffeine, fermentation
  varieties: variety, varietal, cultivar, botanical, type of plant
  roast/roast: roast, roast level, roasting, roasted
  roast/acidity: acidity, acid
  roast/body: body, mouthfeel, texture, bodied
  tasting_notes: taste, taste like, tasting note, tasting, note, flavor, flavour, flavor profile,
    profile, aroma, flavoring, smell, cup profile, tasting wise, describe
  brewing: brew, brewing, recipe, how do i make, how should i make, how to make, how can i make,
    how would you make, prepare, preparation, brewing method, brewing advice, instruction
  brewing/temperature: temperature, temp, how hot, degree, water temp, water temperature
  brewing/grind: grind, grind size, how fine, how coarse, ground, grinding
  brewing/dose: dose, dosage, how many gram, how much coffee, gram, how much ground coffee
  brewing/ratio: ratio, water to coffee, coffee to water, yield
  brewing/time: how long, how many second, how many minute, how many hour, brew time, steep, steeping, brewing time, extraction, extraction time
  brewing/water: how much water
  choose_if: suit, who for, who is for, who should, special, whom
  price_minor/price: price, cost, how much, pricing, price list, priced, price wise, worth, total,
    come to, better deal, best deal, value for money, value
  availability: available, in stock, stock, sold out, availability, on hand, out of stock,
    order today, bag left, can i buy, can i get, can i order, how do i get, how can i get,
    where can i buy, to buy the, get hold of`);

/** Words that turn a part of a question into a kind of question. */
export const CUES = table(`
  NOT: not, no, without, never, isnt, arent, dont, doesnt, cant, wont, didnt, wasnt, nothing,
    neither, nor, non, avoid, hate, hating, dislike, skip, minus, cannot, cant stand, exclude,
    sans, not a fan of, lacking, lacks, lack, anti, less of, detest
  AVOID: should i avoid, should i skip, stay away from, to avoid
  EXCEPT: excluding, after the, except, except for, besides, other than, apart from, anything but,
    everything but, all but, instead of, aside from, not counting
  BACK: not my thing, not for me, not my cup, not my favorite, not my favourite, not my taste,
    no thank, put me off, turn me off, arent for me, isnt for me, arent my thing, isnt my thing
  RESET: but, just, only, however, though, yet, instead, something, someone, somebody, anything,
    want, prefer, like, love, looking, should, which, what, and i, and it, and a, and an,
    and with, rather, fine, ok, okay, please, need
  MORE: more, higher, greater, stronger in
  LESS: less, lower, fewer
  MOST: most, highest, max, maximum, top, greatest, largest, biggest
  LEAST: least, lowest, minimum, min, fewest, smallest
  ALL: all, every, everything, each, all of
  BOTH: both, either
  NONE: none, none of, no coffee, not one, not any of
  ONLY: only, sole, just one
  COUNT: how many, number of, count
  COMPARE: compare, compared, vs, versus, difference, different, differ, comparison, in common,
    similarity, between, share, alike, same, equal, equally, similar to each other
  THAN: than
  RANK: rank, ranked, sort, sorted, order them, order by, order the coffee, order the bean,
    order all, ranking, from cheapest, from lightest, list by, order your coffee, in order of,
    descending, ascending
  REST: the rest, other, others, everything else, all else, anything else, all other, any other
  ELSE: else, other coffee, another, other one
  IT: it, its, they, them, their, those, that one, this one, that coffee, there one, of them, of those,
    of these, these
  LIST: what coffee, which coffee, which bean, what bean, what do you sell, what do you have,
    what have you got, your coffee, your bean, show me, list, selection, menu, range, catalog,
    catalogue, assortment, what can i buy, on offer, coffee do you sell, coffee do you have,
    what you got
  RECOMMEND: recommend, recommendation, suggest, suggestion, advise, should i, should we, would you, pick,
    which one, best, better, good, what would, option, what can you offer, what do you offer,
    ideal, great, perfect, nice, suit, surprise me, favorite, favourite
  SECOND: second, 2nd, runner up
  THIRD: third, 3rd
  DESCENDING: descending, from high, high to low, highest first, most expensive first,
    dark to light, from dark, from most, from darkest, darkest first
  ABOUT: tell me about, about, know about, information, info, detail, describe, tell me more
  GREETING: hello, hi, hey, good morning, good evening, good afternoon, howdy, greeting
  THANKS: thank, thank you, thx, bye, goodbye, cheer, cheers
  HELP: help, what can i ask, what do you know, what can you do`);

/** Numbers as words. */
export const NUMBERS: ReadonlyMap<string, number> = new Map(
  [
    ...pairs(`one=1, two=2, three=3, four=4, five=5, six=6, seven=7, eight=8, nine=9, ten=10,
  eleven=11, twelve=12, fifteen=15, twenty=20, thirty=30, forty=40, fifty=50, hundred=100`),
  ].map(([word, value]) => [word, Number(value)]),
);

/** Slips and short forms that no dictionary guards. */
export const ALSO_TYPED = pairs(`
  wat=what, whats=what is, wats=what is, hw=how, hou=how, teh=the, u=you, ur=your, n=and,
  gesha=geisha, columbia=colombia, columbian=colombian, expresso=espresso, lite=light,
  decaff=decaf, everyone=all, unwashed=not washed, caffeinated=not decaf, regular=not decaf,
  uncaffeinated=decaf, plz=please, pls=please, gimme=give me, whos=who is, wheres=where is,
  hows=how is, thats=that is, im=i am, ive=i have, id=i would, daily=everyday,
  pricier=more expensive, priciest=most expensive, wich=which, diff=difference, adn=and,
  present=gift, gifting=gift, caffine=caffeine`);

/** Words of the policy's questions, for whom a slip is meant. */
export const POLICY_WORDS = list(
  "shipping, deliver, delivery, discount, refund, cancel, canada, coupon, voucher, wholesale, grinder",
);

/** Phrases whose words mean nothing by themselves there. */
export const NEUTRAL = list(`
  at least, at most, at all, not sure, i dont know, dont know, do not know, dont mind,
  do not mind, no preference, no problem, no idea, why not, of course, high quality,
  top quality, most of the time, not only, full list, full range, full menu, or not, if not,
  most people, more or less, as well, first time, high end, light drinker, gift note,
  gift message, gift wrap, in the world, in law`);

/** Words that ask for nothing by themselves. */
export const HARMLESS = new Set(
  list(`
  a, an, or, nor, similar, the, is, are, was, be, been, do, does, did, have, has, had, can, could, will, would,
  should, may, might, shall, must, i, you, we, he, she, my, your, our, me, us, his, her, him,
  this, that, there, here, of, to, in, on, at, for, with, by, as, if, so, then, and, also, too,
  very, really, quite, pretty, rather, bit, little, kind, sort, type, some, any, one, ones,
  thing, stuff, coffee, coffees, bean, beans, bag, bags, cup, cups, mug, roaster, shop, lot,
  what, which, how, why, when, who, whom, whose, tell, give, show, please, let, know, see, find,
  think, say, called, name, wonder, wondering, question, ask, hi, well, now, today, sure, maybe,
  perhaps, right, correct, true, actually, anyway, want, need, like, love, loves, liked, enjoy,
  adore, drink, drinks, drinking, drinker, use, uses, used, using, take, takes, get, gets, go,
  goes, come, work, works, working, suitable, fit, fits, match, go for, try, buy, buying, sell,
  got, looking, after, into, usually, normally, always, often, typically, mostly, own, main,
  wife, husband, girlfriend, boyfriend, friend, mom, mum, dad, mother, father, partner, sister,
  brother, boss, colleague, people, person, someone, somebody, guest, family, house, home,
  office, kitchen, myself, himself, herself, up, out, about, over, than, each, per, same, way,
  much, many, more, most, level, amount, recipe, water, list, them, it, its, they, those, these,
  their, character, characteristic, element, hint, touch, tone, flavor, least, fan, lover,
  crave, craving, mood, remind, reminds, fancy, happy, make, makes, made, compare, between,
  available, yes, ok, okay, hmm, oh, cool, great, nice, good, better, best, fine, favorite,
  favourite, thank, thanks, cheers, day, time, new, else, other, another, different, single,
  both, either, whole, part, from, comes, grown, grow, place, only, just, even, still, first,
  currently, at all, going, am, were, being, serve, carry, offer, option, options, choice,
  choices, choose, pick, picks, machine, maker, equipment, method, size, setting, exactly, ever,
  suit, heard, wanted, explain, describe, mean, means, look, looks, feel, tend, big, huge,
  style, profile, because, since, while, during, absolutely, definitely, ideally, preferably,
  certain, particular, overall, general, generally, under, below, above, less, dollar, buck,
  budget, price, up to, currency, however, though, around, bought, ordered, ordering, guy,
  folks, morning, afternoon, everybody, done, hope, whether, idk, money, free, real, quality, g,
  ml, gram, litre, liter, celsius, fahrenheit, minute, second, hour, degree, lookup, enough,
  exact, normal, case, help, advice, understand, dont, didnt, not, shipping, ship, delivery,
  deliver, before, until, wait, tip, send, bring, join, put, add, leave, begin, start, anyone,
  instant, press, closest, near, nearest, w, cost, instead, left, guess, mind, prefer,
  preferred, preference, purpose, result, cuppa, coffeelover, beside, along, daily, week,
  weekend, month, year, fully, total, altogether, possible, possibly, dear, sir, madam, team,
  brewed, rest, others, wants, receive, received, opinion, basically, simply`).flatMap((word) => [
    word,
    singular(word),
  ]),
);
