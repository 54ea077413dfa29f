/** The traits people wish for, how they say so, and what in a bean's facts speaks for each. */
import { list } from "../text.ts";
import type { Scale } from "./flavours.ts";

export interface Trait {
  /** As the answer calls it: "the fruitier of the two" is built from `more`. */
  label: string;
  more: string;
  asked: readonly string[];
  families?: readonly string[];
  /** Which end of a scale the trait is: 1 for the high end, 0 for the low one. */
  scales?: readonly { scale: Scale; end: 0 | 1 }[];
  /** Words in choose_if and the brewing advice that speak for a bean. */
  evidence?: readonly string[];
}

/** "fruity" → fruity, fruitier, fruitiest, fruitiness. */
const forms = (...adjectives: string[]): string[] =>
  adjectives.flatMap((word) => {
    if (!word.endsWith("y")) return [word, `${word}er`, `${word}est`, `${word}ness`];
    const stem = word.slice(0, -1);
    return [word, `${stem}ier`, `${stem}iest`, `${stem}iness`, `${word}er`, `${word}est`];
  });

const family = (label: string, more: string, asked: string[]): Trait => ({
  label,
  more,
  asked,
  families: [label],
  evidence: [label],
});

export const TRAITS: readonly Trait[] = [
  family("fruity", "fruitier", [
    ...forms("fruity"),
    ...list("fruit, fruits, dried fruit, fruit forward, frutado, fruchtig, fruite"),
  ]),
  family("berry-like", "more berry-like", [
    ...list("berry, berries, berry notes, berry like"),
    ...forms("berryish"),
  ]),
  family(
    "rich in stone fruit",
    "richer in stone fruit",
    list("stone fruit, stone fruits, stonefruit, peachy, plummy"),
  ),
  family("citrusy", "more citrusy", [
    ...forms("citrusy", "lemony", "zesty"),
    "citric",
    "citrusey",
    "citrus",
  ]),
  family("tropical", "more tropical", ["tropical", "exotic fruit"]),
  family("floral", "more floral", [
    ...forms("flowery"),
    ...list("floral, florals, flower, flowers, blossom, blumig, perfumed, perfumy, aromatic"),
  ]),
  family("chocolatey", "more chocolatey", [
    ...forms("chocolatey", "chocolaty", "chocolatty", "chocolate like"),
    ...list("chocolate, choc, choco, chocolates, cocoa, cacao, schokoladig, chocolatoso"),
  ]),
  family("nutty", "nuttier", [...forms("nutty"), ...list("nut, nuts, nussig")]),
  family("sweet", "sweeter", [
    ...forms("sweet", "sugary"),
    ...list("sugar, caramelly, caramely, dessert, dulce"),
  ]),
  family("spicy", "spicier", [...forms("spicy"), "spice", "spices", "spiced"]),
  family("earthy", "earthier", forms("earthy", "woody")),
  family("smoky", "smokier", forms("smoky", "smokey", "toasty")),
  family("winey", "more winey", [...forms("winey", "boozy", "funky"), "wine"]),
  {
    label: "tea-like",
    more: "more tea-like",
    asked: list(
      `
        tea like, like tea, delicate, subtle, elegant, clean, light bodied, light body,
        lighter body, lightest body, lighter bodied, lightest bodied, thin body, thinnest,
        light coffee
      `,
    ),
    families: ["tea-like", "floral"],
    scales: [{ scale: "body", end: 0 }],
  },
  {
    label: "bright",
    more: "brighter",
    asked: [
      ...forms("bright", "tangy", "tart", "sour", "crisp", "juicy", "lively", "vivid"),
      ...list(
        `
          acidic, acid, acidity, acidy, high acidity, high acid, more acidity, vibrant, acidez,
          saure
        `,
      ),
    ],
    scales: [{ scale: "acidity", end: 1 }],
  },
  {
    label: "low in acidity",
    more: "lower in acidity",
    asked: [
      ...forms("smooth", "mellow", "mild", "gentle", "soft"),
      ...list(
        `
          low acidity, low acid, lower acidity, lowest acidity, less acidity, least acidity,
          less acidic, least acidic, lower in acid, low in acid, lowest in acid,
          easy on the stomach, easy on my stomach, stomach friendly, sensitive stomach,
          acid reflux, reflux, heartburn
        `,
      ),
    ],
    scales: [{ scale: "acidity", end: 0 }],
  },
  {
    label: "full-bodied",
    more: "fuller",
    asked: [
      ...forms(
        "bold",
        "strong",
        "rich",
        "heavy",
        "thick",
        "creamy",
        "full",
        "dark tasting",
        "hearty",
        "punchy",
      ),
      ...list(
        `
          full bodied, full body, heavy body, more body, most body, heaviest body, body, intense,
          intensity, robust, powerful, strength, kick
        `,
      ),
    ],
    scales: [
      { scale: "body", end: 1 },
      { scale: "roast", end: 1 },
    ],
  },
  {
    label: "dark in roast",
    more: "darker in roast",
    asked: list(
      "darker, darkest, darker roast, darkest roast, darker roasted, most roasted, heaviest roast",
    ),
    scales: [{ scale: "roast", end: 1 }],
  },
  {
    label: "light in roast",
    more: "lighter in roast",
    asked: list("lighter, lightest, lighter roast, lightest roast, lighter roasted, least roasted"),
    scales: [{ scale: "roast", end: 0 }],
  },
  {
    label: "good with milk",
    more: "better with milk",
    asked: list(
      `
        milk, with milk, milk drinks, milky, milk based, latte, lattes, cappuccino, cappuccinos,
        capuccino, cappucino, flat white, flat whites, cortado, macchiato, creamer, cream,
        oat milk, milch, leche, lait
      `,
    ),
    evidence: ["with milk", "milk drinks", "and milk"],
  },
  {
    label: "good black",
    more: "better black",
    asked: list("black, drink it black, drunk black, without milk, no milk, filter coffee"),
    evidence: ["black", "filter"],
  },
  {
    label: "easy every day",
    more: "easier every day",
    asked: list(
      `
        everyday, every day, daily, daily driver, all day, easy drinking, crowd pleaser,
        crowd pleasing, beginner, beginners, newbie, someone new, new to, starter, first time,
        versatile, all rounder, balanced, morning, breakfast, office
      `,
    ),
    evidence: ["everyday", "every day", "easy"],
  },
  {
    label: "special",
    more: "more special",
    asked: list(
      `
        rare, rarest, exclusive, fancy, fanciest, premium, luxury, luxurious, special,
        most special, finest, top end, high end, top shelf, special occasion, impress, treat,
        connoisseur, gift, gifts, gifting, present, birthday, anniversary, wedding, christmas,
        celebrate, celebration, best quality, highest quality, top quality
      `,
    ),
    evidence: ["finest", "gifts", "gift", "special"],
  },
];
