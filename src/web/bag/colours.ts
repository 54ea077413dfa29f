/** The colours of a bag: its hue from the first note that we know, its depth from the roast. */

/** Hue in degrees and saturation in percent, by the words for a taste; of several the first. */
const TASTES = {
  berry: [262, 26, /berr|cherry|currant|grape|wine|plum|pomegranate|cassis|fig\b/i],
  citrus: [26, 58, /orange|lemon|lime\b|mandarin|tangerine|bergamot|grapefruit|citrus|yuzu/i],
  flower: [41, 60, /jasmine|rose|floral|flower|lavender|hibiscus|blossom|tea\b|violet/i],
  cocoa: [16, 40, /chocolate|cocoa|cacao|mocha/i],
  caramel: [30, 48, /caramel|toffee|sugar|honey|molasses|maple|vanilla|butterscotch|cream/i],
  nut: [36, 24, /almond|hazelnut|walnut|pecan|nut\b|praline|marzipan|sesame/i],
  spice: [356, 40, /cinnamon|clove|cardamom|pepper|spice|nutmeg|ginger|tobacco|cedar/i],
  fruit: [
    10,
    46,
    /peach|apricot|nectarine|mango|papaya|pineapple|apple|pear|melon|fruit|banana|guava/i,
  ],
} as const satisfies Record<string, readonly [hue: number, saturation: number, words: RegExp]>;

const PLAIN = [205, 24] as const;

export type Taste = keyof typeof TASTES | "plain";

/** A description of a coffee names first what stands out. */
export function tasteOf(notes: readonly string[]): Taste {
  for (const note of notes) {
    const known = Object.entries(TASTES).find(([, [, , words]]) => words.test(note));
    if (known) return known[0] as Taste;
  }
  return "plain";
}

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

export type Palette = ReturnType<typeof paletteOf>;

/** `turn` is between 0 and 1, the origin's own: neighbours in the list are a shade apart. */
export function paletteOf(taste: Taste, roast: number, decaf: boolean, turn: number) {
  const known = taste === "plain" ? PLAIN : TASTES[taste];
  const [hue, saturation] = decaf ? DECAF : known;
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
