import { hash } from "node:crypto";
import type { Product } from "../../catalog/catalog.ts";
import { html, type Markup } from "../html.ts";
import { type Palette, paletteOf, roastDegree, tasteOf } from "./colours.ts";
import { EMBLEMS } from "./emblems.ts";

/** What a bag's label tells: facts of the catalog, nothing else. */
export interface Labeled
  extends Pick<Product, "name_to_use_with_humans" | "roast_level" | "decaf"> {
  facts: Pick<Product["facts"], "country" | "region" | "process" | "tasting_notes">;
}

/**
 * A bean's own picture: a bag drawn from its facts, the same for the same facts. One small SVG, with no
 * font, script or picture from elsewhere.
 */
export function bagPicture(product: Labeled): string {
  const { facts, decaf, name_to_use_with_humans: name } = product;
  const [turn, rise, lean] = chances(`${facts.country}/${facts.region}`);
  const taste = tasteOf(facts.tasting_notes);
  const roast = roastDegree(product.roast_level);
  const colours = paletteOf(taste, roast, decaf, turn);
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
<rect width="240" height="300" fill="${colours.bag}"/>
${landscape(colours, rise, lean)}
<rect x="40" width="160" height="46" fill="${colours.fold}"/>
<path d="M40 46H200M40 52H200" stroke="#000" stroke-opacity=".18"/>
<rect width="240" height="300" fill="url(#s)"/>
</g>
<path d="M36 31H204l4 9-4 9H36l-4-9Z" fill="#e9dfc8"/><path d="M36 40H204" stroke="#b9a982"/>
<g transform="translate(120 84) scale(1.1)" fill="none" stroke="#fbf5e6" stroke-width="1.9"
 stroke-linecap="round" stroke-linejoin="round" opacity=".92">${EMBLEMS[taste]}</g>
${label(product, { roast, band: colours.band })}
</svg>
`.toString();
}

/** A flat-bottomed bag, a little wider where it stands. */
const BODY =
  "M44 18Q120 12 196 18L200 60Q204 150 205 268Q205 283 190 283H50Q35 283 35 268Q36 150 40 60Z";

/** Three numbers from 0 to 1 that belong to a text. */
function chances(text: string): [number, number, number] {
  const bytes = hash("sha256", text, "buffer");
  return [bytes[0]! / 255, bytes[1]! / 255, bytes[2]! / 255];
}

/** Hills, others for every origin. */
function landscape({ near, far }: Palette, rise: number, lean: number): Markup {
  const high = Math.round(150 + rise * 50);
  const left = Math.round(60 + lean * 60);
  const right = Math.round(150 + rise * 40);
  return html`<path d="M0 ${high + 40}Q${left} ${high - 34} ${right - 20} ${high + 24}T240 ${high}V300H0Z" fill="${far}"/>
<path d="M0 ${high + 62}Q${right - 40} ${high + 2} ${right + 10} ${high + 56}T240 ${high + 40}V300H0Z" fill="${near}"/>`;
}

const SERIF = "Iowan Old Style,Palatino Linotype,Palatino,P052,Georgia,serif";
const SANS = "system-ui,-apple-system,Segoe UI,Roboto,Helvetica Neue,Arial,sans-serif";

function label(product: Labeled, { roast, band }: { roast: number; band: string }): Markup {
  const { country, process: processed } = product.facts;
  const lines = titleLines(product.name_to_use_with_humans, country);
  const size = fitted(lines, 116, 24, 0.68);
  const middle = lines.length === 1 ? 185 : 185 - (size * 1.08) / 2;
  const process = cut(processed.split(",")[0] ?? "", 22);
  return html`<rect x="54" y="120" width="132" height="138" rx="4" fill="#000" opacity=".18"/>
<rect x="54" y="118" width="132" height="138" rx="4" fill="#fffdf6"/>
<path d="M54 144V122q0-4 4-4H182q4 0 4 4V144Z" fill="${band}"/>
<g text-anchor="middle" font-family="${SANS}">
<text x="121" y="135.5" font-size="${fitted([country], 104, 12, 0.85)}" letter-spacing="2"
 font-weight="600" fill="#fff">${country.toUpperCase()}</text>
<g font-family="${SERIF}" font-weight="600" font-size="${size}" fill="#231d15">
${lines.map((line, i) => html`<text x="120" y="${round(middle + i * size * 1.08)}">${line}</text>`)}
</g>
<text x="120" y="218" font-size="${fitted([process], 112, 11, 0.55)}" fill="#5d5446">${process}</text>
</g>
<path d="M84 228H156" stroke="#d5cbb6"/>
${[1, 2, 3, 4, 5].map(
  (dot) =>
    html`<circle cx="${90 + dot * 10}" cy="241" r="3.6" stroke="#a4431c" fill="${
      dot <= roast ? "#a4431c" : "none"
    }"/>`,
)}`;
}

/** The name without its country, which stands on the band; on two lines at most. */
function titleLines(name: string, country: string): string[] {
  const rest = name.replace(country, "").replace(/[()]/g, " ").replace(/\s+/g, " ").trim();
  const words = cut(rest === "" ? name : rest, 30).split(" ");
  if (words.length === 1 || words.join(" ").length <= 9) return [words.join(" ")];
  const broken = words.map((_, i) => [words.slice(0, i).join(" "), words.slice(i).join(" ")]);
  const longest = (lines: string[]) => Math.max(...lines.map((line) => line.length));
  return broken.slice(1).sort((a, b) => longest(a) - longest(b))[0]!;
}

/** The largest size, at most `most`, at which every line fits the width. `em` is a letter's width. */
const fitted = (lines: readonly string[], width: number, most: number, em: number): number =>
  round(Math.min(most, ...lines.map((line) => width / (Math.max(1, line.length) * em))));

const round = (value: number): number => Math.round(value * 10) / 10;

const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`;
