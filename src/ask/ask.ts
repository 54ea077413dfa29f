/**
 * `ask` hands over the facts that a question may need (contract §9): a line for each coffee, and the whole
 * policy unless the question is about coffees only. The asker compares, excludes and adds up by itself.
 */
import type { Catalog, Product } from "../catalog/catalog.ts";
import { madeFrom } from "../catalog/live-catalog.ts";
import { contentWords, words } from "../catalog/words.ts";
import { promises } from "../core/shop.ts";
import { beanLine, createReader, type Meaning } from "./beans.ts";
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

const [MOST_IN_FULL, MOST_LINES] = [8, 48];

/** The words of the catalog are read with the first question after each publication. */
export function createAsk(catalog: Catalog): Ask {
  const reader = madeFrom(catalog, ({ products }) => createReader(products));
  return (question, live) => {
    const said = words(question);
    const whole = sections(live);
    const stated = contentWords(whole.map(({ topic, text }) => `${topic} ${text}`).join(" "));
    const meaning = reader()(question, stated);
    const gates = gatesOf(said);
    const policy = meaning.isOnlyAboutCoffee && gates.declined.length === 0 ? undefined : whole;
    const answer = {
      answer: sentences(gates, policy !== undefined, live),
      beans: beanLines(catalog.products, live, { meaning, isBrief: policy !== undefined }),
      ...(policy && { policy }),
      ...(gates.notGiven.length > 0 && { not_given: gates.notGiven }),
      ...(gates.declined[0] && { declined: gates.declined[0] }),
    };
    return { answer, said, meaning, ...gates };
  };
}

/** Names declined requests, withheld facts and the place of further facts. */
const sentences = ({ declined, notGiven }: Gates, hasPolicy: boolean, live: Live): string =>
  [
    ...declined.map((reason) => declineText(reason, live)),
    ...notGiven.map(
      (what) => `The ${what} of a coffee is not given out: the shop's records don't hold it.`,
    ),
    hasPolicy
      ? "Here are the coffees and the whole policy; the shop states nothing else."
      : `Here are the coffees; nothing else is stated about them. ${promises(live.shop).sells}`,
    "A coffee's name brings all its facts, a method the recipe.",
  ].join(" ");

/**
 * The coffees that the question means come first; the first ones have all their facts. Beside the policy,
 * those that it can't mean are short.
 */
function beanLines(
  products: readonly Product[],
  live: Live,
  { meaning, isBrief }: { meaning: Meaning; isBrief: boolean },
): BeanLine[] {
  const { named, values, isAboutPolicy } = meaning;
  const isMeant = (bean: Product) =>
    !isBrief || (named.length > 0 ? named.includes(bean) : !isAboutPolicy);
  const fitting = products.filter((bean) =>
    values.some(({ product_id }) => product_id === bean.product_id),
  );
  return [...new Set([...named, ...fitting, ...products])]
    .slice(0, MOST_LINES)
    .map((bean, place) => ({
      product_id: bean.product_id,
      text: beanLine(bean, live, place < MOST_IN_FULL && isMeant(bean) ? meaning : null),
    }));
}
