/**
 * Flavour words by family, and where the words of a roast sentence stand. A bean's facts are
 * looked up here, so a merchant who writes new notes gets them compared and recommended without
 * touching code.
 */
import { list } from "../text.ts";

const berry = list(
  `
    berry, berries, blueberry, blueberries, strawberry, strawberries, raspberry, blackberry,
    cranberry, blackcurrant, redcurrant, currant, cherry, cherries, grape, grapes
  `,
);
const citrus = list(
  `
    citrus, lemon, lime, orange, mandarin, tangerine, clementine, grapefruit, bergamot, yuzu,
    lemongrass, earl grey, orange zest, lemon zest
  `,
);
const orchard = list(
  `
    apple, apples, red apple, green apple, pear, peach, peaches, white peach, apricot, plum,
    plums, nectarine, fig, figs, date, raisin, raisins, prune, dried fruit
  `,
);
const tropical = list(
  `
    tropical fruit, mango, pineapple, papaya, passion fruit, passionfruit, guava, lychee, banana,
    coconut, melon, watermelon, kiwi, pomegranate
  `,
);
const jam = list("jam, marmalade, fruit punch, jammy");
const cacao = list(
  `
    chocolate, dark chocolate, milk chocolate, white chocolate, cocoa, cacao, cocoa nib,
    cocoa nibs, fudge, brownie, mocha
  `,
);
const nuts = list(
  `
    nut, nuts, almond, almonds, hazelnut, hazelnuts, walnut, walnuts, pecan, peanut, cashew,
    macadamia, pistachio, marzipan, praline, nougat
  `,
);
const sugars = list(
  `
    sugar, brown sugar, cane sugar, caramel, toffee, butterscotch, honey, syrup, maple,
    maple syrup, molasses, panela, vanilla, candy
  `,
);

/** Which words count for a family, and which tasting note a question can name. */
export const FLAVOUR_FAMILIES: Readonly<Record<string, readonly string[]>> = {
  fruity: [...berry, ...citrus, ...orchard, ...tropical, ...jam],
  "berry-like": berry,
  "rich in stone fruit": list(
    "peach, peaches, white peach, apricot, plum, plums, nectarine, cherry, cherries",
  ),
  citrusy: citrus,
  tropical,
  floral: list(
    `
      jasmine, rose, rosehip, hibiscus, lavender, chamomile, elderflower, orange blossom, blossom,
      honeysuckle, violet, flower, flowers, floral
    `,
  ),
  chocolatey: cacao,
  nutty: nuts,
  sweet: [...sugars, ...jam],
  spicy: list("cinnamon, clove, cardamom, nutmeg, pepper, ginger, anise, spice, spices, spiced"),
  earthy: list("earth, cedar, tobacco, leather, mushroom, wood, forest floor, peat"),
  smoky: list("smoke, smoky, ash, charred, toast, burnt"),
  winey: list("wine, red wine, rum, whisky, brandy, winey, fermented"),
  "tea-like": list("black tea, green tea, earl grey, oolong, tea"),
};

export type Scale = "acidity" | "body" | "roast";

/** Where on a scale the words of a `roast` sentence stand, 0 to 1. */
export const SCALE_WORDS: Readonly<Record<Scale, Readonly<Record<string, number>>>> = {
  acidity: {
    no: 0,
    low: 0,
    soft: 0.2,
    mellow: 0.2,
    gentle: 0.3,
    mild: 0.3,
    balanced: 0.5,
    medium: 0.5,
    moderate: 0.5,
    juicy: 0.85,
    lively: 0.85,
    crisp: 0.9,
    vivid: 0.9,
    bright: 1,
    sparkling: 1,
    high: 1,
  },
  body: {
    "tea-like": 0,
    delicate: 0.1,
    light: 0.15,
    silky: 0.35,
    smooth: 0.5,
    medium: 0.5,
    round: 0.6,
    creamy: 0.8,
    full: 0.9,
    rich: 0.9,
    heavy: 1,
    syrupy: 1,
    big: 1,
  },
  roast: {
    light: 0,
    "light-medium": 0.25,
    "medium-light": 0.25,
    medium: 0.5,
    "medium-dark": 0.75,
    dark: 1,
  },
};
