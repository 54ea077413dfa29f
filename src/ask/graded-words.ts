/** Words that tell a place on a scale, or more and less of it. */
import type { Field } from "./answer.ts";
import type { Beans } from "./facts.ts";
import { levelTrait, type Scale, type Trait } from "./traits.ts";
import * as known from "./vocabulary.ts";

/** All that a word or phrase can mean; what it does mean is settled by its neighbours. */
export interface Concept {
  trait?: Trait;
  /** The other thing of that name: Geisha is a bean of ours and a variety. */
  other?: Trait;
  scale?: Scale;
  dir?: 1 | -1;
  form?: "comp" | "sup";
  ask?: { field: Field; param: known.ScaleName | undefined };
  cues?: string[];
}

/** The first that says a word means something has the first word. */
export type Add = (phrase: string, concept: Concept) => void;

const ENDS = { acidity: ["low", "medium", "high"], body: ["light", "medium", "full"] } as const;
/** Words of a body that mean nothing else. */
const OF_BODY = /^(?:creamy|syrupy|velvety|silky|buttery|dense)$/;

export function levels(beans: Beans, add: Add): void {
  const nouns = {
    acidity: ["acidity", "acid"],
    body: ["body", "bodied"],
    roast: ["roast", "roasted", "roasting", ""],
  };
  for (const scale of ["acidity", "body", "roast"] as const)
    for (const [word, level] of known.LEVELS.get(scale)!) {
      const end = level < 3 ? 0 : level > 3 ? 2 : 1;
      const label = scale === "roast" ? `${word} roast` : `${ENDS[scale][end]} ${scale}`;
      const concept = {
        trait: levelTrait(scale, level, label, beans),
        scale,
        dir: level < 3 ? -1 : 1,
      } as const;
      for (const noun of nouns[scale])
        if (noun !== "" || /light|medium|^dark/.test(word)) add(`${word} ${noun}`, concept);
      if (scale === "body" && OF_BODY.test(word)) add(word, concept);
    }
}

/** "cheap" → cheaper, cheapest; "fruity" → fruitier, fruitiest; "hot" → hotter, hottest. */
export function forms(word: string, each: (form: string, degree: "comp" | "sup") => void): void {
  const stem = word.endsWith("y") ? `${word.slice(0, -1)}i` : word.replace(/e$/, "");
  for (const base of [stem, `${stem}${stem.at(-1)}`]) {
    each(`${base}er`, "comp");
    each(`${base}est`, "sup");
  }
}

export function scales(beans: Beans, add: Add): void {
  for (const [word, scale] of [
    ["coffee", "dose"],
    ["water", "water"],
  ] as const) {
    add(`more ${word}`, { scale, dir: 1, form: "comp" });
    add(`less ${word}`, { scale, dir: -1, form: "comp" });
    add(`most ${word}`, { scale, dir: 1, form: "sup" });
    add(`least ${word}`, { scale, dir: -1, form: "sup" });
  }
  for (const [key, line] of known.GRADABLE) {
    const scale = key.slice(0, -1) as known.ScaleName;
    const dir = key.endsWith("+") ? 1 : -1;
    for (const word of line) {
      forms(word, (form, degree) => add(form, { scale, dir, form: degree }));
      // "Body" only names the scale; "full" and "acidic" are a place on it.
      const graded = (scale === "acidity" || scale === "body") && !/^(?:body|bodied)$/.test(word);
      const place =
        graded &&
        levelTrait(scale, dir > 0 ? 4 : 2, `${ENDS[scale][dir > 0 ? 2 : 0]} ${scale}`, beans);
      add(word, { scale, dir, ...(place && { trait: place }) });
    }
  }
}
