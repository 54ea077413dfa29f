import { hash } from "node:crypto";
import type { Product } from "../catalog/catalog.ts";
import { html, type Markup } from "./html.ts";

/** The catalog facts that a bag's label shows. */
export interface Labeled
  extends Pick<Product, "name_to_use_with_humans" | "roast_level" | "decaf"> {
  facts: Pick<Product["facts"], "country" | "region" | "process" | "tasting_notes">;
}

/** A bag drawn from a bean's facts, as one small SVG. The same facts give the same picture. */
export function bagPicture(product: Labeled): string {
  const { facts, decaf, name_to_use_with_humans: name } = product;
  const [turn, rise, lean] = chances(`${facts.country}/${facts.region}`);
  const taste = tasteOf(facts.tasting_notes);
  const roast = roastDegree(product.roast_level);
  const colors = paletteOf(taste, roast, decaf, turn);
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 300" role="img">
<title>${`A bag of ${name}`}</title>
<defs>
<linearGradient id="s"><stop offset="0" stop-opacity=".34"/><stop offset=".13" stop-opacity=".04"/>
<stop offset=".3" stop-color="#fff" stop-opacity=".13"/><stop offset=".55" stop-opacity="0"/>
<stop offset=".9" stop-opacity=".1"/><stop offset="1" stop-opacity=".36"/></linearGradient>
<clipPath id="b"><path d="${BODY}"/></clipPath>
</defs>
<ellipse cx="120" cy="285" rx="84" ry="8" opacity=".16"/>
<g clip-path="url(#b)">
<rect width="240" height="300" fill="${colors.bag}"/>
${landscape(colors, rise, lean)}
<rect x="40" width="160" height="46" fill="${colors.fold}"/>
<path d="M40 46H200M40 52H200" stroke="#000" stroke-opacity=".18"/>
<rect width="240" height="300" fill="url(#s)"/>
</g>
<path d="M36 31H204l4 9-4 9H36l-4-9Z" fill="#e9dfc8"/><path d="M36 40H204" stroke="#b9a982"/>
<g transform="translate(120 84) scale(1.1)" fill="none" stroke="#fbf5e6" stroke-width="1.9"
 stroke-linecap="round" stroke-linejoin="round" opacity=".92">${EMBLEMS[taste]}</g>
${label(product, roast, colors.band)}
</svg>
`.toString();
}

/** A flat-bottomed bag, a little wider at its foot. */
const BODY =
  "M44 18Q120 12 196 18L200 60Q204 150 205 268Q205 283 190 283H50Q35 283 35 268Q36 150 40 60Z";

/** Three numbers from 0 to 1 that are always the same for a text. */
function chances(text: string): [number, number, number] {
  const bytes = hash("sha256", text, "buffer");
  return [bytes[0]! / 255, bytes[1]! / 255, bytes[2]! / 255];
}

/** Hills that differ by origin. */
function landscape(
  { near, far }: ReturnType<typeof paletteOf>,
  rise: number,
  lean: number,
): Markup {
  const high = Math.round(150 + rise * 50);
  const left = Math.round(60 + lean * 60);
  const right = Math.round(150 + rise * 40);
  return html`<path d="M0 ${high + 40}Q${left} ${high - 34} ${right - 20} ${high + 24}T240 ${high}V300H0Z" fill="${far}"/>
<path d="M0 ${high + 62}Q${right - 40} ${high + 2} ${right + 10} ${high + 56}T240 ${high + 40}V300H0Z" fill="${near}"/>`;
}

const SERIF = "Iowan Old Style,Palatino Linotype,Palatino,P052,Georgia,serif";
const SANS = "system-ui,-apple-system,Segoe UI,Roboto,Helvetica Neue,Arial,sans-serif";

function label(product: Labeled, roast: number, band: string): Markup {
  const { country, process: processed } = product.facts;
  const lines = titleLines(product.name_to_use_with_humans, country);
  const size = fittingSize(lines, 116, 24, 0.68);
  const middle = lines.length === 1 ? 185 : 185 - (size * 1.08) / 2;
  const process = shortened(processed.split(",")[0] ?? "", 22);
  return html`<rect x="54" y="120" width="132" height="138" rx="4" fill="#000" opacity=".18"/>
<rect x="54" y="118" width="132" height="138" rx="4" fill="#fffdf6"/>
<path d="M54 144V122q0-4 4-4H182q4 0 4 4V144Z" fill="${band}"/>
<g text-anchor="middle" font-family="${SANS}">
<text x="121" y="135.5" font-size="${fittingSize([country], 104, 12, 0.85)}" letter-spacing="2"
 font-weight="600" fill="#fff">${country.toUpperCase()}</text>
<g font-family="${SERIF}" font-weight="600" font-size="${size}" fill="#231d15">
${lines.map((line, i) => html`<text x="120" y="${round(middle + i * size * 1.08)}">${line}</text>`)}
</g>
${process && html`<text x="120" y="218" font-size="${fittingSize([process], 112, 11, 0.55)}" fill="#5d5446">${process}</text>`}
</g>
<path d="M84 228H156" stroke="#d5cbb6"/>
${[1, 2, 3, 4, 5].map(
  (dot) =>
    html`<circle cx="${90 + dot * 10}" cy="241" r="3.6" stroke="#a4431c" fill="${
      dot <= roast ? "#a4431c" : "none"
    }"/>`,
)}`;
}

/** The name on at most two lines, without the country, which is on the band. */
function titleLines(name: string, country: string): string[] {
  const rest = name.replace(country, "").replace(/[()]/g, " ").replace(/\s+/g, " ").trim();
  const words = shortened(rest === "" ? name : rest, 30).split(" ");
  if (words.length === 1 || words.join(" ").length <= 9) return [words.join(" ")];
  const broken = words.map((_, i) => [words.slice(0, i).join(" "), words.slice(i).join(" ")]);
  const longest = (lines: string[]) => Math.max(...lines.map((line) => line.length));
  return broken.slice(1).sort((a, b) => longest(a) - longest(b))[0]!;
}

/** The largest size, at most `most`, at which every line fits. `em` is the width of a letter. */
const fittingSize = (lines: readonly string[], width: number, most: number, em: number): number =>
  round(Math.min(most, ...lines.map((line) => width / (Math.max(1, line.length) * em))));

const round = (value: number): number => Math.round(value * 10) / 10;

const shortened = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`;

/** Hue in degrees and saturation in percent for the words of a taste. The first match counts. */
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
  plain: [205, 24, /$^/],
} as const satisfies Record<string, readonly [hue: number, saturation: number, words: RegExp]>;

