/** `ask` hands over the facts that a question may need (contract §9). The asker compares and adds up. */
import type { Catalog, Product } from "../catalog/catalog.ts";
import { madeFrom } from "../catalog/live-catalog.ts";
import { contentWords, words } from "../catalog/words.ts";
import { promises } from "../core/shop.ts";
import { beanLine, createReader } from "./beans.ts";
import { DECLINES, gatesOf } from "./gates.ts";
import { type Live, sections } from "./sections.ts";

/** The answer to a question, and what the question was taken to mean. */
export type Reading = ReturnType<ReturnType<typeof createAsk>>;

const [MOST_IN_FULL, MOST_LINES] = [8, 48];

/** The catalog's words are read with the first question after each publication. */
export function createAsk(catalog: Catalog) {
  const reader = madeFrom(catalog, ({ products }) => createReader(products));
  return (question: string, live: Live) => {
    const said = words(question);
    const whole = sections(live);
    const stated = contentWords(whole.map(({ topic, text }) => `${topic} ${text}`).join(" "));
    const meaning = reader()(question, stated);
    const { declined, notGiven } = gatesOf(said);
    const policy = meaning.isOnlyAboutCoffee && declined.length === 0 ? undefined : whole;
    const { named, values, isAboutPolicy } = meaning;
    const fitting = catalog.products.filter((bean) =>
      values.some(({ product_id }) => product_id === bean.product_id),
    );
    // The coffees that the question means come first. Beside the policy, those that it can't mean are short.
    const isMeant = (bean: Product) =>
      !policy || (named.length > 0 ? named.includes(bean) : !isAboutPolicy);
    const beans = [...new Set([...named, ...fitting, ...catalog.products])]
      .slice(0, MOST_LINES)
      .map((bean, place) => ({
        product_id: bean.product_id,
        text: beanLine(bean, live, place < MOST_IN_FULL && isMeant(bean) ? meaning : null),
      }));
    const answer = {
      answer: [
        ...declined.map((reason) => DECLINES[reason]),
        ...notGiven.map(
          (what) => `The ${what} of a coffee is not stated: the shop has no record of it.`,
        ),
        policy
          ? "The coffees in short, and the whole policy."
          : `The coffees. ${promises(live.shop).sells}`,
        "Ask with a coffee's name for all its facts, with a brewing method for its recipe; the shop states nothing else.",
      ].join(" "),
      beans,
      ...(policy && { policy }),
      ...(notGiven.length > 0 && { not_given: notGiven }),
      ...(declined[0] && { declined: declined[0] }),
    };
    return { answer, said, meaning, declined, notGiven };
  };
}
