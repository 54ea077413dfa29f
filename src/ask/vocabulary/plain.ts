/** Everyday words that are cues to what kind of answer is wanted. */
import { list } from "../text.ts";

export const CUES = {
  COMPARE: list(
    `
      compare, compared, comparison, comparing, compares, difference, differences, different,
      differ, differs, versus, vs, between, better, similar, similarities, contrast, side by side,
      distinguish
    `,
  ),
  OR: ["or", "oder", "o", "ou"],
  AND: ["and", "plus", "und", "y", "et", "with"],
  THAN: ["than"],
  RECOMMEND: list(
    `
      recommend, recommends, recommendation, recommendations, suggest, suggestion, suggestions,
      suggested, advise, which should, what should, should i, pick, best, ideal, perfect,
      good for, great for, works for, looking for, surprise me, interesting, unusual, unique,
      weird, weirdest, exciting, i want, i like, i love, i prefer, i enjoy, i need, id like,
      something, anything, help me choose, choose, choosing, choice, ideas
    `,
  ),
  LIST: list(
    `
      list, menu, catalog, catalogue, what do you have, what do you sell, what have you got,
      which coffees, what coffees, which beans, what beans, what coffee do you, what kinds,
      which kinds, all coffees, all beans, all your coffees, all your beans, your coffees,
      your beans, lineup, line up, range, selection, offerings, assortment, do you sell,
      do you offer, options, overview of your, kind of coffee
    `,
  ),
  EVERY: list("all, every, each, all of them, any, both, four, them all"),
  ABOUT: list(
    `
      about, describe, description, info, information, details, detail, facts, know about,
      overview, introduce, explain, special about, everything, summary, summarise, summarize
    `,
  ),
  GREETING: list(
    `
      hi, hello, hey, hola, hallo, bonjour, good morning, good afternoon, good evening, greetings,
      howdy, yo, thanks, thank you, thx, cheers, bye, goodbye, help, test, ping, what can you do,
      what can i ask, how does this work
    `,
  ),
  MOST: list("most, least, highest, lowest"),
  LESS: list("less, lower, least, lowest, fewer"),
} as const;

export type Cue = keyof typeof CUES;

/**
 * Within three words before a trait or a bean these turn it round: "not too fruity", "without
 * nuts".
 */
export const NEGATIONS = new Set(
  list(
    `
      not, no, non, isnt, arent, doesnt, dont, without, avoid, hate, hates, dislike, never,
      nothing, neither, nor, cant, except, excluding, besides, aint, forget, ignore, skip
    `,
  ),
);

/** Between a negation and what it turns round these may stand; anything else ends its reach. */
export const SOFTENERS = new Set(
  list(
    `
      too, very, so, overly, really, that, the, a, an, any, much, like, is, it, your, from, i,
      want, of, super
    `,
  ),
);

/** Verbs and particles that open a yes-or-no question. */
export const YES_NO = new Set(
  list(
    `
      is, are, does, do, has, have, can, could, will, would, was, were, isnt, arent, doesnt, so,
      ist, es
    `,
  ),
);