type Taste = keyof typeof TASTES;

/** Tasting notes name the strongest taste first. */
function tasteOf(notes: readonly string[]): Taste {
  for (const note of notes) {
    const known = Object.entries(TASTES).find(([, [, , words]]) => words.test(note));
    if (known) return known[0] as Taste;
  }
  return "plain";
}

/** Decaf is green whatever its taste, because nobody should miss it. */
const DECAF = [152, 24] as const;

/** 1 is the lightest roast, 5 the darkest. */
function roastDegree(level: string): number {
  const medium = /medium/i.test(level);
  if (/dark|french|italian|vienna/i.test(level)) return medium ? 4 : 5;
  if (/light|filter|blond/i.test(level)) return medium ? 2 : 1;
  return 3;
}

/** `turn` from 0 to 1 is the origin's own, so that similar beans differ by a shade. */
function paletteOf(taste: Taste, roast: number, decaf: boolean, turn: number) {
  const [hue, saturation] = decaf ? DECAF : TASTES[taste];
  const h = Math.round(hue + (turn - 0.5) * 14);
  const light = 44 - roast * 4.5;
  const tone = (lightness: number) => `hsl(${h} ${saturation}% ${Math.round(lightness)}%)`;
  return {
    bag: tone(light),
    fold: tone(light - 8),
    near: tone(light - 6),
    far: tone(light + 7),
    // Dark enough for white text.
    band: `hsl(${(h + 350) % 360} ${saturation + 14}% ${Math.min(30, Math.round(light))}%)`,
  };
}

/** The taste as a stamp of 40 by 40 around (0, 0), in lines of one color. */
const EMBLEMS: Record<Taste, Markup> = {
  berry: html`<circle cx="-7" cy="6" r="7.5"/><circle cx="8" cy="7" r="7.5"/>
    <circle cx="1" cy="-7" r="7.5"/><path d="M1-15c1-4 4-5 7-5"/>`,
  citrus: html`<circle r="15"/><circle r="10.5"/><path d="M0-10V10M-10 0H10M-7-7 7 7M7-7-7 7"/>`,
  flower: html`<circle r="4"/>${[0, 72, 144, 216, 288].map(
    (turn) => html`<path d="M-3.5-4C-12-18 12-18 3.5-4" transform="rotate(${turn})"/>`,
  )}`,
  fruit: html`<path d="M0-8C-12-15-19-2-13 8c4 8 9 7 13 5 4 2 9 3 13-5C19-2 12-15 0-8Z"/>
    <path d="M0-8c0-5 2-8 6-10"/>`,
  cocoa: html`<path d="M-14 9C-16-5-3-16 13-13 16 3 4 15-14 9Z"/>
    <path d="M-12 7C-4 2 4-4 12-12M-13 2C-7-2-1-7 5-13M-7 10C0 6 8 1 13-5"/>`,
  caramel: html`<path d="M0-16 14-8V8L0 16-14 8V-8Z"/><path d="M0-7 6-3.5V3.5L0 7-6 3.5V-3.5Z"/>`,
  nut: html`<path d="M0-16C12-8 14 4 0 15-14 4-12-8 0-16Z"/><path d="M0-9V9M-5-3v7M5-3v7"/>`,
  spice: html`${[0, 60, 120, 180, 240, 300].map(
    (turn) => html`<path d="M0-3C-5-8-3-14 0-17 3-14 5-8 0-3Z" transform="rotate(${turn})"/>`,
  )}`,
  plain: html`<ellipse rx="10" ry="15" transform="rotate(30)"/><path d="M8-13C2-7 5-3 0 0s-3 7-8 13"/>`,
};
