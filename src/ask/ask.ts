/**
 * `ask` hands over the facts that a question may need (contract §9): a line for each coffee, and the whole
 * policy unless the question is about coffees only. The asker compares, excludes and adds up by itself.
 */
import type { Catalog, Product } from "../catalog/catalog.ts";
import { madeFrom } from "../catalog/live-catalog.ts";
import { words } from "../catalog/words.ts";
import { createReader, fullLine, type Meaning, shortLine } from "./beans.ts";
import { type DeclineReason, declineText, type Gates, gatesOf, type NotGiven } from "./gates.ts";
import { type Live, type PolicySection, sections } from "./sections.ts";

export interface BeanLine {
  product_id: string;
  text: string;
}

export interface Answer {
  answer: string;
  beans: BeanLine[];
  /** Every section, or none. */
  policy?: PolicySection[];
  not_given?: NotGiven[];
  declined?: DeclineReason;
}

export interface Reading extends Gates {
  answer: Answer;
  /** The question's words. */
  said: readonly string[];
  meaning: Meaning;
}

export type Ask = (question: string, live: Live) => Reading;

const MOST_IN_FULL = 8;
const MOST_OTHERS = 40;

/** The words of the catalog are read with the first question after each publication. */
export function createAsk(catalog: Catalog): Ask {
  const reader = madeFrom(catalog, ({ products }) => createReader(products));
  return (question, live) => {
    const said = words(question);
    const meaning = reader()(question);
    const gates = gatesOf(said);
    const policy =
      meaning.isOnlyAboutCoffee && gates.declined.length === 0 ? undefined : sections(live);
    const answer = {
      answer: sentences(gates, policy !== undefined, live),
      beans: beanLines(meaning, catalog.products, live),
      ...(policy && { policy }),
      ...(gates.notGiven.length > 0 && { not_given: gates.notGiven }),
      ...(gates.declined[0] && { declined: gates.declined[0] }),
    };
    return { answer, said, meaning, ...gates };
  };
}

/** Says what is declined or withheld, and that the shop states nothing else. */
const sentences = ({ declined, notGiven }: Gates, hasPolicy: boolean, live: Live): string =>
  [
    ...declined.map((reason) => declineText(reason, live)),
    ...notGiven.map(
      (what) => `The ${what} of a coffee is not given out: the shop's records don't hold it.`,
    ),
    hasPolicy
      ? "Here are the coffees and the whole policy. The shop states nothing else."
      : "Here are the coffees. Nothing else is stated about them.",
  ].join(" ");

/** The coffees that the question means in full, or all of a small catalog; the others in short. */
function beanLines(meaning: Meaning, products: readonly Product[], live: Live): BeanLine[] {
  const { named, values } = meaning;
  const fitting = products.filter((bean) =>
    values.some(({ product_id }) => product_id === bean.product_id),
  );
  const meant = named.length > 0 ? named : [...new Set([...fitting, ...products])];
  const inFull = new Set(meant.slice(0, MOST_IN_FULL));
  return [...new Set([...meant, ...products])].slice(0, MOST_IN_FULL + MOST_OTHERS).map((bean) => ({
    product_id: bean.product_id,
    text: inFull.has(bean) ? fullLine(bean, live, meaning) : shortLine(bean, live),
  }));
}
