import { list } from "../text.ts";

/** Right as they stand: close to a vocabulary word, yet no slip of the finger. */
export const COMMON_WORDS = new Set(
  list(
    `
      cultivate, cultivates, cultivated, free, specialty, speciality, high, higher, highest, after, before, water, under, produced,
      producing, produces, a, an, the, this, that, these, those, it, its, they, them, their,
      there, i, im, id, ive, me, my, mine, we, us, our, you, your, yours, he, she, his, her, one,
      ones, is, are, was, were, be, been, being, am, do, does, did, done, have, has, had, having,
      can, could, would, should, will, shall, may, might, must, what, whats, which, who, whom,
      whose, when, where, why, how, hows, if, so, as, at, by, for, from, in, into, of, off, on,
      onto, out, over, to, up, down, with, within, just, also, too, very, really, quite, more,
      less, much, many, some, any, few, lot, lots, bit, little, such, same, other, others,
      another, else, but, because, while, then, now, here, only, even, still, yet, ever, please,
      want, wants, need, needs, like, likes, love, loves, get, gets, got, give, gives, make,
      makes, made, take, takes, tell, say, says, said, ask, asks, see, know, think, find, try,
      use, uses, used, using, go, goes, going, come, comes, keep, let, put, work, works, call,
      called, feel, seem, show, mean, means, coffee, coffees, bean, beans, cup, cups, bag, bags,
      drink, drinks, drinking, drunk, kaffee, cafe, cafes, home, house, day, days, time, times,
      year, years, week, month, people, person, friend, friends, wife, husband, mother, father,
      mom, dad, boss, thing, things, way, ways, kind, kinds, type, types, sort, sorts, part, good,
      great, nice, fine, new, old, big, small, long, short, hot, cold, warm, warmer, cool, easy,
      hard, sure, right, wrong, true, false, real, actually, usually, maybe, perhaps, probably,
      interesting, lovely, amazing, delicious, tasty, favourite, first, second, third, last, next,
      two, three, half, product, products, production, produce, product id, form, forms, former,
      firm, state, states, station, stations, plan, plans, planning, plane, plain, former, format,
      attitude, rest, most, must, cost, host, lost, ghost, toast, boast, coast, road, roads, rate,
      rates, waste, paste, haste, tested, text, texts, next, nope, vote, boat, grand, grant,
      brand, brands, print, prince, money, honest, hone, panda, pants, paint, point, light year,
      right, sight, night, might, fight, bright side, sweat, sheet, street, sweep, field, world,
      word, words, order number, colour, could, cloud, proud, float, flood, floor, flour,
      deal breaker, real, meal, seal, heal, steal, ideal, deck, desk, decide, decided, cafe, cage,
      cape, care, case, page, wash, watch, match, catch, patch, pouch, pour, pound, hour,
      sour cream, moat, month, mouth, south, north, east, west, ground, round, around, sound,
      found, mind, kindly, blue, blind, bland, land, island, stand, brain, drain, train, trail,
      plant based, planet, learn, year, pear tree, wear, bear, hear, near, fear, tear, clear,
      share, sharing, spare, space, place, trade, grade, shape, shade, shame, natural gas, nature,
      national, nations, rational, process server, precious, press, express, stress, dress, serve,
      serving, serves, service, reserve, region code, religion, reason, season, lesson, person,
      several, whether, weather vane, together, another, rather, gather, father, mother, brother
    `,
  ),
);
