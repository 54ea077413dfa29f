/** The colours of a bag: its hue from the first note that we know, its depth from the roast. */

const WORDS: readonly (readonly [Taste, RegExp])[] = [
  ["berry", /berr|cherry|currant|grape|wine|plum|pomegranate|cassis|fig\b/i],
  ["citrus", /orange|lemon|lime\b|mandarin|tangerine|bergamot|grapefruit|citrus|yuzu/i],
  ["flower", /jasmine|rose|floral|flower|lavender|hibiscus|blossom|tea\b|violet/i],
  ["cocoa", /chocolate|cocoa|cacao|mocha/i],
  ["caramel", /caramel|toffee|sugar|honey|molasses|maple|vanilla|butterscotch|cream/i],
  ["nut", /almond|hazelnut|walnut|pecan|nut\b|praline|marzipan|sesame/i],
  ["spice", /cinnamon|clove|cardamom|pepper|spice|nutmeg|ginger|tobacco|cedar/i],
  ["fruit", /peach|apricot|nectarine|mango|papaya|pineapple|apple|pear|melon|fruit|banana|guava/i],
];

/** A description of a coffee names first what stands out. */
export function tasteOf(notes: readonly string[]): Taste {
  for (const note of notes) {
    const known = WORDS.find(([, words]) => words.test(note));
    if (known) return known[0];
  }
  return "plain";
}

/** Hue in degrees and saturation in percent, as they stand beside each other. */
const HUES = {
  berry: [262, 26],
  citrus: [26, 58],
  flower: [41, 60],
  fruit: [10, 46],
  cocoa: [16, 40],
  caramel: [30, 48],
  nut: [36, 24],
  spice: [356, 40],
  plain: [205, 24],
} as const satisfies Record<string, readonly [hue: number, saturation: number]>;

export type Taste = keyof typeof HUES;

/** Decaf is green whatever it tastes of: the one fact that must not be missed. */
const DECAF = [152, 24] as const;

/** Of the words that roasters use; 1 is the lightest, 5 the darkest. */
export function roastDegree(level: string): number {
  const said = level.toLowerCase();
  const medium = /medium/.test(said);
  if (/dark|french|italian|vienna/.test(said)) return medium ? 4 : 5;
  if (/light|filter|blond/.test(said)) return medium ? 2 : 1;
  return 3;
}

export interface Palette {
  bag: string;
  fold: string;
  near: string;
  far: string;
  band: string;
}

/** `turn` is between 0 and 1, the origin's own: neighbours in the list are a shade apart. */
export function paletteOf(taste: Taste, roast: number, decaf: boolean, turn: number): Palette {
  const [hue, saturation] = decaf ? DECAF : HUES[taste];
  const h = Math.round(hue + (turn - 0.5) * 14);
  const light = 44 - roast * 4.5;
  const tone = (lightness: number) => `hsl(${h} ${saturation}% ${Math.round(lightness)}%)`;
  return {
    bag: tone(light),
    fold: tone(light - 8),
    near: tone(light - 6),
    far: tone(light + 7),
    // Under white letters: dark enough for the contrast that text needs.
    band: `hsl(${(h + 350) % 360} ${saturation + 14}% ${Math.min(30, Math.round(light))}%)`,
  };
}
